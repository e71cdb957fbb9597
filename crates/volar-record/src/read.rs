//! Reading a recording back.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;

use mcap::records::Record;
use prost::Message;

use crate::check;
use crate::error::RecordError;
use crate::frame::{Frame, Header};
use crate::header::{self, FORMAT, ReadHeader};
use crate::mcap_file::{FRAMES_TOPIC, HEADER_ATTACHMENT, LONGEST_FRAME, SCENE_TOPIC};
use crate::messages::foxglove::{self, SceneUpdate};
use crate::messages::frame::{self, FrameMessage};
use crate::records::{self, Fault};
use crate::series;
use crate::{MCAP_FILE, SERIES_FILE};

/// A recording in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// What does not change.
    pub header: Header,
    /// All frames, by time.
    pub frames: Vec<Frame>,
}

impl Recording {
    /// Reads the recording in a folder, exactly as it was written. The Parquet
    /// file may be missing; when it is there, it must belong to the recording.
    ///
    /// # Errors
    /// When there is no recording, or one that is not whole.
    pub fn open(dir: &Path) -> Result<Recording, RecordError> {
        let (content, json, fault) = read_all(dir)?;
        if let Some(fault) = fault {
            return Err(fault);
        }
        let series = dir.join(SERIES_FILE);
        if series.exists() {
            series::belongs(&series, &json, content.frames.len())?;
        }
        Ok(content)
    }

    /// Reads what is whole of a recording whose run was killed, or whose MCAP
    /// file is cut or damaged; and what is wrong with it, if anything is.
    /// The Parquet file is not looked at.
    ///
    /// # Errors
    /// When there is no recording, or too little to know its header.
    pub fn recover(dir: &Path) -> Result<(Recording, Option<RecordError>), RecordError> {
        let (content, _, fault) = read_all(dir)?;
        Ok((content, fault))
    }

    /// Hands what is whole of a recording to `take`, frame by frame, until that has
    /// enough: a recording of hours need not fit in memory.
    ///
    /// # Errors
    /// As those of [`Recording::recover`].
    pub fn for_each(
        dir: &Path,
        take: &mut dyn FnMut(&Header, Frame) -> ControlFlow<()>,
    ) -> Result<(), RecordError> {
        read(dir, take).map(|_| ())
    }
}

/// A whole recording in memory, the text of its header, and what is wrong with it.
fn read_all(dir: &Path) -> Result<(Recording, String, Option<RecordError>), RecordError> {
    let mut frames = Vec::new();
    let content = read(dir, &mut |_, frame| {
        frames.push(frame);
        ControlFlow::Continue(())
    })?;
    let header = content.header;
    Ok((
        Recording { header, frames },
        content.header_json,
        content.fault,
    ))
}

/// What reads frames: told the header and a frame, it says whether to go on.
pub(crate) type TakeFrame<'a> = &'a mut dyn FnMut(&Header, Frame) -> ControlFlow<()>;

/// What is read of a file beside its frames.
pub(crate) struct Content {
    pub header: Header,
    pub header_json: String,
    /// What is wrong with the file, if anything is.
    pub fault: Option<RecordError>,
}

/// What is gathered from the records of a file.
struct Gathered<'a> {
    header: Header,
    header_json: Option<String>,
    has_mesh: Vec<bool>,
    scene_read: bool,
    topics: BTreeMap<u16, Topic>,
    take_frame: TakeFrame<'a>,
    /// Frames so far, and the time of the last one, s.
    frames: usize,
    last: f64,
}

enum Topic {
    Scene,
    Frames,
}

