//! What can be wrong with a scene, and where.

use std::path::{Path, PathBuf};

use thiserror::Error;
use volar_assets::AssetError;
use volar_sim::{ModelError, SimError};

use crate::builtin;
use crate::similar::did_you_mean;

/// Why a scene cannot be run.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum SceneError {
    /// The scene file could not be had.
    #[error(transparent)]
    Asset(#[from] AssetError),
    /// A file that cannot be written.
    #[error("{path}: {source}", path = path.display())]
    Write {
        path: PathBuf,
        source: std::io::Error,
    },
    /// Neither a file nor the name of a built-in scene.
    #[error(
        "no scene `{name}`: there is no such file, and no built-in scene of that name{hint}; \
         `volar scenes` lists them"
    )]
    Unknown { name: String, hint: String },
    /// A folder that is given as a scene.
    #[error("the folder {folder} has no scene.toml")]
    NoSceneIn { folder: String },
    /// Not TOML, or not the types of a scene. The message has line and column.
    #[error("{file}: {message}")]
    Syntax { file: String, message: String },
    /// An override that cannot be made.
    #[error("--set {assignment}: {why}")]
    Set {
        assignment: String,
        why: OverrideError,
    },
    /// A value that makes no sense. The place has file, line and entry.
    #[error("{place}: {message}")]
    Invalid { place: String, message: String },
    /// A robot file of which no hand can be made, or an object it cannot take.
    #[error("{message}")]
    Hand { message: String },
    /// The whole makes no model.
    #[error("{file}: {source}")]
    Model { file: String, source: ModelError },
    /// The start makes no state.
    #[error("{file}: {source}")]
    Start { file: String, source: SimError },
}

/// Why an entry of a scene cannot be set.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum OverrideError {
    /// No `=` in it.
    #[error("expected `path=value`, as in `body.0.mass=0.5`")]
    NoAssignment,
    /// Two dots in a row, or one at an end.
    #[error("the path has an empty key")]
    EmptyKey,
    /// A list has neither that name nor that number.
    #[error("no entry `{key}` in {entries}")]
    NoEntry { key: String, entries: String },
    /// The path goes on where a value stands.
    #[error("`{key}` has no place in a plain value")]
    PlainValue { key: String },
    /// With this value it is no scene any more.
    #[error("{problem}")]
    NotAScene { problem: String },
}

impl SceneError {
    /// A name that is not that of a scene.
    pub fn unknown(name: String) -> SceneError {
        let scenes = builtin::all();
        let hint = did_you_mean(&name, scenes.iter().map(|scene| scene.name.as_str()));
        SceneError::Unknown { name, hint }
    }

    pub(crate) fn write(path: &Path, source: std::io::Error) -> SceneError {
        let path = path.to_owned();
        SceneError::Write { path, source }
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

/// No quantity of a scene is larger, in SI units, nor smaller by as much unless it is
/// zero: their products of three would leave the range of numbers otherwise.
const LARGEST: f64 = 1.0e18;

/// A value that must be a number above zero.
pub(crate) fn positive(key: &str, value: f64) -> Result<f64, Fault> {
    match value > 0.0 && value.is_finite() {
        true if !(1.0 / LARGEST..=LARGEST).contains(&value) => Err(out_of_range(key, value)),
        true => Ok(value),
        false => Err(Fault::new(
            &[key],
            format!("{value} is no number above zero"),
        )),
    }
}

fn out_of_range(key: &str, value: f64) -> Fault {
    let message = format!("{value:e} is far out of the range of what can be simulated");
    Fault::new(&[key], message)
}

/// A value that must be a number, not below zero.
pub(crate) fn not_negative(key: &str, value: f64) -> Result<f64, Fault> {
    match value >= 0.0 && value.is_finite() {
        true if value > LARGEST => Err(out_of_range(key, value)),
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
        true if vector.abs().max_element() > LARGEST => {
            Err(out_of_range(key, vector.abs().max_element()))
        }
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
        true => Ok(q * (1.0 / q.length())),
        false => Err(Fault::new(
            &[key],
            format!(
                "a quaternion (w, x, y, z) has length 1, this one {:.4}",
                q.length()
            ),
        )),
    }
}
