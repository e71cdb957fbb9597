//! Why a scene cannot be exported.

use std::path::PathBuf;

use thiserror::Error;
use volar_assets::AssetError;
use volar_sim::SimError;

/// Why a scene cannot be exported.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum ExportError {
    /// Something is in the folder.
    #[error("the folder {folder} is not empty; give another one with --out, or remove it")]
    Taken { folder: String },
    /// A file that cannot be written.
    #[error("{path}: {source}", path = path.display())]
    Write {
        path: PathBuf,
        source: std::io::Error,
    },
    /// A file of the scene that cannot be had.
    #[error(transparent)]
    Asset(#[from] AssetError),
    /// The start makes no state.
    #[error("the scene does not start: {0}")]
    Start(SimError),
    /// A scene that a format cannot say.
    #[error("{format} cannot say what the scene has: {what}; {remedy}")]
    CannotSay {
        format: &'static str,
        what: String,
        remedy: &'static str,
    },
    /// A file that cannot be written as text.
    #[error("cannot write {file}: {message}")]
    Text { file: &'static str, message: String },
}
