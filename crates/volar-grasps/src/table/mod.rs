//! Tables of ours: the same columns as CSV and as Parquet.
//!
//! | column | |
//! |---|---|
//! | `position_x`, `_y`, `_z` | the root frame of the hand in the object's frame, m |
//! | `orientation_w`, `_x`, `_y`, `_z` | quaternion |
//! | `pregrasp/JOINT`, `grasp/JOINT`, `squeeze/JOINT` | postures, rad or m |
//! | `pregrasp_position_x` … `squeeze_orientation_z` | poses of postures that have their own |
//! | `width`, `scale`, `score` | m, 1, any |
//! | `label` | whether it held |
//! | `reason` | why the row is no grasp |
//!
//! All but the pose may be missing, as a column or in a row. Other columns are left alone.

mod columns;
mod csv;
mod parquet;

pub(crate) use csv::{read_csv, write_csv};
pub(crate) use parquet::{read_parquet, write_parquet};

use std::path::Path;

use crate::error::GraspFileError;
use crate::list::{Header, Row};
use columns::{Cells, Columns};

/// The cells of a row that is to be written.
fn cells_to_write(
    path: &Path,
    header: &Header,
    columns: &Columns,
    number: u64,
    row: &Row,
) -> Result<Cells, GraspFileError> {
    let refused = row
        .as_ref()
        .ok()
        .and_then(|grasp| header.holds.refuses(grasp));
    let cells = refused.map_or_else(|| columns.cells(row), Err);
    cells.map_err(|message| GraspFileError::NoPlace {
        path: path.to_owned(),
        row: number,
        message,
    })
}
