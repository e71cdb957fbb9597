//! YAML: mappings, sequences and scalars; no anchors and no tags, which lists of grasps do not
//! need and which make large trees of small files.

use granit_parser::{Event, Parser, ScalarStyle, Span};

use super::json::{flow, quoted};
use super::value::Value;

type Fault = (String, String);

/// Trees that are deeper are of no dataset.
const DEEPEST: usize = 32;

/// A mapping or sequence that is being read.
enum Open {
    List(Vec<Value>),
    /// With the key whose value comes next.
    Dict(Vec<(String, Value)>, Option<String>),
}

pub fn read_yaml(bytes: &[u8]) -> Result<Value, Fault> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let place = format!("byte {}", error.valid_up_to());
        (place, "not text (UTF-8)".to_owned())
    })?;
    let mut open: Vec<Open> = Vec::new();
    let mut root = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let at = error.marker();
            let place = format!("line {}, column {}", at.line(), at.col() + 1);
            (place, format!("not YAML, or cut: {error}"))
        })?;
        let ended = match event {
            Event::SequenceStart(..) => {
                open.push(Open::List(Vec::new()));
                None
            }
            Event::MappingStart(..) => {
                open.push(Open::Dict(Vec::new(), None));
                None
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open::List(items)) => Some(Value::List(items)),
                Some(Open::Dict(pairs, _)) => Some(Value::Dict(pairs)),
                None => None,
            },
            Event::Scalar(text, style, ..) => Some(scalar(&text, style)),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                let message = "an alias (`*`), which is not read: write the value again";
                return Err((place(&span), message.into()));
            }
            _ => None,
        };
        if open.len() > DEEPEST {
            return Err((place(&span), format!("more than {DEEPEST} levels")));
        }
        let Some(value) = ended else { continue };
        match open.last_mut() {
            None => root = root.or(Some(value)),
            Some(Open::List(items)) => items.push(value),
            Some(Open::Dict(pairs, key)) => match key.take() {
                Some(key) => pairs.push((key, value)),
                None => *key = Some(key_of(&value)),
            },
        }
    }
    root.ok_or_else(|| ("the text".into(), "there is nothing in it".into()))
}

fn place(span: &Span) -> String {
    format!(
        "line {}, column {}",
        span.start.line(),
        span.start.col() + 1
    )
}

fn key_of(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        other => {
            let mut text = Vec::new();
            flow(other, &mut text);
            String::from_utf8_lossy(&text).into_owned()
        }
    }
}

/// What a scalar means in the core schema of YAML 1.2; numbers also as PyYAML writes them.
fn scalar(text: &str, style: ScalarStyle) -> Value {
    if style != ScalarStyle::Plain {
        return Value::text(text);
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::None,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        ".inf" => Value::Float(f64::INFINITY),
        "-.inf" => Value::Float(f64::NEG_INFINITY),
        ".nan" => Value::Float(f64::NAN),
        _ => {
            let numeric = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
            let number = || text.parse().ok().map(Value::Float);
            let whole = || text.parse().ok().map(Value::Int);
            let value = numeric.then(|| whole().or_else(number)).flatten();
            value.unwrap_or_else(|| Value::text(text))
        }
    }
}

pub fn write_yaml(value: &Value, out: &mut Vec<u8>) {
    yaml(value, 0, out);
}

/// Dicts in block style, everything else on one line.
fn yaml(value: &Value, depth: usize, out: &mut Vec<u8>) {
    match value {
        Value::Dict(pairs) if !pairs.is_empty() => {
            if depth > 0 {
                out.push(b'\n');
            }
            for (key, value) in pairs {
                out.extend(std::iter::repeat_n(b' ', 2 * depth));
                out.extend_from_slice(quoted(key).as_bytes());
                out.extend_from_slice(b": ");
                yaml(value, depth + 1, out);
            }
        }
        other => {
            flow(other, out);
            out.push(b'\n');
        }
    }
}
