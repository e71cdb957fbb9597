//! A long list is written and read in bounded memory: prints the greatest resident memory after
//! each.
//!
//! ```sh
//! cargo run --release -p volar-grasps --example stream -- 1000000
//! ```
#![allow(non_snake_case)] // frame notation: X_OH

use std::error::Error;
use std::time::Instant;

use volar_grasps::{Grasp, GraspList, Header, ReadOptions, Row, write};
use volar_math::{Pose, random, rotation};

fn main() -> Result<(), Box<dyn Error>> {
    let rows = std::env::args()
        .nth(1)
        .map_or(Ok(1_000_000), |n| n.parse())?;
    let folder = std::env::temp_dir().join(format!("volar-stream-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    println!("{rows} rows; greatest resident memory so far, MB");
    println!("{:<12}{:>8.0}", "start", peak_mb());
    // HDF5 is written from memory, so it comes last.
    for name in ["a.csv", "a.parquet", "a.h5"] {
        let path = folder.join(name);
        let clock = Instant::now();
        write(&path, &Header::default(), (0..rows).map(row))?;
        let (wrote, took) = (peak_mb(), clock.elapsed().as_secs_f64());
        let clock = Instant::now();
        let list = GraspList::open(&path, &ReadOptions::default())?;
        let held = list.flatten().filter(|grasp| grasp.label == Some(true));
        let held = held.count();
        println!(
            "{name:<12}{wrote:>8.0} written ({took:.1} s) {:>8.0} read ({:.1} s), {held} held, \
             {:.0} MB on disk",
            peak_mb(),
            clock.elapsed().as_secs_f64(),
            path.metadata()?.len() as f64 / 1.0e6
        );
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
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
