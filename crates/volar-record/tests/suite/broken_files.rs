//! Files that are cut, damaged, or not recordings: an error, never a panic.

use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use crate::common::{Noise, folder, frames, header, write};
use mcap::records::{MessageHeader, op};
use volar_record::{MCAP_FILE, RecordError, Recording, SERIES_FILE};

/// A recording in a folder of its own, and the bytes of its MCAP file.
fn sample(name: &str, count: usize) -> (PathBuf, Vec<u8>) {
    let (folder, header) = (folder(name), header());
    write(&folder, &header, &frames(&header, count));
    let bytes = fs::read(folder.join(MCAP_FILE)).unwrap();
    (folder, bytes)
}

fn error_of(folder: &Path) -> RecordError {
    Recording::open(folder).unwrap_err()
}

/// What is recovered must be a beginning of what was written.
fn check_recovery(folder: &Path, whole: &Recording) {
    if let Ok((read, _)) = Recording::recover(folder) {
        assert_eq!(read.header, whole.header);
        assert_eq!(read.frames, whole.frames[..read.frames.len()]);
    }
}

#[test]
fn a_file_cut_anywhere_is_an_error() {
    let (folder, bytes) = sample("cut", 70);
    let whole = Recording::open(&folder).unwrap();
    let path = folder.join(MCAP_FILE);
    let mut most = 0;
    let ends = (0..200).chain((200..bytes.len()).step_by(97));
    for end in ends.chain(bytes.len() - 200..bytes.len()) {
        fs::write(&path, &bytes[..end]).unwrap();
        let error = error_of(&folder);
        assert!(
            matches!(
                error,
                RecordError::CutOff { .. } | RecordError::Unreadable { .. }
            ),
            "{end} bytes: {error}"
        );
        check_recovery(&folder, &whole);
        if let RecordError::CutOff { frames, .. } = error {
            most = most.max(frames);
        }
    }
    assert_eq!(most, 70);
}

/// Every byte of the file is covered by a checksum or a check.
#[test]
fn a_changed_byte_is_an_error() {
    let (folder, bytes) = sample("flipped", 40);
    let whole = Recording::open(&folder).unwrap();
    let path = folder.join(MCAP_FILE);
    let mut noise = Noise(3);
    let mut changed = bytes.clone();
    for trial in 0..4000 {
        // The first bytes are the most telling ones.
        let range = if trial % 2 == 0 { 4000 } else { bytes.len() };
        let place = noise.bits() as usize % range;
        changed[place] ^= 1 << (noise.bits() % 8);
        fs::write(&path, &changed).unwrap();
        let error = Recording::open(&folder);
        assert!(error.is_err(), "byte {place}");
        let _ = Recording::recover(&folder);
        changed[place] = bytes[place];
    }
    fs::write(&path, &bytes).unwrap();
    assert_eq!(Recording::open(&folder).unwrap(), whole);
}

#[test]
fn many_changed_bytes_do_not_panic() {
    let (folder, bytes) = sample("shot", 40);
    let path = folder.join(MCAP_FILE);
    let mut noise = Noise(4);
    for _ in 0..2000 {
        let mut changed = bytes.clone();
        for _ in 0..1 + noise.bits() % 8 {
            let place = noise.bits() as usize % bytes.len();
            let length = (1 + noise.bits() as usize % 16).min(bytes.len() - place);
            let value = [0x00, 0xff, noise.bits() as u8][noise.bits() as usize % 3];
            changed[place..place + length].fill(value);
        }
        changed.truncate(bytes.len() - noise.bits() as usize % 1000);
        fs::write(&path, &changed).unwrap();
        let _ = Recording::open(&folder);
        let _ = Recording::recover(&folder);
    }
}

