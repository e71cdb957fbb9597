//! Writing a recording.

use std::path::Path;

use crate::check::{self, HeaderFault};
use crate::error::RecordError;
use crate::frame::{Frame, Header};
use crate::header;
use crate::mcap_file::McapFile;
use crate::series::SeriesFile;
use crate::{MCAP_FILE, SERIES_FILE};

/// Writes a recording while the run goes on.
///
/// Call [`finish`](RecordingWriter::finish) at its end, also when it was
/// interrupted: everything pushed so far is then in the files. A writer that is
/// dropped finishes the files too, but cannot say whether that worked. After a
/// process was killed, [`Recording::recover`](crate::Recording::recover) reads
/// all but the last few frames.
pub struct RecordingWriter {
    header: Header,
    mcap: McapFile,
    series: SeriesFile,
    /// Time of the last frame, s.
    last: f64,
    completed: bool,
}

impl RecordingWriter {
    /// Starts a recording in a folder, which is created if needed. A recording
    /// that is already there is overwritten.
    ///
    /// # Errors
    /// When the files cannot be made; when bodies, joints or sensors have no
    /// name or the same; when a mesh names a vertex that it does not have.
    pub fn create(dir: &Path, header: &Header) -> Result<RecordingWriter, RecordError> {
        check::header(header)?;
        let json = header::to_json(header).map_err(|e| HeaderFault::Json(e.to_string()))?;
        std::fs::create_dir_all(dir).map_err(RecordError::io("make the folder", dir))?;
        Ok(RecordingWriter {
            mcap: McapFile::create(&dir.join(MCAP_FILE), header, &json)?,
            series: SeriesFile::create(&dir.join(SERIES_FILE), header, &json)?,
            header: header.clone(),
            last: 0.0,
            completed: false,
        })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// When the frame does not fit the header or is earlier than the one before:
    /// it is left out and the recording can go on. When the files cannot be
    /// written.
    pub fn push(&mut self, frame: &Frame) -> Result<(), RecordError> {
        check::frame(&self.header, frame, self.last).map_err(|source| RecordError::BadFrame {
            time: frame.time,
            source,
        })?;
        self.mcap.push(&self.header, frame)?;
        self.series.push(frame)?;
        self.last = frame.time;
        Ok(())
    }

    /// Completes the files.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn finish(mut self) -> Result<(), RecordError> {
        self.complete()
    }

    fn complete(&mut self) -> Result<(), RecordError> {
        if std::mem::replace(&mut self.completed, true) {
            return Ok(());
        }
        // Either file is worth having without the other.
        let mcap = self.mcap.finish();
        self.series.finish().and(mcap)
    }
}

impl Drop for RecordingWriter {
    fn drop(&mut self) {
        // There is nobody to tell; `finish` is for those who want to know.
        let _ = self.complete();
    }
}
