//! What can be wrong with a sweep.

use std::path::{Path, PathBuf};

use thiserror::Error;
use volar_scene::SceneError;

/// Why a sweep cannot be run or read.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum SweepError {
    /// Not TOML, or not the types of a sweep. The message has line and column.
    #[error("{file}: {message}")]
    Syntax { file: String, message: String },
    /// An axis that makes no sense.
    #[error("axis `{axis}`: {message}")]
    Axis { axis: String, message: String },
    /// Something else in the sweep that makes no sense.
    #[error("{0}")]
    Invalid(String),
    /// No run of the sweep has a scene.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The folder holds results of another sweep.
    #[error(
        "{folder} holds results of another sweep, which would be mixed with these: {}; give \
         --out another folder, or remove that one", changes.join("; "), folder = folder.display()
    )]
    Changed {
        folder: PathBuf,
        changes: Vec<String>,
    },
    /// Somebody else writes there.
    #[error("{folder}: another process is at work on this sweep", folder = folder.display())]
    Busy { folder: PathBuf },
    /// A file could not be read or written.
    #[error("cannot {what} {path}: {error}", path = path.display())]
    Io {
        what: &'static str,
        path: PathBuf,
        /// In the message already, so not a source of it.
        error: std::io::Error,
    },
    /// A file that is not what it should be.
    #[error("{path}: {message}", path = path.display())]
    Damaged { path: PathBuf, message: String },
    /// Rows are missing.
    #[error("{missing} of {total} runs are missing: run the sweep again, and it goes on")]
    Incomplete { missing: u64, total: u64 },
}

impl SweepError {
    pub(crate) fn axis(axis: &str, message: impl Into<String>) -> SweepError {
        SweepError::Axis {
            axis: axis.to_owned(),
            message: message.into(),
        }
    }

    pub(crate) fn io(
        what: &'static str,
        path: &Path,
    ) -> impl FnOnce(std::io::Error) -> SweepError + use<> {
        let path = path.to_owned();
        move |error| SweepError::Io { what, path, error }
    }

    pub(crate) fn damaged(path: &Path, error: impl std::fmt::Display) -> SweepError {
        SweepError::Damaged {
            path: path.to_owned(),
            message: error.to_string(),
        }
    }
}
