//! Time per evaluation by stage, for the squeeze of cube, sphere and bunny.
//!
//! `cargo bench -p volar-sim --bench stages` prints a table in Markdown, which
//! `cargo xtask bench` puts into `docs/performance.md`.
#![allow(clippy::disallowed_methods)] // the bits of benchmarks do not matter
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]

#[path = "../tests/suite/scenes/mod.rs"]
#[allow(dead_code, reason = "the bench uses its part of the scenes")]
mod scenes;

use std::time::Instant;

use scenes::squeezed;
use volar_sim::{Settings, Simulation};

/// As [`Simulation::stage_times`] has them.
const STAGES: [&str; 9] = [
    "Kinematics",
    "Broadphase",
    "Overlap",
    "Contact",
    "Joints",
    "Dynamics",
    "Pack",
    "Tangent",
    "Solve",
];

fn main() {
    println!(
        "| object | evaluations | steps | mean step at rest, ms | real-time factor | µs per evaluation |{}",
        STAGES.map(|stage| format!(" {stage} |")).concat()
    );
    println!("|{}", "---|".repeat(6 + STAGES.len()));
    for name in ["cube", "sphere", "bunny"] {
        row(name);
    }
}

fn row(name: &str) {
    let (model, state) = squeezed(name);
    let run = |timed: bool| {
        let mut simulation =
            Simulation::new(model.clone(), state.clone(), Settings::default()).unwrap();
        if timed {
            simulation.time_stages(true);
        }
        let start = Instant::now();
        let done = simulation.advance_to(8.0).and_then(|()| {
            let steps = simulation.statistics().steps;
            simulation.advance_to(10.0)?;
            Ok(2.0 / (simulation.statistics().steps - steps) as f64)
        });
        (simulation, start.elapsed().as_secs_f64(), done)
    };
    // The fastest of five untimed runs; stages from one with the clock on.
    let wall = (0..5).map(|_| run(false).1).fold(f64::INFINITY, f64::min);
    let (simulation, _, rest) = run(true);
    let Ok(rest) = rest else {
        println!("| {name} | failed |");
        return;
    };
    let s = simulation.statistics();
    let per = |seconds: f64| 1e6 * seconds / s.evaluations as f64;
    let stages = simulation.stage_times();
    let stages = stages
        .iter()
        .map(|(_, spent)| format!(" {:.2} |", per(spent.as_secs_f64())));
    println!(
        "| {name} | {} | {} | {:.0} | {:.0} | {:.1} |{}",
        s.evaluations,
        s.steps,
        1e3 * rest,
        10.0 / wall,
        per(wall),
        stages.collect::<String>()
    );
}
