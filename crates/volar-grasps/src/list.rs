//! A list of grasps: what all its rows share, and the rows as a stream.

use std::path::Path;

use volar_math::Pose;

use crate::acronym;
use crate::error::GraspFileError;
use crate::format::{Ending, Format};
use crate::grasp::{BadRow, Grasp};
use crate::layout;
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
        let (format, opened) = match Ending::of(path)? {
            Ending::Csv => (Format::Csv, table::read_csv(path)?),
            Ending::Parquet => (Format::Parquet, table::read_parquet(path)?),
            Ending::Hdf5 => (Format::Acronym, acronym::read(path)?),
            Ending::Tree(notation) => {
                let (layout, opened) = layout::open(path, notation, options)?;
                (layout.into(), opened)
            }
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
    write_as(path, Format::of(path)?, header, rows)
}

/// Writes a list of a kind, where several have the same ending.
pub fn write_as(
    path: &Path,
    format: Format,
    header: &Header,
    rows: impl IntoIterator<Item = Row>,
) -> Result<(), GraspFileError> {
    let mut rows = rows.into_iter();
    let ending = Ending::of(path)?;
    match (ending, format) {
        (Ending::Csv, Format::Csv) => table::write_csv(path, header, &mut rows),
        (Ending::Parquet, Format::Parquet) => table::write_parquet(path, header, &mut rows),
        (Ending::Hdf5, Format::Acronym) => acronym::write(path, header, &mut rows),
        _ => match ending.layout(format) {
            Some((layout, notation)) => layout::write(path, layout, notation, header, &mut rows),
            None => {
                let named = Format::ALL.into_iter().find(|(_, kind)| *kind == format);
                let name = named.map_or("", |(name, _)| name);
                let message = format!("no file of `{name}` has this ending");
                Err(GraspFileError::damaged(path, "its name", message))
            }
        },
    }
}

/// What became of a grasp.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Whether it held; as it was if not given.
    pub label: Option<bool>,
    /// How good it is, where the format has a place for that; as it was if not given.
    pub score: Option<f64>,
}

/// Writes a file anew, of the same kind, with labels and scores filled in by row; everything
/// else stays as it is, but for columns of CSV and Parquet that are no part of a grasp.
pub fn relabel(source: &Path, out: &Path, verdicts: &[Verdict]) -> Result<(), GraspFileError> {
    let ending = Ending::of(source)?;
    if Ending::of(out)? != ending {
        let message = format!("not of the same kind as {}", source.display());
        return Err(GraspFileError::damaged(out, "its name", message));
    }
    match ending {
        Ending::Hdf5 => acronym::relabel(source, out, verdicts),
        Ending::Tree(notation) => layout::relabel(source, out, notation, verdicts),
        Ending::Csv | Ending::Parquet => {
            let list = GraspList::open(source, &ReadOptions::default())?;
            let header = list.header.clone();
            let judged = list.enumerate().map(|(at, row)| {
                let verdict = verdicts.get(at).copied().unwrap_or_default();
                row.map(|grasp| Grasp {
                    label: verdict.label.or(grasp.label),
                    score: verdict.score.or(grasp.score),
                    ..grasp
                })
            });
            write(out, &header, judged)
        }
    }
}
