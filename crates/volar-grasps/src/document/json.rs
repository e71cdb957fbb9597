//! JSON, and what is written on one line of JSON and YAML.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::value::{Content, Value};

type Fault = (String, String);

pub fn read_json(bytes: &[u8]) -> Result<Value, Fault> {
    serde_json::from_slice(bytes).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        (place, format!("not JSON, or cut: {error}"))
    })
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(Tree)
    }
}

struct Tree;

impl<'de> Visitor<'de> for Tree {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::None)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(Tree)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Float(value as f64), Value::Int))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = entries.next_entry()? {
            pairs.push(pair);
        }
        Ok(Value::Dict(pairs))
    }
}

/// A tree whose text may be set out over lines.
pub fn write_json(value: &Value, out: &mut Vec<u8>) {
    json(value, 0, out);
    out.push(b'\n');
}

fn json(value: &Value, depth: usize, out: &mut Vec<u8>) {
    match value {
        Value::Dict(pairs) if depth < 3 => {
            out.push(b'{');
            for (number, (key, value)) in pairs.iter().enumerate() {
                out.extend_from_slice(if number == 0 { b"\n" } else { b",\n" });
                out.extend(std::iter::repeat_n(b' ', 2 * (depth + 1)));
                out.extend_from_slice(quoted(key).as_bytes());
                out.extend_from_slice(b": ");
                json(value, depth + 1, out);
            }
            out.push(b'\n');
            out.extend(std::iter::repeat_n(b' ', 2 * depth));
            out.push(b'}');
        }
        other => flow(other, out),
    }
}

/// On one line, as JSON and YAML both read it.
pub(super) fn flow(value: &Value, out: &mut Vec<u8>) {
    let list = |items: &[Value], out: &mut Vec<u8>| {
        out.push(b'[');
        for (number, item) in items.iter().enumerate() {
            if number > 0 {
                out.extend_from_slice(b", ");
            }
            flow(item, out);
        }
        out.push(b']');
    };
    match value {
        Value::None => out.extend_from_slice(b"null"),
        Value::Bool(flag) => out.extend_from_slice(flag.to_string().as_bytes()),
        Value::Int(number) => out.extend_from_slice(number.to_string().as_bytes()),
        // Neither has a number that is not finite.
        Value::Float(number) if !number.is_finite() => out.extend_from_slice(b"null"),
        Value::Float(number) => out.extend_from_slice(format!("{number:?}").as_bytes()),
        Value::Text(text) => out.extend_from_slice(quoted(text).as_bytes()),
        Value::Bytes(bytes) => {
            out.extend_from_slice(quoted(&String::from_utf8_lossy(bytes)).as_bytes());
        }
        Value::List(items) => list(items, out),
        Value::Array(array) => match &array.content {
            Content::Objects(items) => list(items, out),
            Content::Numbers(..) => {
                let numbers = array.numbers().unwrap_or_default();
                list(
                    &numbers.into_iter().map(Value::Float).collect::<Vec<_>>(),
                    out,
                );
            }
        },
        Value::Dict(pairs) => {
            out.push(b'{');
            for (number, (key, value)) in pairs.iter().enumerate() {
                if number > 0 {
                    out.extend_from_slice(b", ");
                }
                out.extend_from_slice(quoted(key).as_bytes());
                out.extend_from_slice(b": ");
                flow(value, out);
            }
            out.push(b'}');
        }
    }
}

pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
