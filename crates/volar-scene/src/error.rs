//! What can be wrong with a scene, and where.

use std::path::{Path, PathBuf};

use thiserror::Error;
use volar_sim::{ModelError, SimError};

/// Why a scene cannot be run.
#[derive(Debug, Error)]
pub enum SceneError {
    /// A file that cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Neither a file nor the name of a built-in scene.
    #[error("no scene `{name}`: there is no such file, and no built-in scene of that name; {hint}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        hint: String,
    },
    /// Not TOML, or not the types of a scene. The text shows the line.
    #[error("{file}: {message}")]
    Syntax {
        /// The file.
        file: String,
        /// What was found and what was expected, with line and column.
        message: String,
    },
    /// An override that cannot be made.
    #[error("--set {assignment}: {why}")]
    Set {
        /// As given.
        assignment: String,
        /// Why.
        why: String,
    },
    /// A value that makes no sense.
    #[error("{place}: {message}")]
    Invalid {
        /// Where.
        place: String,
        /// What, and what was expected.
        message: String,
    },
    /// The whole makes no model.
    #[error("{file}: {source}")]
    Model {
        /// The file.
        file: String,
        /// Why.
        source: ModelError,
    },
    /// The start makes no state.
    #[error("{file}: {source}")]
    Start {
        /// The file.
        file: String,
        /// Why.
        source: SimError,
    },
}

impl SceneError {
    pub(crate) fn file(path: &Path, source: std::io::Error) -> SceneError {
        let path = path.to_owned();
        SceneError::File { path, source }
    }
}

/// A fault at an entry of the scene, before its line is known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    /// Keys and numbers that lead to the entry.
    pub path: Vec<String>,
    pub message: String,
}

impl Fault {
    pub fn new(path: &[&str], message: impl Into<String>) -> Fault {
        Fault {
            path: path.iter().map(|key| (*key).to_owned()).collect(),
            message: message.into(),
        }
    }

    /// The same fault, seen from outside.
    pub fn within(mut self, path: &[&str]) -> Fault {
        let outer = path.iter().map(|key| (*key).to_owned());
        self.path.splice(0..0, outer);
        self
    }
}

/// A value that must be a number above zero.
pub(crate) fn positive(key: &str, value: f64) -> Result<f64, Fault> {
    match value > 0.0 && value.is_finite() {
        true => Ok(value),
        false => Err(Fault::new(
            &[key],
            format!("{value} is no number above zero"),
        )),
    }
}

/// A value that must be a number, not below zero.
pub(crate) fn not_negative(key: &str, value: f64) -> Result<f64, Fault> {
    match value >= 0.0 && value.is_finite() {
        true => Ok(value),
        false => Err(Fault::new(
            &[key],
            format!("{value} is negative or not finite"),
        )),
    }
}

/// A vector of finite numbers.
pub(crate) fn vector(key: &str, value: [f64; 3]) -> Result<glam::DVec3, Fault> {
    let vector = glam::DVec3::from_array(value);
    match vector.is_finite() {
        true => Ok(vector),
        false => Err(Fault::new(&[key], "its numbers must be finite")),
    }
}

/// A direction.
pub(crate) fn direction(key: &str, value: [f64; 3]) -> Result<glam::DVec3, Fault> {
    vector(key, value)?
        .try_normalize()
        .ok_or_else(|| Fault::new(&[key], "a direction cannot be zero"))
}

/// A pose from position and quaternion.
pub(crate) fn pose(position: [f64; 3], wxyz: [f64; 4]) -> Result<volar_geom::Pose, Fault> {
    let p = vector("position", position)?;
    Ok(volar_geom::Pose {
        R: glam::DMat3::from_quat(quaternion("orientation", wxyz)?),
        p,
    })
}

/// A unit quaternion; one that is not of unit length to 1e-3 is taken for a
/// mistake.
pub(crate) fn quaternion(key: &str, [w, x, y, z]: [f64; 4]) -> Result<glam::DQuat, Fault> {
    let q = glam::DQuat::from_xyzw(x, y, z, w);
    match (q.length() - 1.0).abs() <= 1.0e-3 {
        true => Ok(q * q.length().recip()),
        false => Err(Fault::new(
            &[key],
            format!(
                "a quaternion (w, x, y, z) has length 1, this one {:.4}",
                q.length()
            ),
        )),
    }
}