/// Reads as far as the file is sound, or until `take_frame` has enough.
pub(crate) fn read(dir: &Path, take_frame: TakeFrame<'_>) -> Result<Content, RecordError> {
    let path = dir.join(MCAP_FILE);
    if !path.is_file() {
        return Err(RecordError::NoRecording {
            folder: dir.to_path_buf(),
        });
    }
    let file = File::open(&path).map_err(RecordError::io("open", &path))?;
    let mut gathered = Gathered {
        header: Header::default(),
        header_json: None,
        has_mesh: Vec::new(),
        scene_read: false,
        topics: BTreeMap::new(),
        take_frame,
        frames: 0,
        last: 0.0,
    };
    let read = records::for_each(BufReader::new(file), &mut |record| gathered.take(record));
    let (what, is_cut) = match read {
        Ok(()) | Err(Fault::Enough) => (None, false),
        Err(Fault::CutOff) => (Some("it ends before its header does".to_owned()), true),
        Err(Fault::Damaged(what)) => (Some(what), false),
        Err(Fault::NotMcap) => return Err(RecordError::NotMcap { path }),
        Err(Fault::Foreign) => return Err(RecordError::Foreign { path }),
        Err(Fault::OtherFormat(found)) => {
            let known = FORMAT;
            return Err(RecordError::OtherFormat { path, found, known });
        }
        Err(Fault::Io(e)) => return Err(RecordError::io("read", &path)(e)),
    };
    let frames = gathered.frames;
    match (gathered.header_json, what) {
        (Some(header_json), what) if gathered.scene_read => Ok(Content {
            header: gathered.header,
            header_json,
            fault: what.map(|what| match is_cut {
                true => RecordError::CutOff { path, frames },
                false => RecordError::Damaged { path, frames, what },
            }),
        }),
        (_, Some(what)) => Err(RecordError::Unreadable { path, what }),
        (_, None) => Err(RecordError::Foreign { path }),
    }
}

impl Gathered<'_> {
    fn take(&mut self, record: Record) -> Result<(), Fault> {
        match record {
            Record::Attachment { header, data, .. } if header.name == HEADER_ATTACHMENT => {
                self.take_header(&data)
            }
            // The files of others stop here, before anything is decoded.
            Record::Chunk { .. } | Record::Channel(_) | Record::Message { .. }
                if self.header_json.is_none() =>
            {
                Err(Fault::Foreign)
            }
            Record::Channel(channel) => {
                match channel.topic.as_str() {
                    SCENE_TOPIC => self.topics.insert(channel.id, Topic::Scene),
                    FRAMES_TOPIC => self.topics.insert(channel.id, Topic::Frames),
                    _ => None,
                };
                Ok(())
            }
            Record::Message { header, data } => match self.topics.get(&header.channel_id) {
                Some(Topic::Scene) => self.take_scene(&data),
                Some(Topic::Frames) => self.take_frame(&data),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn take_header(&mut self, data: &[u8]) -> Result<(), Fault> {
        let text = String::from_utf8(data.to_vec());
        let text = text.map_err(|e| Fault::Damaged(format!("its header.json: {e}")))?;
        let ReadHeader { header, has_mesh } = header::from_json(&text)?;
        check::header(&header)?;
        self.header_json = Some(text);
        self.has_mesh = has_mesh;
        self.header = header;
        Ok(())
    }

    fn take_scene(&mut self, data: &[u8]) -> Result<(), Fault> {
        let wrong = || Fault::Damaged("its meshes are not those of its bodies".into());
        let scene = SceneUpdate::decode(data).map_err(|_| wrong())?;
        let mut entities = scene.entities.into_iter();
        let bodies = &mut self.header.bodies;
        for (body, _) in bodies
            .iter_mut()
            .zip(&self.has_mesh)
            .filter(|(_, has)| **has)
        {
            let entity = entities.next().filter(|entity| entity.id == body.name);
            body.mesh = Some(entity.and_then(foxglove::mesh).ok_or_else(wrong)?);
        }
        check::header(&self.header)?;
        self.scene_read = true;
        Ok(())
    }

    fn take_frame(&mut self, data: &[u8]) -> Result<(), Fault> {
        if !self.scene_read {
            return Err(Fault::Damaged("a frame comes before the meshes".into()));
        }
        if data.len() > LONGEST_FRAME {
            let length = data.len();
            return Err(Fault::Damaged(format!("a frame has {length} bytes")));
        }
        let message = FrameMessage::decode(data);
        let message = message.map_err(|e| Fault::Damaged(format!("a frame is broken: {e}")))?;
        let frame = frame::frame(message);
        check::frame(&self.header, &frame, self.last)?;
        self.frames += 1;
        self.last = frame.time;
        match (self.take_frame)(&self.header, frame) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Fault::Enough),
        }
    }
}
