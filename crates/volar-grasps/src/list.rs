//! A list of grasps: what all its rows share, and the rows as a stream.

use std::path::Path;

use volar_math::Pose;

use crate::error::GraspFileError;
use crate::format::Format;
use crate::grasp::{BadRow, Grasp};
use crate::table;

/// A grasp, or why there is none.
pub type Row = Result<Grasp, BadRow>;

/// What a file says of all its rows.
///
/// See the example of the crate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// Name or file of the hand.
    pub hand: Option<String>,
    /// The object.
    pub object: ObjectInfo,
    /// Names of the joints that postures are in the order of.
    pub joints: Vec<String>,
    /// Which postures rows may have.
    pub holds: Holds,
}

/// What a file says of the object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectInfo {
    /// Its mesh, as the file names it.
    pub file: Option<String>,
    /// What the coordinates of the mesh are multiplied by to be metres.
    pub scale: Option<f64>,
    /// Mass, kg.
    pub mass: Option<f64>,
    /// Coefficient of friction.
    pub friction: Option<f64>,
}

/// Which postures the rows of a list may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holds {
    /// Before closing.
    pub pregrasp: bool,
    /// Where the fingers touch.
    pub grasp: bool,
    /// What servos aim at.
    pub squeeze: bool,
    /// Postures may have poses of their own.
    pub poses: bool,
}

/// How to read a file.
///
/// See the example of the crate.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// The root frame of the hand in the frame that the file gives poses of: the identity
    /// where that is the hand's root already.
    pub X_GH: Pose,
    /// Names of the joints in order, for files that have none.
    pub joints: Vec<String>,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            X_GH: Pose::IDENTITY,
            joints: Vec::new(),
        }
    }
}

/// A list of grasps that is being read: an iterator over its rows.
///
/// See the example of the crate.
pub struct GraspList {
    /// What all rows share.
    pub header: Header,
    /// The kind of the file.
    pub format: Format,
    /// How many rows there are, where the file says so before it is read.
    pub rows: Option<u64>,
    stream: Stream,
    X_GH: Pose,
}

/// Rows as they are read, with poses in the frame of the file.
pub(crate) type Stream = Box<dyn Iterator<Item = Row> + Send>;

/// A file that was opened.
pub(crate) struct Opened {
    pub header: Header,
    pub rows: Option<u64>,
    pub stream: Stream,
}

impl GraspList {
    /// Opens a file; its name says its kind.
    pub fn open(path: &Path, options: &ReadOptions) -> Result<GraspList, GraspFileError> {
        let format = Format::of(path)?;
        let opened = match format {
            Format::Csv => table::read_csv(path)?,
            Format::Parquet => table::read_parquet(path)?,
        };
        Ok(GraspList {
            header: opened.header,
            format,
            rows: opened.rows,
            stream: opened.stream,
            X_GH: options.X_GH,
        })
    }
}

impl Iterator for GraspList {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let row = self.stream.next()?;
        Some(row.map(|grasp| grasp.in_frame(&self.X_GH)))
    }
}

impl std::fmt::Debug for GraspList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GraspList")
            .field("header", &self.header)
            .field("format", &self.format)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

/// Writes a list; the name of the file says its kind. The file is there whole or not at all.
pub fn write(
    path: &Path,
    header: &Header,
    rows: impl IntoIterator<Item = Row>,
) -> Result<(), GraspFileError> {
    let mut rows = rows.into_iter();
    match Format::of(path)? {
        Format::Csv => table::write_csv(path, header, &mut rows),
        Format::Parquet => table::write_parquet(path, header, &mut rows),
    }
}
