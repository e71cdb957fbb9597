//! Reports: what happened in a run, in one file.

mod axis;
mod origin;
mod plain;
mod png;
mod prepared;
mod svg;
mod table;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use volar_record::{Frame, Header};

use crate::page::{Data, Page};
use crate::patches::PatchFinder;
pub use axis::Axis;
pub use origin::{ORIGIN_FILE, Origin};
pub use png::{PaintError, Painter};
pub use prepared::MAX_FRAMES;
pub(crate) use prepared::Prepared;
pub use svg::COLOURS;
use svg::Curves;
pub(crate) use table::rows;

/// What is known of a run beside its frames.
#[derive(Clone, Debug, Default)]
pub struct RunInfo {
    /// The summary, an object: `held`, `failure`, `drift_mm` and so on.
    pub summary: Value,
    /// The scene with all defaults and overrides filled in, as TOML.
    pub scene_toml: String,
    /// Command, version and machine.
    pub origin: Origin,
}

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// There is nothing to show.
    #[error("the run has no frames: a report needs at least one")]
    NoFrames,
    /// A frame does not fit the header.
    #[error("frame {frame} lists {found} bodies where the header has {expected}")]
    WrongFrame {
        /// Number of the frame.
        frame: usize,
        /// How many bodies it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A file could not be written.
    #[error("{}: cannot be written: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The frames could not be packed.
    #[error("the frames cannot be packed: {0}")]
    Pack(io::Error),
    /// A plot could not be painted.
    #[error("plot `{plot}` cannot be painted: {source}")]
    Paint {
        /// Name of the plot.
        plot: String,
        /// What went wrong.
        source: PaintError,
    },
}

/// Writes `report.html` and `plots/*.svg` and `*.png` into a directory, which
/// is created if needed.
pub fn write(
    dir: &Path,
    run: &RunInfo,
    header: &Header,
    frames: &[Frame],
) -> Result<(), ReportError> {
    write_with(Page::built(), dir, run, header, frames)
}

/// The page of a run as text: one file that needs nothing else.
pub fn html(run: &RunInfo, header: &Header, frames: &[Frame]) -> Result<String, ReportError> {
    let prepared = Prepared::new(header, frames)?;
    html_of(Page::built(), run, header, &prepared, &|| {
        let times = prepared.times();
        let curves = curves(&prepared, &times);
        let plots = prepared.channels.plots.iter();
        plots.map(|plot| svg::draw(plot, &curves)).collect()
    })
}

/// The page; `drawings` are made only where there is no page to show plots with.
fn html_of(
    page: Option<Page>,
    run: &RunInfo,
    header: &Header,
    prepared: &Prepared,
    drawings: &dyn Fn() -> Vec<String>,
) -> Result<String, ReportError> {
    let Some(page) = page else {
        let grasp = header.grasp.as_ref();
        return Ok(plain::page(&header.scene, run, grasp, &drawings()));
    };
    let patches = prepared.patches(&mut PatchFinder::new(header));
    let data = Data {
        meta: prepared.meta("report", Some(run), &patches),
        frames: prepared.records().map_err(ReportError::Pack)?,
        patches: prepared::packed(&patches).map_err(ReportError::Pack)?,
    };
    Ok(page.with_data(&format!("{} — Volar report", header.scene), &data))
}

fn curves<'a>(prepared: &'a Prepared, times: &'a [f64]) -> Curves<'a> {
    Curves {
        times,
        values: &prepared.values,
        transient_end: prepared.transient_end,
    }
}

fn write_with(
    page: Option<Page>,
    dir: &Path,
    run: &RunInfo,
    header: &Header,
    frames: &[Frame],
) -> Result<(), ReportError> {
    let prepared = Prepared::new(header, frames)?;
    let times = prepared.times();
    let curves = curves(&prepared, &times);

    let plots_dir = dir.join("plots");
    fs::create_dir_all(&plots_dir).map_err(|source| ReportError::Write {
        path: plots_dir.clone(),
        source,
    })?;
    let painter = Painter::default();
    let mut drawings = Vec::new();
    for plot in &prepared.channels.plots {
        let drawing = svg::draw(plot, &curves);
        let painted = painter
            .paint(&drawing)
            .map_err(|source| ReportError::Paint {
                plot: plot.id.clone(),
                source,
            })?;
        put(
            &plots_dir.join(format!("{}.svg", plot.id)),
            drawing.as_bytes(),
        )?;
        put(&plots_dir.join(format!("{}.png", plot.id)), &painted)?;
        drawings.push(drawing);
    }
    let html = html_of(page, run, header, &prepared, &|| drawings.clone())?;
    put(&dir.join("report.html"), html.as_bytes())
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), ReportError> {
    fs::write(path, bytes).map_err(|source| ReportError::Write {
        path: path.into(),
        source,
    })
}
