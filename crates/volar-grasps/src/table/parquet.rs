//! Tables as Parquet. What all rows share is in the metadata of the file, with keys that start
//! with `volar.`.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, BooleanArray, Float32Array, Float64Array, Int32Array, Int64Array, RecordBatch,
    StringArray,
};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use super::columns::{Cells, Columns, LABEL, REASON, Slot};
use crate::error::GraspFileError;
use crate::files::replaced;
use crate::grasp::BadRow;
use crate::list::{Header, Opened, Row};

/// Rows that are in memory at a time.
const ROWS_PER_BATCH: usize = 4096;
/// Rows that are compressed together.
const ROWS_PER_GROUP: usize = 1 << 16;
const KEYS: &str = "volar.";

pub fn read_parquet(path: &Path) -> Result<Opened, GraspFileError> {
    let file = File::open(path).map_err(GraspFileError::io("open", path))?;
    let damaged = |place: &str, error: &dyn std::fmt::Display| {
        let message = format!("{error}; is it a Parquet file, and whole?");
        GraspFileError::damaged(path, place, message)
    };
    let builder = ParquetRecordBatchReaderBuilder::try_new(file)
        .map_err(|error| damaged("the end of the file", &error))?;
    let meta = builder.metadata().file_metadata();
    let rows = u64::try_from(meta.num_rows()).unwrap_or(0);
    let fields = builder.schema().fields().clone();
    let names: Vec<String> = fields.iter().map(|field| field.name().clone()).collect();
    let (columns, slots, mut header) = Columns::of_names(&names)
        .map_err(|message| GraspFileError::damaged(path, "its columns", message))?;
    for (field, slot) in fields.iter().zip(&slots) {
        let of_type = field.data_type();
        let fits = match slot {
            None => true,
            Some(Slot::Number(_)) => is_number(of_type),
            Some(Slot::Label) => *of_type == DataType::Boolean || is_number(of_type),
            Some(Slot::Reason) => *of_type == DataType::Utf8,
        };
        if !fits {
            let message = format!("column `{}` is {of_type}, which is not read", field.name());
            return Err(GraspFileError::damaged(path, "its columns", message));
        }
    }
    for KeyValue { key, value } in meta.key_value_metadata().into_iter().flatten() {
        if let (Some(key), Some(value)) = (key.strip_prefix(KEYS), value) {
            header.learn(key, value);
        }
    }
    // Columns that are no part of a grasp are not read at all.
    let wanted: Vec<usize> = (0..slots.len()).filter(|at| slots[*at].is_some()).collect();
    let mask = ProjectionMask::roots(builder.parquet_schema(), wanted.iter().copied());
    let reader = builder
        .with_projection(mask)
        .with_batch_size(ROWS_PER_BATCH)
        .build()
        .map_err(|error| damaged("its columns", &error))?;
    let stream = Rows {
        reader: Some(reader),
        columns,
        slots: slots.into_iter().flatten().collect(),
        batch: None,
        at: 0,
        row: 0,
        rows,
    };
    Ok(Opened {
        header,
        rows: Some(rows),
        stream: Box::new(stream),
    })
}

fn is_number(of_type: &DataType) -> bool {
    matches!(
        of_type,
        DataType::Float64 | DataType::Float32 | DataType::Int64 | DataType::Int32
    )
}

struct Rows {
    /// None after a fault.
    reader: Option<ParquetRecordBatchReader>,
    columns: Columns,
    /// Of the columns that are read.
    slots: Vec<Slot>,
    batch: Option<RecordBatch>,
    /// Next row of the batch.
    at: usize,
    row: u64,
    rows: u64,
}

impl Iterator for Rows {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        while self
            .batch
            .as_ref()
            .is_none_or(|batch| self.at >= batch.num_rows())
        {
            match self.reader.as_mut()?.next()? {
                Ok(batch) => (self.batch, self.at) = (Some(batch), 0),
                Err(error) => {
                    self.reader = None;
                    let reason = format!(
                        "the file is damaged, rows {} to {} cannot be read: {error}",
                        self.row,
                        self.rows.saturating_sub(1)
                    );
                    return Some(Err(BadRow {
                        row: self.row,
                        reason,
                    }));
                }
            }
        }
        let cells = self.cells(self.batch.as_ref()?);
        let row = self.columns.row(self.row, &cells);
        self.row += 1;
        self.at += 1;
        Some(row)
    }
}

