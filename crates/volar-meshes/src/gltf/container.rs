//! Where the JSON and the buffers of a glTF file are.

use base64::Engine as _;

use super::document::Buffer;
use crate::Beside;
use crate::error::{Flaw, Problem};

/// A GLB file begins with this, its version and its length.
pub(super) const MAGIC: &[u8] = b"glTF";
const HEADER: usize = 12;

/// The JSON text and, in a GLB file, the binary chunk.
pub(super) fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Problem> {
    if !bytes.starts_with(MAGIC) {
        return Ok((bytes, None));
    }
    let declared = number(bytes, 8).unwrap_or(0);
    if declared < HEADER || declared > bytes.len() {
        return Err(Problem::Truncated {
            expected: format!(
                "its header promises {declared} bytes, it has {}",
                bytes.len()
            ),
        });
    }
    let (json, rest) = chunk(&bytes[HEADER..declared], b"JSON")?;
    // The binary chunk may be left out.
    let binary = match rest {
        [] => None,
        rest => Some(chunk(rest, b"BIN\0")?.0),
    };
    Ok((json, binary))
}

/// The contents of the chunk at the front, and what follows it.
fn chunk<'b>(bytes: &'b [u8], kind: &[u8; 4]) -> Result<(&'b [u8], &'b [u8]), Problem> {
    if bytes.get(4..8) != Some(kind) {
        let found = String::from_utf8_lossy(bytes.get(4..8).unwrap_or_default());
        return Err(Problem::unexpected("a glTF chunk", &found));
    }
    let length = number(bytes, 0).unwrap_or(0);
    bytes[8..]
        .split_at_checked(length)
        .ok_or_else(|| Problem::Truncated {
            expected: format!("a chunk of {length} bytes has only {}", bytes.len() - 8),
        })
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let four = bytes.get(at..at + 4)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(four)).ok()
}

/// The bytes of all buffers: the binary chunk, embedded base64, or files
/// beside the document.
pub(super) fn read_buffers(
    buffers: &[Buffer],
    binary: Option<&[u8]>,
    beside: &Beside,
) -> Result<Vec<Vec<u8>>, Flaw> {
    buffers
        .iter()
        .enumerate()
        .map(|(index, buffer)| {
            let data = match &buffer.uri {
                Some(uri) => read_uri(uri, beside),
                None => Ok(binary.unwrap_or_default().to_vec()),
            };
            data.and_then(|data| {
                if data.len() >= buffer.byte_length {
                    return Ok(data);
                }
                Err(Problem::Truncated {
                    expected: format!(
                        "it should have {} bytes, it has {}",
                        buffer.byte_length,
                        data.len()
                    ),
                })
            })
            .map_err(|problem| problem.in_item("buffer", index))
        })
        .collect()
}

fn read_uri(uri: &str, beside: &Beside) -> Result<Vec<u8>, Problem> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, code) = data
            .split_once(";base64,")
            .ok_or_else(|| Problem::unexpected("base64 data", data))?;
        return base64::engine::general_purpose::STANDARD
            .decode(code)
            .map_err(|e| Problem::Syntax(format!("its embedded data is not base64: {e}")));
    }
    if uri.contains("://") {
        return Err(Problem::Unsupported {
            feature: format!("a buffer at the address {uri}"),
        });
    }
    let bytes = beside.read(&percent_decoded(uri));
    Ok(bytes.map_err(Problem::Buffer)?.into_owned())
}

fn percent_decoded(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after
            .get(..2)
            .filter(|_| first == b'%')
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