/// The same for the Parquet file, of which only the end is read.
#[test]
fn a_broken_series_does_not_panic() {
    let (folder, _) = sample("series-shot", 40);
    let path = folder.join(SERIES_FILE);
    let bytes = fs::read(&path).unwrap();
    let mut noise = Noise(5);
    for end in (0..bytes.len()).step_by(101) {
        fs::write(&path, &bytes[..end]).unwrap();
        let error = error_of(&folder);
        assert!(
            matches!(error, RecordError::ForeignSeries { .. }),
            "{error}"
        );
    }
    let footer = u32::from_le_bytes(bytes[bytes.len() - 8..][..4].try_into().unwrap());
    let footer = footer as usize + 8;
    for _ in 0..4000 {
        let mut changed = bytes.clone();
        for _ in 0..1 + noise.bits() % 4 {
            let place = bytes.len() - 1 - noise.bits() as usize % footer;
            changed[place] = noise.bits() as u8;
        }
        fs::write(&path, &changed).unwrap();
        let _ = Recording::open(&folder);
    }
}

#[test]
fn a_series_of_something_else_is_an_error() {
    let (folder, _) = sample("series-own", 10);
    let (other, _) = sample("series-other", 11);
    let series = folder.join(SERIES_FILE);
    let says = |expected: &str| {
        let error = error_of(&folder);
        assert!(
            matches!(error, RecordError::ForeignSeries { .. }),
            "{error}"
        );
        assert!(error.to_string().contains(expected), "{error}");
    };
    fs::copy(other.join(SERIES_FILE), &series).unwrap();
    says("11 rows");
    let mut changed = header();
    changed.scene = "another".to_owned();
    write(&other, &changed, &frames(&changed, 10));
    fs::copy(other.join(SERIES_FILE), &series).unwrap();
    says("another");
    write_foreign_series(&series);
    says("no header of Volar");
    fs::write(&series, "nothing of the kind").unwrap();
    says("Parquet");
    fs::remove_file(&series).unwrap();
    assert_eq!(Recording::open(&folder).unwrap().frames.len(), 10);
}

fn write_foreign_series(path: &Path) {
    let schema = arrow_schema::Schema::empty();
    let file = fs::File::create(path).unwrap();
    let writer = parquet::arrow::ArrowWriter::try_new(file, schema.into(), None);
    writer.unwrap().close().unwrap();
}

#[test]
fn what_is_not_a_recording_is_named() {
    let folder = folder("not-recordings");
    assert!(matches!(error_of(&folder), RecordError::NoRecording { .. }));
    fs::create_dir_all(&folder).unwrap();
    assert!(matches!(error_of(&folder), RecordError::NoRecording { .. }));
    let path = folder.join(MCAP_FILE);
    fs::create_dir(&path).unwrap();
    assert!(matches!(error_of(&folder), RecordError::NoRecording { .. }));
    fs::remove_dir(&path).unwrap();
    fs::write(&path, "a text that is longer than a magic number").unwrap();
    assert!(matches!(error_of(&folder), RecordError::NotMcap { .. }));
    fs::write(&path, "").unwrap();
    assert!(matches!(error_of(&folder), RecordError::Unreadable { .. }));
}

/// Writes an MCAP file with this header, if any, and this message.
fn write_mcap(path: &Path, header: Option<&str>, topic: &str, data: &[u8]) {
    let file = BufWriter::new(fs::File::create(path).unwrap());
    let options = mcap::WriteOptions::new().compression(Some(mcap::Compression::Lz4));
    let mut writer = options.create(file).unwrap();
    if let Some(header) = header {
        let attachment = mcap::Attachment {
            log_time: 0,
            create_time: 0,
            name: "header.json".to_owned(),
            media_type: String::new(),
            data: header.as_bytes().into(),
        };
        writer.attach(&attachment).unwrap();
    }
    let channel = writer.add_channel(0, topic, "protobuf", &Default::default());
    let header = MessageHeader {
        channel_id: channel.unwrap(),
        sequence: 0,
        log_time: 0,
        publish_time: 0,
    };
    writer.write_to_known_channel(&header, data).unwrap();
    writer.finish().unwrap();
}

const HEADER: &str = r#"{"format": 1, "scene": "", "version": "", "joints": [], "sensors": [],
    "bodies": [{"name": "a", "role": "object", "finger": "", "mesh": true}]}"#;

