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

use crate::error::RecordError;
use crate::figures::{DriftMeter, Groups, Touch};
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
    groups: Groups,
    drift: DriftMeter,
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
        let groups = Groups::new(header);
        let schema = Arc::new(Schema::new(fields(header, &groups)));
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
            groups,
            drift: DriftMeter::new(header),
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
        let mut numeric: Vec<Vec<f64>> = Vec::new();
        let mut counts: Vec<Vec<u32>> = Vec::new();
        let mut row = Vec::new();
        for frame in &self.rows {
            let touches = self.groups.touches(&frame.contacts);
            numbers(frame, &mut row);
            forces(&self.groups, &touches, &frame.contacts, &mut row);
            object(frame, &mut self.drift, &mut row);
            numeric.resize_with(row.len(), Vec::new);
            for (column, value) in numeric.iter_mut().zip(&row) {
                column.push(*value);
            }
            let touching = fingers(&self.groups, &touches).map(|(_, touch)| touch.contacts);
            for (finger, count) in touching.enumerate() {
                counts.resize_with(counts.len().max(finger + 1), Vec::new);
                counts[finger].push(count);
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
fn fields(header: &Header, groups: &Groups) -> Vec<Field> {
    let mut names = vec!["time".to_owned(), "step".to_owned()];
    for body in &header.bodies {
        let quantities = [
            ("position", &["x", "y", "z"][..]),
            ("orientation", &["w", "x", "y", "z"]),
            ("velocity", &["x", "y", "z"]),
            ("angular_velocity", &["x", "y", "z"]),
        ];
        for (quantity, axes) in quantities {
            names.extend(
                axes.iter()
                    .map(|axis| format!("{quantity}_{axis}/{}", body.name)),
            );
        }
    }
    for joint in &header.joints {
        let quantities = ["joint_position", "joint_velocity", "joint_effort"];
        names.extend(quantities.map(|quantity| format!("{quantity}/{}", joint.name)));
    }
    let energies = [
        "kinetic",
        "potential",
        "contact",
        "joints",
        "put_in",
        "lost",
    ];
    names.extend(energies.map(|energy| format!("energy/{energy}")));
    names.extend(
        header
            .sensors
            .iter()
            .map(|sensor| format!("sensor/{sensor}")),
    );
    for (finger, _) in fingers(groups, &groups.names) {
        names.push(format!("normal_force/{finger}"));
        names.push(format!("friction_force/{finger}"));
    }
    names.push("object/normal_force".to_owned());
    if header.grasp.is_some() {
        names.extend(OBJECT.map(|name| format!("object/{name}")));
    }
    let number = |name| Field::new(name, DataType::Float64, false);
    let mut fields: Vec<Field> = names.into_iter().map(number).collect();
    let count = |finger: &str| Field::new(format!("contacts/{finger}"), DataType::UInt32, false);
    fields.extend(fingers(groups, &groups.names).map(|(finger, _)| count(finger)));
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

/// Names and values by finger, of something that there is one of for each group.
fn fingers<'a, T>(groups: &'a Groups, all: &'a [T]) -> impl Iterator<Item = (&'a str, &'a T)> {
    let named = groups.names.iter().zip(&groups.is_finger).zip(all);
    named
        .filter(|((_, is_finger), _)| **is_finger)
        .map(|((name, _), value)| (name.as_str(), value))
}

/// Bodies, joints, energies and sensors.
fn numbers(frame: &Frame, row: &mut Vec<f64>) {
    row.clear();
    row.extend([frame.time, frame.step]);
    for body in &frame.bodies {
        row.extend(body.position.to_array());
        row.extend(body.orientation);
        row.extend(body.velocity.to_array());
        row.extend(body.angular_velocity.to_array());
    }
    for joint in &frame.joints {
        row.extend([joint.position, joint.velocity, joint.effort]);
    }
    let energies = &frame.energies;
    row.extend([energies.kinetic, energies.potential, energies.contact]);
    row.extend([energies.joints, energies.put_in, energies.lost]);
    row.extend(&frame.sensors);
}

/// Forces of the fingers on the object, and of everything that touches it.
fn forces(groups: &Groups, touches: &[Touch], contacts: &[Contact], row: &mut Vec<f64>) {
    for (_, touch) in fingers(groups, touches) {
        row.extend([touch.normal_force, touch.friction_force()]);
    }
    row.push(groups.object.map_or(0.0, |object| {
        let own = contacts.iter().filter(|c| c.other(object).is_some());
        Touch::of(object, own).normal_force
    }));
}

/// Columns `object/...` of a scene with a grasp, in the order of [`object`].
const OBJECT: [&str; 4] = [
    "drift",
    "rotation",
    "kinetic_energy",
    "expected_kinetic_energy",
];

/// The object of the grasp. Not a number where drift is not counted yet.
fn object(frame: &Frame, drift: &mut DriftMeter, row: &mut Vec<f64>) {
    let Some(grasp) = &frame.grasp else { return };
    let drift = drift
        .at(frame)
        .map_or([f64::NAN; 2], |d| [d.distance, d.rotation]);
    row.extend(drift);
    row.extend([grasp.kinetic_energy, grasp.expected_kinetic_energy]);
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
