//! Lists are written and read in bounded memory: prints the greatest resident memory of each, and
//! puts the table into a page if one is given.
//!
//! ```sh
//! cargo run --release -p volar-grasps --example stream -- 1000000 docs/grasp-files.md
//! ```
#![allow(non_snake_case)] // frame notation: X_OH

use std::error::Error;
use std::time::Instant;

use volar_grasps::{Grasp, GraspList, Header, ReadOptions, Row, write};
use volar_math::{Pose, random, rotation};

const BEGIN: &str = "<!-- Written by the example `stream` of volar-grasps; do not edit. -->";
const END: &str = "<!-- The end of what `stream` writes. -->";

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let rows = words.next().map_or(Ok(1_000_000), |n| n.parse())?;
    let folder = std::env::temp_dir().join(format!("volar-stream-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let mut table = format!(
        "| {rows} rows | on disk, MB | written, s | memory, MB | read, s | memory, MB |\n\
         |---|---|---|---|---|---|\n"
    );
    for name in ["a.csv", "a.parquet", "a.h5"] {
        let path = folder.join(name);
        let (_, wrote, write_mb) =
            measured(|| Ok(write(&path, &Header::default(), (0..rows).map(row))?))?;
        let (count, took, read_mb) = measured(|| {
            let list = GraspList::open(&path, &ReadOptions::default())?;
            Ok(list.flatten().count() as u64)
        })?;
        if count != rows {
            return Err(format!("{name}: {count} grasps of {rows} were read").into());
        }
        let disk = path.metadata()?.len() as f64 / 1.0e6;
        let ending = name.trim_start_matches('a');
        table += &format!(
            "| `{ending}` | {disk:.0} | {wrote:.1} | {write_mb:.0} | {took:.1} | {read_mb:.0} |\n"
        );
    }
    std::fs::remove_dir_all(&folder)?;
    print!("{table}");
    if let Some(page) = words.next() {
        let text = std::fs::read_to_string(&page)?;
        let (before, rest) = text
            .split_once(BEGIN)
            .ok_or("the page has no place for it")?;
        let (_, after) = rest.split_once(END).ok_or("the place has no end")?;
        std::fs::write(&page, format!("{before}{BEGIN}\n{table}{END}{after}"))?;
    }
    Ok(())
}

/// What some work gives, the time it took, s, and the greatest resident memory meanwhile, MB.
fn measured<T>(
    work: impl FnOnce() -> Result<T, Box<dyn Error>>,
) -> Result<(T, f64, f64), Box<dyn Error>> {
    // Forgets the peak so far; where the system has no such thing, peaks are those of all before.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let clock = Instant::now();
    let done = work()?;
    Ok((done, clock.elapsed().as_secs_f64(), peak_mb()))
}

fn row(number: u64) -> Row {
    let draw = |name: &str| random::uniform(1, name, number);
    let pose = Pose {
        R: rotation::about_z(6.0 * draw("angle")),
        p: [draw("x"), draw("y"), draw("z")].into(),
    };
    Ok(Grasp {
        label: Some(draw("label") < 0.5),
        ..Grasp::at(pose)
    })
}

/// 0 where the system does not tell.
fn peak_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kb = line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok());
    kb.unwrap_or(0.0) / 1.0e3
}
