//! Still plots as PNG: the SVG files, painted.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

/// Pixels per unit of the drawing: sharp in print at column width.
const SCALE: f32 = 2.0;

/// Why a drawing could not be painted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PaintError {
    /// The drawing is not valid SVG.
    #[error("the drawing is not valid: {0}")]
    Svg(String),
    /// The drawing is empty, or larger than memory allows.
    #[error("the drawing has no size that can be painted")]
    Size,
    /// The picture cannot be encoded.
    #[error("the picture cannot be encoded: {0}")]
    Png(String),
}

/// Paints SVG files with a font of its own, so that pictures are the same on
/// every machine.
pub struct Painter {
    options: Options<'static>,
}

impl Default for Painter {
    /// A painter with its font.
    fn default() -> Painter {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
        let family = fonts.faces().next().and_then(|face| face.families.first());
        let family = family.map_or_else(String::new, |(name, _)| name.clone());
        fonts.set_sans_serif_family(family.clone());
        Painter {
            options: Options {
                font_family: family,
                fontdb: Arc::new(fonts),
                ..Options::default()
            },
        }
    }
}

impl Painter {
    /// A PNG file of a drawing.
    pub fn paint(&self, svg: &str) -> Result<Vec<u8>, PaintError> {
        let tree = Tree::from_str(svg, &self.options)
            .map_err(|error| PaintError::Svg(error.to_string()))?;
        let size = tree.size().to_int_size().scale_by(SCALE);
        let size = size.ok_or(PaintError::Size)?;
        let pixels = Pixmap::new(size.width(), size.height());
        let mut pixels = pixels.ok_or(PaintError::Size)?;
        resvg::render(
            &tree,
            Transform::from_scale(SCALE, SCALE),
            &mut pixels.as_mut(),
        );
        let png = pixels.encode_png();
        png.map_err(|error| PaintError::Png(error.to_string()))
    }
}
