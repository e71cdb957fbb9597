//! Small sweeps.

use std::path::{Path, PathBuf};

use volar_sweep::{Folder, Sweep, SweepSpec, Tally, Work, axis_entry, run_missing, write_tables};

/// A cube between two pads, a tenth of a second.
pub fn spec(axes: &[&str], repeats: u64) -> SweepSpec {
    let set = [("duration", 0.1), ("grasp.from", 0.05)];
    SweepSpec {
        name: "small".into(),
        scene: "g2p-cube".into(),
        set: set
            .map(|(path, value)| (path.to_owned(), value.into()))
            .into(),
        repeats,
        seed: 5,
        axes: axes.iter().map(|text| axis_entry(text).unwrap()).collect(),
        ..SweepSpec::default()
    }
}

pub fn sweep(axes: &[&str], repeats: u64) -> Sweep {
    Sweep::new(spec(axes, repeats), Path::new("")).unwrap()
}

/// Runs what is missing, and writes the tables when nothing is.
pub fn run(sweep: &Sweep, path: &Path, work: &Work) -> Tally {
    let folder = Folder::create(path, sweep).unwrap();
    let tally = run_missing(sweep, &folder, work, &|_| ()).unwrap();
    if tally.done == sweep.plan.rows() {
        write_tables(&folder, &sweep.plan).unwrap();
    }
    tally
}

pub fn threads(threads: usize) -> Work {
    Work {
        threads,
        ..Work::default()
    }
}

pub fn table(path: &Path) -> Vec<u8> {
    std::fs::read(path.join("table.parquet")).unwrap()
}

/// Files below a folder, in order.
pub fn files(path: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}
