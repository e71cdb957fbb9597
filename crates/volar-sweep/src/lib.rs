//! Sweeps: many variants of a scene, on every core, kept so that nothing is lost.
//!
//! ```text
//! sweep file or --axis ──▶ SweepSpec ──▶ Sweep: plan, scenes, files, figures
//!                                          │
//!            row ──▶ values ──▶ Setup ──▶ run ──▶ Record ──▶ Journal ──▶ parts ──▶ table
//!                    (meshes are shared)                     (Folder)              report
//! ```
//!
//! What a row is follows from its number, what its result is from the row: so runs may be
//! done in any order, on any number of cores and machines, and the table is the same to the
//! bit. [`Folder`] says how results survive being killed at any instant.

mod axis;
mod builtin;
mod error;
mod execute;
mod figures;
mod files;
mod identity;
mod plan;
pub mod report;
mod spec;
mod store;
mod sweep;
mod worker;

pub use axis::{Axis, AxisKind, AxisValue, Draw, INFO, Tables, Variants, axis_entry, normal_draw};
pub use builtin::builtin;
pub use error::SweepError;
pub use execute::{Done, Tally, Work, run_missing};
pub use figures::{Cell, ColumnType, Failure, Figure, Record};
pub use identity::Identity;
pub use plan::{Plan, Row};
pub use report::interval;
pub use spec::{Alternative, AxisEntry, Normal, Range, Steps, SweepSpec};
pub use store::{
    Brief, Column, Folder, Journal, Layout, Manifest, Piece, Table, merge, read_records,
    write_tables,
};
pub use sweep::Sweep;
pub use worker::RunLimits;

/// Version of the program: results of another one are not mixed with its own.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
