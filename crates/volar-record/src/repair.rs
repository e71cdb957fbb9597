//! Making a recording whole again.

use std::ops::ControlFlow;
use std::path::Path;

use crate::error::RecordError;
use crate::read::read;
use crate::series;
use crate::writer::{RecordingWriter, UNFINISHED};
use crate::{MCAP_FILE, SERIES_FILE};

/// What a repair found.
#[derive(Debug)]
pub struct RepairedRecording {
    /// Frames of the recording, all of them whole.
    pub frames: u64,
    /// Time of the last one, s; zero when there is none.
    pub until: f64,
    /// What was wrong; none when the recording was whole, and is as it was.
    pub fault: Option<RecordError>,
}

/// Makes the recording in a folder whole again after its run was killed or its files
/// were cut: both files are written anew from all frames before the fault. The old
/// ones stay until the new ones are complete.
///
/// # Errors
/// When there is no recording, or too little of one to know its header; when the new
/// files cannot be written.
pub fn repair(dir: &Path) -> Result<RepairedRecording, RecordError> {
    let (mut frames, mut until) = (0, 0.0);
    let content = read(dir, &mut |_, frame| {
        frames += 1;
        until = frame.time;
        ControlFlow::Continue(())
    })?;
    let whole = usize::try_from(frames).unwrap_or(usize::MAX);
    let (table, json) = (dir.join(SERIES_FILE), &content.header_json);
    let fault = content
        .fault
        .or_else(|| series::belongs(&table, json, whole).err());
    if fault.is_some() {
        let mut writer = RecordingWriter::create_as(dir, &content.header, UNFINISHED)?;
        writer.copy(dir, frames)?;
        writer.finish()?;
        for name in [MCAP_FILE, SERIES_FILE] {
            let (from, to) = (dir.join(format!("{name}{UNFINISHED}")), dir.join(name));
            std::fs::rename(from, &to).map_err(RecordError::io("replace", &to))?;
        }
    }
    Ok(RepairedRecording {
        frames,
        until,
        fault,
    })
}
