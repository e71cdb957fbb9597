//! Still plots as PNG: the SVG files, painted.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

/// Pixels per unit of the drawing: sharp in print at column width.
const SCALE: f32 = 2.0;

/// Paints SVG files with a font of its own, so that pictures are the same on
/// every machine.
pub struct Painter {
    options: Options<'static>,
}

impl Painter {
    /// A painter with its font.
    pub fn new() -> Painter {
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

    /// A PNG file of a drawing; an explanation when that fails.
    pub fn paint(&self, svg: &str) -> Result<Vec<u8>, String> {
        let tree = Tree::from_str(svg, &self.options).map_err(|error| error.to_string())?;
        let size = tree.size().to_int_size().scale_by(SCALE);
        let size = size.ok_or("the drawing has no size")?;
        let pixels = Pixmap::new(size.width(), size.height());
        let mut pixels = pixels.ok_or("the drawing is too large")?;
        resvg::render(
            &tree,
            Transform::from_scale(SCALE, SCALE),
            &mut pixels.as_mut(),
        );
        pixels.encode_png().map_err(|error| error.to_string())
    }
}
