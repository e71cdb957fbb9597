//! What keeping the results of very many runs costs, without the runs: rows are made up.
//! Prints the table of `docs/scale.md`.
//!
//! ```sh
//! cargo run --profile quick -p volar-sweep --example scale [ROWS]
//! ```
#![allow(clippy::unwrap_used, reason = "a tool: what fails ends it")]

use std::path::Path;
use std::time::Instant;

use volar_sweep::{
    Done, Folder, Journal, RunLimits, Sweep, SweepSpec, axis_entry, report, write_tables,
};

fn main() {
    let rows: u64 = std::env::args()
        .nth(1)
        .map_or(1_000_000, |text| text.parse().unwrap());
    let side = (rows as f64).sqrt().ceil() as u64;
    let spec = SweepSpec {
        name: "scale".into(),
        scene: "g2r-sphere".into(),
        repeats: 1,
        axes: vec![
            axis_entry(&format!("body.sphere.mass=0.05..1:log:{side}")).unwrap(),
            axis_entry(&format!("materials.pad.friction=0.1..1:{side}")).unwrap(),
        ],
        ..SweepSpec::default()
    };
    let sweep = Sweep::new(spec, Path::new("")).unwrap();
    let rows = sweep.plan.rows();
    let pattern = sweep.run(rows / 2, &RunLimits::default()).unwrap();
    let place = std::env::temp_dir().join(format!("volar-scale-{}", std::process::id()));
    let folder = Folder::create(&place, &sweep).unwrap();
    println!("{rows} rows of {} figures, 2 axes\n", sweep.figures.len());
    println!("| step | time (s) | per row (µs) | peak memory (MB) |");
    println!("|---|--:|--:|--:|");
    let timed = |what: &str, work: &mut dyn FnMut()| {
        let clock = Instant::now();
        work();
        let time = clock.elapsed().as_secs_f64();
        let each = 1.0e6 * time / rows as f64;
        println!(
            "| {what} | {time:.1} | {each:.2} | {:.0} |",
            peak_megabytes()
        );
    };
    timed("write journal and parts", &mut || {
        let mut journal = Journal::open(&folder, &sweep.plan, "all").unwrap();
        for row in 0..rows {
            let mut record = pattern.clone();
            record.row = row;
            record.wall_s += 1.0e-9 * row as f64;
            journal.append(record).unwrap();
        }
        journal.seal().unwrap();
    });
    timed("find what is missing, as on starting again", &mut || {
        let done = Done::read(&folder, 0..rows).unwrap();
        assert_eq!(done.tally.done, rows);
    });
    timed("merge all parts into the table", &mut || {
        write_tables(&folder, &sweep.plan).unwrap();
    });
    timed("the report", &mut || report::write(&folder, 0).unwrap());
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |data| data.len());
    let parts: Vec<u64> = std::fs::read_dir(place.join("parts"))
        .unwrap()
        .map(|entry| size(&entry.unwrap().path()))
        .collect();
    println!("\n| file | bytes | per row |");
    println!("|---|--:|--:|");
    let line = |what: &str, bytes: u64| {
        println!("| {what} | {bytes} | {:.1} |", bytes as f64 / rows as f64);
    };
    line("`manifest.json`", size(&place.join("manifest.json")));
    line("`sweep.packed`", size(&place.join("sweep.packed")));
    line(&format!("{} parts", parts.len()), parts.iter().sum());
    line("`table.parquet`", size(&place.join("table.parquet")));
    line("`report.html`", size(&place.join("report.html")));
    std::fs::remove_dir_all(&place).unwrap();
}

/// Of this process, so far; not a number where the system does not tell.
fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |kilobytes| kilobytes / 1000.0)
}
