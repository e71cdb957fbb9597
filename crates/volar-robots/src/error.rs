//! What can be wrong with a robot file, and where in it.

use std::fmt;
use std::path::PathBuf;

/// An element of a robot file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file; `<memory>` for text that came from none.
    pub file: PathBuf,
    /// Its line, from 1.
    pub line: u32,
    /// The element's tag.
    pub element: String,
    /// The element's name, where it has one.
    pub name: Option<String>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}: <{}",
            self.file.display(),
            self.line,
            self.element
        )?;
        match &self.name {
            Some(name) => write!(f, " name=\"{name}\">"),
            None => write!(f, ">"),
        }
    }
}

/// Why a robot file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum RobotError {
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Its reason.
        source: std::io::Error,
    },
    /// A folder, a device or a pipe.
    #[error("{}: not a file; name a URDF or MJCF file", path.display())]
    NotAFile {
        /// What was named.
        path: PathBuf,
    },
    /// Not XML at all.
    #[error("{}: {problem}; a robot file is XML text, URDF or MJCF", path.display())]
    NotXml {
        /// The file.
        path: PathBuf,
        /// What the parser says, with line and column.
        problem: String,
    },
    /// A document type, which can make a small file expand without end.
    #[error(
        "{}: has a DOCTYPE, which robot files do not need and which can expand without end; \
         remove it", path.display()
    )]
    Doctype {
        /// The file.
        path: PathBuf,
    },
    /// More text, elements or nesting than any robot has.
    #[error(
        "{}: has more than {limit} {what}, with all it includes; a robot file has far fewer, \
         is it the right one?", path.display()
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// What there is too much of.
        what: &'static str,
        /// How many are allowed.
        limit: usize,
    },
    /// XML, but neither URDF nor MJCF.
    #[error(
        "{}: its root element is <{found}>; a URDF file has <robot>, an MJCF file <mujoco>{}",
        path.display(),
        hint(found)
    )]
    WrongRoot {
        /// The file.
        path: PathBuf,
        /// Its root element.
        found: String,
    },
    /// A file that includes itself.
    #[error("{place}: includes {} which is being read already: a cycle; remove one include", target.display())]
    CyclicInclude {
        /// The include.
        place: Box<Place>,
        /// The file it names.
        target: PathBuf,
    },
    /// An included file or a mesh that is not there.
    #[error("{place}: {what} \"{name}\" is not there; looked for {}", list(tried))]
    Missing {
        /// The element.
        place: Box<Place>,
        /// What: a mesh file, an included file.
        what: &'static str,
        /// What the file says.
        name: String,
        /// Where it was looked for.
        tried: Vec<PathBuf>,
    },
    /// An attribute or a child that must be there.
    #[error("{place}: needs {needed}")]
    Incomplete {
        /// The element.
        place: Box<Place>,
        /// What it lacks.
        needed: String,
    },
    /// A value that is no number, too few numbers, no known word.
    #[error("{place}: {attribute}=\"{value}\" should be {expected}")]
    BadValue {
        /// The element.
        place: Box<Place>,
        /// The attribute.
        attribute: String,
        /// Its value.
        value: String,
        /// What it should be.
        expected: String,
    },
    /// A mass that is zero or negative.
    #[error(
        "{place}: {attribute}=\"{value}\": a link that moves needs a mass above zero; \
         give its mass in kg or fix its joint"
    )]
    BadMass {
        /// The element.
        place: Box<Place>,
        /// The attribute.
        attribute: String,
        /// Its value.
        value: String,
    },
    /// An inertia that no distribution of mass has.
    #[error(
        "{place}: link `{link}` has an inertia that no solid can have: its largest principal \
         moment exceeds the sum of the others, or one is negative; correct it, or let it be \
         balanced on loading"
    )]
    BadInertia {
        /// The element.
        place: Box<Place>,
        /// The link.
        link: String,
    },
    /// A body that moves but has neither mass nor anything on it that has.
    #[error(
        "{place}: moves, but neither it nor anything it carries has mass; \
         give it an <inertial> or fix it"
    )]
    NoMass {
        /// The link or body.
        place: Box<Place>,
    },
    /// A type of joint that does not exist.
    #[error("{place}: there is no joint of type \"{found}\"; known are {known}")]
    UnknownJointType {
        /// The joint.
        place: Box<Place>,
        /// Its type.
        found: String,
        /// The types there are.
        known: &'static str,
    },
    /// A reference to something that is not in the file.
    #[error("{place}: {attribute}=\"{name}\": there is no {kind} of this name in the file")]
    Unknown {
        /// The element.
        place: Box<Place>,
        /// The attribute that refers.
        attribute: String,
        /// What kind of thing: link, joint, mesh, class.
        kind: &'static str,
        /// Its name.
        name: String,
    },
    /// Two things of one kind share a name.
    #[error("{place}: there is another {kind} of this name; names tell them apart")]
    Duplicate {
        /// The second.
        place: Box<Place>,
        /// What kind of thing.
        kind: &'static str,
    },
    /// A link that is the child of two joints.
    #[error("{place}: link `{link}` is the child of joint `{other}` already; links make a tree")]
    TwoParents {
        /// The second joint.
        place: Box<Place>,
        /// The link.
        link: String,
        /// The first joint.
        other: String,
    },
    /// Links that hang on each other in a circle.
    #[error("{place}: hangs on itself through {}; cut the circle at one joint", .links.join(" → "))]
    LinkCycle {
        /// A link of the circle.
        place: Box<Place>,
        /// The circle.
        links: Vec<String>,
    },
    /// More than one link without a parent.
    #[error(
        "{}: links {} have no parent joint; a URDF robot has one root, join the others to it",
        path.display(),
        roots.join(", ")
    )]
    SeveralRoots {
        /// The file.
        path: PathBuf,
        /// Their names.
        roots: Vec<String>,
    },
    /// No link at all.
    #[error("{}: has no link; is this a robot?", path.display())]
    NoLinks {
        /// The file.
        path: PathBuf,
    },
    /// Something without which the robot would be another one.
    #[error("{place}: {what} is not supported; {remedy}")]
    Unsupported {
        /// The element.
        place: Box<Place>,
        /// What.
        what: String,
        /// What to do about it.
        remedy: &'static str,
    },
    /// A mesh that could not be read or is not a solid.
    #[error("{what}: {problem}")]
    Mesh {
        /// The link and shape.
        what: String,
        /// What is wrong with it.
        problem: String,
    },
}

fn hint(root: &str) -> &'static str {
    match root {
        "sdf" => "; SDF is not read, convert it to URDF",
        "mujocoinclude" => "; this one is a part to be included by another file",
        "COLLADA" => "; this is a mesh, name the robot file that uses it",
        _ => "",
    }
}

fn list(paths: &[PathBuf]) -> String {
    let texts: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
    texts.join(", ")
}
