//! What can go wrong with a recording.

use std::path::{Path, PathBuf};

use mcap::McapError;
use parquet::errors::ParquetError;

use crate::check::{FrameFault, HeaderFault};

/// Why a recording could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A file or folder cannot be reached.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The MCAP file cannot be written.
    #[error("cannot write {}: {source}; is the disk full?", path.display())]
    WriteMcap {
        /// Path of the file.
        path: PathBuf,
        /// What went wrong.
        source: Box<McapError>,
    },
    /// The Parquet file cannot be written.
    #[error("cannot write {}: {source}; is the disk full?", path.display())]
    WriteSeries {
        /// Path of the file.
        path: PathBuf,
        /// What went wrong.
        source: Box<ParquetError>,
    },
    /// A header that no recording can have.
    #[error("the header of this recording is not usable: {0}")]
    BadHeader(#[from] HeaderFault),
    /// A frame that does not belong to the header, or not at this place.
    #[error("the frame at {time} s is not usable: {source}")]
    BadFrame {
        /// Time of the frame, s.
        time: f64,
        /// What is wrong with it.
        source: FrameFault,
    },
    /// The folder has no recording.
    #[error("{} holds no recording: it has no file recording.mcap", folder.display())]
    NoRecording {
        /// The folder.
        folder: PathBuf,
    },
    /// The file is something else than MCAP.
    #[error("{} is not an MCAP file", path.display())]
    NotMcap {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file is MCAP, but not written by Volar.
    #[error(
        "{} is not a recording of Volar: it does not start with an attachment header.json",
        path.display()
    )]
    Foreign {
        /// Path of the file.
        path: PathBuf,
    },
    /// The recording was made by a later Volar.
    #[error(
        "{} has format {found} of recordings, this Volar reads format {known}; \
         read it with the Volar that wrote it, or a later one",
        path.display()
    )]
    OtherFormat {
        /// Path of the file.
        path: PathBuf,
        /// The format it has.
        found: u32,
        /// The format this version reads.
        known: u32,
    },
    /// The file starts as a recording, but not even its header can be read.
    #[error("nothing can be read of {}: {what}", path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// What was found.
        what: String,
    },
    /// The file ends in the middle: the run was killed, or the file was cut.
    #[error(
        "{} ends in the middle, after {frames} whole frames: its run was killed, or the \
         file is a part of another; `volar recover` repairs it",
        path.display()
    )]
    CutOff {
        /// Path of the file.
        path: PathBuf,
        /// How many frames are whole.
        frames: usize,
    },
    /// A recording that a run cannot go on with.
    #[error(
        "cannot go on with {}: it has {frames} whole frames of the {wanted} that the checkpoint \
         beside it counts; move it away to go on without it",
        path.display()
    )]
    TooShort {
        /// Path of the file.
        path: PathBuf,
        /// How many frames are whole.
        frames: u64,
        /// How many there should be.
        wanted: u64,
    },
    /// The contents of the file are not as they were written.
    #[error(
        "{} is damaged after {frames} whole frames: {what}; `volar recover` keeps what \
         there is before that place",
        path.display()
    )]
    Damaged {
        /// Path of the file.
        path: PathBuf,
        /// How many frames come before.
        frames: usize,
        /// What was found.
        what: String,
    },
    /// The Parquet file beside the MCAP file is not of the same recording.
    #[error(
        "{} does not belong to the recording beside it: {what}; \
         move it away to read the recording without it",
        path.display()
    )]
    ForeignSeries {
        /// Path of the file.
        path: PathBuf,
        /// How that shows.
        what: String,
    },
}

impl RecordError {
    pub(crate) fn io(
        action: &'static str,
        path: &Path,
    ) -> impl FnOnce(std::io::Error) -> RecordError {
        let path = path.to_path_buf();
        move |source| RecordError::Io {
            action,
            path,
            source,
        }
    }
}
