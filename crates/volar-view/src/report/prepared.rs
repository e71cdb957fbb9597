//! A complete run, prepared for plots and page.

use std::io;

use serde_json::json;
use volar_record::{Frame, Header, Thinned};

use super::{ReportError, RunInfo, table};
use crate::channels::{Baseline, Channels};
use crate::encode;
use crate::patches::{Patch, PatchFinder};

/// More frames than this are thinned out, in page and still plots alike; peaks stay.
pub const MAX_FRAMES: usize = 2000;

/// A report has the shapes of patches at no more than about so many frames.
const MAX_PATCHES: usize = 120;

/// Patches take no more than this before compression, bytes.
const PATCHES_LIMIT: usize = 6_000_000;

/// A run and what follows from it.
pub struct Prepared<'a> {
    pub header: &'a Header,
    /// Those that are shown.
    pub frames: Vec<&'a Frame>,
    pub channels: Channels,
    /// Values of all channels at these frames.
    pub values: Vec<Vec<f64>>,
    /// When forces have become steady, s.
    pub transient_end: Option<f64>,
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
        // The same frames as those of a report that was thinned out during the run.
        let mut kept = Thinned::new(header, MAX_FRAMES);
        for frame in frames {
            kept.push(frame, frame);
        }
        let frames = kept.into_items();
        let mut channels = Channels::new(header);
        let end = frames.last().map_or(0.0, |frame| frame.time);
        channels.mark_windows(header.grasp.as_ref(), end);
        let mut baseline = Baseline::of(header, &frames);
        let value = |frame: &&Frame| channels.values(&mut baseline, frame);
        let values = frames.iter().map(value).collect();
        let transient_end = channels.transient_end(&frames);
        Ok(Prepared {
            header,
            frames,
            values,
            transient_end,
            channels,
        })
    }

    /// Times of the frames, s.
    pub fn times(&self) -> Vec<f64> {
        self.frames.iter().map(|frame| frame.time).collect()
    }

    /// What does not change, as JSON. Colours of pressure reach up to the greatest in
    /// `patches`.
    pub fn meta(&self, mode: &str, run: Option<&RunInfo>, patches: &[FramePatches]) -> String {
        let run = run.map(|run| {
            json!({
                "summary": run.summary,
                "rows": table::rows(&run.summary, self.header.grasp.as_ref()),
                "scene_toml": run.scene_toml,
                "command": run.origin.command,
                "about": run.origin.about(),
            })
        });
        let all = patches.iter().flat_map(|(_, patches)| patches);
        let more = json!({
            "run": run,
            "transient_end": self.transient_end,
            "greatest_pressure": all.map(Patch::greatest_pressure).fold(0.0, f64::max),
        });
        encode::meta(mode, self.header, &self.channels, more).to_string()
    }

    /// The frames for the page, compressed.
    pub fn records(&self) -> io::Result<Vec<u8>> {
        let mut records = Vec::new();
        for (values, frame) in self.values.iter().zip(&self.frames) {
            encode::put_frame(&mut records, self.header, values, frame);
        }
        encode::compressed(&records)
    }

    /// Patches at some of the frames, evenly, and at that of the greatest pressure.
    pub fn patches(&self, finder: &mut PatchFinder) -> Vec<FramePatches> {
        let stride = self.frames.len().div_ceil(MAX_PATCHES).max(1);
        let mut chosen: Vec<usize> = (0..self.frames.len()).rev().step_by(stride).collect();
        let pressure = |at: &usize| {
            let contacts = self.frames[*at].contacts.iter();
            contacts.map(|contact| contact.pressure).fold(0.0, f64::max)
        };
        let all = 0..self.frames.len();
        chosen.extend(all.max_by(|a, b| pressure(a).total_cmp(&pressure(b))));
        chosen.sort_unstable();
        chosen.dedup();
        let found = chosen.into_iter();
        found.map(|at| (at, finder.at(self.frames[at]))).collect()
    }
}

/// Number of a frame, and the patches there.
pub type FramePatches = (usize, Vec<Patch>);

/// As many patches as there is room for, compressed.
pub fn packed(patches: &[FramePatches]) -> io::Result<Vec<u8>> {
    let mut stride = 1;
    loop {
        let mut records = Vec::new();
        for (at, patches) in patches.iter().rev().step_by(stride) {
            encode::put_patches(&mut records, *at, patches);
            if records.len() > PATCHES_LIMIT {
                break;
            }
        }
        if records.len() <= PATCHES_LIMIT || stride >= patches.len() {
            return encode::compressed(&records);
        }
        stride *= 2;
    }
}
