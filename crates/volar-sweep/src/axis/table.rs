//! Axes over the rows of a table: each row sets several entries of the scene at once.
//!
//! Like alternatives, but by the hundred thousand: a Parquet file whose columns are paths
//! of entries. Columns that begin with [`INFO`] set nothing and go along into the results;
//! `failure` and `failure_what` say of a row that it cannot be run, and why.

use std::fmt::Write;
use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, BooleanArray, Float32Array, Float64Array, Int32Array, Int64Array,
    LargeStringArray, RecordBatch, StringArray, UInt32Array, UInt64Array,
};
use arrow_select::concat::concat_batches;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde::Serializer;
use sha2::{Digest, Sha256};
use toml::Value;

use crate::error::SweepError;
use crate::figures::{Cell, ColumnType, Failure};

/// Columns whose names begin so set nothing: they say something of the row.
pub const INFO: &str = "info/";
/// Why a row cannot be run: for programs, ...
const FAILURE: &str = "failure";
/// ... and for people.
const FAILURE_WHAT: &str = "failure_what";

/// The rows of a table, as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Variants {
    /// As the sweep names it.
    pub file: String,
    /// Of the file.
    pub sha256: String,
    columns: Vec<(String, VariantColumn)>,
    rows: usize,
    /// As it goes to other machines.
    bytes: Arc<[u8]>,
}

#[derive(Clone, Debug, PartialEq)]
enum VariantColumn {
    Numbers(Vec<Option<f64>>),
    Whole(Vec<Option<i64>>),
    Flags(Vec<Option<bool>>),
    Texts(Vec<Option<String>>),
}

impl Variants {
    /// Reads a table from the bytes of a Parquet file.
    pub fn read(file: &str, bytes: Arc<[u8]>) -> Result<Variants, SweepError> {
        let unusable = |message: String| SweepError::Syntax {
            file: file.to_owned(),
            message,
        };
        let read = |error: &dyn std::fmt::Display| unusable(format!("no Parquet table: {error}"));
        let whole = bytes::Bytes::from_owner(bytes.clone());
        let builder =
            ParquetRecordBatchReaderBuilder::try_new(whole).map_err(|error| read(&error))?;
        let schema = builder.schema().clone();
        let reader = builder.build().map_err(|error| read(&error))?;
        let batches = reader.collect::<Result<Vec<RecordBatch>, _>>();
        let batches = batches.map_err(|error| read(&error))?;
        let batch = concat_batches(&schema, &batches).map_err(|error| read(&error))?;
        let mut columns = Vec::new();
        for (field, array) in schema.fields().iter().zip(batch.columns()) {
            let name = field.name();
            let column = column(array).ok_or_else(|| {
                unusable(format!(
                    "column `{name}` is of type {}: expected numbers, true and false, or texts; \
                     entries of a list have a column each, as in body.cube.position.0",
                    field.data_type()
                ))
            })?;
            columns.push((name.clone(), column));
        }
        if batch.num_rows() == 0 {
            return Err(unusable("the table has no rows".into()));
        }
        let mut sha256 = String::new();
        for byte in Sha256::digest(&bytes) {
            let _ = write!(sha256, "{byte:02x}");
        }
        Ok(Variants {
            file: file.to_owned(),
            sha256,
            columns,
            rows: batch.num_rows(),
            bytes,
        })
    }

    /// The file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Number of rows.
    pub fn rows(&self) -> u64 {
        self.rows as u64
    }

    /// Columns of the results: all but those of failures, which results have anyway.
    pub fn columns(&self) -> impl Iterator<Item = (&str, ColumnType)> {
        let own = self.columns.iter().filter(|(name, _)| !is_failure(name));
        own.map(|(name, column)| (name.as_str(), column.of_type()))
    }

    /// What results have of a row, by these columns.
    pub fn cells(&self, row: usize) -> impl Iterator<Item = Cell> {
        let own = self.columns.iter().filter(|(name, _)| !is_failure(name));
        own.map(move |(_, column)| column.cell(row))
    }

    /// Entries of the scene that a row sets; what is null in the table stays as it is.
    pub fn settings(&self, row: usize) -> impl Iterator<Item = (&str, Value)> {
        let set = self.columns.iter().filter(|(name, _)| is_entry(name));
        set.filter_map(move |(name, column)| Some((name.as_str(), column.value(row)?)))
    }

