//! The table as columns in memory, for reports.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema};

use crate::error::SweepError;

use super::parts::{read_part, write_batches};

/// A table in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Names and values.
    pub columns: Vec<(String, Column)>,
    /// Number of rows.
    pub rows: usize,
}

/// Values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Numbers, counts, and yes and no as 1 and 0; not a number where there is none.
    Numbers(Vec<f64>),
    /// Texts.
    Texts(Vec<Option<String>>),
}

impl Table {
    /// Reads a table or a part.
    pub fn read(path: &Path) -> Result<Table, SweepError> {
        let batch = read_part(path, &[])?;
        let schema = batch.schema();
        let columns = schema.fields().iter().zip(batch.columns());
        let columns = columns.map(|(field, array)| (field.name().clone(), column(array)));
        Ok(Table {
            columns: columns.collect(),
            rows: batch.num_rows(),
        })
    }

    /// As a Parquet file; what is not a number is null in it.
    pub fn to_parquet(&self) -> Result<Vec<u8>, SweepError> {
        let invalid = |error: &dyn std::fmt::Display| SweepError::Invalid(error.to_string());
        let columns = self.columns.iter().map(|(name, column)| match column {
            Column::Numbers(values) => {
                let values = values.iter().map(|v| (!v.is_nan()).then_some(*v));
                let array: ArrayRef = Arc::new(values.collect::<Float64Array>());
                (Field::new(name, DataType::Float64, true), array)
            }
            Column::Texts(texts) => {
                let array: ArrayRef = Arc::new(texts.iter().cloned().collect::<StringArray>());
                (Field::new(name, DataType::Utf8, true), array)
            }
        });
        let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns.unzip();
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(|e| invalid(&e))?;
        let mut bytes = Vec::new();
        write_batches(&mut bytes, &schema, [Ok(batch)], |error| invalid(&error))?;
        Ok(bytes)
    }

    /// The numbers of a column.
    pub fn numbers(&self, name: &str) -> Option<&[f64]> {
        self.columns
            .iter()
            .find_map(|(known, column)| match column {
                Column::Numbers(values) if known == name => Some(&values[..]),
                _ => None,
            })
    }

    /// The texts of a column.
    pub fn texts(&self, name: &str) -> Option<&[Option<String>]> {
        self.columns
            .iter()
            .find_map(|(known, column)| match column {
                Column::Texts(values) if known == name => Some(&values[..]),
                _ => None,
            })
    }
}

fn column(array: &dyn Array) -> Column {
    let any = array.as_any();
    let rows = 0..array.len();
    let number = |value: &dyn Fn(usize) -> f64| {
        let or_nan = |i: usize| {
            if array.is_valid(i) {
                value(i)
            } else {
                f64::NAN
            }
        };
        Column::Numbers(rows.clone().map(or_nan).collect())
    };
    if let Some(own) = any.downcast_ref::<Float64Array>() {
        return number(&|i| own.value(i));
    }
    if let Some(own) = any.downcast_ref::<UInt64Array>() {
        return number(&|i| own.value(i) as f64);
    }
    if let Some(own) = any.downcast_ref::<BooleanArray>() {
        return number(&|i| f64::from(u8::from(own.value(i))));
    }
    let texts = any.downcast_ref::<StringArray>();
    let text = |i: usize| {
        texts
            .filter(|t| t.is_valid(i))
            .map(|t| t.value(i).to_owned())
    };
    Column::Texts(rows.clone().map(text).collect())
}
