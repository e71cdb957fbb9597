//! The records of an MCAP file one after the other, as far as they are sound.
//!
//! Nothing in the file is believed: a length that it claims is not allocated
//! before so many bytes have been read, and the contents of a chunk are bounded
//! by what its compression can do.

use std::io::Read;

use mcap::records::{ChunkHeader, Record, op};
use mcap::sans_io::linear_reader::{LinearReadEvent, LinearReader, LinearReaderOptions};
use mcap::{McapError, parse_record};

use crate::check::{FrameFault, HeaderFault};
use crate::mcap_file::COMPRESSION;

/// The most that LZ4 makes out of one byte.
const LZ4_EXPANSION: usize = 255;
/// The longest record, bytes. Nothing of this length is ever allocated, since
/// files are read piece by piece; but the reader adds to lengths.
const LONGEST: usize = usize::MAX / 4;
/// Bytes read at once.
const PIECE: usize = 1 << 16;

/// Why there are no more records, before the end of the file was reached.
pub enum Fault {
    /// The file does not start as MCAP files do.
    NotMcap,
    /// The file is MCAP, but of somebody else.
    Foreign,
    /// The recording has another format, whose number this is.
    OtherFormat(u32),
    /// The file ends too early.
    CutOff,
    /// Something is not as it was written; with a description.
    Damaged(String),
    /// The file cannot be read.
    Io(std::io::Error),
    /// Nothing: whoever reads has seen enough.
    Enough,
}

/// Hands every record of a file to `take`, a chunk before what is in it, until
/// that or the file has a fault.
pub fn for_each(
    file: impl Read,
    take: &mut dyn FnMut(Record) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let options = LinearReaderOptions::default()
        .with_emit_chunks(true)
        .with_check_finishes_after_end_magic(true)
        .with_validate_data_section_crc(true)
        .with_validate_summary_section_crc(true)
        .with_record_length_limit(LONGEST);
    let mut start = true;
    read(file, options, |opcode, data| {
        start = false;
        let record = parse(opcode, data)?;
        let Record::Chunk { header, .. } = &record else {
            return take(record);
        };
        let header = header.clone();
        take(record)?;
        chunk(&header, data, take)
    })
    .map_err(|fault| match fault {
        // The magic number at the end has the same name.
        Fault::NotMcap if !start => Fault::Damaged("its end is not that of an MCAP file".into()),
        fault => fault,
    })
}

/// The records of a chunk. It is put before a reader of its own, because that
/// checks what is in it before it hands out any of it.
fn chunk(
    header: &ChunkHeader,
    data: &[u8],
    take: &mut dyn FnMut(Record) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if header.compression != COMPRESSION {
        let what = format!(
            "a chunk has the compression `{}` instead of `{COMPRESSION}`",
            header.compression
        );
        return Err(Fault::Damaged(what));
    }
    let options = LinearReaderOptions::default()
        .with_skip_start_magic(true)
        .with_skip_end_magic(true)
        .with_prevalidate_chunk_crcs(true)
        .with_record_length_limit(data.len().saturating_mul(LZ4_EXPANSION).min(LONGEST));
    let length = (data.len() as u64).to_le_bytes();
    let framed = [op::CHUNK].as_slice().chain(length.as_slice()).chain(data);
    let taken = read(framed, options, |opcode, data| take(parse(opcode, data)?));
    taken.map_err(|fault| match fault {
        Fault::CutOff => Fault::Damaged("a chunk ends too early".into()),
        fault => fault,
    })
}

/// A record. The parser allocates what the length of a string claims, so those are
/// looked at first.
fn parse(opcode: u8, data: &[u8]) -> Result<Record<'_>, Fault> {
    // Where the first string is, and how many follow each other.
    let (start, strings) = match opcode {
        op::HEADER => (0, 2),
        op::SCHEMA => (2, 3),
        op::CHANNEL => (4, 3),
        op::ATTACHMENT => (16, 2),
        op::METADATA => (0, 2),
        op::CHUNK => (28, 1),
        _ => (0, 0),
    };
    let mut rest = data.get(start..).unwrap_or_default();
    for _ in 0..strings {
        let Some((length, after)) = rest.split_first_chunk() else {
            break;
        };
        let length = u32::from_le_bytes(*length) as usize;
        let Some(after) = after.get(length..) else {
            return Err(Fault::Damaged("a text is longer than its record".into()));
        };
        rest = after;
    }
    Ok(parse_record(opcode, data)?)
}

fn read(
    mut file: impl Read,
    options: LinearReaderOptions,
    mut take: impl FnMut(u8, &[u8]) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut reader = LinearReader::new_with_options(options);
    while let Some(event) = reader.next_event() {
        match event? {
            LinearReadEvent::ReadRequest(wanted) => {
                let read = file.read(reader.insert(wanted.min(PIECE)));
                reader.notify_read(read.map_err(Fault::Io)?);
            }
            LinearReadEvent::Record { opcode, data } => take(opcode, data)?,
        }
    }
    Ok(())
}

impl From<McapError> for Fault {
    fn from(error: McapError) -> Fault {
        match error {
            McapError::BadMagic => Fault::NotMcap,
            McapError::UnexpectedEof => Fault::CutOff,
            McapError::Io(error) if error.kind() != std::io::ErrorKind::Other => Fault::Io(error),
            error => Fault::Damaged(error.to_string()),
        }
    }
}

impl From<HeaderFault> for Fault {
    fn from(fault: HeaderFault) -> Fault {
        Fault::Damaged(fault.to_string())
    }
}

impl From<FrameFault> for Fault {
    fn from(fault: FrameFault) -> Fault {
        Fault::Damaged(fault.to_string())
    }
}
