//! Writing a recording.

use std::ops::ControlFlow;
use std::path::Path;

use crate::check::{self, HeaderFault};
use crate::error::RecordError;
use crate::frame::{Frame, Header};
use crate::header;
use crate::mcap_file::McapFile;
use crate::read::read;
use crate::series::SeriesFile;
use crate::{MCAP_FILE, SERIES_FILE};

/// At the end of the names of files that will take the place of others.
pub(crate) const UNFINISHED: &str = ".unfinished";

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
        RecordingWriter::create_as(dir, header, "")
    }

    /// Goes on with a recording, whose first frames are kept, as many as are
    /// given. A kill in the middle leaves the recording as it was.
    ///
    /// # Errors
    /// When there is no recording of so many frames of this header; when files
    /// cannot be made.
    pub fn resume(
        dir: &Path,
        header: &Header,
        frames: u64,
    ) -> Result<RecordingWriter, RecordError> {
        let mut writer = RecordingWriter::create_as(dir, header, UNFINISHED)?;
        let kept = writer.copy(dir, frames)?;
        if kept < frames {
            return Err(RecordError::TooShort {
                path: dir.join(MCAP_FILE),
                frames: kept,
                wanted: frames,
            });
        }
        writer.sync()?;
        writer.mcap.rename(&dir.join(MCAP_FILE))?;
        writer.series.rename(&dir.join(SERIES_FILE))?;
        Ok(writer)
    }

    /// Adds the first frames of another recording, no more than a number, and gives
    /// how many there were.
    pub(crate) fn copy(&mut self, from: &Path, frames: u64) -> Result<u64, RecordError> {
        let (mut copied, mut failed) = (0, None);
        if frames == 0 {
            return Ok(copied);
        }
        read(from, &mut |_, frame| {
            failed = self.push(&frame).err();
            copied += 1;
            match failed.is_some() || copied == frames {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        failed.map_or(Ok(copied), Err)
    }

    /// Writes both files under their names and a suffix.
    pub(crate) fn create_as(
        dir: &Path,
        header: &Header,
        suffix: &str,
    ) -> Result<RecordingWriter, RecordError> {
        check::header(header)?;
        let json = header::to_json(header).map_err(|e| HeaderFault::Json(e.to_string()))?;
        std::fs::create_dir_all(dir).map_err(RecordError::io("make the folder", dir))?;
        let path = |name: &str| dir.join(format!("{name}{suffix}"));
        Ok(RecordingWriter {
            mcap: McapFile::create(&path(MCAP_FILE), header, &json)?,
            series: SeriesFile::create(&path(SERIES_FILE), header, &json)?,
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

    /// Writes the frames so far to the disk: [`Recording::recover`](crate::Recording::recover)
    /// reads all of them after a kill.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn sync(&mut self) -> Result<(), RecordError> {
        self.mcap.sync()
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
