//! The kinds of files.

use std::path::Path;

use crate::document::Notation;
use crate::error::GraspFileError;
use crate::layout::Layout;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Our table as text.
    Csv,
    /// Our table as Parquet.
    Parquet,
    /// ACRONYM, HDF5.
    Acronym,
    /// GraspGen's dataset, JSON or YAML.
    GraspGen,
    /// Isaac's grasp files, YAML or JSON.
    Isaac,
    /// DexGraspNet, NPY.
    DexGraspNet,
    /// BODex and DexGraspBench, NPY.
    Bodex,
}

/// How a file is written, as its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Csv,
    Parquet,
    Hdf5,
    Tree(Notation),
}

impl Format {
    /// What names may end in.
    pub const ENDINGS: &str = ".csv, .parquet, .h5, .json, .yaml, .npy";
    /// All of them, by name.
    pub const ALL: [(&str, Format); 7] = [
        ("csv", Format::Csv),
        ("parquet", Format::Parquet),
        ("acronym", Format::Acronym),
        ("graspgen", Format::GraspGen),
        ("isaac", Format::Isaac),
        ("dexgraspnet", Format::DexGraspNet),
        ("bodex", Format::Bodex),
    ];

    /// The kind that a new file of this name is.
    pub fn of(path: &Path) -> Result<Format, GraspFileError> {
        Ok(match Ending::of(path)? {
            Ending::Csv => Format::Csv,
            Ending::Parquet => Format::Parquet,
            Ending::Hdf5 => Format::Acronym,
            Ending::Tree(Notation::Json) => Format::GraspGen,
            Ending::Tree(Notation::Yaml) => Format::Isaac,
            Ending::Tree(Notation::Npy) => Format::Bodex,
        })
    }
}

impl Ending {
    pub fn of(path: &Path) -> Result<Ending, GraspFileError> {
        let end = path.extension().unwrap_or_default().to_string_lossy();
        match end.to_ascii_lowercase().as_str() {
            "csv" => Ok(Ending::Csv),
            "parquet" => Ok(Ending::Parquet),
            "h5" | "hdf5" => Ok(Ending::Hdf5),
            "json" => Ok(Ending::Tree(Notation::Json)),
            "yaml" | "yml" => Ok(Ending::Tree(Notation::Yaml)),
            "npy" => Ok(Ending::Tree(Notation::Npy)),
            other => Err(GraspFileError::Unknown {
                path: path.to_owned(),
                message: match other {
                    "" => "its name has no ending".into(),
                    other => format!("its name ends in .{other}"),
                },
            }),
        }
    }

    /// The layout of a tree of some kind, where its notation can be this one.
    pub fn layout(self, format: Format) -> Option<(Layout, Notation)> {
        match (self, format) {
            (Ending::Tree(n @ (Notation::Json | Notation::Yaml)), Format::GraspGen) => {
                Some((Layout::GraspGen, n))
            }
            (Ending::Tree(n @ (Notation::Json | Notation::Yaml)), Format::Isaac) => {
                Some((Layout::Isaac, n))
            }
            (Ending::Tree(Notation::Npy), Format::DexGraspNet) => {
                Some((Layout::DexGraspNet, Notation::Npy))
            }
            (Ending::Tree(Notation::Npy), Format::Bodex) => Some((Layout::Bodex, Notation::Npy)),
            _ => None,
        }
    }
}

impl From<Layout> for Format {
    fn from(layout: Layout) -> Format {
        match layout {
            Layout::GraspGen => Format::GraspGen,
            Layout::Isaac => Format::Isaac,
            Layout::DexGraspNet => Format::DexGraspNet,
            Layout::Bodex => Format::Bodex,
        }
    }
}
