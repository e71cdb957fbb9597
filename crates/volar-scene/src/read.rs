//! Scene text into a [`Scene`], with overrides, and places for what is wrong.

use std::path::Path;

use toml::Value;
use toml::de::{DeTable, DeValue};

use crate::error::{Fault, SceneError};
use crate::spec::Scene;

/// A scene with the text it was read from.
#[derive(Clone, Debug)]
pub struct SceneText {
    /// What errors call it.
    pub file: String,
    /// The text, overrides worked in.
    pub text: String,
    /// What it says.
    pub scene: Scene,
    /// The text as it was given: lines in errors are its lines.
    original: String,
}

impl SceneText {
    /// Reads a scene file.
    pub fn read(path: &Path, overrides: &[String]) -> Result<SceneText, SceneError> {
        let text = std::fs::read_to_string(path).map_err(|error| SceneError::file(path, error))?;
        SceneText::parse(&path.display().to_string(), &text, overrides)
    }

    /// Reads scene text; each override is `path=value`.
    pub fn parse(file: &str, text: &str, overrides: &[String]) -> Result<SceneText, SceneError> {
        let syntax = |message: String| SceneError::Syntax {
            file: file.to_owned(),
            message: message.trim_end().to_owned(),
        };
        let original = text.to_owned();
        let mut text = original.clone();
        if !overrides.is_empty() {
            let mut root: Value = toml::from_str(&text).map_err(|e| syntax(e.to_string()))?;
            for assignment in overrides {
                set(&mut root, assignment)?;
            }
            text = toml::to_string(&root).map_err(|error| syntax(error.to_string()))?;
        }
        let scene = toml::from_str(&text).map_err(|error| {
            // Lines of the text with overrides worked in are nobody's lines.
            match toml::from_str::<Scene>(&original) {
                Err(error) => syntax(error.to_string()),
                Ok(_) => to_blame(&original, overrides).unwrap_or(syntax(error.to_string())),
            }
        })?;
        Ok(SceneText {
            file: file.to_owned(),
            text,
            scene,
            original,
        })
    }

    /// A fault with the line it is on.
    pub(crate) fn invalid(&self, fault: &Fault) -> SceneError {
        let line = line_of(&self.original, &fault.path);
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        let entry = match fault.path.is_empty() {
            true => String::new(),
            false => format!(": {}", shown(&fault.path)),
        };
        SceneError::Invalid {
            place: format!("{}{line}{entry}", self.file),
            message: fault.message.clone(),
        }
    }
}

/// A path as one would write it: `robot[0].joints.hinge`.
fn shown(path: &[String]) -> String {
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
fn line_of(text: &str, path: &[String]) -> Option<usize> {
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

/// The first override that makes no scene of one.
fn to_blame(original: &str, overrides: &[String]) -> Option<SceneError> {
    let mut root: Value = toml::from_str(original).ok()?;
    for assignment in overrides {
        set(&mut root, assignment).ok()?;
        if let Err(error) = root.clone().try_into::<Scene>() {
            return Some(SceneError::Set {
                assignment: assignment.clone(),
                why: error.to_string().trim_end().replace('\n', " "),
            });
        }
    }
    None
}

/// Sets one entry. A path is keys joined by dots; in lists an entry is given
/// by its number or by its `name`.
fn set(root: &mut Value, assignment: &str) -> Result<(), SceneError> {
    let refuse = |why: String| SceneError::Set {
        assignment: assignment.to_owned(),
        why,
    };
    let (path, value) = assignment
        .split_once('=')
        .ok_or_else(|| refuse("expected `path=value`, as in `body.0.mass=0.5`".into()))?;
    // What is not a TOML value is taken for a string: contact.law=paper.
    let value = toml::from_str::<toml::Table>(&format!("value = {}", value.trim()))
        .ok()
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| Value::String(value.trim().to_owned()));
    let mut at = root;
    for key in path.trim().split('.').map(str::trim) {
        if key.is_empty() {
            return Err(refuse("the path has an empty key".into()));
        }
        at = enter(at, key).map_err(&refuse)?;
    }
    *at = value;
    Ok(())
}

/// The entry of a key; a table gets it if it is not there.
fn enter<'a>(value: &'a mut Value, key: &str) -> Result<&'a mut Value, String> {
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
            let missing = match names.is_empty() {
                true => format!("no entry `{key}` in a list of {}", list.len()),
                false => format!("no entry `{key}` in the list of {}", names.join(", ")),
            };
            number.and_then(|n| list.get_mut(n)).ok_or(missing)
        }
        _ => Err(format!("`{key}` has no place in a plain value")),
    }
}
