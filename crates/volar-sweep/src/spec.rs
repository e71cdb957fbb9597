//! The sweep file as types: what a person writes, nothing checked but the types.
//!
//! ```toml
//! name = "weight and friction"
//! scene = "g2r-sphere"              # a file beside this one, or a built-in scene
//! set = { duration = 3.0 }          # entries of the scene that all runs share
//!
//! [[axis]]
//! path = "body.sphere.mass"         # any entry of the scene
//! log = { from = 0.05, to = 1.0, count = 20 }
//!
//! [[axis]]
//! name = "friction"
//! paths = ["materials.pad.friction", "body.sphere.friction"]   # tied
//! values = [0.2, 0.4, 0.8]
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Value;

/// A sweep as it stands in a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepSpec {
    /// Name, as pages and folders have it.
    pub name: String,
    /// What it shows, in a line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Scene file, relative to this one, or the name of a built-in scene.
    pub scene: String,
    /// Entries of the scene by their paths, the same in all runs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, Value>,
    /// Runs of every point of the grid, each with its own draws of the random axes.
    #[serde(default = "one")]
    pub repeats: u64,
    /// Seed of the random axes.
    #[serde(default)]
    pub seed: u64,
    /// Figures of the summary that are kept; all if not given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<String>,
    /// A run ends after so many evaluations of the equations of motion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_evaluations: Option<u64>,
    /// What is varied; the last axis varies fastest.
    #[serde(default, rename = "axis")]
    pub axes: Vec<AxisEntry>,
}

fn one() -> u64 {
    1
}

/// An axis: which entries, and one kind of values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AxisEntry {
    /// Name of its column; the path if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The entry of the scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Several entries that have the same value ...
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// ... or the value times a factor each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub factors: Vec<f64>,
    /// The value of a point that pages mark, such as the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<f64>,
    /// These values, of any type the entry may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Value>>,
    /// Equal steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linear: Option<Steps>,
    /// Equal ratios.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<Steps>,
    /// Drawn for every run from a normal distribution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<Normal>,
    /// Drawn for every run, every value of a range as likely as any other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uniform: Option<Range>,
    /// Spread evenly over a range by a Sobol sequence over the repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sobol: Option<Range>,
    /// Whole alternatives: another scene, or several entries at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<Vec<Alternative>>,
    /// A Parquet file, relative to this one: every row sets the entries that its columns
    /// are named after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
}

/// Values from one number to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Steps {
    /// The first.
    pub from: f64,
    /// The last.
    pub to: f64,
    /// How many.
    pub count: u64,
}

/// A normal distribution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Normal {
    /// Its mean.
    pub mean: f64,
    /// Its standard deviation.
    pub deviation: f64,
}

/// A range of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// The least.
    pub from: f64,
    /// The greatest.
    pub to: f64,
    /// Whether logarithms are spread evenly rather than values.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub log: bool,
}

/// One of several ways the scene may be.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alternative {
    /// Its name in the table.
    pub name: String,
    /// Another scene; that of the sweep if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<String>,
    /// Entries by their paths.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, Value>,
}

impl SweepSpec {
    /// Reads a sweep file. `file` is what errors call it.
    pub fn parse(file: &str, text: &str) -> Result<SweepSpec, crate::SweepError> {
        toml::from_str(text).map_err(|error| crate::SweepError::Syntax {
            file: file.to_owned(),
            message: error.to_string().trim_end().to_owned(),
        })
    }

    /// Reads a sweep file with some of its entries replaced by those of a JSON object;
    /// `axis` and `set` are added to.
    pub fn changed(file: &str, text: &str, changes: &str) -> Result<SweepSpec, crate::SweepError> {
        let syntax = |message: String| crate::SweepError::Syntax {
            file: file.to_owned(),
            message,
        };
        let mut spec: toml::Table = toml::from_str(text)
            .map_err(|error| syntax(error.to_string().trim_end().to_owned()))?;
        let changes: toml::Table =
            serde_json::from_str(changes).map_err(|error| syntax(error.to_string()))?;
        for (key, value) in changes {
            match (spec.get_mut(&key), value) {
                (Some(Value::Array(all)), Value::Array(more)) if key == "axis" => all.extend(more),
                (Some(Value::Table(all)), Value::Table(more)) if key == "set" => all.extend(more),
                (_, value) => {
                    spec.insert(key, value);
                }
            }
        }
        spec.try_into()
            .map_err(|error: toml::de::Error| syntax(error.to_string().trim_end().to_owned()))
    }

    /// Whether a TOML text is a sweep rather than a scene.
    pub fn is_one(text: &str) -> bool {
        let table: Option<toml::Table> = toml::from_str(text).ok();
        table.is_some_and(|table| table.contains_key("axis") || table.contains_key("scene"))
    }
}
