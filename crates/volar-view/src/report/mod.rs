//! Reports: what happened in a run, in one file.

mod axis;
mod plain;
mod png;
mod svg;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use volar_record::{Frame, Header};

use crate::channels::Channels;
use crate::encode;
use crate::page::{Data, Page};
use crate::patches::PatchFinder;
use png::Painter;
use svg::Curves;

/// More frames than this are thinned out in the page; still plots show all.
const MOST_FRAMES: usize = 2000;

/// At about so many frames the page knows the shapes of patches.
const MOST_PATCHES: usize = 120;

/// Patches take no more than this before compression, bytes.
const PATCHES_LIMIT: usize = 6_000_000;

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
    /// Kinetic energy that was to be expected at each frame, J.
    pub expected_kinetic_energy: Option<Vec<f64>>,
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
    /// The expected kinetic energy does not fit the frames.
    #[error("{found} expected kinetic energies are given for {expected} frames")]
    WrongExpected {
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
    let expected = run.expected_kinetic_energy.as_deref();
    check(header, frames, expected)?;
    let channels = Channels::new(header, expected.is_some());
    let times: Vec<f64> = frames.iter().map(|frame| frame.time).collect();
    let values = values(&channels, frames, expected);
    let curves = Curves {
        times: &times,
        values: &values,
        transient_end: channels.transient_end(frames),
    };

    let plots_dir = dir.join("plots");
    fs::create_dir_all(&plots_dir).map_err(|source| ReportError::Write {
        path: plots_dir.clone(),
        source,
    })?;
    let painter = Painter::new();
    let mut drawings = Vec::new();
    for plot in &channels.plots {
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
            let data = data("report", Some(run), header, frames, &channels, &values);
            let data = data.map_err(|source| ReportError::Write {
                path: path.clone(),
                source,
            })?;
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

/// Refuses what does not fit together.
pub(crate) fn check(
    header: &Header,
    frames: &[Frame],
    expected: Option<&[f64]>,
) -> Result<(), ReportError> {
    if frames.is_empty() {
        return Err(ReportError::NoFrames);
    }
    let bodies = header.bodies.len();
    if let Some(frame) = frames.iter().position(|frame| frame.bodies.len() != bodies) {
        return Err(ReportError::WrongFrame {
            frame,
            found: frames[frame].bodies.len(),
            expected: bodies,
        });
    }
    match expected {
        Some(expected) if expected.len() != frames.len() => Err(ReportError::WrongExpected {
            found: expected.len(),
            expected: frames.len(),
        }),
        _ => Ok(()),
    }
}

/// Values of all channels at all frames.
pub(crate) fn values(
    channels: &Channels,
    frames: &[Frame],
    expected: Option<&[f64]>,
) -> Vec<Vec<f64>> {
    let value = |(i, frame)| {
        let expected = expected.and_then(|all| all.get(i).copied());
        channels.values(&frames[0], frame, expected)
    };
    frames.iter().enumerate().map(value).collect()
}

/// What the page shows of a run that is over.
pub(crate) fn data(
    mode: &str,
    run: Option<&RunInfo>,
    header: &Header,
    frames: &[Frame],
    channels: &Channels,
    values: &[Vec<f64>],
) -> io::Result<Data> {
    let transient_end = channels.transient_end(frames);
    let kept = thinned(frames, transient_end);
    let mut records = Vec::new();
    for &frame in &kept {
        encode::put_frame(
            &mut records,
            header,
            channels,
            &values[frame],
            &frames[frame],
        );
    }
    let run = run.map(|run| {
        json!({
            "summary": run.summary, "scene_toml": run.scene_toml,
            "command": run.command, "version": run.version,
        })
    });
    let more = json!({ "run": run, "transient_end": transient_end });
    Ok(Data {
        meta: encode::meta(mode, header, channels, more).to_string(),
        frames: encode::compressed(&records)?,
        patches: encode::compressed(&some_patches(header, frames, &kept))?,
    })
}

/// Which frames the page gets: all, or half of them from the transient and
/// half from the rest. The last one is always among them.
pub(crate) fn thinned(frames: &[Frame], transient_end: Option<f64>) -> Vec<usize> {
    if frames.len() <= MOST_FRAMES {
        return (0..frames.len()).collect();
    }
    let middle = transient_end.map_or(0, |end| frames.partition_point(|f| f.time <= end));
    let most = if middle == 0 {
        MOST_FRAMES
    } else {
        MOST_FRAMES / 2
    };
    let mut kept = Vec::new();
    for range in [0..middle, middle..frames.len()] {
        let stride = range.len().div_ceil(most).max(1);
        kept.extend(range.step_by(stride));
    }
    if kept.last() != Some(&(frames.len() - 1)) {
        kept.push(frames.len() - 1);
    }
    kept
}

/// Patches at some of the kept frames, as many as there is room for.
fn some_patches(header: &Header, frames: &[Frame], kept: &[usize]) -> Vec<u8> {
    let mut finder = PatchFinder::new(header);
    let mut stride = kept.len().div_ceil(MOST_PATCHES).max(1);
    loop {
        let mut records = Vec::new();
        for at in (0..kept.len()).rev().step_by(stride) {
            encode::put_patches(&mut records, at, &finder.at(&frames[kept[at]]));
            if records.len() > PATCHES_LIMIT {
                break;
            }
        }
        if records.len() <= PATCHES_LIMIT || stride >= kept.len() {
            return records;
        }
        stride *= 2;
    }
}
