//! `volar run` as its users meet it.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common;

const COMPLETE: i32 = 0;
const NOT_USABLE: i32 = 2;
const INTERRUPTED: i32 = 130;

fn volar(args: &[&str], folder: &Path) -> Command {
    common::volar(&[&["run"], args].concat(), folder)
}

/// The words of a command line.
fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// Runs a scene, expects an exit status, and gives stdout and stderr.
fn run(args: &[&str], folder: &Path, status: i32) -> (String, String) {
    common::run(&[&["run"], args].concat(), folder, status)
}

fn summary(args: &[&str], folder: &Path) -> Value {
    let args = [args, &["--json"]].concat();
    let (out, err) = run(&args, folder, COMPLETE);
    assert_eq!(err, "");
    serde_json::from_str(&out).unwrap()
}

/// A summary without what the clock says.
fn timeless(mut summary: Value) -> Value {
    for key in ["wall_s", "real_time_factor"] {
        summary.as_object_mut().unwrap().remove(key).unwrap();
    }
    summary
}

/// An error in one line that contains some words.
fn refused(args: &[&str], folder: &Path, words: &[&str]) {
    let (out, err) = run(args, folder, NOT_USABLE);
    assert_eq!(out, "", "{args:?}");
    let (notes, errors): (Vec<&str>, Vec<&str>) =
        err.lines().partition(|line| line.starts_with("note: "));
    assert!(errors.len() == 1 && notes.len() < 2, "{err}");
    assert!(errors[0].starts_with("error: "), "{err}");
    for word in words {
        assert!(err.contains(word), "{err}");
    }
}

#[test]
fn the_summary_has_its_keys() {
    let summary = summary(&["g2p-cube", "--duration", "0.3"], Path::new("."));
    for key in [
        "scene",
        "law",
        "integrator",
        "duration_s",
        "held",
        "steps",
        "warnings",
        "failure",
    ] {
        assert!(summary.get(key).is_some(), "{key}");
    }
    assert_eq!(summary["scene"], "g2p-cube");
    assert_eq!(summary["duration_s"], 0.3);
    assert_eq!(summary["held"], true);
    let forces = &summary["normal_force_n"];
    // 10 N once it is closed; the mean is over the whole of so short a run.
    let force = forces["finger_1"].as_f64().unwrap();
    assert!((8.0..10.1).contains(&force), "{forces}");
}

#[test]
fn text_says_what_came_of_it() {
    // Long enough for the last second to be one at rest.
    let (out, _) = run(&["g2p-cube", "--duration", "2"], Path::new("."), COMPLETE);
    assert!(out.starts_with("g2p-cube: held for 2 s\n"), "{out}");
    for word in ["normal force", "finger_2", "steps", "x real time"] {
        assert!(out.contains(word), "{out}");
    }
    assert!(!out.contains("-0 %") && !out.contains("(0 x"), "{out}");
}

#[test]
fn a_narrow_terminal_is_no_trouble() {
    let output = volar(&["g2p-cube", "--duration", "0.05"], Path::new("."))
        .env("COLUMNS", "40")
        .output()
        .unwrap();
    assert!(output.status.success(), "{:?}", texts(&output));
}

