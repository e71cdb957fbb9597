//! Lists of grasps: where a hand is on an object, how its fingers are bent, and
//! whether that held. Read from and written to the files of datasets, or sampled.
//!
//! | file | what |
//! |---|---|
//! | `grasp.rs` | one grasp, and a row that is none |
//! | `list.rs` | a list: what all its rows share, and the rows as a stream |
//! | `format.rs` | the kinds of files |
//! | `table/` | tables of ours, CSV and Parquet |
//! | `acronym.rs` | ACRONYM, HDF5 |
//! | `document/` | files that are trees of values: JSON, YAML, pickles of numpy |
//! | `layout/` | what the trees of GraspGen, Isaac, DexGraspNet, BODex and DexGraspBench say |
//! | `sample/` | samplers |
//!
//! Symbols: O is the frame of the object's mesh, scaled to metres; H the root frame of
//! the hand's robot file; G the frame in which a dataset gives its gripper. SI units,
//! angles in rad. The units and frames of every file are in `docs/grasp-files.md`.
//!
//! ```
//! use volar_grasps::{Grasp, GraspList, Header, ReadOptions, write};
//! use volar_math::Pose;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("grasps.csv");
//! let grasp = Grasp { width: Some(0.04), ..Grasp::at(Pose::IDENTITY) };
//! write(&path, &Header::default(), [Ok(grasp.clone())])?;
//!
//! let mut list = GraspList::open(&path, &ReadOptions::default())?;
//! assert_eq!(list.next(), Some(Ok(grasp)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(test, allow(clippy::disallowed_methods))] // the bits of tests do not matter
#![allow(non_snake_case)] // frame notation: X_OH, p_O

mod acronym;
mod document;
mod error;
mod files;
mod format;
mod grasp;
mod layout;
mod list;
pub mod sample;
mod table;

pub use error::GraspFileError;
pub use format::Format;
pub use grasp::{BadRow, Grasp, Posture, Stage};
pub use list::{
    GraspList, Header, Holds, ObjectInfo, ReadOptions, Row, Verdict, relabel, write, write_as,
};
