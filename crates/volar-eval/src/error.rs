//! What can be wrong with an evaluation.

use thiserror::Error;
use volar_grasps::GraspFileError;
use volar_scene::SceneError;
use volar_sweep::SweepError;

/// Why grasps cannot be evaluated.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum EvalError {
    /// The file of grasps.
    #[error(transparent)]
    Grasps(#[from] GraspFileError),
    /// The hand, the object or the protocol.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The sweep or its folder.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// Something that makes no sense.
    #[error("{0}")]
    Invalid(String),
    /// A file could not be read or written.
    #[error("cannot {what}: {error}")]
    Io { what: String, error: std::io::Error },
}

impl EvalError {
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> EvalError {
        let what = what.into();
        move |error| EvalError::Io { what, error }
    }
}
