//! `series.parquet`: a wide table, one row for each frame.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{
    ArrayRef, Float64Array, ListArray, RecordBatch, StringArray, StructArray, UInt32Array,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use volar_sim::{BodyId, Contact, ContactField};

use crate::columns::{Columns, Row};
use crate::error::RecordError;
use crate::frame::{Frame, Header};

/// Key of the header's JSON in the metadata of the file.
const HEADER_KEY: &str = "volar";

/// Rows are handed to the Parquet writer in batches of so many.
const ROWS_PER_BATCH: usize = 128;
/// Rows are written to the file in groups of about so many bytes, which are in
/// memory until then. At the end of the run every group costs another 1 kB for
/// each column, so that much smaller groups would take more memory, not less.
const BYTES_PER_GROUP: usize = 16 << 20;

/// Writes the Parquet file.
pub struct SeriesFile {
    path: PathBuf,
    writer: ArrowWriter<File>,
    schema: Arc<Schema>,
    columns: Columns,
    body_names: Vec<String>,
    rows: Vec<Frame>,
}

impl SeriesFile {
    /// Creates the file.
    pub fn create(
        path: &Path,
        header: &Header,
        header_json: &str,
    ) -> Result<SeriesFile, RecordError> {
        let file = File::create(path).map_err(RecordError::io("create", path))?;
        let columns = Columns::new(header);
        let schema = Arc::new(Schema::new(fields(&columns)));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            // Numbers of a simulation hardly repeat; names do, but are few.
            .set_dictionary_enabled(false)
            // What is said of columns stays in memory until the end.
            .set_statistics_enabled(EnabledStatistics::None)
            .set_column_statistics_enabled("time".into(), EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
            .set_max_row_group_bytes(Some(BYTES_PER_GROUP))
            .set_key_value_metadata(Some(vec![KeyValue::new(
                HEADER_KEY.to_owned(),
                header_json.to_owned(),
            )]))
            .build();
        let writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties))
            .map_err(|e| failed(path, e))?;
        Ok(SeriesFile {
            path: path.to_path_buf(),
            writer,
            schema,
            columns,
            body_names: header.bodies.iter().map(|b| b.name.clone()).collect(),
            rows: Vec::new(),
        })
    }

    /// Adds a frame that has been checked.
    pub fn push(&mut self, frame: &Frame) -> Result<(), RecordError> {
        self.rows.push(frame.clone());
        if self.rows.len() == ROWS_PER_BATCH {
            self.write_rows()?;
        }
        Ok(())
    }

    /// Takes the place of another file while it is written.
    pub fn rename(&mut self, path: &Path) -> Result<(), RecordError> {
        std::fs::rename(&self.path, path).map_err(RecordError::io("replace", path))?;
        self.path = path.to_path_buf();
        Ok(())
    }

    /// Writes the rest and the index; to be called once.
    pub fn finish(&mut self) -> Result<(), RecordError> {
        self.write_rows()?;
        let finished = self.writer.finish();
        finished.map_err(|e| failed(&self.path, e))?;
        Ok(())
    }

    fn write_rows(&mut self) -> Result<(), RecordError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let batch = self.batch();
        self.rows.clear();
        batch
            .map_err(ParquetError::from)
            .and_then(|batch| self.writer.write(&batch))
            .map_err(|e| failed(&self.path, e))
    }

    /// The rows so far, in the order of [`fields`].
    fn batch(&mut self) -> Result<RecordBatch, ArrowError> {
        let mut numeric = vec![Vec::new(); self.columns.numbers.len()];
        let mut counts = vec![Vec::new(); self.columns.counts.len()];
        let mut row = Row::default();
        for frame in &self.rows {
            self.columns.fill(frame, &mut row);
            for (column, value) in numeric.iter_mut().zip(&row.numbers) {
                column.push(*value);
            }
            for (column, count) in counts.iter_mut().zip(&row.counts) {
                column.push(*count);
            }
        }
        let number = |column| Arc::new(Float64Array::from(column)) as ArrayRef;
        let count = |column| Arc::new(UInt32Array::from(column)) as ArrayRef;
        let mut columns: Vec<ArrayRef> = numeric.into_iter().map(number).collect();
        columns.extend(counts.into_iter().map(count));
        columns.push(Arc::new(contacts(&self.body_names, &self.rows)?));
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }
}

/// Checks that a Parquet file belongs to a recording.
pub fn belongs(path: &Path, header_json: &str, frames: usize) -> Result<(), RecordError> {
    let file = File::open(path).map_err(RecordError::io("open", path))?;
    let foreign = |what: String| RecordError::ForeignSeries {
        path: path.to_path_buf(),
        what,
    };
    let reader = SerializedFileReader::new(file).map_err(|e| foreign(e.to_string()))?;
    let metadata = reader.metadata().file_metadata();
    let keys = metadata.key_value_metadata();
    let header = keys.and_then(|keys| keys.iter().find(|pair| pair.key == HEADER_KEY));
    match header.and_then(|pair| pair.value.as_deref()) {
        None => Err(foreign("it has no header of Volar".to_owned())),
        Some(text) if text != header_json => Err(foreign("its header is another one".to_owned())),
        Some(_) if usize::try_from(metadata.num_rows()) != Ok(frames) => Err(foreign(format!(
            "it has {} rows, the recording has {frames} frames",
            metadata.num_rows()
        ))),
        Some(_) => Ok(()),
    }
}

/// The columns, in the order in which [`SeriesFile::batch`] fills them.
fn fields(columns: &Columns) -> Vec<Field> {
    let field = |of_type: DataType| move |name| Field::new(name, of_type.clone(), false);
    let mut fields: Vec<Field> = columns
        .numbers
        .iter()
        .map(field(DataType::Float64))
        .collect();
    fields.extend(columns.counts.iter().map(field(DataType::UInt32)));
    let list = DataType::List(Arc::new(contact_field()));
    fields.push(Field::new("contacts", list, false));
    fields
}

fn contact_field() -> Field {
    Field::new("element", DataType::Struct(contact_fields()), false)
}

fn contact_fields() -> Fields {
    let names = ["a", "b"].map(|name| Field::new(name, DataType::Utf8, false));
    let numbers = Contact::FIELDS.iter().flat_map(ContactField::columns);
    let numbers = numbers.map(|name| Field::new(name, DataType::Float64, false));
    names.into_iter().chain(numbers).collect()
}

fn contacts(body_names: &[String], rows: &[Frame]) -> Result<ListArray, ArrowError> {
    let all: Vec<&Contact> = rows.iter().flat_map(|frame| &frame.contacts).collect();
    let name = |body: fn(&Contact) -> BodyId| {
        let names = all.iter().map(|contact| &body_names[body(contact).index()]);
        Arc::new(StringArray::from_iter_values(names)) as ArrayRef
    };
    let mut columns = vec![name(|c| c.a), name(|c| c.b)];
    for field in Contact::FIELDS {
        for number in 0..field.columns().len() {
            let values = all.iter().map(|contact| (field.values)(contact)[number]);
            columns.push(Arc::new(Float64Array::from_iter_values(values)));
        }
    }
    let contacts = StructArray::try_new(contact_fields(), columns, None)?;
    let lengths = rows.iter().map(|frame| frame.contacts.len());
    ListArray::try_new(
        Arc::new(contact_field()),
        OffsetBuffer::from_lengths(lengths),
        Arc::new(contacts),
        None,
    )
}

fn failed(path: &Path, source: ParquetError) -> RecordError {
    RecordError::WriteSeries {
        path: path.to_path_buf(),
        source: Box::new(source),
    }
}
