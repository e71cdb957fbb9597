//! The scenes that come with the program, and the schema.

use std::collections::BTreeSet;

use serde_json::Value;
use volar_scene::spec::Scene;
use volar_scene::{SceneText, Setup, builtin, json_schema};

#[test]
fn names_are_unique_and_found() {
    let all = builtin::all();
    let names: BTreeSet<&str> = all.iter().map(|scene| scene.name.as_str()).collect();
    assert_eq!(names.len(), all.len());
    for scene in &all {
        assert_eq!(builtin::find(&scene.name).as_ref(), Some(scene));
        assert!(!scene.description.is_empty());
    }
    assert_eq!(builtin::find("g2p_cube"), builtin::find("g2p-cube"));
    assert_eq!(builtin::find("g2p"), None);
}

#[test]
fn the_text_says_what_the_list_says() {
    for scene in builtin::all() {
        let text = SceneText::parse(&scene.name, &scene.text, &[]).unwrap();
        assert_eq!(text.scene.name, scene.name);
        assert_eq!(text.scene.description, scene.description);
    }
}

/// The model as text: everything that can be compared.
fn shown(setup: &Setup) -> String {
    let model = &setup.model;
    let surfaces: Vec<_> = model
        .bodies()
        .map(|body| {
            model
                .surface(body)
                .map(|surface| surface.mesh.to_tri_mesh())
        })
        .collect();
    format!(
        "{:?} {:?} {:?} {:?} {:?} {surfaces:?}",
        model.tree(),
        model.controls(),
        setup.start,
        setup.events,
        setup.grasp
    )
}

#[test]
fn each_compiles_and_is_the_same_from_a_folder() {
    for scene in builtin::all() {
        // Rows differ in their length only.
        if scene.name.starts_with("row-") && !["row-1", "row-11"].contains(&&*scene.name) {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("made/by/us");
        scene.write(&inside).unwrap();
        let text = SceneText::parse(&scene.name, &scene.text, &[]).unwrap();
        let own = Setup::compile(text, &inside).unwrap_or_else(|e| panic!("{e}"));
        let loaded = Setup::load(&inside.join("scene.toml"), &[]).unwrap();
        assert!(shown(&own) == shown(&loaded), "{} differs", scene.name);
        assert!(own.grasp.is_some());
    }
}

#[test]
fn nothing_is_overwritten() {
    let scene = builtin::find("g2p-cube").unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("g2p.urdf"), "mine").unwrap();
    let message = scene.write(folder.path()).unwrap_err().to_string();
    assert!(
        message.contains("g2p.urdf: already exists; nothing was written"),
        "{message}"
    );
    let kept = std::fs::read_to_string(folder.path().join("g2p.urdf")).unwrap();
    assert_eq!(kept, "mine");
    assert!(!folder.path().join("scene.toml").exists());
}

#[test]
fn a_scene_written_out_reads_back_as_the_same() {
    for scene in builtin::all() {
        let scene = SceneText::parse(&scene.name, &scene.text, &[])
            .unwrap()
            .scene;
        let written = toml::to_string(&scene).unwrap();
        let back: Scene = toml::from_str(&written).unwrap_or_else(|e| panic!("{e}\n{written}"));
        assert_eq!(back, scene);
    }
}

/// A validator for the part of JSON Schema that our schema uses.
struct Schema(Value);

impl Schema {
    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        match schema["$ref"].as_str() {
            Some(name) => &self.0["$defs"][name.rsplit('/').next().unwrap()],
            None => schema,
        }
    }

    fn fits(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let schema = self.resolved(schema);
        for (key, any) in [("anyOf", true), ("oneOf", false)] {
            if let Some(options) = schema[key].as_array() {
                let fits = options
                    .iter()
                    .filter(|s| self.fits(s, value).is_ok())
                    .count();
                if fits == 0 || (!any && fits > 1) {
                    return Err(format!("{fits} of {key} fit {value}"));
                }
            }
        }
        if let Some(options) = schema["enum"].as_array()
            && !options.contains(value)
        {
            return Err(format!("{value} is none of {options:?}"));
        }
        if !schema["const"].is_null() && schema["const"] != *value {
            return Err(format!("{value} is not {}", schema["const"]));
        }
        let types: Vec<&str> = match &schema["type"] {
            Value::String(one) => vec![one],
            Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        if !types.is_empty() && !types.iter().any(|t| is(value, t)) {
            return Err(format!("{value} is not of type {types:?}"));
        }
        match value {
            Value::Array(list) => {
                let length = list.len() as u64;
                let (least, most) = (schema["minItems"].as_u64(), schema["maxItems"].as_u64());
                if least.is_some_and(|n| length < n) || most.is_some_and(|n| length > n) {
                    return Err(format!("{value} has a wrong length"));
                }
                list.iter()
                    .try_for_each(|item| self.fits(&schema["items"], item))
            }
            Value::Object(table) => {
                for key in schema["required"].as_array().into_iter().flatten() {
                    if !table.contains_key(key.as_str().unwrap()) {
                        return Err(format!("{key} is missing in {value}"));
                    }
                }
                for (key, inner) in table {
                    let known = &schema["properties"][key];
                    let others = &schema["additionalProperties"];
                    match (known, others) {
                        (Value::Null, Value::Bool(false)) => {
                            return Err(format!("unknown key {key}"));
                        }
                        (Value::Null, others) => self.fits(others, inner)?,
                        (known, _) => self.fits(known, inner).map_err(|e| format!("{key}: {e}"))?,
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => false,
    }
}

fn as_json(text: &str) -> Value {
    let table: toml::Table = toml::from_str(text).unwrap();
    serde_json::to_value(table).unwrap()
}

#[test]
fn the_schema_takes_every_built_in_scene() {
    let schema = Schema(json_schema());
    for scene in builtin::all() {
        let fits = schema.fits(&schema.0, &as_json(&scene.text));
        assert!(fits.is_ok(), "{}: {}", scene.name, fits.unwrap_err());
    }
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let schema = Schema(json_schema());
    let text = builtin::find("lift-cube").unwrap().text;
    for (from, to) in [
        ("duration = 10.0", "durations = 10.0"),
        ("duration = 10.0", "duration = \"long\""),
        ("name = \"lift-cube\"\n", ""),
        ("{ box = [0.06, 0.06, 0.06] }", "{ box = [0.06, 0.06] }"),
        ("{ box = [0.06, 0.06, 0.06] }", "{ cube = 0.06 }"),
        ("at = 0.3\n", ""),
        ("fixed = true", "fixed = 1"),
    ] {
        let wrong = text.replacen(from, to, 1);
        assert_ne!(wrong, text);
        assert!(SceneText::parse("x", &wrong, &[]).is_err(), "{to}");
        assert!(schema.fits(&schema.0, &as_json(&wrong)).is_err(), "{to}");
    }
}