#[test]
fn a_recording_is_kept_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["g2p-cube", "--duration", "0.3"];
    let without = summary(&args, folder.path());
    let with = summary(&[&args[..], &["--out", "kept"]].concat(), folder.path());
    assert_eq!(timeless(without), timeless(with.clone()));
    let kept = folder.path().join("kept");
    for file in ["recording.mcap", "series.parquet"] {
        assert!(
            std::fs::metadata(kept.join(file)).unwrap().len() > 1000,
            "{file}"
        );
    }
    let text = std::fs::read_to_string(kept.join("summary.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), with);
    let scene = volar_scene::Scene::load(kept.join("scene.toml")).unwrap();
    assert_eq!(scene.spec.name, "g2p-cube");
    assert!((scene.spec.duration - 0.3).abs() < 1.0e-12);
    // A second run may take the place of the first one.
    summary(&[&args[..], &["--out", "kept"]].concat(), folder.path());
}

#[test]
fn two_threads_give_the_same_bits() {
    let run = |threads: &str| {
        let args = ["g3r-sphere", "--duration", "0.3", "--threads", threads];
        timeless(summary(&args, Path::new(".")))
    };
    assert_eq!(run("1"), run("2"));
}

#[test]
fn parts_of_the_scene_can_be_replaced() {
    let args = words(
        "g2p-cube --duration 0.2 --law paper --integrator rk45 --tolerance 1e-4 --set robot.gripper.joints.slide_1.effort=5.0 --set robot.gripper.joints.slide_2.effort=5.0",
    );
    let summary = summary(&args, Path::new("."));
    assert_eq!(summary["law"], "paper");
    assert_eq!(summary["integrator"], "rk45");
    let force = summary["normal_force_n"]["finger_1"].as_f64().unwrap();
    assert!(force < 8.0, "{force}");
}

#[test]
fn a_resumed_run_goes_on_where_the_first_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let at = |args: &[&str]| summary(args, folder.path());
    // With no measure in between, both end steps at the same times but for the
    // one that is cut short at 0.5 s.
    let straight = at(&["g2p-cube", "--duration", "1.0", "--set", "grasp.from=0.6"]);
    at(&words(
        "g2p-cube --duration 0.5 --set grasp.from=0.6 --checkpoint half.json",
    ));
    let resumed = at(&words(
        "g2p-cube --duration 1.0 --set grasp.from=0.6 --resume half.json",
    ));
    assert_eq!(resumed["duration_s"], 1.0);
    assert!(resumed["steps"].as_u64() >= straight["steps"].as_u64());
    let number = |summary: &Value, key: &str| summary[key].as_f64().unwrap();
    for (key, tolerance) in [
        ("drift_mm", 1.0e-3),
        ("max_force_n", 0.5),
        ("max_depth_mm", 1.0e-3),
    ] {
        let (a, b) = (number(&straight, key), number(&resumed, key));
        assert!((a - b).abs() <= tolerance, "{key}: {a} {b}");
    }
    // The last second is that of the whole run, as far as it was resumed.
    let forces = |s: &Value| s["normal_force_n"]["finger_1"].as_f64().unwrap();
    assert!((forces(&straight) - forces(&resumed)).abs() < 0.5);
}

#[test]
fn a_run_stopped_where_a_step_ends_anyway_resumes_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    // Measures begin at 1 s: every run ends a step there.
    let args = ["g2p-cube", "--duration", "1.5", "--set", "grasp.from=1.0"];
    let straight = summary(&args, folder.path());
    let first = words("g2p-cube --duration 1.0 --set grasp.from=1.0 --set grasp.until=1.5");
    summary(
        &[&first[..], &["--checkpoint", "one.json"]].concat(),
        folder.path(),
    );
    let resumed = summary(
        &[&args[..], &["--resume", "one.json"]].concat(),
        folder.path(),
    );
    for key in [
        "steps",
        "rejected",
        "evaluations",
        "drift_mm",
        "rotation_deg",
        "slip_um",
        "max_force_n",
        "max_depth_mm",
    ] {
        assert_eq!(straight[key], resumed[key], "{key}");
    }
}

#[test]
fn schedules_go_on_after_a_resume() {
    let folder = tempfile::tempdir().unwrap();
    let text = "name = \"drop\"\nduration = 1.0\ngravity = [0.0, 0.0, 0.0]\n[[body]]\nname = \"b\"\n\
                shape = { box = [0.1, 0.1, 0.1] }\n[[body]]\nname = \"rail\"\nshape = { box = [0.1, 0.1, 0.1] }\n\
                position = [2.0, 0.0, 0.0]\nslides_along = [1.0, 0.0, 0.0]\neffort = 0.0\n\
                [[schedule]]\nat = 0.2\nover = 0.6\nefforts = { rail = 3.0 }\n\
                [[schedule]]\nat = 0.4\ngravity = [0.0, 0.0, -1.0]\n";
    std::fs::write(folder.path().join("drop.toml"), text).unwrap();
    // Stopped in the middle of the passage, and where gravity changes.
    for stop in ["0.4", "0.5"] {
        let first = [
            "drop.toml",
            "--duration",
            stop,
            "--checkpoint",
            "c.json",
            "--json",
        ];
        run(&first, folder.path(), COMPLETE);
        let state = |args: &[&str], file: &str| {
            let args = [args, &["--checkpoint", file, "--json"]].concat();
            run(&args, folder.path(), COMPLETE);
            let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
            let saved: Value = serde_json::from_str(&text).unwrap();
            let v = saved["simulation"]["state"]["v"]
                .as_array()
                .unwrap()
                .clone();
            v.iter().map(|x| x.as_f64().unwrap()).collect::<Vec<_>>()
        };
        let straight = state(&["drop.toml"], "straight.json");
        let resumed = state(&["drop.toml", "--resume", "c.json"], "resumed.json");
        assert_eq!(straight.len(), resumed.len());
        for (a, b) in straight.iter().zip(&resumed) {
            assert!((a - b).abs() < 1.0e-9, "{straight:?} {resumed:?}");
        }
    }
}

