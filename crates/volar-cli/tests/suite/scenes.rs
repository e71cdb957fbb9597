//! `volar scenes`, `new` and `schema` as their users meet them.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common;

/// Runs the command, expects an exit status, and gives all it printed.
fn run(args: &[&str], folder: &Path, status: i32) -> String {
    let (out, err) = common::run(args, folder, status);
    out + &err
}

#[test]
fn scenes_are_listed_as_text_and_json() {
    let here = Path::new(".");
    let text = run(&["scenes"], here, 0);
    let json: Value = serde_json::from_str(&run(&["scenes", "--json"], here, 0)).unwrap();
    let scenes = json.as_array().unwrap();
    assert_eq!(text.lines().count(), scenes.len());
    for (line, scene) in text.lines().zip(scenes) {
        let (name, description) = (scene["name"].as_str().unwrap(), &scene["description"]);
        assert_eq!(line.split_whitespace().next(), Some(name));
        assert!(line.ends_with(description.as_str().unwrap()), "{line}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    for args in [&["scenes"][..], &["schema"], &["scenes", "--json"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_volar"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Closes the pipe before or while it is written to.
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!text.contains("panicked"), "{args:?}: {text}");
    }
}

#[test]
fn new_writes_a_scene_once() {
    let folder = tempfile::tempdir().unwrap();
    let said = run(&["new", "g2p-cube", "mine"], folder.path(), 0);
    assert_eq!(said.trim(), "mine/scene.toml");
    let path = folder.path().join("mine/scene.toml");
    std::fs::write(&path, std::fs::read_to_string(&path).unwrap() + "# mine\n").unwrap();
    let said = run(&["new", "g2p-cube", "mine"], folder.path(), 2);
    assert!(
        said.starts_with("error: ") && said.contains("already exists"),
        "{said}"
    );
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .ends_with("# mine\n")
    );
    // The folder is the scene's name if not given, and runs.
    run(&["new", "g2p-cube"], folder.path(), 0);
    run(
        &["run", "g2p-cube/scene.toml", "--duration", "0.01"],
        folder.path(),
        0,
    );
    run(&["run", "mine", "--duration", "0.01"], folder.path(), 0);
}

#[test]
fn new_of_an_unknown_scene_says_where_the_names_are() {
    let folder = tempfile::tempdir().unwrap();
    let said = run(&["new", "g9-cube"], folder.path(), 2);
    assert!(
        said.contains("`g9-cube`") && said.contains("`volar scenes`"),
        "{said}"
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_schema_is_that_of_the_library() {
    let text = run(&["schema"], Path::new("."), 0);
    let printed: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(printed, volar_scene::json_schema());
}

#[test]
fn help_shows_examples_and_fits_narrow_terminals() {
    for command in ["run", "new"] {
        let long = run(&[command, "--help"], Path::new("."), 0);
        assert!(
            long.contains("Example") && long.contains("  volar "),
            "{long}"
        );
    }
    let output = Command::new(env!("CARGO_BIN_EXE_volar"))
        .args(["run", "-h"])
        .env("COLUMNS", "40")
        .output()
        .unwrap();
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("--duration"), "{text}");
}
