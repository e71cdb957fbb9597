//! Robot description files: URDF and MJCF.
//!
//! [`load`] reads a file into a [`Robot`]: links, joints, shapes, actuators
//! and couplings in SI units and one convention, with no physics in it. What
//! the file says and the [`Robot`] does not is listed in the [`ImportReport`];
//! nothing is dropped silently.
//!
//! ```text
//! file ──xml──▶ elements (includes expanded) ──urdf | mjcf──▶ Robot + ImportReport
//! Geometry ──meshes──▶ TriMesh          Geometry ──moments──▶ mass and inertia
//! ```
//!
//! Frames follow `docs/notation.md`. A link has a frame L; its joint frame J
//! is fixed in the parent's L, and L coincides with J when the joint's
//! coordinates are zero.
#![allow(non_snake_case)] // frame notation: X_PJ, X_LG

mod actuator;
mod contact;
mod error;
mod files;
mod kinematics;
mod mass_check;
pub mod meshes;
mod mjcf;
pub mod moments;
mod report;
mod robot;
mod urdf;
mod xml;

pub use actuator::{Actuator, ActuatorKind, ActuatorLaw, Drives, HeldControl};
pub use error::{Place, RobotError};
pub use report::{Format, ImportReport, Note, NoteKind};
pub use robot::{
    ContactPair, Coupling, CouplingKind, Geometry, Joint, JointKind, Keyframe, Link, Robot,
};

use std::path::{Path, PathBuf};

/// How to read a robot file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadOptions {
    /// Folders in which `package://name/…` looks for `name`, before the
    /// folders above the file.
    pub packages: Vec<PathBuf>,
    /// Put the inertia of a ball in the place of one that no solid can have,
    /// and note it, rather than refuse the file.
    pub balance_inertia: bool,
}

/// What errors call text that came from no file.
const MEMORY: &str = "<memory>";

/// Reads a URDF or MJCF file; its root element decides which it is.
pub fn load(path: &Path, options: &LoadOptions) -> Result<(Robot, ImportReport), RobotError> {
    let root = xml::read_file(path)?;
    let folder = path.parent();
    match root.tag.as_str() {
        "robot" => urdf::read(&root, folder, options),
        "mujoco" => mjcf::read(root, folder, options),
        other => Err(RobotError::WrongRoot {
            path: path.to_owned(),
            found: other.to_owned(),
        }),
    }
}

/// Reads URDF text; `folder` is where the files it names are.
pub fn load_urdf_str(
    text: &str,
    folder: Option<&Path>,
    options: &LoadOptions,
) -> Result<(Robot, ImportReport), RobotError> {
    urdf::read(&parse(text, "robot")?, folder, options)
}

/// Reads MJCF text; `folder` is where the files it names are.
pub fn load_mjcf_str(
    text: &str,
    folder: Option<&Path>,
    options: &LoadOptions,
) -> Result<(Robot, ImportReport), RobotError> {
    mjcf::read(parse(text, "mujoco")?, folder, options)
}

fn parse(text: &str, wanted: &str) -> Result<xml::Element, RobotError> {
    let root = xml::parse(text, Path::new(MEMORY))?;
    match root.tag == wanted {
        true => Ok(root),
        false => Err(RobotError::WrongRoot {
            path: MEMORY.into(),
            found: root.tag,
        }),
    }
}