#[test]
fn other_mcap_files_are_named() {
    let folder = folder("foreign");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(MCAP_FILE);
    write_mcap(&path, None, "/scene", b"");
    assert!(matches!(error_of(&folder), RecordError::Foreign { .. }));
    write_mcap(&path, Some(HEADER), "/other", b"");
    assert!(matches!(error_of(&folder), RecordError::Foreign { .. }));
    let later = HEADER.replace("\"format\": 1", "\"format\": 2");
    write_mcap(&path, Some(&later), "/scene", b"");
    let error = error_of(&folder);
    assert!(
        matches!(error, RecordError::OtherFormat { found: 2, .. }),
        "{error}"
    );
    for (header, message) in [
        ("{}", &b""[..]),
        ("nonsense", b""),
        (HEADER, b""),
        (HEADER, b"nonsense"),
        // An entity of the right name without triangles.
        (HEADER, b"\x12\x03\x1a\x01a"),
        // One whose points claim 10^12 bytes.
        (HEADER, b"\x12\x03\x1a\x01a\x62\x80\xa0\x94\xa5\x8d\x1d"),
        // One whose triangle names vertices that are not there.
        (
            HEADER,
            b"\x12\x13\x1a\x01a\x62\x0e\x2a\x0c\0\0\0\0\x01\0\0\0\x02\0\0\0",
        ),
    ] {
        write_mcap(&path, Some(header), "/scene", message);
        let error = error_of(&folder);
        assert!(matches!(error, RecordError::Unreadable { .. }), "{error}");
        assert!(Recording::recover(&folder).is_err());
    }
    let names = HEADER.replace("true}", "true}, {\"name\": \"a\"}");
    write_mcap(&path, Some(&names), "/scene", b"");
    assert!(matches!(error_of(&folder), RecordError::Unreadable { .. }));
}

/// Lengths that the file claims are not allocated: these tests would be killed.
#[test]
fn claimed_lengths_are_not_believed() {
    let folder = folder("claims");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(MCAP_FILE);
    for length in [1u64 << 20, 1 << 40, 1 << 62, u64::MAX - 8, u64::MAX] {
        for opcode in [
            op::HEADER,
            op::CHUNK,
            op::ATTACHMENT,
            op::DATA_END,
            op::FOOTER,
        ] {
            let mut bytes = mcap::MAGIC.to_vec();
            bytes.push(opcode);
            bytes.extend(length.to_le_bytes());
            bytes.extend([0xff; 64]);
            fs::write(&path, &bytes).unwrap();
            assert!(matches!(error_of(&folder), RecordError::Unreadable { .. }));
        }
    }
    // A chunk after a good header, whose contents claim to be long.
    let start = {
        write_mcap(&path, Some(HEADER), "/scene", b"");
        let bytes = fs::read(&path).unwrap();
        let name = bytes.windows(11).position(|w| w == b"header.json").unwrap();
        let record = name - 4 - 8 - 8;
        let length = bytes[record - 8..record].try_into().unwrap();
        bytes[..record + u64::from_le_bytes(length) as usize].to_vec()
    };
    for claimed in [1u64 << 20, 1 << 40, 1 << 62, u64::MAX] {
        for compression in [&b"lz4"[..], b"", b"zstd"] {
            let mut chunk = [[0; 8], [0; 8], claimed.to_le_bytes()].concat();
            chunk.extend([0; 4]);
            chunk.extend((compression.len() as u32).to_le_bytes());
            chunk.extend(compression);
            let mut records = vec![op::MESSAGE];
            records.extend(claimed.to_le_bytes());
            chunk.extend((records.len() as u64).to_le_bytes());
            chunk.extend(records);
            let mut bytes = start.clone();
            bytes.push(op::CHUNK);
            bytes.extend((chunk.len() as u64).to_le_bytes());
            bytes.extend(chunk);
            fs::write(&path, &bytes).unwrap();
            assert!(matches!(error_of(&folder), RecordError::Unreadable { .. }));
        }
    }
}
