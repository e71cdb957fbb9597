//! What `initialize` is told: the configuration of the engine in the experiment.

use serde::Deserialize;
use serde_json::{Map, Value};

/// The JSON Schema of the configuration, in the style of nrp-core.
pub const SCHEMA: &str = include_str!("../schema/engine_volar.json");

/// nrp-core counts time in nanoseconds and says so.
const NANOSECONDS: [u64; 2] = [1, 1_000_000_000];

/// The entries that matter here; nrp-core has others for itself.
#[derive(Debug, Default, Deserialize)]
pub struct EngineConfig {
    /// Name of the engine in the experiment.
    #[serde(rename = "EngineName")]
    pub name: Option<String>,
    /// Unit of time of the coordinator, as a fraction of a second.
    #[serde(rename = "TimeRatio")]
    time_ratio: Option<[u64; 2]>,
    /// Ours.
    #[serde(rename = "EngineExtraConfigs", default)]
    pub extra: Extra,
}

/// What nrp-core leaves to each engine.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct Extra {
    /// A scene file, or the name of a built-in scene.
    pub scene: Option<String>,
    /// Entries of the scene to change, by path.
    #[serde(default)]
    pub set: Map<String, Value>,
    /// Threads that evaluate contacts.
    pub threads: Option<usize>,
}

impl EngineConfig {
    /// From what the coordinator sends.
    pub fn read(given: Value) -> Result<EngineConfig, String> {
        let config: EngineConfig = serde_json::from_value(given)
            .map_err(|error| format!("the configuration of the engine: {error}"))?;
        match config.time_ratio {
            None | Some(NANOSECONDS) => Ok(config),
            Some([part, of]) => Err(format!(
                "TimeRatio is {part}/{of}; this engine counts time in nanoseconds"
            )),
        }
    }
}

impl Extra {
    /// Entries to change as `--set` takes them.
    pub fn assignments(&self) -> Result<Vec<String>, String> {
        let entries = self.set.iter().map(|(path, value)| {
            let value = toml(value).ok_or(format!("Set: `{path}` has a null in it"))?;
            Ok(format!("{path}={value}"))
        });
        entries.collect()
    }
}

/// A value as scene files write it; none for null.
fn toml(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(entries) => {
            let entries: Option<Vec<String>> = entries.iter().map(toml).collect();
            format!("[{}]", entries?.join(", "))
        }
        Value::Object(entries) => {
            let entry = |(key, value)| Some(format!("{} = {}", Value::from(key), toml(value)?));
            let entries: Option<Vec<String>> = entries
                .iter()
                .map(|(k, v)| entry((k.as_str(), v)))
                .collect();
            format!("{{ {} }}", entries?.join(", "))
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn entries_are_assignments() {
        let given = json!({"EngineExtraConfigs": {"Scene": "a", "Set": {
            "body.cube.mass": 0.5, "gravity": [0, 0, -1.5], "name": "x",
            "body.cube.shape": {"box": [1, 1, 1]},
        }}});
        let config = EngineConfig::read(given).unwrap();
        let found = config.extra.assignments().unwrap();
        for entry in [
            "body.cube.mass=0.5",
            "gravity=[0, 0, -1.5]",
            "name=\"x\"",
            "body.cube.shape={ \"box\" = [1, 1, 1] }",
        ] {
            assert!(found.iter().any(|own| own == entry), "{entry} in {found:?}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for given in [
            json!([]),
            json!({"EngineName": 3}),
            json!({"TimeRatio": [1, 1000]}),
            json!({"EngineExtraConfigs": {"Scenes": "x"}}),
        ] {
            assert!(EngineConfig::read(given.clone()).is_err(), "{given}");
        }
        let null = json!({"EngineExtraConfigs": {"Set": {"a": [null]}}});
        let null = EngineConfig::read(null).unwrap();
        assert!(null.extra.assignments().is_err());
    }

    #[test]
    fn the_schema_is_json_and_has_our_entries() {
        let schema: Value = serde_json::from_str(SCHEMA).unwrap();
        let text = schema.to_string();
        for name in [
            "Scene",
            "Set",
            "Threads",
            "EngineExtraConfigs",
            "EngineBase",
        ] {
            assert!(text.contains(name), "{name}");
        }
    }
}
