//! The table of all runs in order, from the parts.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use arrow_select::interleave::interleave_record_batch;

use crate::error::SweepError;
use crate::plan::Plan;

use super::parts::{WALL, read_part, read_records, write};
use super::{Folder, Journal, Piece};

/// Rows that are put in order at a time.
const ROWS_PER_BATCH: usize = 1 << 14;

/// Where a run is: its number, the number of the part, the place there.
type Place = (u64, u32, u32);

/// Writes `table.parquet`, and beside it what the runs took, from whatever the folder has;
/// it must be all runs. The table is the same to the bit in whatever order, parts and
/// number of processes the runs were done.
pub fn write_tables(folder: &Folder, plan: &Plan) -> Result<(), SweepError> {
    let pieces = folder.pieces()?;
    for piece in pieces.iter().filter(|piece| piece.is_journal) {
        Journal::open(folder, plan, &piece.writer)?.seal()?;
    }
    let pieces: Vec<Piece> = folder.pieces()?;
    let parts: Vec<Piece> = pieces.into_iter().filter(|p| !p.is_journal).collect();
    let places = places(&parts, folder)?;
    let total = plan.rows();
    if places.len() as u64 != total {
        let missing = total - places.len() as u64;
        return Err(SweepError::Incomplete { missing, total });
    }
    let Some(first) = parts.first() else {
        return Ok(());
    };
    let schema = read_part(&first.path, &[])?.schema();
    let is_timing = |name: &str| name == WALL;
    let table = |name: &str| !is_timing(name);
    let timing = |name: &str| is_timing(name) || name == "row";
    for (file, wanted) in [
        ("table.parquet", &table as &dyn Fn(&str) -> bool),
        ("timing.parquet", &timing),
    ] {
        let path = folder.path.join(file);
        let fields = schema.fields().iter().enumerate();
        let kept: Vec<usize> = fields
            .filter(|(_, field)| wanted(field.name()))
            .map(|(i, _)| i)
            .collect();
        let own = schema
            .project(&kept)
            .map_err(|e| SweepError::damaged(&path, e))?;
        let mut ordered = Ordered {
            parts: &parts,
            rest: &places,
            loaded: BTreeMap::new(),
            kept: &kept,
            path: &path,
        };
        let own: Arc<Schema> = Arc::new(own);
        write(&path, &own, std::iter::from_fn(|| ordered.next()))?;
    }
    Ok(())
}

/// Every run once, in order: the one that came to its end where there are two.
fn places(parts: &[Piece], folder: &Folder) -> Result<Vec<Place>, SweepError> {
    let mut places: Vec<(u64, bool, u32, u32)> = Vec::new();
    for (part, piece) in (0..).zip(parts) {
        for (at, brief) in (0..).zip(read_records(piece, &folder.manifest.figures)?) {
            places.push((brief.row, brief.is_provisional(), part, at));
        }
    }
    places.sort_unstable();
    places.dedup_by_key(|place| place.0);
    Ok(places
        .into_iter()
        .map(|(row, _, part, at)| (row, part, at))
        .collect())
}

/// Batches of rows in order; parts are in memory while they have rows to give.
struct Ordered<'a> {
    parts: &'a [Piece],
    rest: &'a [Place],
    loaded: BTreeMap<u32, RecordBatch>,
    kept: &'a [usize],
    path: &'a Path,
}

impl Ordered<'_> {
    fn next(&mut self) -> Option<Result<RecordBatch, SweepError>> {
        if self.rest.is_empty() {
            return None;
        }
        let (now, rest) = self.rest.split_at(ROWS_PER_BATCH.min(self.rest.len()));
        self.rest = rest;
        Some(self.batch(now))
    }

    fn batch(&mut self, places: &[Place]) -> Result<RecordBatch, SweepError> {
        let mut needed: Vec<u32> = places.iter().map(|place| place.1).collect();
        needed.sort_unstable();
        needed.dedup();
        self.loaded
            .retain(|part, _| needed.binary_search(part).is_ok());
        for part in &needed {
            if !self.loaded.contains_key(part) {
                let path = &self.parts[*part as usize].path;
                let batch = read_part(path, &[])?;
                let batch = batch.project(self.kept);
                let batch = batch.map_err(|error| SweepError::damaged(path, error))?;
                self.loaded.insert(*part, batch);
            }
        }
        let batches: Vec<&RecordBatch> = self.loaded.values().collect();
        let indices: Vec<(usize, usize)> = places
            .iter()
            .map(|(_, part, at)| {
                let number = needed.binary_search(part).unwrap_or(0);
                (number, *at as usize)
            })
            .collect();
        interleave_record_batch(&batches, &indices)
            .map_err(|error| SweepError::damaged(self.path, error))
    }
}
