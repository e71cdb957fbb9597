//! A complete run, prepared for plots and page.

use std::io;

use serde_json::json;
use volar_record::{Frame, Header};

use super::{ReportError, RunInfo};
use crate::channels::{Baseline, Channels};
use crate::encode;
use crate::patches::PatchFinder;

/// More frames than this are thinned out in the page; still plots show all.
pub const MAX_FRAMES: usize = 2000;

/// A report has the shapes of patches at no more than about so many frames.
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
    /// Computes the channels; refuses frames that do not fit the header.
    pub fn new(header: &'a Header, frames: &'a [Frame]) -> Result<Prepared<'a>, ReportError> {
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
        let channels = Channels::new(header);
        let mut baseline = Baseline::of(header, frames);
        let value = |frame| channels.values(&mut baseline, frame);
        let values = frames.iter().map(value).collect();
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
            encode::put_frame(&mut records, self.header, values, frame);
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
