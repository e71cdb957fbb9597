//! Scene text into a [`SceneSpec`], with overrides, and places for what is
//! wrong.

use toml::Value;
use toml::de::{DeTable, DeValue};

use crate::error::{OverrideError, SceneError};
use crate::similar::did_you_mean;
use crate::spec::SceneSpec;

/// Reads scene text; each override is `path=value`. Gives the text with the
/// overrides worked in, too.
pub(crate) fn read<S: AsRef<str>>(
    name: &str,
    original: &str,
    overrides: &[S],
) -> Result<(String, SceneSpec), SceneError> {
    let syntax = |message: String| SceneError::Syntax {
        file: name.to_owned(),
        message: with_hint(message.trim_end()),
    };
    let mut text = original.to_owned();
    if !overrides.is_empty() {
        let mut root: Value = toml::from_str(&text).map_err(|e| syntax(e.to_string()))?;
        for assignment in overrides {
            set(&mut root, assignment.as_ref())?;
        }
        text = toml::to_string(&root).map_err(|error| syntax(error.to_string()))?;
    }
    let spec = toml::from_str(&text).map_err(|error| {
        // Lines of the text with overrides worked in are nobody's lines.
        match toml::from_str::<SceneSpec>(original) {
            Err(error) => syntax(error.to_string()),
            Ok(_) => to_blame(original, overrides).unwrap_or(syntax(error.to_string())),
        }
    })?;
    Ok((text, spec))
}

/// What the parser says, and which key may have been meant by one that it does not
/// know: it lists those that it does.
fn with_hint(message: &str) -> String {
    let named = |text: &str| -> Vec<String> {
        let quoted = text.split('`').skip(1).step_by(2);
        quoted.map(str::to_owned).collect()
    };
    let Some((_, list)) = message.split_once("unknown field `") else {
        return message.to_owned();
    };
    let names = named(&format!("`{list}"));
    let hint = names
        .split_first()
        .map(|(wanted, known)| did_you_mean(wanted, known.iter().map(String::as_str)));
    format!("{message}{}", hint.unwrap_or_default())
}

/// A path as one would write it: `robot[0].joints.hinge`.
pub(crate) fn shown(path: &[String]) -> String {
    let mut text = String::new();
    for key in path {
        match key.parse::<usize>() {
            Ok(number) => text.push_str(&format!("[{number}]")),
            Err(_) if text.is_empty() => text.push_str(key),
            Err(_) => text.push_str(&format!(".{key}")),
        }
    }
    text
}

/// The line of the entry a path leads to, or of the last one on the way.
pub(crate) fn line_of(text: &str, path: &[String]) -> Option<usize> {
    let root = DeTable::parse(text).ok()?;
    let mut span = None;
    let mut table = Some(root.get_ref());
    let mut list = None;
    for key in path {
        let found = match (table, list) {
            (Some(table), _) => table
                .iter()
                .find(|(name, _)| name.get_ref().as_ref() == key)
                .map(|(name, value)| (name.span(), value)),
            (None, Some(list)) => {
                let list: &toml::de::DeArray<'_> = list;
                let number = key.parse::<usize>().ok();
                number
                    .and_then(|n| list.get(n))
                    .map(|value| (value.span(), value))
            }
            (None, None) => None,
        };
        let Some((place, value)) = found else { break };
        span = Some(place);
        table = None;
        list = None;
        match value.get_ref() {
            DeValue::Table(inner) => table = Some(inner),
            DeValue::Array(inner) => list = Some(inner),
            _ => {}
        }
    }
    let before = text.get(..span?.start)?;
    Some(before.matches('\n').count() + 1)
}

/// Whether an override sets the entry that a path leads to, or one on the way to it.
pub(crate) fn leads_to(assignment: &str, path: &[String], text: &str) -> bool {
    let Some((keys, _)) = assignment.split_once('=') else {
        return false;
    };
    let keys: Vec<&str> = keys.trim().split('.').map(str::trim).collect();
    let mut at = toml::from_str::<Value>(text).ok();
    let mut same = 0;
    for (key, step) in keys.iter().zip(path) {
        let number = step.parse::<usize>().ok();
        let next = at.as_ref().and_then(|value| match (value, number) {
            (Value::Array(list), Some(number)) => list.get(number),
            (value, _) => value.get(step),
        });
        let name = next.and_then(|entry| entry.get("name")?.as_str());
        if key != step && (number.is_none() || name != Some(*key)) {
            return false;
        }
        at = next.cloned();
        same += 1;
    }
    same == keys.len() && !path.is_empty()
}

/// The first override that makes no scene of one.
fn to_blame<S: AsRef<str>>(original: &str, overrides: &[S]) -> Option<SceneError> {
    let mut root: Value = toml::from_str(original).ok()?;
    for assignment in overrides {
        let assignment = assignment.as_ref();
        set(&mut root, assignment).ok()?;
        if let Err(error) = root.clone().try_into::<SceneSpec>() {
            return Some(SceneError::Set {
                assignment: assignment.to_owned(),
                why: OverrideError::NotAScene {
                    problem: with_hint(&error.to_string().trim_end().replace('\n', " ")),
                },
            });
        }
    }
    None
}

/// Sets one entry. A path is keys joined by dots; in lists an entry is given
/// by its number or by its `name`.
fn set(root: &mut Value, assignment: &str) -> Result<(), SceneError> {
    let refuse = |why: OverrideError| SceneError::Set {
        assignment: assignment.to_owned(),
        why,
    };
    let (path, value) = assignment
        .split_once('=')
        .ok_or_else(|| refuse(OverrideError::NoAssignment))?;
    // What is not a TOML value is taken for a string: contact.law=paper.
    let value = toml::from_str::<toml::Table>(&format!("value = {}", value.trim()))
        .ok()
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| Value::String(value.trim().to_owned()));
    let mut at = root;
    for key in path.trim().split('.').map(str::trim) {
        if key.is_empty() {
            return Err(refuse(OverrideError::EmptyKey));
        }
        at = enter(at, key).map_err(&refuse)?;
    }
    *at = value;
    Ok(())
}

/// The entry of a key; a table gets it if it is not there.
fn enter<'a>(value: &'a mut Value, key: &str) -> Result<&'a mut Value, OverrideError> {
    match value {
        Value::Table(table) => Ok(table
            .entry(key)
            .or_insert_with(|| Value::Table(toml::Table::new()))),
        Value::Array(list) => {
            let name = |entry: &Value| Some(entry.get("name")?.as_str()?.to_owned());
            let number = key.parse::<usize>().ok().filter(|n| *n < list.len());
            let number =
                number.or_else(|| list.iter().position(|e| name(e).as_deref() == Some(key)));
            let names: Vec<String> = list.iter().filter_map(name).collect();
            let entries = match names.is_empty() {
                true => format!("a list of {}", list.len()),
                false => format!("the list of {}", names.join(", ")),
            };
            let entry = number.and_then(|n| list.get_mut(n));
            let hint = did_you_mean(key, names.iter().map(String::as_str));
            entry.ok_or_else(|| OverrideError::NoEntry {
                key: key.to_owned(),
                entries: format!("{entries}{hint}"),
            })
        }
        _ => Err(OverrideError::PlainValue {
            key: key.to_owned(),
        }),
    }
}
