//! What a server shows: a recording or a live run. Everything is in memory;
//! no file is ever opened for a request.

use std::sync::{Arc, Mutex, PoisonError};

use volar_http::Answer;
use volar_record::{Frame, Header};

use crate::encode;
use crate::live::Broadcast;
use crate::page::Page;
use crate::patches::PatchFinder;
use crate::report::{Prepared, RunInfo};

/// A recording, ready to be shown.
pub struct Recording {
    meta: String,
    /// Frames as the page reads them.
    records: Vec<u8>,
    /// The same frames, for their patches.
    frames: Vec<Frame>,
    finder: Mutex<PatchFinder>,
}

impl Recording {
    /// Prepares a recording.
    pub fn new(
        header: &Header,
        frames: &[Frame],
        run: Option<&RunInfo>,
    ) -> Result<Recording, super::ServeError> {
        let prepared = Prepared::new(header, frames)?;
        let shown = prepared.frames.iter().map(|frame| (*frame).clone());
        let mut finder = PatchFinder::new(header);
        let patches = prepared.patches(&mut finder);
        Ok(Recording {
            meta: prepared.meta("recording", run, &patches),
            records: prepared.records().map_err(super::ServeError::Prepare)?,
            frames: shown.collect(),
            finder: Mutex::new(finder),
        })
    }

    fn patches(&self, frame: &str) -> Option<Vec<u8>> {
        let number: usize = frame.parse().ok()?;
        let frame = self.frames.get(number)?;
        let mut finder = self.finder.lock().unwrap_or_else(PoisonError::into_inner);
        let mut record = Vec::new();
        encode::put_patches(&mut record, number, &finder.at(frame));
        Some(record)
    }
}

/// What is behind the token.
pub enum Content {
    /// A run that is over.
    Recording(Box<Recording>),
    /// A run that goes on.
    Live(Arc<Broadcast>),
}

impl Content {
    /// The answer to a request for `path`.
    pub fn answer(&self, page: Page, path: &str) -> Answer {
        let bytes = |body: &[u8]| Answer::of(200, "application/octet-stream", body.to_vec());
        let json = |text: &str| Answer::of(200, "application/json", text.as_bytes().to_vec());
        match (path, self) {
            ("", _) => Answer::of(
                200,
                "text/html; charset=utf-8",
                Page::from_server("Volar").into_bytes(),
            ),
            ("viewer.js", _) => {
                Answer::of(200, "text/javascript; charset=utf-8", page.script.into())
            }
            ("viewer.css", _) => Answer::of(200, "text/css; charset=utf-8", page.style.into()),
            ("meta", Content::Live(broadcast)) => json(&broadcast.meta),
            ("meta", Content::Recording(recording)) => json(&recording.meta),
            ("frames", Content::Recording(recording)) => bytes(&recording.records),
            (path, Content::Recording(recording)) => {
                let patches = path.strip_prefix("patches/");
                match patches.and_then(|frame| recording.patches(frame)) {
                    Some(record) => bytes(&record),
                    None => nothing(),
                }
            }
            _ => nothing(),
        }
    }
}

fn nothing() -> Answer {
    Answer::text(404, "There is nothing of this name here.")
}