#[cfg(unix)]
fn interrupt(child: &std::process::Child) {
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_a_run_in_order_and_it_can_be_resumed_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    // Short steps, so that there is time to interrupt it.
    let scene = words("g3r-bunny --duration 0.6 --set integrator.longest_step=2e-4");
    let child = volar(&scene, folder.path())
        .args(["--out", "kept", "--checkpoint", "stopped.json", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while !folder.path().join("kept/series.parquet").exists() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "it does not begin"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(200));
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(INTERRUPTED), "{out}{err}");
    let stopped: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(stopped["failure"]["kind"], "interrupted");
    assert!(stopped["duration_s"].as_f64().unwrap() < 0.6);
    for file in ["recording.mcap", "series.parquet", "summary.json"] {
        assert!(
            std::fs::metadata(folder.path().join("kept").join(file))
                .unwrap()
                .len()
                > 0
        );
    }
    volar_record::Recording::open(&folder.path().join("kept")).unwrap();
    let straight = summary(&scene, folder.path());
    let resumed = summary(
        &[&scene[..], &["--resume", "stopped.json"]].concat(),
        folder.path(),
    );
    assert_eq!(timeless(straight), timeless(resumed));
}

#[test]
fn a_limit_on_wall_time_keeps_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let scene = words("g2p-cube --duration 0.3");
    let limited = words("--limit-wall 0 --out kept --checkpoint stopped.json --json");
    let (out, _) = run(&[&scene[..], &limited].concat(), folder.path(), INTERRUPTED);
    let stopped: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(stopped["failure"]["kind"], "run_limit");
    assert_eq!(stopped["steps"], 1);
    assert!(folder.path().join("kept/summary.json").exists());
    volar_record::Recording::open(&folder.path().join("kept")).unwrap();
    let resumed = [&scene[..], &["--resume", "stopped.json"]].concat();
    let resumed = summary(&resumed, folder.path());
    let straight = summary(&scene, folder.path());
    assert_eq!(timeless(straight), timeless(resumed));
    run(
        &["g2p-cube", "--limit-wall", "-1"],
        folder.path(),
        NOT_USABLE,
    );
}

#[test]
fn what_cannot_be_run_is_told_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::create_dir(here.join("empty")).unwrap();
    std::fs::write(here.join("other.json"), "{\"a\": 1}").unwrap();
    std::fs::write(here.join("file"), "").unwrap();
    refused(
        &["g9-cube"],
        here,
        &["no scene `g9-cube`", "`volar scenes`"],
    );
    refused(&["no/such/scene.toml"], here, &["no/such/scene.toml"]);
    refused(&["empty"], here, &["empty", "scene.toml"]);
    refused(&["g2p-cube", "--resume", "none.json"], here, &["none.json"]);
    refused(
        &["g2p-cube", "--resume", "other.json"],
        here,
        &["other.json is no checkpoint"],
    );
    refused(
        &["g2p-cube", "--checkpoint", "no/c.json"],
        here,
        &["there is no folder no"],
    );
    refused(
        &["g2p-cube", "--checkpoint", "empty"],
        here,
        &["empty is a folder"],
    );
    refused(&["g2p-cube", "--out", "file"], here, &["file"]);
    refused(
        &["g2p-cube", "--out", "file/inside"],
        here,
        &["file/inside"],
    );
    refused(
        &["g2p-cube", "--duration", "0"],
        here,
        &["duration", "above zero"],
    );
    refused(&["g2p-cube", "--duration", "inf"], here, &["duration"]);
    refused(
        &["g2p-cube", "--law", "rigid"],
        here,
        &["contact.law", "rigid", "paper"],
    );
    refused(
        &["g2p-cube", "--set", "body.ball.mass=1"],
        here,
        &["--set", "cube"],
    );
    let many = ["g2p-cube", "--threads", "100000"];
    refused(&many, here, &["--threads", "256"]);
    assert!(!here.join("no").exists());
}

