//! Runs that are killed at random moments and go on: the end is the same to the bit.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;
use volar_record::Recording;

use crate::common;

const SIGNALS: [&str; 3] = ["-TERM", "-HUP", "-KILL"];
/// Wall time between checkpoints, s, and what writing one may take on a busy machine.
const EVERY: &str = "0.05";
const LOST_AT_MOST: Duration = Duration::from_millis(1500);

/// Short steps, so that there is time to kill it: some 3000 of them.
const SCENE: [&str; 6] = [
    "g3r-bunny",
    "--duration",
    "0.6",
    "--set",
    "integrator.longest_step=2e-4",
    "--json",
];

/// Random numbers in [0, 1) that are the same in every run of the test.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Without what the clock says.
fn timeless(path: &Path) -> Value {
    let mut value = json(path);
    for key in ["wall_s", "real_time_factor"] {
        value.as_object_mut().unwrap().remove(key);
    }
    value
}

/// What a run leaves behind that must not depend on kills.
fn result(folder: &Path) -> (Value, Value, Recording) {
    (
        timeless(&folder.join("summary.json")),
        timeless(&folder.join("checkpoint.json")),
        Recording::open(folder).unwrap(),
    )
}

/// Starts or resumes the run, and kills it after a while. Gives whether it was killed.
fn kill_once(folder: &Path, signal: &str, after: Duration) -> bool {
    let begun = folder.join("run/scene.toml").is_file();
    let args: &[&str] = match begun {
        true => &["run", "--resume", "run", "--json"],
        false => &[&["run"], &SCENE[..], &["--out", "run"]].concat(),
    };
    let spawned = SystemTime::now();
    let mut child = common::volar(args, folder)
        .args(["--checkpoint-every", EVERY])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(after);
    if child.try_wait().unwrap().is_some() {
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{err}");
        return false;
    }
    // A run that goes on finds the recording of the one before.
    let recording = std::fs::metadata(folder.join("run/recording.mcap"));
    let recording = recording.is_ok_and(|file| file.modified().unwrap() > spawned);
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
    let killed = SystemTime::now();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!err.contains("panicked"), "{err}");
    let run = folder.join("run");
    match output.status.code() {
        // It had just come to its end.
        Some(0) => return false,
        Some(130) => {
            assert_ne!(signal, "-KILL");
            Recording::open(&run).unwrap();
            for file in ["summary.json", "report.html", "checkpoint.json"] {
                assert!(run.join(file).is_file(), "{file}");
            }
            assert_eq!(
                json(&run.join("summary.json"))["failure"]["kind"],
                "interrupted"
            );
        }
        Some(other) => panic!("{other}: {err}"),
        // Killed outright, or before there was anything to close.
        None => {
            assert!(signal == "-KILL" || !recording, "{signal}: {err}");
            if let Ok(checkpoint) = std::fs::metadata(run.join("checkpoint.json")) {
                let written = checkpoint.modified().unwrap();
                let lost = killed.duration_since(written).unwrap_or_default();
                // Older than this process: killed before it had gone on.
                assert!(lost > after || lost < LOST_AT_MOST, "{lost:?}");
            }
        }
    }
    true
}

/// Kills runs so often, and compares each with one that was left alone.
fn kill(times: usize, seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    let clock = Instant::now();
    let whole = [&["run"], &SCENE[..], &["--out", "whole"]].concat();
    common::run(&whole, folder.path(), 0);
    let takes = clock.elapsed().as_secs_f64();
    let expected = result(&folder.path().join("whole"));
    let mut random = Random(seed);
    let (mut kills, mut runs) = (0, 0);
    while kills < times {
        let signal = SIGNALS[kills % SIGNALS.len()];
        let after = Duration::from_secs_f64(takes * 0.6 * random.next());
        let run = folder.path().join("run");
        if kill_once(folder.path(), signal, after) {
            kills += 1;
            if run.join("recording.mcap").is_file() && kills % 4 == 3 {
                // Also what cannot be resumed any more can be looked at.
                common::run(&["recover", "run"], folder.path(), 0);
                Recording::open(&run).unwrap();
            }
            continue;
        }
        runs += 1;
        assert_eq!(result(&run), expected, "after {kills} kills");
        std::fs::remove_dir_all(&run).unwrap();
    }
    if folder.path().join("run/scene.toml").is_file() {
        common::run(&["run", "--resume", "run", "--json"], folder.path(), 0);
        runs += 1;
        assert_eq!(result(&folder.path().join("run")), expected);
    }
    println!("{kills} kills in {runs} runs, all of them the same to the bit at their end");
}

#[test]
fn a_run_that_is_killed_goes_on_to_the_bit() {
    kill(4, 1);
}

/// `cargo test --profile quick -p volar-cli --test suite -- --ignored --nocapture thirty_kills`
#[test]
#[ignore = "a minute of kills"]
fn thirty_kills_cost_nothing_but_the_time_since_the_last_checkpoint() {
    kill(30, 2);
}
