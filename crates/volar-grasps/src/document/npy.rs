//! NPY files: a magic number, a line that says what the array is, and the array; where that has
//! objects, they are pickled.

use super::pickle;
use super::value::{Array, Content, Value};

type Fault = (String, String);

const MAGIC: &[u8] = b"\x93NUMPY";

pub fn read(bytes: &[u8]) -> Result<Value, Fault> {
    let head = || "the head of the file".to_owned();
    let foreign = |what: &str| (head(), format!("{what}; is it an NPY file, and whole?"));
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or_else(|| foreign("it does not start as NPY files do"))?;
    let (length, from) = match rest {
        [1, _, a, b, ..] => (u32::from(u16::from_le_bytes([*a, *b])), 4),
        [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([*a, *b, *c, *d]), 6),
        _ => return Err(foreign("its version is not known")),
    };
    let text = rest.get(from..from + length as usize);
    let text = text.and_then(|text| std::str::from_utf8(text).ok());
    let text = text.ok_or_else(|| foreign("it is cut"))?;
    let body = &rest[from + length as usize..];
    let kind = text_of(text, "descr").ok_or_else(|| foreign("it has no `descr`"))?;
    if kind == "|O" {
        let before = bytes.len() - body.len();
        return pickle::read(body)
            .map(unwrapped)
            .map_err(|(at, message)| (format!("byte {}", before + at), message));
    }
    let shape = shape_of(text).ok_or_else(|| foreign("it has no `shape`"))?;
    let array = Array {
        shape,
        content: Content::Numbers(kind.to_owned(), body.to_vec()),
        is_scalar: false,
    };
    let size = array.numbers().map(|numbers| numbers.len());
    match size.is_some() && size == array.len() {
        true => Ok(Value::array(array)),
        false => Err(foreign("its array is not as long as its shape says")),
    }
}

/// `numpy.save` puts a dict into an array without dimensions.
fn unwrapped(value: Value) -> Value {
    if let Value::Array(array) = &value
        && array.shape.is_empty()
        && let Content::Objects(items) = &array.content
        && let [only] = &items[..]
    {
        return only.clone();
    }
    value
}

/// The text after a key of the head.
fn text_of<'a>(head: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = head.split_once(&format!("'{key}':"))?;
    let rest = rest.trim_start().strip_prefix('\'')?;
    rest.split_once('\'').map(|(text, _)| text)
}

fn shape_of(head: &str) -> Option<Vec<usize>> {
    let (_, rest) = head.split_once("'shape':")?;
    let (inside, _) = rest.trim_start().strip_prefix('(')?.split_once(')')?;
    let sizes = inside.split(',').map(str::trim).filter(|s| !s.is_empty());
    sizes.map(|size| size.parse().ok()).collect()
}

pub fn write(value: &Value, out: &mut Vec<u8>) {
    let (shape, wrapped) = match value {
        Value::Array(array) if matches!(array.content, Content::Objects(_)) => {
            (array.shape.clone(), value.clone())
        }
        other => {
            let array = Array {
                shape: Vec::new(),
                content: Content::Objects(vec![other.clone()]),
                is_scalar: false,
            };
            (Vec::new(), Value::array(array))
        }
    };
    let sizes: String = shape.iter().map(|size| format!("{size},")).collect();
    let mut head = format!("{{'descr': '|O', 'fortran_order': False, 'shape': ({sizes}), }}");
    // The whole head is a multiple of 64 bytes and ends in a new line.
    while !(MAGIC.len() + 4 + head.len() + 1).is_multiple_of(64) {
        head.push(' ');
    }
    head.push('\n');
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&[1, 0]);
    out.extend_from_slice(&(head.len() as u16).to_le_bytes());
    out.extend_from_slice(head.as_bytes());
    pickle::write(&wrapped, out);
}
