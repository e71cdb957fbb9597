//! Parts and tables as Parquet.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use crate::axis::Axis;
use crate::error::SweepError;
use crate::figures::{Cell, ColumnType, Figure, Record, WALL_LIMIT};
use crate::plan::Plan;

use super::journal::records_of;
use super::{Piece, replaced};

/// Wall time of a run, s: the column of parts that tables do not have.
pub const WALL: &str = "wall_s";
const FAILURE: &str = "failure";
const HELD: &str = "held";

/// The columns of a sweep: the number of the run, axes, repeat, figures, failure.
#[derive(Clone, Debug)]
pub struct Layout {
    axes: Vec<(String, ColumnType)>,
    repeats: bool,
    figures: Vec<Figure>,
}

/// What is needed of a run to count it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brief {
    /// Number of the run.
    pub row: u64,
    /// Whether the object was held.
    pub held: Option<bool>,
    /// How it failed.
    pub failure: Option<String>,
}

impl Brief {
    /// Whether it is run again when the sweep goes on.
    pub fn is_provisional(&self) -> bool {
        self.failure.as_deref() == Some(WALL_LIMIT)
    }

    pub(crate) fn of(record: &Record, figures: &[Figure]) -> Brief {
        let held = figures.iter().position(|figure| figure.name == HELD);
        Brief {
            row: record.row,
            held: held.and_then(|at| match record.figures.get(at) {
                Some(Cell::Bool(held)) => Some(*held),
                _ => None,
            }),
            failure: record.failure.as_ref().map(|failure| failure.kind.clone()),
        }
    }
}

impl Layout {
    pub(super) fn new(plan: &Plan, figures: &[Figure]) -> Result<Layout, SweepError> {
        let axes: Vec<_> = plan.axes.iter().flat_map(Axis::columns).collect();
        let own = [
            "row",
            "repeat",
            FAILURE,
            "failure_what",
            "failure_time_s",
            WALL,
        ];
        for (at, (name, _)) in axes.iter().enumerate() {
            let twice = axes[..at].iter().any(|(other, _)| other == name);
            let taken = own.contains(&name.as_str()) || figures.iter().any(|f| f.name == *name);
            if taken || twice {
                return Err(SweepError::axis(
                    name,
                    "a column of the table has this name",
                ));
            }
        }
        Ok(Layout {
            axes,
            repeats: plan.repeats > 1,
            figures: figures.to_vec(),
        })
    }

    /// All columns of a part.
    fn schema(&self) -> Schema {
        let field = |name: &str, of_type: ColumnType| {
            let of_type = match of_type {
                ColumnType::Bool => DataType::Boolean,
                ColumnType::Count => DataType::UInt64,
                ColumnType::Number => DataType::Float64,
                ColumnType::Text => DataType::Utf8,
            };
            Field::new(name, of_type, true)
        };
        let mut fields = vec![Field::new("row", DataType::UInt64, false)];
        fields.extend(
            self.axes
                .iter()
                .map(|(name, of_type)| field(name, *of_type)),
        );
        if self.repeats {
            fields.push(field("repeat", ColumnType::Count));
        }
        fields.extend(self.figures.iter().map(|f| field(&f.name, f.of_type)));
        fields.push(field(FAILURE, ColumnType::Text));
        fields.push(field("failure_what", ColumnType::Text));
        fields.push(field("failure_time_s", ColumnType::Number));
        fields.push(field(WALL, ColumnType::Number));
        Schema::new(fields)
    }

    fn batch(&self, plan: &Plan, records: &[Record]) -> Result<RecordBatch, String> {
        let rows: Vec<_> = records.iter().map(|record| plan.row(record.row)).collect();
        let numbers = records.iter().map(|record| record.row);
        let mut columns: Vec<ArrayRef> = vec![Arc::new(UInt64Array::from_iter_values(numbers))];
        let axes = 0..plan.axes.len();
        let cells = rows
            .iter()
            .map(|row| axes.clone().flat_map(|axis| row.cells(axis)).collect());
        let cells: Vec<Vec<Cell>> = cells.collect();
        for (at, (_, of_type)) in self.axes.iter().enumerate() {
            columns.push(column(*of_type, cells.iter().map(|row| row[at].clone())));
        }
        if self.repeats {
            let repeats = rows.iter().map(|row| row.repeat);
            columns.push(Arc::new(UInt64Array::from_iter_values(repeats)));
        }
        for (at, figure) in self.figures.iter().enumerate() {
            let cell = |record: &Record| record.figures.get(at).cloned().unwrap_or(Cell::Null);
            columns.push(column(figure.of_type, records.iter().map(cell)));
        }
        let failures = || records.iter().map(|record| record.failure.as_ref());
        let kinds = failures().map(|failure| failure.map(|f| f.kind.as_str()));
        columns.push(Arc::new(kinds.collect::<StringArray>()));
        let whats = failures().map(|failure| failure.map(|f| f.what.as_str()));
        columns.push(Arc::new(whats.collect::<StringArray>()));
        let times = failures().map(|failure| failure.map(|f| f.time_s));
        columns.push(Arc::new(times.collect::<Float64Array>()));
        let walls = records.iter().map(|record| record.wall_s);
        columns.push(Arc::new(Float64Array::from_iter_values(walls)));
        RecordBatch::try_new(Arc::new(self.schema()), columns).map_err(|error| error.to_string())
    }

