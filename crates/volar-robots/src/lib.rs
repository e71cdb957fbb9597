//! Robot description files: URDF, MJCF and SDF.
//!
//! [`load`] reads a file into a [`Robot`]: links, joints, shapes, actuators
//! and couplings in SI units and one convention, with no physics in it. What
//! the file says and the [`Robot`] does not is listed in the [`ImportReport`];
//! nothing is dropped silently.
//!
//! ```text
//! file ──xml──▶ elements (includes expanded) ──urdf | mjcf | sdf──▶ Robot + ImportReport
//! Geometry ──meshes──▶ TriMesh          Geometry ──moments──▶ mass and inertia
//! ```
//!
//! Frames follow `docs/notation.md`. A link has a frame L; its joint frame J
//! is fixed in the parent's L, and L coincides with J when the joint's
//! coordinates are zero.
#![allow(non_snake_case)] // frame notation: X_PJ, X_LG

mod actuator;
mod closure;
mod contact;
mod error;
mod files;
mod format;
mod kinematics;
mod mass_check;
pub mod meshes;
mod mjcf;
mod moments;
mod report;
mod robot;
mod sdf;
mod urdf;
mod xml;

pub use actuator::{Actuator, ActuatorKind, ActuatorLaw, Drives, HeldControl};
pub use closure::{Anchor, Closure, ClosureKind};
pub use error::{Place, RobotError};
pub use format::Format;
pub use report::{ImportReport, Note, NoteKind};
pub use robot::{ContactPair, Coupling, Geometry, Joint, JointKind, Keyframe, Link, Robot};

use std::path::{Path, PathBuf};

use volar_assets::Disk;
use volar_meshes::MeshLibrary;

/// How to read a robot file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadOptions {
    /// Folders in which `package://name/…` looks for `name`, before the
    /// folders above the file.
    pub packages: Vec<PathBuf>,
}

/// Reads a robot file on disk: URDF, MJCF or SDF; see [`load_from`].
pub fn load(path: &Path, options: &LoadOptions) -> Result<(Robot, ImportReport), RobotError> {
    load_from(&MeshLibrary::new(&Disk::default()), path, options)
}

/// Reads a URDF, MJCF or SDF file; its root element decides which it is. The files
/// it names are looked for in the library's source.
pub fn load_from(
    library: &MeshLibrary,
    path: &Path,
    options: &LoadOptions,
) -> Result<(Robot, ImportReport), RobotError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let files = format::Files {
        library,
        folder,
        options,
    };
    format::read(path, files)
}
