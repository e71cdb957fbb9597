//! `volar sweep`: killed at any instant, on a full disk, in parts; the table is the same.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{run, volar};

const SWEEP: [&str; 7] = [
    "sweep",
    "g2p-cube",
    "--axis=body.cube.mass=0.05..0.5:log:12",
    "--axis=materials.pad.friction=0.3..0.9:5",
    "--set=duration=0.3",
    "--set=grasp.from=0.1",
    "--threads=2",
];
const RUNS: u64 = 60;

fn sweep<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&SWEEP[..], more].concat()
}

fn table(folder: &Path) -> Vec<u8> {
    std::fs::read(folder.join("table.parquet")).unwrap()
}

fn done(folder: &Path, name: &str) -> u64 {
    let (text, _) = run(&["sweep", "status", name, "--json"], folder, 0);
    let status: Value = serde_json::from_str(&text).unwrap();
    status["done"].as_u64().unwrap()
}

/// Kills the sweep at random moments until it has been killed so often.
fn killed(kills: u32) {
    let folder = tempfile::tempdir().unwrap();
    let clock = Instant::now();
    run(&sweep(&["--out", "whole"]), folder.path(), 0);
    let whole = clock.elapsed();
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut before = 0;
    for kill in 0..kills {
        // Moments over the whole of it; started anew once it is complete.
        if before == RUNS {
            std::fs::remove_dir_all(folder.path().join("often")).unwrap();
            before = 0;
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let share = (seed >> 33) as f64 / (1_u64 << 31) as f64;
        let mut command = volar(&sweep(&["--out", "often"]), folder.path());
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(whole.mul_f64(0.7 * share));
        child.kill().unwrap();
        child.wait().unwrap();
        if !folder.path().join("often/manifest.json").exists() {
            continue;
        }
        let now = done(folder.path(), "often");
        assert!(
            now >= before,
            "kill {kill}: {now} runs are left of {before}"
        );
        before = now;
    }
    run(&sweep(&["--out", "often"]), folder.path(), 0);
    assert!(table(&folder.path().join("whole")) == table(&folder.path().join("often")));
}

#[test]
fn killed_at_random_moments_it_goes_on() {
    killed(4);
}

#[test]
#[ignore = "half a minute: killed_at_random_moments_it_goes_on, but 20 times"]
fn killed_at_twenty_random_moments_it_goes_on() {
    killed(20);
}

/// A file system of its own that is too small, until something is removed from it.
#[test]
fn a_full_disk_stops_it_and_it_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let small = folder.path().join("small");
    std::fs::create_dir(&small).unwrap();
    let mount = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=8m", "tmpfs"])
        .arg(&small)
        .output();
    if !mount.is_ok_and(|mount| mount.status.success()) {
        println!("skipped: mounting a file system is not allowed here");
        return;
    }
    let _unmount = Unmount(&small);
    run(&sweep(&["--out", "whole"]), folder.path(), 0);
    // Room for the sweep itself and some runs, in pages of the file system.
    let pages = |file: &str| {
        let whole = folder.path().join("whole").join(file);
        std::fs::metadata(whole).unwrap().len().div_ceil(4096)
    };
    let room = pages("sweep.packed") + pages("manifest.json") + 2;
    let filler = small.join("filler");
    std::fs::write(&filler, vec![1; (8 << 20) - 4096 * room as usize]).unwrap();
    let (_, error) = run(&sweep(&["--out", "small/sweep"]), folder.path(), 2);
    assert!(error.contains("No space left on device"), "{error}");
    let kept = done(folder.path(), "small/sweep");
    assert!(0 < kept && kept < RUNS, "{kept}");
    std::fs::remove_file(&filler).unwrap();
    run(&sweep(&["--out", "small/sweep"]), folder.path(), 0);
    assert!(table(&folder.path().join("whole")) == table(&small.join("sweep")));
}

struct Unmount<'a>(&'a Path);

impl Drop for Unmount<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

