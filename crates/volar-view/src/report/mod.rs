//! Reports: what happened in a run, in one file.

mod axis;
mod plain;
mod png;
mod prepared;
mod svg;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use volar_record::{Frame, Header};

use crate::page::{Data, Page};
use png::Painter;
pub use prepared::MAX_FRAMES;
pub(crate) use prepared::Prepared;
use svg::Curves;

/// What is known of a run beside its frames.
#[derive(Clone, Debug, Default)]
pub struct RunInfo {
    /// The summary, an object: `held`, `failure`, `drift_mm` and so on.
    pub summary: Value,
    /// The scene with all that it was resolved to.
    pub scene_toml: String,
    /// The command that does the same again.
    pub command: String,
    /// Version of Volar.
    pub version: String,
    /// Kinetic energy of the object at each frame, and what was to be expected
    /// of it, J.
    pub object_kinetic_energy: Option<Vec<[f64; 2]>>,
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
    /// The kinetic energies of the object do not fit the frames.
    #[error("{found} kinetic energies of the object are given for {expected} frames")]
    WrongEnergies {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A file could not be written.
    #[error("{}: cannot be written: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A plot could not be painted.
    #[error("plot `{plot}` cannot be painted: {why}")]
    Paint {
        /// Name of the plot.
        plot: String,
        /// Why.
        why: String,
    },
}

/// Writes `report.html` and `plots/*.svg` and `*.png` into a directory, which
/// is made if it is not there.
pub fn write(
    dir: &Path,
    run: &RunInfo,
    header: &Header,
    frames: &[Frame],
) -> Result<(), ReportError> {
    write_with(Page::built(), dir, run, header, frames)
}

fn write_with(
    page: Option<Page>,
    dir: &Path,
    run: &RunInfo,
    header: &Header,
    frames: &[Frame],
) -> Result<(), ReportError> {
    let prepared = Prepared::new(header, frames, Some(run))?;
    let times: Vec<f64> = frames.iter().map(|frame| frame.time).collect();
    let curves = Curves {
        times: &times,
        values: &prepared.values,
        transient_end: prepared.transient_end,
    };

    let plots_dir = dir.join("plots");
    fs::create_dir_all(&plots_dir).map_err(|source| ReportError::Write {
        path: plots_dir.clone(),
        source,
    })?;
    let painter = Painter::new();
    let mut drawings = Vec::new();
    for plot in &prepared.channels.plots {
        let drawing = svg::draw(plot, &curves);
        let painted = painter.paint(&drawing).map_err(|why| ReportError::Paint {
            plot: plot.id.clone(),
            why,
        })?;
        put(
            &plots_dir.join(format!("{}.svg", plot.id)),
            drawing.as_bytes(),
        )?;
        put(&plots_dir.join(format!("{}.png", plot.id)), &painted)?;
        drawings.push(drawing);
    }

    let path = dir.join("report.html");
    let html = match page {
        Some(page) => {
            let failed = |source| ReportError::Write {
                path: path.clone(),
                source,
            };
            let data = Data {
                meta: prepared.meta("report", Some(run)),
                frames: prepared.records().map_err(failed)?,
                patches: prepared.patches().map_err(failed)?,
            };
            page.with_data(&format!("{} — Volar report", header.scene), &data)
        }
        None => plain::page(&header.scene, run, &drawings),
    };
    put(&path, html.as_bytes())
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), ReportError> {
    fs::write(path, bytes).map_err(|source| ReportError::Write {
        path: path.into(),
        source,
    })
}
