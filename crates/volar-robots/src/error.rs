//! What can be wrong with a robot file, and where in it.

use std::fmt;

use volar_assets::AssetError;
use volar_geom::mesh::check::Complaint;
use volar_meshes::FileError;

/// A place in a robot file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, as its source calls it.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    /// What stands there, as the format writes it: `<joint name="elbow">`.
    pub entry: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.entry)
    }
}

/// Why a robot file could not be read.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum RobotError {
    /// The file could not be had.
    #[error(transparent)]
    Asset(#[from] AssetError),
    /// Not text of its format at all.
    #[error("{file}: {problem}; a robot file is XML text: URDF, MJCF or SDF")]
    Syntax { file: String, problem: String },
    /// A document type, which can make a small file expand without end.
    #[error(
        "{file}: has a DOCTYPE, which robot files do not need and which can expand without end; \
         remove it"
    )]
    Doctype { file: String },
    /// More text, elements or nesting than any robot has.
    #[error(
        "{file}: has more than {limit} {what}, with all it includes; a robot file has far fewer, \
         is it the right one?"
    )]
    TooLarge {
        file: String,
        what: &'static str,
        limit: usize,
    },
    /// A template, not a robot yet.
    #[error(
        "{file}:{line}: {found} is xacro, a template that is expanded into URDF before use: \
         `pip install xacro`, `xacro FILE.xacro > FILE.urdf`, and name that file"
    )]
    Xacro {
        file: String,
        line: u32,
        found: String,
    },
    /// XML, but no robot.
    #[error(
        "{file}: its root element is <{found}>; a URDF file has <robot>, an MJCF file <mujoco>, an \
         SDF file <sdf>{}",
        hint(found)
    )]
    WrongRoot { file: String, found: String },
    /// A file that includes itself.
    #[error(
        "{place}: includes {} which is being read already: a cycle; remove one include",
        target
    )]
    CyclicInclude { place: Box<Place>, target: String },
    /// An included file or a mesh that is not there.
    #[error(
        "{place}: {what} \"{name}\" is not there; looked for {}{}",
        tried.join(", "),
        where_packages_are(name)
    )]
    Missing {
        place: Box<Place>,
        what: &'static str,
        name: String,
        tried: Vec<String>,
    },
    /// An attribute or a child that must be there.
    #[error("{place}: needs {needed}")]
    Incomplete { place: Box<Place>, needed: String },
    /// A value that is no number, too few numbers, no known word.
    #[error("{place}: {attribute}=\"{value}\" should be {expected}")]
    BadValue {
        place: Box<Place>,
        attribute: String,
        value: String,
        expected: String,
    },
    /// A mass that is zero or negative.
    #[error(
        "{place}: {attribute}=\"{value}\": a link that moves needs a mass above zero; \
         give its mass in kg or fix its joint"
    )]
    BadMass {
        place: Box<Place>,
        attribute: String,
        value: String,
    },
    /// An inertia that no distribution of mass has.
    #[error(
        "{place}: link `{link}` has an inertia that no solid can have: one of its principal \
         moments is negative; correct it"
    )]
    BadInertia { place: Box<Place>, link: String },
    /// A body that moves but has neither mass nor anything on it that has.
    #[error(
        "{place}: moves, but neither it nor anything it carries has mass; \
         give it an <inertial> or fix it"
    )]
    NoMass { place: Box<Place> },
    /// A type of joint that does not exist.
    #[error("{place}: there is no joint of type \"{found}\"; known are {known}")]
    UnknownJointType {
        place: Box<Place>,
        found: String,
        known: &'static str,
    },
    /// A reference to something that is not in the file.
    #[error("{place}: {attribute}=\"{name}\": there is no {kind} of this name in the file")]
    Unknown {
        place: Box<Place>,
        attribute: String,
        kind: &'static str,
        name: String,
    },
    /// Two things of one kind share a name.
    #[error("{place}: there is another {kind} of this name; names tell them apart")]
    Duplicate {
        place: Box<Place>,
        kind: &'static str,
    },
    /// A link that is the child of two joints.
    #[error("{place}: link `{link}` is the child of joint `{other}` already; links make a tree")]
    TwoParents {
        place: Box<Place>,
        link: String,
        other: String,
    },
    /// Links that hang on each other in a circle.
    #[error("{place}: hangs on itself through {}; cut the circle at one joint", .links.join(" → "))]
    LinkCycle {
        place: Box<Place>,
        links: Vec<String>,
    },
    /// Joints that mimic each other in a circle.
    #[error("{place}: follows itself through {}; let one of them lead", .joints.join(" → "))]
    FollowerCycle {
        place: Box<Place>,
        joints: Vec<String>,
    },
    /// More than one link without a parent.
    #[error(
        "{file}: links {} have no parent joint; a robot has one root, join the others to it",
        roots.join(", ")
    )]
    SeveralRoots { file: String, roots: Vec<String> },
    /// No link at all.
    #[error("{file}: has no link; is this a robot?")]
    NoLinks { file: String },
    /// Something without which the robot would be another one.
    #[error("{place}: {what} is not supported; {remedy}")]
    Unsupported {
        place: Box<Place>,
        what: String,
        remedy: &'static str,
    },
    /// A mesh file that could not be read.
    #[error(transparent)]
    MeshFile(Box<FileError>),
    /// A mesh that is no solid, whatever was tried.
    #[error(
        "{what}: not a closed solid, and repair did not make it one: {}; \
         `volar check` tells more",
        texts(complaints)
    )]
    NotASolid {
        what: String,
        complaints: Vec<Complaint>,
    },
    /// A mesh whose mass is asked for and that encloses nothing.
    #[error(
        "{file}: encloses no volume, so it has no mass; is it open or inside out? \
         `volar check` tells, or give the body an <inertial>"
    )]
    NoVolume { file: String },
}

