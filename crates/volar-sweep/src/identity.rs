//! What the results of a sweep depend on, so that results of different sweeps are never
//! mixed, and it can be said what has changed.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::figures::Figure;
use crate::plan::Plan;
use crate::spec::SweepSpec;

/// Everything that results depend on, by what it is: texts that are short as they are,
/// files by their SHA-256.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    parts: BTreeMap<String, String>,
}

impl Identity {
    pub(crate) fn new<'a>(
        spec: &SweepSpec,
        plan: &Plan,
        figures: &[Figure],
        files: impl Iterator<Item = (&'a str, &'a Path, &'a [u8])>,
    ) -> Identity {
        let mut parts = BTreeMap::new();
        let mut add = |what: String, value: String| {
            parts.insert(what, value);
        };
        add("version".into(), crate::VERSION.into());
        add("scene".into(), spec.scene.clone());
        add("repeats".into(), spec.repeats.to_string());
        add("seed".into(), spec.seed.to_string());
        let limit = spec
            .limit_evaluations
            .map_or("none".into(), |n| n.to_string());
        add("limit of evaluations".into(), limit);
        for (path, value) in &spec.set {
            add(format!("setting `{path}`"), value.to_string());
        }
        for (number, axis) in plan.axes.iter().enumerate() {
            let kind = serde_json::to_string(&axis.kind).unwrap_or_default();
            let paths = axis
                .paths
                .iter()
                .map(|(path, factor)| format!("{path}*{factor:?}"));
            let paths: Vec<String> = paths.collect();
            let text = format!("number {number}, {}: {kind}", paths.join(", "));
            add(format!("axis `{}`", axis.name), text);
        }
        let names: Vec<&str> = figures.iter().map(|f| f.name.as_str()).collect();
        add("figures".into(), names.join(", "));
        for (scene, path, bytes) in files {
            add(
                format!("file {} of scene {scene}", path.display()),
                sha256(bytes),
            );
        }
        Identity { parts }
    }

    /// One hash of it all.
    pub fn hash(&self) -> String {
        let mut hash = Sha256::new();
        for (what, value) in &self.parts {
            // Lengths keep what and value apart.
            hash.update(format!("{} {} ", what.len(), value.len()));
            hash.update(what);
            hash.update(value);
        }
        hex(&hash.finalize())
    }

    /// What differs from an earlier one, in words.
    pub fn changes_since(&self, earlier: &Identity) -> Vec<String> {
        let mut changes = Vec::new();
        for (what, value) in &self.parts {
            match earlier.parts.get(what) {
                None => changes.push(format!("{what} is new")),
                Some(before) if before != value => changes.push(match value.len() {
                    0..=40 if before.len() <= 40 => format!("{what} was {before}, is {value}"),
                    _ => format!("{what} has changed"),
                }),
                Some(_) => {}
            }
        }
        let gone = earlier
            .parts
            .keys()
            .filter(|what| !self.parts.contains_key(*what));
        changes.extend(gone.map(|what| format!("{what} is gone")));
        changes
    }
}

fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
