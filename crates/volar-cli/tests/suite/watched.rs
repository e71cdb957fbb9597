//! What is said while a run goes on.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::common::{run, volar};

/// 10 s in steps of a tenth of a microsecond: hours. Two blocks that start 1 mm inside each
/// other.
const ENDLESS: &str = "name = \"endless\"\nduration = 10.0\n\
                       [integrator]\nlongest_step = 1e-7\n\
                       [[body]]\nname = \"lower\"\nshape = { box = [0.1, 0.1, 0.1] }\n\
                       [[body]]\nname = \"upper\"\nshape = { box = [0.1, 0.1, 0.1] }\n\
                       position = [0.0, 0.0, 0.099]\n";

#[test]
fn a_warning_is_said_at_once() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("scene.toml"), ENDLESS).unwrap();
    let mut child = volar(&["run", "scene.toml"], folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A run that kept its warnings to the end would leave this waiting for hours; the
    // reading ends when the child is gone.
    let mut line = String::new();
    let mut err = BufReader::new(child.stderr.take().unwrap());
    while !line.contains("upper") {
        line.clear();
        assert!(
            err.read_line(&mut line).unwrap() > 0,
            "ended without a warning"
        );
    }
    assert!(line.contains("lower"), "{line}");
    assert!(child.try_wait().unwrap().is_none(), "said at the end only");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_run_that_gets_nowhere_says_so_and_stops_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("scene.toml"), ENDLESS).unwrap();
    let args = ["run", "scene.toml", "--limit-wall", "8"];
    let (out, err) = run(&args, folder.path(), 130);
    let said = err.lines().find(|line| line.contains("of 10 s after"));
    let said = said.unwrap_or_else(|| panic!("{out}{err}"));
    for word in [
        "steps of 1.0e-7 s",
        "limited by the longest step",
        "--limit-wall",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
}
