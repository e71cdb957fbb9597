//! A tree as a pickle that every numpy since 1.13 reads (protocol 3).

use super::super::value::{Array, Content, Value};

pub fn write(value: &Value, out: &mut Vec<u8>) {
    out.extend_from_slice(&[0x80, 3]);
    put(value, out);
    out.push(b'.');
}

fn put(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::None => out.push(b'N'),
        Value::Bool(true) => out.push(0x88),
        Value::Bool(false) => out.push(0x89),
        Value::Int(number) => int(*number, out),
        Value::Float(number) => {
            out.push(b'G');
            out.extend_from_slice(&number.to_be_bytes());
        }
        Value::Text(letters) => text(letters, out),
        Value::Bytes(content) => bytes(content, out),
        Value::List(items) => list(items, out),
        Value::Dict(pairs) => {
            out.extend_from_slice(b"}(");
            for (key, value) in pairs {
                text(key, out);
                put(value, out);
            }
            out.push(b'u');
        }
        Value::Array(array) if array.is_scalar => {
            if let Content::Numbers(name, content) = &array.content {
                out.extend_from_slice(b"cnumpy.core.multiarray\nscalar\n");
                kind(name, out);
                bytes(content, out);
                out.extend_from_slice(&[0x86, b'R']);
            }
        }
        Value::Array(array) => put_array(array, out),
    }
}

fn int(number: i64, out: &mut Vec<u8>) {
    match i32::try_from(number) {
        Ok(number) => {
            out.push(b'J');
            out.extend_from_slice(&number.to_le_bytes());
        }
        Err(_) => {
            out.extend_from_slice(&[0x8a, 8]);
            out.extend_from_slice(&number.to_le_bytes());
        }
    }
}

fn text(letters: &str, out: &mut Vec<u8>) {
    out.push(b'X');
    out.extend_from_slice(&(letters.len() as u32).to_le_bytes());
    out.extend_from_slice(letters.as_bytes());
}

/// Files are far below 4 GB.
fn bytes(content: &[u8], out: &mut Vec<u8>) {
    out.push(b'B');
    out.extend_from_slice(&(content.len() as u32).to_le_bytes());
    out.extend_from_slice(content);
}

fn list(items: &[Value], out: &mut Vec<u8>) {
    out.extend_from_slice(b"](");
    for item in items {
        put(item, out);
    }
    out.push(b'e');
}

fn put_array(array: &Array, out: &mut Vec<u8>) {
    out.extend_from_slice(b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\n");
    out.extend_from_slice(b"K\0\x85C\x01b\x87R");
    // The state: version, shape, type, order, elements.
    out.push(b'(');
    int(1, out);
    out.push(b'(');
    for size in &array.shape {
        int(*size as i64, out);
    }
    out.push(b't');
    match &array.content {
        Content::Numbers(name, content) => {
            kind(name, out);
            out.push(0x89);
            bytes(content, out);
        }
        Content::Objects(items) => {
            kind("|O8", out);
            out.push(0x89);
            list(items, out);
        }
    }
    out.extend_from_slice(b"tb");
}

/// A type of elements with its state: version, order of bytes, and what only records have.
fn kind(name: &str, out: &mut Vec<u8>) {
    let (order, code) = name.split_at(1);
    out.extend_from_slice(b"cnumpy\ndtype\n");
    text(code, out);
    out.extend_from_slice(&[0x89, 0x88, 0x87, b'R']);
    out.push(b'(');
    int(3, out);
    text(order, out);
    out.extend_from_slice(b"NNN");
    int(-1, out);
    int(-1, out);
    int(if code == "O8" { 63 } else { 0 }, out);
    out.extend_from_slice(b"tb");
}
