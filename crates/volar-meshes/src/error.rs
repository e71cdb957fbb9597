//! What can be wrong with a mesh file, and where in it.

use std::fmt;
use std::path::PathBuf;

use crate::Format;

/// Why a mesh file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Its reason.
        source: std::io::Error,
    },
    /// A folder, a device or a pipe.
    #[error("{}: not a file; name a mesh file", path.display())]
    NotAFile {
        /// What was named.
        path: PathBuf,
    },
    /// Neither the extension nor the first bytes tell the format.
    #[error(
        "{}: not a known mesh format; use .obj, .stl, .ply, .gltf, .glb or .dae",
        path.display()
    )]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// The contents do not follow the format.
    #[error("{}: {format}{place}: {problem}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The format it was read as.
        format: Format,
        /// Where in the file.
        place: Place,
        /// What is wrong there.
        problem: Problem,
    },
    /// A scale that is zero, negative or not finite.
    #[error("the scale must be a positive number, not {scale}")]
    Scale {
        /// The scale that was asked for.
        scale: f64,
    },
    /// A transform with entries that are not finite.
    #[error("the transform has an entry that is not finite")]
    Transform,
}

/// Where in a file a problem is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Somewhere; the format gives no finer place.
    File,
    /// A line of a text file, counted from 1.
    Line(usize),
    /// The n-th thing of a kind, counted from 0.
    Item {
        /// What is counted, such as `triangle` or `accessor`.
        kind: &'static str,
        /// Its number, from 0.
        index: usize,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => Ok(()),
            Place::Line(line) => write!(f, " line {line}"),
            Place::Item { kind, index } => write!(f, " {kind} {index}"),
        }
    }
}

/// What is wrong with the contents of a mesh file.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// No bytes at all.
    #[error("the file is empty")]
    Empty,
    /// Nothing to make a surface of.
    #[error("no triangles in it; is this really a mesh of this format?")]
    NoTriangles,
    /// The file stops too early.
    #[error("the file ends too early, {expected}; it was cut short, get it again")]
    Truncated {
        /// What should have come.
        expected: String,
    },
    /// Text that should be a number.
    #[error("'{text}' is not a number")]
    NotANumber {
        /// The text.
        text: String,
    },
    /// A coordinate that is infinite or NaN.
    #[error("a coordinate is {value}; coordinates must be finite")]
    NotFinite {
        /// The value.
        value: f64,
    },
    /// Fewer values than the format asks for.
    #[error("{what} needs {needed} values, found {found}")]
    TooFew {
        /// The statement.
        what: &'static str,
        /// How many values it needs.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// A vertex that does not exist.
    #[error("names vertex {index}, but there are only {count} vertices")]
    NoSuchVertex {
        /// The index as the file has it.
        index: i64,
        /// How many vertices there are.
        count: usize,
    },
    /// More vertices than an index can name.
    #[error("more than 4 billion vertices")]
    TooManyVertices,
    /// Something that does not belong into this format.
    #[error("expected {expected}, found '{found}'; is this really a file of this format?")]
    Unexpected {
        /// What the format asks for.
        expected: &'static str,
        /// What is there, shortened.
        found: String,
    },
    /// Correct, but not something this reader understands.
    #[error("{feature} cannot be read; export the mesh as plain triangles")]
    Unsupported {
        /// What it is.
        feature: String,
    },
    /// A part of a format read by another crate, in that crate's words.
    #[error("{0}")]
    Syntax(String),
    /// A buffer in a file of its own that cannot be read.
    #[error("its buffer {}: {source}", path.display())]
    Buffer {
        /// The buffer's file.
        path: PathBuf,
        /// The operating system's reason.
        source: std::io::Error,
    },
}

/// A problem and its place, before the file's name is known.
#[derive(Debug)]
pub(crate) struct Flaw {
    pub place: Place,
    pub problem: Problem,
}

impl From<Problem> for Flaw {
    fn from(problem: Problem) -> Flaw {
        Flaw {
            place: Place::File,
            problem,
        }
    }
}

impl Problem {
    /// The problem on a line, counted from 1.
    pub(crate) fn on_line(self, line: usize) -> Flaw {
        Flaw {
            place: Place::Line(line),
            problem: self,
        }
    }

    /// The problem in the n-th thing of a kind, counted from 0.
    pub(crate) fn in_item(self, kind: &'static str, index: usize) -> Flaw {
        Flaw {
            place: Place::Item { kind, index },
            problem: self,
        }
    }

    /// [`Problem::Unexpected`] with the text cut to what fits a terminal line
    /// and rid of control characters.
    pub(crate) fn unexpected(expected: &'static str, found: &str) -> Problem {
        Problem::Unexpected {
            expected,
            found: shown(found),
        }
    }

    /// [`Problem::NotANumber`] with the text made printable.
    pub(crate) fn not_a_number(text: &str) -> Problem {
        Problem::NotANumber { text: shown(text) }
    }
}

/// A piece of a file fit to be shown: short and printable.
fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    let printable = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut short: String = text.chars().take(LONGEST).map(printable).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}
