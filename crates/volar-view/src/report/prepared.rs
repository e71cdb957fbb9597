//! A run that is over, worked out for plots and page.

use std::io;

use serde_json::json;
use volar_record::{Frame, Header};

use super::{ReportError, RunInfo};
use crate::channels::Channels;
use crate::encode;
use crate::patches::PatchFinder;

/// More frames than this are thinned out in the page; still plots show all.
pub const MAX_FRAMES: usize = 2000;

/// At about so many frames a report knows the shapes of patches.
const MAX_PATCHES: usize = 120;

/// Patches take no more than this before compression, bytes.
const PATCHES_LIMIT: usize = 6_000_000;

/// A run and what follows from it.
pub struct Prepared<'a> {
    pub header: &'a Header,
    pub frames: &'a [Frame],
    pub channels: Channels,
    /// Values of all channels at all frames.
    pub values: Vec<Vec<f64>>,
    /// When forces have become steady, s.
    pub transient_end: Option<f64>,
    /// Numbers of the frames that the page gets.
    pub kept: Vec<usize>,
}

impl<'a> Prepared<'a> {
    /// Works out a run; refuses what does not fit together.
    pub fn new(
        header: &'a Header,
        frames: &'a [Frame],
        run: Option<&RunInfo>,
    ) -> Result<Prepared<'a>, ReportError> {
        let Some(first) = frames.first() else {
            return Err(ReportError::NoFrames);
        };
        let bodies = header.bodies.len();
        if let Some(frame) = frames.iter().position(|frame| frame.bodies.len() != bodies) {
            return Err(ReportError::WrongFrame {
                frame,
                found: frames[frame].bodies.len(),
                expected: bodies,
            });
        }
        let energies = run.and_then(|run| run.object_kinetic_energy.as_deref());
        if let Some(found) = energies.map(<[_]>::len).filter(|n| *n != frames.len()) {
            return Err(ReportError::WrongEnergies {
                found,
                expected: frames.len(),
            });
        }
        // Where next to nothing is expected, a ratio says nothing.
        let expected = energies
            .iter()
            .copied()
            .flatten()
            .map(|[_, expected]| *expected);
        let least = 0.01 * expected.fold(0.0, f64::max);
        let with_ratio = |&[found, expected]: &[f64; 2]| {
            let ratio = if expected > least {
                found / expected
            } else {
                f64::NAN
            };
            [found, expected, ratio]
        };
        let channels = Channels::new(header, energies.is_some());
        let value = |(i, frame)| {
            let energy = energies.and_then(|all| all.get(i)).map(with_ratio);
            channels.values(first, frame, energy)
        };
        let values = frames.iter().enumerate().map(value).collect();
        let transient_end = channels.transient_end(frames);
        Ok(Prepared {
            header,
            frames,
            values,
            transient_end,
            kept: thinned(frames, transient_end),
            channels,
        })
    }

    /// What does not change, as JSON.
    pub fn meta(&self, mode: &str, run: Option<&RunInfo>) -> String {
        let run = run.map(|run| {
            json!({
                "summary": run.summary, "scene_toml": run.scene_toml,
                "command": run.command, "version": run.version,
            })
        });
        let more = json!({ "run": run, "transient_end": self.transient_end });
        encode::meta(mode, self.header, &self.channels, more).to_string()
    }

    /// The frames for the page, compressed.
    pub fn records(&self) -> io::Result<Vec<u8>> {
        let mut records = Vec::new();
        for &at in &self.kept {
            let (values, frame) = (&self.values[at], &self.frames[at]);
            encode::put_frame(&mut records, self.header, &self.channels, values, frame);
        }
        encode::compressed(&records)
    }

    /// Patches at some of the frames, as many as there is room for, compressed.
    pub fn patches(&self) -> io::Result<Vec<u8>> {
        let mut finder = PatchFinder::new(self.header);
        let mut stride = self.kept.len().div_ceil(MAX_PATCHES).max(1);
        loop {
            let mut records = Vec::new();
            for at in (0..self.kept.len()).rev().step_by(stride) {
                let patches = finder.at(&self.frames[self.kept[at]]);
                encode::put_patches(&mut records, at, &patches);
                if records.len() > PATCHES_LIMIT {
                    break;
                }
            }
            if records.len() <= PATCHES_LIMIT || stride >= self.kept.len() {
                return encode::compressed(&records);
            }
            stride *= 2;
        }
    }
}

/// Which frames the page gets: all, or no more than half of them from the
/// transient and the others from the rest. The last one is always among them.
fn thinned(frames: &[Frame], transient_end: Option<f64>) -> Vec<usize> {
    if frames.len() <= MAX_FRAMES {
        return (0..frames.len()).collect();
    }
    let middle = transient_end.map_or(0, |end| frames.partition_point(|f| f.time <= end));
    let mut kept: Vec<usize> = (0..middle)
        .step_by(middle.div_ceil(MAX_FRAMES / 2).max(1))
        .collect();
    let rest = middle..frames.len();
    let stride = rest.len().div_ceil(MAX_FRAMES - kept.len()).max(1);
    kept.extend(rest.step_by(stride));
    if kept.last() != Some(&(frames.len() - 1)) {
        kept.push(frames.len() - 1);
    }
    kept
}