impl RobotError {
    /// The element that is wrong, where it is one of the robot file.
    pub fn place(&self) -> Option<&Place> {
        match self {
            RobotError::CyclicInclude { place, .. }
            | RobotError::Missing { place, .. }
            | RobotError::Incomplete { place, .. }
            | RobotError::BadValue { place, .. }
            | RobotError::BadMass { place, .. }
            | RobotError::BadInertia { place, .. }
            | RobotError::NoMass { place }
            | RobotError::UnknownJointType { place, .. }
            | RobotError::Unknown { place, .. }
            | RobotError::Duplicate { place, .. }
            | RobotError::TwoParents { place, .. }
            | RobotError::LinkCycle { place, .. }
            | RobotError::FollowerCycle { place, .. }
            | RobotError::Unsupported { place, .. } => Some(place),
            RobotError::Asset(_)
            | RobotError::Syntax { .. }
            | RobotError::Doctype { .. }
            | RobotError::TooLarge { .. }
            | RobotError::Xacro { .. }
            | RobotError::WrongRoot { .. }
            | RobotError::SeveralRoots { .. }
            | RobotError::NoLinks { .. }
            | RobotError::MeshFile(_)
            | RobotError::NotASolid { .. }
            | RobotError::NoVolume { .. } => None,
        }
    }
}

impl From<FileError> for RobotError {
    fn from(error: FileError) -> RobotError {
        RobotError::MeshFile(Box::new(error))
    }
}

fn texts(complaints: &[Complaint]) -> String {
    let texts: Vec<String> = complaints.iter().map(ToString::to_string).collect();
    texts.join("; ")
}

fn where_packages_are(name: &str) -> &'static str {
    match name.contains("://") {
        true => "; name the folder that holds the package: `packages` of the scene, `--packages`",
        false => "",
    }
}

fn hint(root: &str) -> &'static str {
    match root {
        "mujocoinclude" => "; this one is a part to be included by another file",
        "COLLADA" => "; this is a mesh, name the robot file that uses it",
        _ => "",
    }
}
