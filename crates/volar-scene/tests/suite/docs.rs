//! The pages for users say what the program does.

use std::collections::BTreeSet;

use crate::common::compile_in;
use serde_json::Value;
use volar_run::{Failure, FailureKind, Summary};
use volar_scene::{builtin, json_schema};

const SCENES: &str = include_str!("../../../../docs/scenes.md");
const SUMMARY: &str = include_str!("../../../../docs/summary.md");

/// The text under a heading, up to the next one.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let mark = format!("\n## {heading}\n");
    let start = page
        .find(&mark)
        .unwrap_or_else(|| panic!("no heading `{heading}`"))
        + mark.len();
    let rest = &page[start..];
    &rest[..rest.find("\n## ").unwrap_or(rest.len())]
}

/// Keys in the first cells of the tables with a default, by their parts.
fn keys_in_tables(text: &str) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    let mut inside = false;
    for line in text.lines() {
        inside = line.starts_with("| key |") || (inside && line.starts_with('|'));
        let cell = line
            .strip_prefix("| `")
            .and_then(|rest| rest.split_once('`'));
        if let (true, Some((key, _))) = (inside, cell) {
            keys.extend(key.split('.').map(str::to_owned));
        }
    }
    keys
}

/// Keys of tables anywhere in a schema, without those of other types.
fn keys_of(schema: &Value, keys: &mut BTreeSet<String>) {
    match schema {
        Value::Object(table) => {
            if let Some(Value::Object(properties)) = table.get("properties") {
                keys.extend(properties.keys().cloned());
            }
            table.values().for_each(|inner| keys_of(inner, keys));
        }
        Value::Array(list) => list.iter().for_each(|inner| keys_of(inner, keys)),
        _ => {}
    }
}

/// Values that a type of names can have.
fn names_of(schema: &Value) -> Vec<&str> {
    let options = schema["oneOf"].as_array().into_iter().flatten();
    let constants = options.filter_map(|option| option["const"].as_str());
    let listed = schema["enum"].as_array().into_iter().flatten();
    constants.chain(listed.filter_map(Value::as_str)).collect()
}

/// Sections of the page, with the types they describe.
const SECTIONS: &[(&str, &[&str])] = &[
    ("The whole", &[]),
    ("Integrator", &["IntegratorSection", "MethodName"]),
    ("Record", &["RecordSection"]),
    (
        "Contact",
        &["ContactSection", "LawName", "FrictionName", "SelfContact"],
    ),
    ("The paper's law", &["PaperSection", "FilterFrequency"]),
    ("Materials", &["MaterialEntry"]),
    ("Bodies", &["BodyEntry"]),
    ("Shapes", &["Shape", "MeshFile", "Scale"]),
    ("Robots", &["RobotEntry"]),
    ("Joints", &["JointEntry", "Command"]),
    ("Motions", &["MotionEntry", "Waypoint"]),
    ("Schedule", &["ScheduleEntry", "Transition", "GravityTurn"]),
    ("Forces", &["ForceEntry"]),
    ("Sensors", &["SensorEntry", "SensorKind"]),
    ("Start", &["StartName"]),
    ("Grasp", &["GraspSection"]),
    ("Quality", &["QualitySection"]),
    ("Phases", &["PhaseEntry"]),
    ("Pull", &["PullSection"]),
];

#[test]
fn the_page_has_every_key_of_the_schema_and_no_other() {
    let schema = json_schema();
    let types = schema["$defs"].as_object().unwrap();
    let described: BTreeSet<&str> = SECTIONS.iter().flat_map(|(_, t)| *t).copied().collect();
    let all: BTreeSet<&str> = types.keys().map(String::as_str).collect();
    assert_eq!(described, all);
    for (heading, names) in SECTIONS {
        let text = section(SCENES, heading);
        let mut keys = BTreeSet::new();
        if names.is_empty() {
            keys.extend(schema["properties"].as_object().unwrap().keys().cloned());
        }
        for name in *names {
            keys_of(&types[*name], &mut keys);
            for value in names_of(&types[*name]) {
                assert!(text.contains(&format!("`{value}`")), "{heading}: {value}");
            }
        }
        assert_eq!(keys_in_tables(text), keys, "{heading}");
    }
}

/// A scene that pieces of scenes are added to.
const BASE: &str = r#"name = "base"
[[body]]
name = "cube"
shape = { box = [0.06, 0.06, 0.06] }
[[body]]
name = "table"
shape = { box = [1.0, 1.0, 0.1] }
position = [0.0, 0.0, -2.0]
fixed = true
[[robot]]
name = "gripper"
file = "g2p.urdf"
position = [0.0, 0.0, 0.1]
joints = { slide_1 = { effort = 1.0 }, slide_2 = { effort = 1.0 } }
"#;

#[test]
fn the_examples_on_the_page_compile() {
    let folder = builtin::find("g2p-bunny").unwrap().source();
    let blocks: Vec<&str> = SCENES
        .split("```toml\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert!(blocks.len() > 10);
    for block in blocks {
        let text = match block.starts_with("name = ") {
            true => block.to_owned(),
            false => format!("{BASE}{block}"),
        };
        let setup = compile_in(&folder, &text, &[]);
        assert!(setup.is_ok(), "{}\n{block}", setup.unwrap_err());
    }
}

#[test]
fn the_overrides_on_the_page_can_be_made() {
    let scene = builtin::find("g2p-cube").unwrap();
    let folder = scene.source();
    let rows = section(SCENES, "From the command line").lines();
    let overrides: Vec<&str> = rows
        .filter_map(|row| row.strip_prefix("| `--set ")?.split('`').next())
        .map(|assignment| assignment.trim_matches('\''))
        .collect();
    assert!(overrides.len() > 5);
    let setup = compile_in(&folder, &scene.text, &overrides);
    assert!(setup.is_ok(), "{}", setup.unwrap_err());
}

#[test]
fn the_page_has_every_built_in_scene() {
    let text = section(SCENES, "Built-in scenes");
    for scene in builtin::all() {
        let row = scene.name.starts_with("row-") && !["row-1", "row-11"].contains(&&*scene.name);
        assert!(
            row || text.contains(&format!("`{}`", scene.name)),
            "{}",
            scene.name
        );
    }
}

#[test]
fn the_page_has_every_key_of_the_summary_and_no_other() {
    let full = Summary {
        pull_loads_n: Some(Default::default()),
        quality: Some(Default::default()),
        failure: Some(Failure {
            kind: FailureKind::Dropped,
            what: String::new(),
            time_s: 0.0,
        }),
        ..Summary::default()
    };
    let full = serde_json::to_value(full).unwrap();
    let keys: BTreeSet<String> = full.as_object().unwrap().keys().cloned().collect();
    let head = SUMMARY.split("\n## ").next().unwrap();
    assert_eq!(keys_in_tables(head), keys);
    for key in full["failure"].as_object().unwrap().keys() {
        assert!(head.contains(&format!("`{key}`")), "{key}");
    }
}
