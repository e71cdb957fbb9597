//! Robot description files: URDF and MJCF.
//!
//! [`load`] reads a file into a [`Robot`]: links, joints, shapes, actuators
//! and couplings in SI units and one convention, with no physics in it. What
//! the file says and the [`Robot`] does not is listed in the [`ImportReport`];
//! nothing is dropped silently.
//!
//! ```text
//! file ──xml──▶ elements (includes expanded) ──urdf | mjcf──▶ Robot + ImportReport
//! Shape ──shapes | meshes──▶ TriMesh          Shape ──moments──▶ mass and inertia
//! ```
//!
//! Frames follow `docs/notation.md`. A link has a frame L; its joint frame J
//! is fixed in the parent's L, and L coincides with J when the joint's
//! coordinates are zero.
#![allow(non_snake_case)] // frame notation: X_PJ, X_LG

mod error;
mod report;
mod robot;

pub use error::{Place, RobotError};
pub use report::{Format, ImportReport, Note, NoteKind};
pub use robot::{
    Actuator, ActuatorKind, ActuatorLaw, ContactPair, Coupling, CouplingKind, Drives, Geometry,
    Joint, JointKind, Keyframe, Link, Robot, Shape,
};

use std::path::{Path, PathBuf};

/// How to read a robot file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadOptions {
    /// Folders in which `package://name/…` looks for `name`, before the
    /// folders above the file.
    pub packages: Vec<PathBuf>,
}

/// Reads a URDF or MJCF file; its root element decides which it is.
pub fn load(path: &Path, options: &LoadOptions) -> Result<(Robot, ImportReport), RobotError> {
    let _ = options;
    Err(RobotError::Io {
        path: path.to_owned(),
        source: std::io::ErrorKind::Unsupported.into(),
    })
}
