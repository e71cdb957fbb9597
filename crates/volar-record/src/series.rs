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

use crate::error::RecordError;
use crate::frame::{ContactFrame, Frame, Header, Role};

/// Key of the header's JSON in the metadata of the file.
const HEADER_KEY: &str = "volar";

/// Rows are handed to the Parquet writer in batches of so many.
const ROWS_PER_BATCH: usize = 128;
/// Rows are written to the file in groups of about so many bytes, which are in
/// memory until then. At the end of the run every group costs another 1 kB for
/// each column, so that much smaller groups would take more memory, not less.
const BYTES_PER_GROUP: usize = 16 << 20;

/// A number of a contact: its name and how to get it.
type ContactNumber = (&'static str, fn(&ContactFrame) -> f64);

/// The numbers of a contact in the column `contacts`.
const CONTACT_NUMBERS: [ContactNumber; 15] = [
    ("point_x", |c| c.point.x),
    ("point_y", |c| c.point.y),
    ("point_z", |c| c.point.z),
    ("normal_x", |c| c.normal.x),
    ("normal_y", |c| c.normal.y),
    ("normal_z", |c| c.normal.z),
    ("normal_force", |c| c.normal_force),
    ("friction_force_x", |c| c.friction_force.x),
    ("friction_force_y", |c| c.friction_force.y),
    ("friction_force_z", |c| c.friction_force.z),
    ("friction_margin", |c| c.friction_margin),
    ("area", |c| c.area),
    ("volume", |c| c.volume),
    ("depth", |c| c.depth),
    ("slip", |c| c.slip),
];

/// Writes the Parquet file.
pub struct SeriesFile {
    path: PathBuf,
    writer: ArrowWriter<File>,
    schema: Arc<Schema>,
    fingers: Fingers,
    rows: Vec<Frame>,
}

/// Who belongs to which finger, and who is the object.
struct Fingers {
    names: Vec<String>,
    /// Number of the finger, by body.
    of_body: Vec<Option<usize>>,
    is_object: Vec<bool>,
    body_names: Vec<String>,
}

impl SeriesFile {
    /// Creates the file.
    pub fn create(
        path: &Path,
        header: &Header,
        header_json: &str,
    ) -> Result<SeriesFile, RecordError> {
        let file = File::create(path).map_err(RecordError::io("create", path))?;
        let fingers = Fingers::of(header);
        let schema = Arc::new(Schema::new(fields(header, &fingers)));
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
            fingers,
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
        let batch = batch(&self.schema, &self.fingers, &self.rows);
        self.rows.clear();
        batch
            .map_err(ParquetError::from)
            .and_then(|batch| self.writer.write(&batch))
            .map_err(|e| failed(&self.path, e))
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

/// The columns, in the order in which [`numbers`] and [`batch`] fill them.
fn fields(header: &Header, fingers: &Fingers) -> Vec<Field> {
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
    for finger in &fingers.names {
        names.push(format!("normal_force/{finger}"));
        names.push(format!("friction_force/{finger}"));
    }
    names.push("object/normal_force".to_owned());
    let number = |name| Field::new(name, DataType::Float64, false);
    let mut fields: Vec<Field> = names.into_iter().map(number).collect();
    let count = |finger| Field::new(format!("contacts/{finger}"), DataType::UInt32, false);
    fields.extend(fingers.names.iter().map(count));
    let list = DataType::List(Arc::new(contact_field()));
    fields.push(Field::new("contacts", list, false));
    fields
}

fn contact_field() -> Field {
    Field::new("element", DataType::Struct(contact_fields()), false)
}

fn contact_fields() -> Fields {
    let names = ["a", "b"].map(|name| Field::new(name, DataType::Utf8, false));
    let number = |(name, _): &ContactNumber| Field::new(*name, DataType::Float64, false);
    let numbers = CONTACT_NUMBERS.iter().map(number);
    names.into_iter().chain(numbers).collect()
}

/// All plain numbers of a row.
fn numbers(fingers: &Fingers, frame: &Frame, row: &mut Vec<f64>) {
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
    let first = row.len();
    row.resize(first + 2 * fingers.names.len() + 1, 0.0);
    let sums = &mut row[first..];
    for contact in &frame.contacts {
        if let Some(finger) = fingers.touched(contact) {
            sums[2 * finger] += contact.normal_force;
            sums[2 * finger + 1] += contact.friction_force.length();
        }
        if fingers.is_object[contact.a] || fingers.is_object[contact.b] {
            sums[2 * fingers.names.len()] += contact.normal_force;
        }
    }
}

fn batch(
    schema: &Arc<Schema>,
    fingers: &Fingers,
    rows: &[Frame],
) -> Result<RecordBatch, ArrowError> {
    let mut numeric: Vec<Vec<f64>> = Vec::new();
    let mut row = Vec::new();
    for frame in rows {
        numbers(fingers, frame, &mut row);
        numeric.resize_with(row.len(), Vec::new);
        for (column, value) in numeric.iter_mut().zip(&row) {
            column.push(*value);
        }
    }
    let number = |column| Arc::new(Float64Array::from(column)) as ArrayRef;
    let mut columns: Vec<ArrayRef> = numeric.into_iter().map(number).collect();
    for finger in 0..fingers.names.len() {
        let touches = |contact: &&ContactFrame| fingers.touched(contact) == Some(finger);
        let count = |frame: &Frame| frame.contacts.iter().filter(touches).count() as u32;
        columns.push(Arc::new(rows.iter().map(count).collect::<UInt32Array>()));
    }
    columns.push(Arc::new(contacts(fingers, rows)?));
    RecordBatch::try_new(Arc::clone(schema), columns)
}

fn contacts(fingers: &Fingers, rows: &[Frame]) -> Result<ListArray, ArrowError> {
    let all: Vec<&ContactFrame> = rows.iter().flat_map(|frame| &frame.contacts).collect();
    let name = |body: fn(&ContactFrame) -> usize| {
        let names = all.iter().map(|contact| &fingers.body_names[body(contact)]);
        Arc::new(StringArray::from_iter_values(names)) as ArrayRef
    };
    let number = |(_, value): &ContactNumber| {
        let values = all.iter().map(|contact| value(contact));
        Arc::new(Float64Array::from_iter_values(values)) as ArrayRef
    };
    let names = [name(|c| c.a), name(|c| c.b)];
    let numbers = CONTACT_NUMBERS.iter().map(number);
    let columns = names.into_iter().chain(numbers).collect();
    let contacts = StructArray::try_new(contact_fields(), columns, None)?;
    let lengths = rows.iter().map(|frame| frame.contacts.len());
    ListArray::try_new(
        Arc::new(contact_field()),
        OffsetBuffer::from_lengths(lengths),
        Arc::new(contacts),
        None,
    )
}

impl Fingers {
    fn of(header: &Header) -> Fingers {
        let mut names: Vec<String> = Vec::new();
        let mut of_body = Vec::new();
        for body in &header.bodies {
            let known = names.iter().position(|name| *name == body.finger);
            of_body.push(match known {
                _ if body.finger.is_empty() => None,
                Some(finger) => Some(finger),
                None => {
                    names.push(body.finger.clone());
                    Some(names.len() - 1)
                }
            });
        }
        Fingers {
            names,
            of_body,
            is_object: header
                .bodies
                .iter()
                .map(|b| b.role == Role::Object)
                .collect(),
            body_names: header.bodies.iter().map(|b| b.name.clone()).collect(),
        }
    }

    /// The finger that touches the object in a contact.
    fn touched(&self, contact: &ContactFrame) -> Option<usize> {
        let (a, b) = (contact.a, contact.b);
        match (self.is_object[a], self.is_object[b]) {
            (true, _) => self.of_body[b],
            (false, true) => self.of_body[a],
            (false, false) => None,
        }
    }
}

fn failed(path: &Path, source: ParquetError) -> RecordError {
    RecordError::WriteSeries {
        path: path.to_path_buf(),
        source: Box::new(source),
    }
}