    /// Why a row cannot be run.
    pub fn failure(&self, row: usize) -> Option<Failure> {
        let text = |wanted: &str| {
            let column = self.columns.iter().find(|(name, _)| name == wanted)?;
            match column.1.cell(row) {
                Cell::Text(text) => Some(text),
                _ => None,
            }
        };
        Some(Failure {
            kind: text(FAILURE)?,
            what: text(FAILURE_WHAT).unwrap_or_default(),
            time_s: 0.0,
        })
    }

    /// Rows that between them have every text, which may be the name of a file, and some
    /// more, should the numbers of the first make no scene. Rows that cannot be run are not
    /// among them.
    pub fn representatives(&self) -> Vec<u64> {
        const SPREAD: usize = 8;
        let texts = self.columns.iter().filter(|(name, _)| is_entry(name));
        let texts: Vec<&Vec<Option<String>>> = texts
            .filter_map(|(_, column)| match column {
                VariantColumn::Texts(texts) => Some(texts),
                _ => None,
            })
            .collect();
        let mut known = std::collections::BTreeSet::new();
        let usable: Vec<usize> = (0..self.rows)
            .filter(|row| self.failure(*row).is_none())
            .collect();
        let mut rows: Vec<usize> = usable
            .iter()
            .copied()
            .step_by((usable.len() / SPREAD).max(1))
            .collect();
        let new = |row: &&usize| {
            let texts: Vec<_> = texts.iter().map(|column| &column[**row]).collect();
            known.insert(texts)
        };
        if !texts.is_empty() {
            rows.extend(usable.iter().filter(new));
        }
        rows.sort_unstable();
        rows.dedup();
        rows.into_iter().map(|row| row as u64).collect()
    }
}

/// What results depend on of a table.
pub fn identity<S: Serializer>(table: &Variants, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{} {}", table.file, table.sha256))
}

fn is_failure(name: &str) -> bool {
    name == FAILURE || name == FAILURE_WHAT
}

fn is_entry(name: &str) -> bool {
    !name.starts_with(INFO) && !is_failure(name)
}

impl VariantColumn {
    fn of_type(&self) -> ColumnType {
        match self {
            VariantColumn::Numbers(_) | VariantColumn::Whole(_) => ColumnType::Number,
            VariantColumn::Flags(_) => ColumnType::Bool,
            VariantColumn::Texts(_) => ColumnType::Text,
        }
    }

    fn cell(&self, row: usize) -> Cell {
        let cell = match self {
            VariantColumn::Numbers(all) => all[row].map(Cell::Number),
            VariantColumn::Whole(all) => all[row].map(|n| Cell::Number(n as f64)),
            VariantColumn::Flags(all) => all[row].map(Cell::Bool),
            VariantColumn::Texts(all) => all[row].clone().map(Cell::Text),
        };
        cell.unwrap_or(Cell::Null)
    }

    fn value(&self, row: usize) -> Option<Value> {
        match self {
            VariantColumn::Numbers(all) => all[row].map(Value::Float),
            VariantColumn::Whole(all) => all[row].map(Value::Integer),
            VariantColumn::Flags(all) => all[row].map(Value::Boolean),
            VariantColumn::Texts(all) => all[row].clone().map(Value::String),
        }
    }
}

/// A column of one of the usual types; none of another.
fn column(array: &ArrayRef) -> Option<VariantColumn> {
    let any = array.as_any();
    macro_rules! of {
        ($array:ty, $kind:ident, $convert:expr) => {
            if let Some(own) = any.downcast_ref::<$array>() {
                return Some(VariantColumn::$kind(
                    own.iter().map(|value| value.map($convert)).collect(),
                ));
            }
        };
    }
    of!(Float64Array, Numbers, |v| v);
    of!(Float32Array, Numbers, f64::from);
    of!(Int64Array, Whole, |v| v);
    of!(Int32Array, Whole, i64::from);
    of!(UInt32Array, Whole, i64::from);
    of!(BooleanArray, Flags, |v| v);
    of!(StringArray, Texts, str::to_owned);
    of!(LargeStringArray, Texts, str::to_owned);
    let counts = any.downcast_ref::<UInt64Array>()?;
    let whole = |value: Option<u64>| value.map(i64::try_from).transpose().ok();
    counts
        .iter()
        .map(whole)
        .collect::<Option<Vec<Option<i64>>>>()
        .map(VariantColumn::Whole)
}
