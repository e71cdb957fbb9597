//! What can be wrong with a file of grasps.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a list of grasps cannot be read or written.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum GraspFileError {
    /// The operating system refused.
    #[error("cannot {what} {path}: {error}", path = path.display())]
    Io {
        what: &'static str,
        path: PathBuf,
        /// In the message already, so not a source of it.
        error: std::io::Error,
    },
    /// No kind of file that is known.
    #[error(
        "{path}: no file of grasps that is known: {message}; there are {}",
        crate::Format::ENDINGS, path = path.display()
    )]
    Unknown { path: PathBuf, message: String },
    /// A file that is not what its name says, or is cut or damaged.
    #[error("{path}: {place}: {message}", path = path.display())]
    Damaged {
        path: PathBuf,
        /// Where in the file.
        place: String,
        /// What is there, and what to do.
        message: String,
    },
    /// A grasp that the file has no place for.
    #[error("{path}: grasp {row} cannot be written: {message}", path = path.display())]
    NoPlace {
        path: PathBuf,
        row: u64,
        message: String,
    },
}

impl GraspFileError {
    pub(crate) fn io(
        what: &'static str,
        path: &Path,
    ) -> impl FnOnce(std::io::Error) -> GraspFileError + use<> {
        let path = path.to_owned();
        move |error| GraspFileError::Io { what, path, error }
    }

    pub(crate) fn damaged(
        path: &Path,
        place: impl Into<String>,
        message: impl std::fmt::Display,
    ) -> GraspFileError {
        GraspFileError::Damaged {
            path: path.to_owned(),
            place: place.into(),
            message: message.to_string(),
        }
    }
}
