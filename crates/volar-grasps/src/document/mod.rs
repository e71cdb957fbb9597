//! Files that are read whole, as trees of values: JSON, YAML, and what numpy pickles.
//!
//! | file | what |
//! |---|---|
//! | `value.rs` | a tree of values in the order of the file |
//! | `json.rs`, `yaml.rs` | text |
//! | `npy.rs` | the header of NPY files |
//! | `pickle/` | the part of pickle that numpy writes for numbers, text, lists and dicts |

mod json;
mod npy;
mod pickle;
mod value;
mod yaml;

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use crate::error::GraspFileError;
use crate::files::replaced;
pub(crate) use value::{Array, Value};

/// Larger files are not read into memory, bytes.
const LARGEST_FILE: u64 = 512 << 20;

/// How a tree is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notation {
    Json,
    Yaml,
    Npy,
}

pub(crate) fn read(path: &Path, notation: Notation) -> Result<Value, GraspFileError> {
    let file = File::open(path).map_err(GraspFileError::io("open", path))?;
    let mut bytes = Vec::new();
    let mut some = file.take(LARGEST_FILE + 1);
    some.read_to_end(&mut bytes)
        .map_err(GraspFileError::io("read", path))?;
    if bytes.len() as u64 > LARGEST_FILE {
        let message = format!(
            "larger than {} MB, which are read whole; write the list as .parquet, .csv or .h5",
            LARGEST_FILE >> 20
        );
        return Err(GraspFileError::damaged(path, "its size", message));
    }
    let read = match notation {
        Notation::Json => json::read_json(&bytes),
        Notation::Yaml => yaml::read_yaml(&bytes),
        Notation::Npy => npy::read(&bytes),
    };
    read.map_err(|(place, message)| GraspFileError::damaged(path, place, message))
}

pub(crate) fn write(path: &Path, notation: Notation, value: &Value) -> Result<(), GraspFileError> {
    let mut bytes = Vec::new();
    match notation {
        Notation::Json => json::write_json(value, &mut bytes),
        Notation::Yaml => yaml::write_yaml(value, &mut bytes),
        Notation::Npy => npy::write(value, &mut bytes),
    }
    replaced(path, |file| {
        file.write_all(&bytes)
            .map_err(GraspFileError::io("write", path))
    })
}
