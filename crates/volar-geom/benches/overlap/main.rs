//! Speed of the overlap kernel on the pairs of `bench/pairs.json`, with every
//! answer checked against the exact one. One thread.
//!
//! ```text
//! cargo bench -p volar-geom --bench overlap -- [options]
//!   --pair NAME       only this pair; may be repeated
//!   --poses N         the first N poses of each pair (20)
//!   --milliseconds N  time each pair for at least N ms (500)
//!   --json            one JSON object instead of the table
//!   --export DIR      write the meshes as OBJ files and stop
//!   --count           call the kernel for an instruction count and stop
//! ```
//!
//! Instructions, the same whatever else the machine does: build with
//! `cargo bench -p volar-geom --bench overlap --no-run`, which prints the
//! path of the program, then
//!
//! ```text
//! valgrind --tool=callgrind --toggle-collect='*counted*' PROGRAM --count --pair d
//! ```
//!
//! and divide `Collected` by the number of poses.
#![allow(clippy::disallowed_methods)] // the bits of benchmarks do not matter
#![allow(non_snake_case)] // frame notation: X_AB, p_WC
#![allow(clippy::unwrap_used, missing_docs)] // a program for developers: a bad file stops it

mod measure;
mod meshes;
mod pairs;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use serde::Serialize;
use volar_geom::ClosedMesh;

use measure::{Errors, PairReport, median, microseconds};
use pairs::PairSet;

/// The mesh whose tree has a time limit.
const LARGE_MESH: &str = "bunny_mid2";

fn main() -> ExitCode {
    let options = Options::from_args();
    let mut set = PairSet::load(options.poses);
    if let Some(folder) = &options.export {
        export(&set, folder);
        return ExitCode::SUCCESS;
    }
    if !options.pairs.is_empty() {
        for name in &options.pairs {
            assert!(
                set.pairs.iter().any(|pair| pair.name == *name),
                "bench/pairs.json has no pair {name}"
            );
        }
        set.pairs.retain(|pair| options.pairs.contains(&pair.name));
    }

    let mut solids = BTreeMap::new();
    for name in set.pairs.iter().flat_map(|pair| [&pair.a, &pair.b]) {
        solids.entry(name.clone()).or_insert_with(|| {
            ClosedMesh::new(meshes::make(&set.recipes, name)).expect("the pair set is closed")
        });
    }
    if options.count {
        for pair in &set.pairs {
            measure::count(pair, &solids[&pair.a], &solids[&pair.b]);
        }
        return ExitCode::SUCCESS;
    }

    if !options.json {
        println!("{TABLE_HEAD}");
    }
    let mut reports = Vec::new();
    for pair in &set.pairs {
        let report = measure::measure(pair, &solids[&pair.a], &solids[&pair.b], options.budget);
        if !options.json {
            println!("{}", table_row(&report));
        }
        reports.push(report);
    }
    let inexact: Vec<String> = reports
        .iter()
        .filter(|report| !report.errors.allowed())
        .map(|report| report.pair.clone())
        .collect();
    let report = Report {
        pairs: reports,
        build_ms: solids.get(LARGE_MESH).map(build_milliseconds),
    };
    if options.json {
        println!("{}", serde_json::to_string(&report).unwrap());
    } else {
        print_summary(&report);
    }
    if inexact.is_empty() {
        ExitCode::SUCCESS
    } else {
        eprintln!(
            "an overlap is off by more than {:.0e}: {}",
            Errors::ALLOWED,
            inexact.join(", ")
        );
        ExitCode::FAILURE
    }
}

/// Everything that was measured.
#[derive(Serialize)]
struct Report {
    pairs: Vec<PairReport>,
    /// Edges, shells and tree of [`LARGE_MESH`], if a pair has it.
    build_ms: Option<f64>,
}

/// What the command line asks for.
struct Options {
    pairs: Vec<String>,
    poses: usize,
    budget: Duration,
    json: bool,
    export: Option<PathBuf>,
    count: bool,
}

impl Options {
    fn from_args() -> Options {
        let mut options = Options {
            pairs: Vec::new(),
            poses: usize::MAX,
            budget: Duration::from_millis(500),
            json: false,
            export: None,
            count: false,
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            let mut value = || args.next().unwrap_or_else(|| panic!("{arg} needs a value"));
            match arg.as_str() {
                "--pair" => options.pairs.push(value()),
                "--poses" => options.poses = value().parse().expect("--poses takes a number"),
                "--milliseconds" => {
                    let n = value().parse().expect("--milliseconds takes a number");
                    options.budget = Duration::from_millis(n);
                }
                "--json" => options.json = true,
                "--export" => options.export = Some(value().into()),
                "--count" => options.count = true,
                "--bench" => {} // cargo bench adds it
                _ => panic!("unknown option {arg}; see the head of benches/overlap/main.rs"),
            }
        }
        assert!(options.poses > 0, "--poses takes a positive number");
        options
    }
}

/// Writes every mesh to `<folder>/<name>.obj`.
fn export(set: &PairSet, folder: &Path) {
    std::fs::create_dir_all(folder).expect("the folder can be made");
    for name in set.recipes.keys() {
        let path = folder.join(name).with_extension("obj");
        volar_meshes::write_obj(&path, &meshes::make(&set.recipes, name))
            .unwrap_or_else(|error| panic!("{error}"));
    }
}

/// The shortest of five builds of the same mesh.
fn build_milliseconds(solid: &ClosedMesh) -> f64 {
    (0..5).fold(f64::INFINITY, |best, _| {
        let mesh = solid.to_tri_mesh();
        let time = microseconds(|| {
            std::hint::black_box(ClosedMesh::new(mesh)).expect("built before");
        });
        best.min(1e-3 * time)
    })
}

const TABLE_HEAD: &str = "\
pair         triangles  crossing    inside  moments µs  +depths µs  ratio  volume err  centroid err";

fn table_row(report: &PairReport) -> String {
    let two = |[a, b]: [usize; 2]| format!("{a}/{b}");
    let (moments, depths) = medians(report);
    format!(
        "{:8} {:>13} {:>9} {:>9} {moments:>11.2} {depths:>11.2} {:>6.2} {:>11.1e} {:>13.1e}",
        report.pair,
        two(report.triangles),
        two(report.crossing),
        two(report.inside),
        depths / moments,
        report.errors.volume,
        report.errors.centroid,
    )
}

/// Moments and moments with depths, microseconds, median over the poses.
fn medians(report: &PairReport) -> (f64, f64) {
    (
        median(report.moments_us.clone()),
        median(report.depths_us.clone()),
    )
}

fn print_summary(report: &Report) {
    let time = |name: &str| {
        let pair = report.pairs.iter().find(|pair| pair.pair == name);
        pair.map(|pair| medians(pair).0)
    };
    println!("\nTimes: median over the poses of the shortest of the repeats, poses cold.");
    if let (Some(d), Some(g2)) = (time("d"), time("g2")) {
        println!(
            "d to g2 (16 times the triangles): {:.2} times the time",
            g2 / d
        );
    }
    if let Some(build) = report.build_ms {
        println!("closed mesh of {LARGE_MESH} (edges, shells, tree): {build:.1} ms");
    }
}
