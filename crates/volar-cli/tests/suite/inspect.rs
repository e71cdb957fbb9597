//! `volar inspect` as its users meet it.

use std::path::Path;

use serde_json::Value;

use crate::common::run;

/// Robots of this repository, from the folder of this crate.
const GRIPPER: &str = "../volar-robots/tests/data/g2p.urdf";
const FEATURES: &str = "../volar-robots/tests/data/features.xml";

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn text_has_a_line_for_every_link() {
    let (out, err) = run(&["inspect", GRIPPER], here(), 0);
    assert_eq!(err, "");
    assert!(out.starts_with("URDF `"), "{out}");
    let links = out.lines().filter(|line| line.contains(" kg, ")).count();
    let first = out.lines().next().unwrap();
    assert!(first.contains(&format!(": {links} links, ")), "{out}");
    assert!(out.contains("triangles in shapes that can touch"), "{out}");
}

#[test]
fn json_has_what_the_file_says() {
    let (out, _) = run(&["inspect", "--json", GRIPPER, FEATURES], here(), 0);
    let json: Value = serde_json::from_str(&out).unwrap();
    let files = json["files"].as_array().unwrap();
    assert_eq!(files.len(), 2);
    for (file, format) in files.iter().zip(["URDF", "MJCF"]) {
        assert_eq!(file["format"], format);
        assert_eq!(file["error"], Value::Null);
        let links = file["links"].as_array().unwrap();
        for poses in file["poses"].as_array().unwrap() {
            assert_eq!(poses["bodies"].as_array().unwrap().len(), links.len());
        }
        assert!(file["triangles"].as_u64() > Some(0), "{file}");
    }
    let masses = files[0]["links"].as_array().unwrap().iter();
    assert!(
        masses
            .map(|link| link["mass"].as_f64().unwrap())
            .sum::<f64>()
            > 0.0
    );
    let fingers = files[0]["hand"]["fingers"].as_object().unwrap();
    assert_eq!(fingers.len(), 2, "{fingers:?}");
    assert!(!files[1]["notes"].as_array().unwrap().is_empty());
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_the_others_are_shown() {
    let (out, err) = run(&["inspect", "missing.urdf", GRIPPER], here(), 2);
    assert!(
        err.starts_with("error: ") && err.contains("missing.urdf"),
        "{err}"
    );
    assert!(out.starts_with("URDF"), "{out}");
    let (out, _) = run(&["inspect", "--json", "missing.urdf"], here(), 2);
    let json: Value = serde_json::from_str(&out).unwrap();
    let error = json["files"][0]["error"].as_str().unwrap();
    assert!(error.contains("missing.urdf"), "{error}");
}