/// A box that falls for two hundredths of a second, 10,000 times.
#[test]
fn memory_is_flat_over_ten_thousand_runs() {
    let folder = tempfile::tempdir().unwrap();
    let scene = "name = \"drop\"\nduration = 0.02\n[[body]]\nname = \"box\"\n\
                 shape = { box = [0.1, 0.1, 0.1] }\nmass = 0.1\n";
    std::fs::write(folder.path().join("drop.toml"), scene).unwrap();
    let axis = "--axis=body.box.mass=0.1..1:10000";
    // As a shard it makes no table, which would take memory of its own.
    let args = ["sweep", "drop.toml", axis, "--shard=1/1", "--threads=2"];
    let mut command = volar(&args, folder.path());
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let mut seen = Vec::new();
    while child.try_wait().unwrap().is_none() {
        seen.extend(memory(child.id()));
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(child.wait().unwrap().success());
    if seen.len() < 40 {
        println!("skipped: the system does not tell the memory of a process, or it was too quick");
        return;
    }
    let most = |from: f64, to: f64| {
        let at = |share: f64| (share * seen.len() as f64) as usize;
        seen[at(from)..at(to)].iter().copied().max().unwrap()
    };
    let (early, late) = (most(0.2, 0.6), most(0.6, 1.0));
    println!("{early} kB up to the middle, {late} kB to the end");
    // Runs that wait for their part take up to 4 MB.
    assert!(late < early + 6_000, "{early} {late}");
}

/// Memory of a process, kB.
fn memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[test]
fn shards_merge_status_and_one_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let short: Vec<&str> = [
        &SWEEP[..2],
        &["--axis=body.cube.mass=0.1,0.2,0.3"],
        &SWEEP[4..],
    ]
    .concat();
    let with = |more: &[&'static str]| [&short[..], more].concat();
    run(&with(&["--out", "whole"]), folder.path(), 0);
    for shard in ["1/2", "2/2"] {
        run(
            &with(&["--out", "parts", "--shard", shard]),
            folder.path(),
            0,
        );
    }
    let (text, _) = run(&["sweep", "merge", "parts"], folder.path(), 0);
    assert!(text.contains("3 of 3 runs done"), "{text}");
    let at = |name: &str| folder.path().join(name);
    assert!(table(&at("whole")) == table(&at("parts")));
    let page = std::fs::read_to_string(at("whole/report.html")).unwrap();
    assert!(
        page.contains("with 95 % confidence") && page.contains("<svg"),
        "{page}"
    );
    assert!(at("whole/plots/lines-held.png").exists());
    let (text, _) = run(&["sweep", "run", "whole", "2", "--json"], folder.path(), 0);
    let summary: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(summary["scene"], "g2p-cube");
    let (_, error) = run(&["sweep", "run", "whole", "3"], folder.path(), 2);
    assert!(error.contains("no run 3: the last one is 2"), "{error}");
}

#[test]
fn sweep_files_and_what_is_wrong_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let write = |text: &str| std::fs::write(folder.path().join("map.toml"), text).unwrap();
    let refused = || run(&["sweep", "map.toml"], folder.path(), 2).1;
    write("name = \"map\"\nscene = \"g2p-cube\"\n[[axis]]\npath = \"duration\"\n");
    assert!(refused().contains("axis `duration`: exactly one of `values`"));
    write("name = \"map\"\nscene = \"g2p-cube\"\n[[axis]]\nstep = 1\n");
    assert!(refused().contains("unknown field `step`"));
    write("name = \"map\"\nscene = \"nowhere\"\n[[axis]]\npath = \"duration\"\nvalues = [1]\n");
    assert!(refused().contains("no scene `nowhere`"));
    write(
        "name = \"map\"\nscene = \"g2p-cube\"\n[[axis]]\npath = \"duration\"\nvalues = [0.1, 0.2]\n\
         [[axis]]\nname = \"object\"\n[[axis.alternatives]]\nname = \"cube\"\n\
         [[axis.alternatives]]\nname = \"ball\"\nscene = \"g2p-sphere\"\n",
    );
    let (text, _) = run(&["sweep", "map.toml"], folder.path(), 0);
    assert!(
        text.contains("map: 4 of 4 runs done") && text.contains("map.sweep"),
        "{text}"
    );
    let (_, error) = run(&["sweep", "g2p-cube"], folder.path(), 2);
    assert!(error.contains("nothing varies"), "{error}");
    let (_, error) = run(
        &["sweep", "g2p-cube", "--axis", "duration"],
        folder.path(),
        2,
    );
    assert!(error.contains("expected PATH="), "{error}");
    let started = Instant::now();
    let limited = [
        "sweep",
        "map.toml",
        "--limit-evaluations",
        "20",
        "--out",
        "limited",
    ];
    let (text, _) = run(&limited, folder.path(), 0);
    assert!(text.contains("4 evaluation_limit"), "{text}");
    assert!(started.elapsed() < Duration::from_secs(60));
}
