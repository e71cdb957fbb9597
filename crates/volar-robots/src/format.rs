//! Which format a robot file is in. A new format is a reader, its module in
//! `lib.rs`, and a variant here; one that is not XML is told from the others
//! by its extension before the file is parsed.

use std::fmt;
use std::path::Path;

use volar_meshes::MeshLibrary;

use crate::error::RobotError;
use crate::report::ImportReport;
use crate::robot::Robot;
use crate::{LoadOptions, mjcf, sdf, urdf, xml};

/// The formats of robot files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Unified Robot Description Format.
    Urdf,
    /// MuJoCo's format.
    Mjcf,
    /// Simulation Description Format, of Gazebo and Drake.
    Sdf,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Urdf => "URDF",
            Format::Mjcf => "MJCF",
            Format::Sdf => "SDF",
        })
    }
}

/// Where a reader finds its file and those that the file names.
#[derive(Clone, Copy)]
pub(crate) struct Files<'a> {
    pub library: &'a MeshLibrary<'a>,
    /// The folder of the robot file.
    pub folder: &'a Path,
    pub options: &'a LoadOptions,
}

/// Reads a robot file; the root element of XML decides its format.
pub(crate) fn read(path: &Path, files: Files) -> Result<(Robot, ImportReport), RobotError> {
    let root = xml::read_file(files.library.source(), path)?;
    match root.tag.as_str() {
        "robot" => urdf::read(&root, files),
        "mujoco" => mjcf::read(root, files),
        "sdf" => sdf::read(&root, files),
        other => Err(RobotError::WrongRoot {
            file: root.file.name.clone(),
            found: other.to_owned(),
        }),
    }
}
