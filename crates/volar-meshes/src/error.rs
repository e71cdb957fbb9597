//! What can be wrong with a mesh file, and where in it.

use std::fmt;

use volar_assets::AssetError;

use crate::Format;
use crate::format::extensions;

/// Why a mesh file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum FileError {
    /// The file could not be had.
    #[error(transparent)]
    Asset(#[from] AssetError),
    /// The operating system refused to write it.
    #[error("{file}: {source}")]
    Write {
        file: String,
        source: std::io::Error,
    },
    /// Neither the extension nor the first bytes tell the format.
    #[error("{file}: not a known mesh format; use one of {}", extensions())]
    UnknownFormat { file: String },
    /// The contents do not follow the format.
    #[error("{file}: {format}{place}: {problem}")]
    Malformed {
        file: String,
        format: Format,
        place: Place,
        problem: Problem,
    },
    /// A scale that is zero, negative or not finite.
    #[error("the scale must be a positive number, not {scale}")]
    Scale { scale: f64 },
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
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum Problem {
    /// No bytes at all.
    #[error("the file is empty")]
    Empty,
    /// Nothing to make a surface of.
    #[error("no triangles in it; is this really a mesh of this format?")]
    NoTriangles,
    /// The file stops too early.
    #[error("the file ends too early, {expected}; it was cut short, get it again")]
    Truncated { expected: String },
    /// Text that should be a number.
    #[error("'{text}' is not a number")]
    NotANumber { text: String },
    /// A coordinate that is infinite or NaN.
    #[error("a coordinate is {value}; coordinates must be finite")]
    NotFinite { value: f64 },
    /// Fewer values than the format asks for.
    #[error("{what} needs {needed} values, found {found}")]
    TooFew {
        what: &'static str,
        needed: usize,
        found: usize,
    },
    /// A vertex that does not exist.
    #[error("names vertex {index}, but there are only {count} vertices")]
    NoSuchVertex { index: i64, count: usize },
    /// More vertices than an index can name.
    #[error("more than 4 billion vertices")]
    TooManyVertices,
    /// Something that does not belong into this format.
    #[error("expected {expected}, found '{found}'; is this really a file of this format?")]
    Unexpected {
        expected: &'static str,
        found: String,
    },
    /// Correct, but not something this reader understands.
    #[error("{feature} cannot be read; export the mesh as plain triangles")]
    Unsupported { feature: String },
    /// A part of a format read by another crate, in that crate's words.
    #[error("{0}")]
    Syntax(String),
    /// A buffer in a file of its own that cannot be read.
    #[error("its buffer {0}")]
    Buffer(AssetError),
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