    pub(super) fn write_part(
        &self,
        path: &Path,
        plan: &Plan,
        records: &[Record],
    ) -> Result<(), SweepError> {
        let batch = self.batch(plan, records).map_err(SweepError::Invalid)?;
        write(path, &batch.schema(), [Ok(batch)])
    }
}

fn column(of_type: ColumnType, cells: impl Iterator<Item = Cell>) -> ArrayRef {
    match of_type {
        ColumnType::Bool => Arc::new(
            cells
                .map(|cell| match cell {
                    Cell::Bool(value) => Some(value),
                    _ => None,
                })
                .collect::<BooleanArray>(),
        ),
        ColumnType::Count => Arc::new(
            cells
                .map(|cell| match cell {
                    Cell::Count(value) => Some(value),
                    _ => None,
                })
                .collect::<UInt64Array>(),
        ),
        ColumnType::Number => Arc::new(
            cells
                .map(|cell| match cell {
                    Cell::Number(value) => Some(value),
                    // A journal does not tell 3 from 3.0.
                    Cell::Count(value) => Some(value as f64),
                    _ => None,
                })
                .collect::<Float64Array>(),
        ),
        ColumnType::Text => Arc::new(
            cells
                .map(|cell| match cell {
                    Cell::Text(value) => Some(value),
                    _ => None,
                })
                .collect::<StringArray>(),
        ),
    }
}

/// Writes batches of rows as a Parquet file, whole or not at all.
pub(super) fn write(
    path: &Path,
    schema: &Arc<Schema>,
    batches: impl IntoIterator<Item = Result<RecordBatch, SweepError>>,
) -> Result<(), SweepError> {
    replaced(path, |file| {
        let failed = |error: parquet::errors::ParquetError| match error {
            parquet::errors::ParquetError::External(source) => {
                SweepError::io("write", path)(std::io::Error::other(source))
            }
            other => SweepError::damaged(path, format!("cannot be written: {other}")),
        };
        write_batches(file, schema, batches, failed)
    })
}

/// Batches of rows as Parquet.
pub(super) fn write_batches(
    file: impl std::io::Write + Send,
    schema: &Arc<Schema>,
    batches: impl IntoIterator<Item = Result<RecordBatch, SweepError>>,
    failed: impl Fn(parquet::errors::ParquetError) -> SweepError,
) -> Result<(), SweepError> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(1 << 16))
        .build();
    let mut writer =
        ArrowWriter::try_new(file, schema.clone(), Some(properties)).map_err(&failed)?;
    for batch in batches {
        writer.write(&batch?).map_err(&failed)?;
    }
    writer.close().map(|_| ()).map_err(failed)
}

/// The rows of a part, in one batch; of these columns, or all.
pub(super) fn read_part(path: &Path, wanted: &[&str]) -> Result<RecordBatch, SweepError> {
    let file = File::open(path).map_err(SweepError::io("open", path))?;
    let damaged = |error: &dyn std::fmt::Display| {
        let remedy = "remove it, and its runs are run again";
        SweepError::damaged(path, format!("not a part of a sweep ({error}): {remedy}"))
    };
    let mut builder =
        ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| damaged(&error))?;
    if !wanted.is_empty() {
        let mask = ProjectionMask::columns(builder.parquet_schema(), wanted.iter().copied());
        builder = builder.with_projection(mask);
    }
    let rows = usize::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
    let schema = builder.schema().clone();
    let mut reader = builder
        .with_batch_size(rows.max(1))
        .build()
        .map_err(|error| damaged(&error))?;
    match reader.next() {
        None => Ok(RecordBatch::new_empty(schema)),
        Some(batch) => batch.map_err(|error| damaged(&error)),
    }
}

/// The runs in a part or journal, briefly.
pub fn read_records(piece: &Piece, figures: &[Figure]) -> Result<Vec<Brief>, SweepError> {
    if piece.is_journal {
        let records = records_of(piece)?;
        return Ok(records.iter().map(|r| Brief::of(r, figures)).collect());
    }
    let batch = read_part(&piece.path, &["row", HELD, FAILURE])?;
    let rows = typed::<UInt64Array>(&batch, "row", &piece.path)?;
    let failures = typed::<StringArray>(&batch, FAILURE, &piece.path)?;
    let held = batch.column_by_name(HELD);
    let held = held.and_then(|column| column.as_any().downcast_ref::<BooleanArray>());
    let brief = |i: usize| Brief {
        row: rows.value(i),
        held: held
            .filter(|held| held.is_valid(i))
            .map(|held| held.value(i)),
        failure: failures.is_valid(i).then(|| failures.value(i).to_owned()),
    };
    Ok((0..batch.num_rows()).map(brief).collect())
}

fn typed<'a, T: 'static>(
    batch: &'a RecordBatch,
    name: &str,
    path: &Path,
) -> Result<&'a T, SweepError> {
    let column = batch.column_by_name(name);
    let column = column.and_then(|column| column.as_any().downcast_ref::<T>());
    column.ok_or_else(|| SweepError::damaged(path, format!("it has no column `{name}`")))
}
