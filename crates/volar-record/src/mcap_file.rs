//! `recording.mcap`: what viewers open, and what is read back.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use mcap::records::MessageHeader;
use mcap::{Attachment, Compression, McapError, WriteOptions, Writer};
use prost::Message;

use crate::check::FrameFault;
use crate::error::RecordError;
use crate::frame::{Frame, Header};
use crate::messages::{contacts, descriptors, foxglove, frame, joint_state};

/// Name of the attachment with the header.
pub const HEADER_ATTACHMENT: &str = "header.json";
/// Topic of the meshes.
pub const SCENE_TOPIC: &str = "/scene";
/// Topic that frames are read back from.
pub const FRAMES_TOPIC: &str = "/frames";
/// Compression of chunks. LZ4: what is left to gain from numbers that all differ
/// is not worth the time and the code of a stronger one.
pub const COMPRESSION: &str = "lz4";
/// The longest message of a frame, bytes: some 30 000 contacts.
pub const LONGEST_FRAME: usize = 4 << 20;

/// A chunk is written to the file after so many frames: what is lost at most when
/// the process is killed.
const FRAMES_PER_CHUNK: u32 = 32;

/// Writes the MCAP file.
pub struct McapFile {
    path: PathBuf,
    writer: Writer<BufWriter<File>>,
    /// The file that the writer writes to.
    file: File,
    channels: Channels,
    world: String,
    frames: u32,
}

struct Channels {
    transforms: u16,
    scene: u16,
    forces: u16,
    joints: u16,
    contacts: u16,
    frames: u16,
}

impl McapFile {
    /// Creates the file, with everything in it that does not change.
    pub fn create(
        path: &Path,
        header: &Header,
        header_json: &str,
    ) -> Result<McapFile, RecordError> {
        let file = File::create(path).map_err(RecordError::io("create", path))?;
        let same_file = file.try_clone().map_err(RecordError::io("create", path))?;
        let create = || -> Result<McapFile, McapError> {
            let mut writer = WriteOptions::new()
                .compression(Some(Compression::Lz4))
                // Chunks reach the file whole: one whose length were filled in
                // later could not be told from a damaged one after a kill.
                .disable_seeking(true)
                .library(concat!("volar-record ", env!("CARGO_PKG_VERSION")))
                .create(BufWriter::new(file))?;
            writer.attach(&Attachment {
                log_time: 0,
                create_time: 0,
                name: HEADER_ATTACHMENT.to_owned(),
                media_type: "application/json".to_owned(),
                data: header_json.as_bytes().into(),
            })?;
            let channels = Channels::add(&mut writer)?;
            let scene = foxglove::scene(header).encode_to_vec();
            write(&mut writer, channels.scene, 0, 0, &scene)?;
            writer.flush()?;
            Ok(McapFile {
                path: path.to_path_buf(),
                writer,
                file: same_file,
                channels,
                world: foxglove::world_frame(header),
                frames: 0,
            })
        };
        create().map_err(|e| failed(path, e))
    }

    /// Writes a frame that has been checked.
    pub fn push(&mut self, header: &Header, frame: &Frame) -> Result<(), RecordError> {
        let bad = |source| RecordError::BadFrame {
            time: frame.time,
            source,
        };
        let whole = frame::message(frame).encode_to_vec();
        if whole.len() > LONGEST_FRAME {
            let contacts = frame.contacts.len();
            return Err(bad(FrameFault::TooManyContacts { contacts }));
        }
        let time = nanoseconds(frame.time);
        let stamp = foxglove::Timestamp::from_nanoseconds(time);
        let world = &self.world;
        let messages = [
            (self.channels.frames, whole),
            (
                self.channels.transforms,
                foxglove::transforms(header, world, frame, stamp).encode_to_vec(),
            ),
            (
                self.channels.forces,
                foxglove::forces(header, world, frame, stamp).encode_to_vec(),
            ),
            (
                self.channels.joints,
                joint_state::joint_state(header, frame, stamp),
            ),
            (
                self.channels.contacts,
                contacts::json(header, frame).map_err(|e| bad(FrameFault::Json(e.to_string())))?,
            ),
        ];
        for (channel, data) in messages {
            write(&mut self.writer, channel, self.frames, time, &data)
                .map_err(|e| failed(&self.path, e))?;
        }
        self.frames = self.frames.wrapping_add(1);
        if self.frames.is_multiple_of(FRAMES_PER_CHUNK) {
            self.writer.flush().map_err(|e| failed(&self.path, e))?;
        }
        Ok(())
    }

    /// Writes what there is to the disk: it is there after a kill or a loss of power.
    pub fn sync(&mut self) -> Result<(), RecordError> {
        self.writer.flush().map_err(|e| failed(&self.path, e))?;
        let synced = self.file.sync_data();
        synced.map_err(RecordError::io("write", &self.path))
    }

    /// Takes the place of another file while it is written.
    pub fn rename(&mut self, path: &Path) -> Result<(), RecordError> {
        std::fs::rename(&self.path, path).map_err(RecordError::io("replace", path))?;
        self.path = path.to_path_buf();
        Ok(())
    }

    /// Writes the rest and the index; to be called once.
    pub fn finish(&mut self) -> Result<(), RecordError> {
        self.writer.finish().map_err(|e| failed(&self.path, e))?;
        Ok(())
    }
}

impl Channels {
    fn add(writer: &mut Writer<BufWriter<File>>) -> Result<Channels, McapError> {
        let protobuf = descriptors::schemas();
        let mut add = |topic, schema, schema_encoding, text: &[u8], encoding| {
            let schema = writer.add_schema(schema, schema_encoding, text)?;
            writer.add_channel(schema, topic, encoding, &BTreeMap::new())
        };
        let mut add_protobuf =
            |topic, schema| add(topic, schema, "protobuf", &protobuf, "protobuf");
        Ok(Channels {
            transforms: add_protobuf("/tf", "foxglove.FrameTransforms")?,
            scene: add_protobuf(SCENE_TOPIC, "foxglove.SceneUpdate")?,
            forces: add_protobuf("/forces", "foxglove.SceneUpdate")?,
            frames: add_protobuf(FRAMES_TOPIC, "volar.Frame")?,
            joints: add(
                "/joint_states",
                "sensor_msgs/msg/JointState",
                "ros2msg",
                joint_state::SCHEMA.as_bytes(),
                "cdr",
            )?,
            contacts: add(
                "/contacts",
                "volar.Contacts",
                "jsonschema",
                contacts::schema().as_bytes(),
                "json",
            )?,
        })
    }
}

fn write(
    writer: &mut Writer<BufWriter<File>>,
    channel: u16,
    sequence: u32,
    time: u64,
    data: &[u8],
) -> Result<(), McapError> {
    let header = MessageHeader {
        channel_id: channel,
        sequence,
        log_time: time,
        publish_time: time,
    };
    writer.write_to_known_channel(&header, data)
}

/// A time that has been checked, in nanoseconds.
fn nanoseconds(time: f64) -> u64 {
    (time * 1e9).round() as u64
}

fn failed(path: &Path, source: McapError) -> RecordError {
    RecordError::WriteMcap {
        path: path.to_path_buf(),
        source: Box::new(source),
    }
}