impl Rows {
    fn cells(&self, batch: &RecordBatch) -> Cells {
        let mut cells = Cells {
            numbers: vec![None; self.columns.len()],
            ..Cells::default()
        };
        for (column, slot) in batch.columns().iter().zip(&self.slots) {
            match slot {
                Slot::Number(number) => cells.numbers[*number] = value(column, self.at),
                Slot::Label => {
                    let flags = column.as_any().downcast_ref::<BooleanArray>();
                    let flag = flags.filter(|flags| flags.is_valid(self.at));
                    cells.label = flag
                        .map(|flags| flags.value(self.at))
                        .or_else(|| value(column, self.at).map(|value| value > 0.5));
                }
                Slot::Reason => {
                    let texts = column.as_any().downcast_ref::<StringArray>();
                    let text = texts.filter(|texts| texts.is_valid(self.at));
                    let text = text.map(|texts| texts.value(self.at).to_owned());
                    cells.reason = text.filter(|text| !text.is_empty());
                }
            }
        }
        cells
    }
}

fn value(column: &ArrayRef, at: usize) -> Option<f64> {
    if column.is_null(at) {
        return None;
    }
    let any = column.as_any();
    any.downcast_ref::<Float64Array>()
        .map(|numbers| numbers.value(at))
        .or_else(|| Some(f64::from(any.downcast_ref::<Float32Array>()?.value(at))))
        .or_else(|| Some(any.downcast_ref::<Int64Array>()?.value(at) as f64))
        .or_else(|| Some(f64::from(any.downcast_ref::<Int32Array>()?.value(at))))
}

pub fn write_parquet(
    path: &Path,
    header: &Header,
    rows: &mut dyn Iterator<Item = Row>,
) -> Result<(), GraspFileError> {
    let columns = Columns::new(header);
    let wanted = columns.to_write(header);
    let mut fields: Vec<Field> = wanted
        .iter()
        .map(|(_, name)| Field::new(name, DataType::Float64, true))
        .collect();
    fields.push(Field::new(LABEL, DataType::Boolean, true));
    fields.push(Field::new(REASON, DataType::Utf8, true));
    let schema = Arc::new(Schema::new(fields));
    let facts = header.facts().into_iter();
    let facts = facts.map(|(key, value)| KeyValue::new(format!("{KEYS}{key}"), value));
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(ROWS_PER_GROUP))
        .set_key_value_metadata(Some(facts.collect()))
        .build();
    replaced(path, |file| {
        let mut writer = ArrowWriter::try_new(file, schema.clone(), Some(properties))
            .map_err(unwritable(path))?;
        let mut number = 0;
        loop {
            let mut cells = Vec::with_capacity(ROWS_PER_BATCH);
            while let Some(row) = (cells.len() < ROWS_PER_BATCH)
                .then(|| rows.next())
                .flatten()
            {
                cells.push(super::cells_to_write(path, header, &columns, number, &row)?);
                number += 1;
            }
            if cells.is_empty() {
                break;
            }
            let batch = RecordBatch::try_new(schema.clone(), arrays(&wanted, &cells));
            let batch = batch.map_err(|error| unwritable(path)(error.into()))?;
            writer.write(&batch).map_err(unwritable(path))?;
        }
        writer.close().map(|_| ()).map_err(unwritable(path))
    })
}

fn arrays(wanted: &[(usize, String)], cells: &[Cells]) -> Vec<ArrayRef> {
    let mut arrays: Vec<ArrayRef> = Vec::with_capacity(wanted.len() + 2);
    for (at, _) in wanted {
        let numbers = cells.iter().map(|cells| cells.numbers[*at]);
        arrays.push(Arc::new(numbers.collect::<Float64Array>()));
    }
    let labels = cells.iter().map(|cells| cells.label);
    arrays.push(Arc::new(labels.collect::<BooleanArray>()));
    let reasons = cells.iter().map(|cells| cells.reason.as_deref());
    arrays.push(Arc::new(reasons.collect::<StringArray>()));
    arrays
}

fn unwritable(path: &Path) -> impl FnOnce(parquet::errors::ParquetError) -> GraspFileError + use<> {
    let path: PathBuf = path.to_owned();
    move |error| match error {
        parquet::errors::ParquetError::External(source) => {
            GraspFileError::io("write", &path)(std::io::Error::other(source))
        }
        other => GraspFileError::damaged(&path, "cannot be written", other),
    }
}