#[test]
fn broken_toml_shows_the_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("broken.toml"),
        "name = \"x\"\nduration = \n",
    )
    .unwrap();
    let (_, err) = run(&["broken.toml"], folder.path(), NOT_USABLE);
    assert!(err.starts_with("error: broken.toml: "), "{err}");
    assert!(err.contains("line 2"), "{err}");
}

#[test]
fn a_checkpoint_of_another_scene_or_model_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let first = ["g2p-cube", "--duration", "0.1", "--checkpoint", "c.json"];
    run(&first, folder.path(), COMPLETE);
    let here = folder.path();
    refused(
        &["g2p-sphere", "--resume", "c.json"],
        here,
        &["cannot resume", "`g2p-cube`"],
    );
    let renamed = ["g2p-sphere", "--set", "name=g2p-cube", "--resume", "c.json"];
    refused(&renamed, here, &["cannot resume", "other bodies"]);
    let over = ["g2p-cube", "--duration", "0.1", "--resume", "c.json"];
    refused(&over, here, &["longer --duration"]);
}

#[test]
fn a_persons_scene_is_not_overwritten_by_a_recording() {
    let folder = tempfile::tempdir().unwrap();
    let mine =
        "name = \"mine\"\n[[body]]\nname = \"b\"\nshape = { box = [0.1, 0.1, 0.1] } # mine\n";
    std::fs::write(folder.path().join("scene.toml"), mine).unwrap();
    let args = ["scene.toml", "--duration", "0.1", "--out", "."];
    refused(&args, folder.path(), &["scene.toml", "another folder"]);
    assert_eq!(
        std::fs::read_to_string(folder.path().join("scene.toml")).unwrap(),
        mine
    );
}

#[test]
fn the_last_second_of_a_resumed_run_is_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let straight = summary(&["g2p-cube", "--duration", "3.0"], folder.path());
    let first = ["g2p-cube", "--duration", "1.0", "--checkpoint", "c.json"];
    summary(&first, folder.path());
    let resumed = ["g2p-cube", "--duration", "3.0", "--resume", "c.json"];
    let resumed = summary(&resumed, folder.path());
    for (key, tolerance) in [
        ("creep_um_per_s", 0.1),
        ("friction_margin", 1.0e-3),
        ("force_std_n", 1.0e-3),
    ] {
        let [a, b] = [&straight, &resumed].map(|s| s[key].as_f64().unwrap());
        assert!((a - b).abs() < tolerance, "{key}: {a} {b}");
    }
    let [a, b] = [&straight, &resumed].map(|s| s["normal_force_n"]["finger_1"].as_f64().unwrap());
    assert!((a - b).abs() < 1.0e-3, "{a} {b}");
}

#[test]
fn a_run_that_ends_before_it_could_tell_says_neither_held_nor_not() {
    let args = words("g2p-cube --duration 0.2 --set grasp.held_since=5.0");
    let summary = summary(&args, Path::new("."));
    assert!(
        summary["held"].is_null() && summary["failure"].is_null(),
        "{summary}"
    );
}

#[test]
fn pulls_end_where_friction_does() {
    let args = words("g2p-cube --duration 1.0 --set pull.rate=50.0 --set pull.limit=22.0");
    let summary = summary(&args, Path::new("."));
    let load = |way: &str| summary["pull_loads_n"][way].as_f64().unwrap();
    // Two pads with 10 N and μ = 0.8 hold 16 N, the weight included. The pull
    // has grown by 0.7 N when the cube has moved by the 0.1 mm of a slip.
    let weight = 0.2 * 9.81;
    for (way, wanted) in [
        ("+z", 16.0 + weight),
        ("-z", 16.0 - weight),
        ("+y", 15.9),
        ("-y", 15.9),
    ] {
        assert!(
            (load(way) - wanted).abs() < 1.0,
            "{way}: {} {wanted}",
            load(way)
        );
    }
    assert_eq!(summary["pull_loads_n"].as_object().unwrap().len(), 6);
}
