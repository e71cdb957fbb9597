//! What many bodies cost: in a bin, where they lie on each other, and apart on the ground.
//!
//! `cargo bench -p volar-sim --bench bodies` prints tables in Markdown, which
//! `cargo xtask bodies` puts into `docs/performance.md`.
#![allow(clippy::disallowed_methods)] // the bits of benchmarks do not matter
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]

#[path = "../tests/suite/scenes/mod.rs"]
#[allow(dead_code, reason = "the bench uses its part of the scenes")]
mod scenes;

use std::sync::Arc;
use std::time::Instant;

use glam::{DVec2, DVec3};
use scenes::{block, closed, place};
use volar_contact::Material;
use volar_geom::mesh::shapes::{cuboid, icosphere};
use volar_geom::{ClosedMesh, Pose};
use volar_sim::{Body, BodyId, Model, ModelBuilder, Settings, Simulation, State};
use volar_testkit::solids::{l_block, prism};

/// Simulated time: bodies fall by some centimetres and come to lie on each other, s.
const IN_BIN: f64 = 0.5;
const APART: f64 = 1.0;
/// A run ends after this time of the clock, s.
const PATIENCE: f64 = 100.0;
/// Room for each body in the bin, m.
const PITCH: f64 = 0.085;

fn main() {
    println!(
        "| bodies | contacts | evaluations | µs per evaluation | grows as | overlap | contact | tangent and solve | rest | simulated, s | seconds |"
    );
    println!("|{}", "--:|".repeat(11));
    let mut last = None;
    for count in [1, 3, 10, 30, 100] {
        let (model, state) = bin(count);
        let run = Measured::of(model, state, IN_BIN);
        println!("{}", run.row(count, last));
        last = Some((count, run.per_evaluation()));
    }
    println!(
        "\n| boxes apart | to build, s | evaluations | µs per evaluation | simulated, s | seconds |"
    );
    println!("|{}", "--:|".repeat(6));
    for count in [10, 100, 1000] {
        let start = Instant::now();
        let (model, state) = apart(count);
        let built = start.elapsed().as_secs_f64();
        let run = Measured::of(model, state, APART);
        println!(
            "| {count} | {built:.2} | {} | {:.0} | {:.2} | {:.2} |",
            run.evaluations,
            run.per_evaluation(),
            run.simulated,
            run.seconds
        );
    }
}

/// A run, and where its time went.
struct Measured {
    contacts: usize,
    evaluations: u64,
    simulated: f64,
    seconds: f64,
    /// Overlap, contact, tangent and solve, all others, s.
    stages: [f64; 4],
}

impl Measured {
    fn of(model: Arc<Model>, state: State, duration: f64) -> Measured {
        let mut simulation = Simulation::new(model, state, Settings::default()).unwrap();
        simulation.time_stages(true);
        let start = Instant::now();
        let mut seconds = 0.0;
        while simulation.time() < duration && seconds < PATIENCE {
            let next = (simulation.time() + 0.01).min(duration);
            simulation.advance_to(next).unwrap();
            seconds = start.elapsed().as_secs_f64();
        }
        let mut stages = [0.0; 4];
        for (stage, spent) in simulation.stage_times() {
            let at = match stage {
                "Overlap" => 0,
                "Contact" => 1,
                "Tangent" | "Solve" => 2,
                _ => 3,
            };
            stages[at] += spent.as_secs_f64();
        }
        Measured {
            contacts: simulation.contacts().len(),
            evaluations: simulation.statistics().evaluations,
            simulated: simulation.time(),
            seconds,
            stages,
        }
    }

    fn per_evaluation(&self) -> f64 {
        1e6 * self.seconds / self.evaluations as f64
    }

    fn row(&self, count: usize, last: Option<(usize, f64)>) -> String {
        let growth = last.map_or_else(String::new, |(fewer, before)| {
            let exponent =
                (self.per_evaluation() / before).ln() / (count as f64 / fewer as f64).ln();
            format!("n^{exponent:.2}")
        });
        let stages = self
            .stages
            .map(|spent| format!(" {:.0} |", 1e6 * spent / self.evaluations as f64));
        format!(
            "| {count} | {} | {} | {:.0} | {growth} |{} {:.2} | {:.1} |",
            self.contacts,
            self.evaluations,
            self.per_evaluation(),
            stages.concat(),
            self.simulated,
            self.seconds
        )
    }
}

fn shapes() -> [Arc<ClosedMesh>; 4] {
    let hexagon: Vec<DVec2> = (0..6)
        .map(|i| 0.035 * DVec2::from_angle(std::f64::consts::TAU * f64::from(i) / 6.0))
        .collect();
    [
        closed(cuboid(DVec3::splat(0.06))),
        closed(icosphere(0.03, 2)),
        closed(prism(&hexagon, 0.04)),
        closed(l_block(0.07, 0.025, 0.04)),
    ]
}

/// Bodies in about three layers above the floor of a bin that is as wide as that takes.
fn bin(count: usize) -> (Arc<Model>, State) {
    let rubber = Material::named("rubber").unwrap().with_friction(0.6);
    let across = (count as f64 / 3.0).sqrt().ceil() as usize;
    let width = PITCH * across as f64;
    let mut builder = ModelBuilder::new();
    let mut wall = |name: &str, size: DVec3, centre: DVec3| {
        let pose = Pose::from_translation(centre);
        builder.add(Body::fixed(name, block(size), pose, rubber));
    };
    let (outside, off) = (width + 0.2, 0.5 * width + 0.05);
    let floor = DVec3::new(outside, outside, 0.1);
    wall("floor", floor, DVec3::new(0.0, 0.0, -0.05));
    for (name, side) in [("left", -1.0), ("right", 1.0)] {
        let size = DVec3::new(0.1, outside, 0.6);
        wall(name, size, DVec3::new(side * off, 0.0, 0.3));
    }
    for (name, side) in [("front", -1.0), ("back", 1.0)] {
        let size = DVec3::new(outside, 0.1, 0.6);
        wall(name, size, DVec3::new(0.0, side * off, 0.3));
    }
    let shapes = shapes();
    for i in 0..count {
        let mesh = shapes[i % shapes.len()].clone();
        builder.add(Body::free(&format!("body {i}"), mesh, 0.2, rubber));
    }
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    for i in 0..count {
        let (layer, at) = (i / (across * across), i % (across * across));
        let middle = 0.5 * (across as f64 - 1.0);
        let position = DVec3::new(
            PITCH * ((at % across) as f64 - middle),
            PITCH * ((at / across) as f64 - middle),
            0.06 + PITCH * layer as f64,
        );
        let a = i as f64;
        let wxyz = [
            1.0,
            0.1 * a.sin(),
            0.1 * (1.7 * a).cos(),
            0.1 * (2.3 * a).sin(),
        ];
        place(&model, &mut state, BodyId::new(5 + i), position, wxyz);
    }
    (model, state)
}

/// Boxes that fall on the ground, none near another.
fn apart(count: usize) -> (Arc<Model>, State) {
    let rubber = Material::named("rubber").unwrap();
    let mut builder = ModelBuilder::new();
    builder.add(Body::ground("ground", DVec3::ZERO, DVec3::Z, rubber).unwrap());
    let mesh = block(DVec3::splat(0.04));
    for i in 0..count {
        let body = Body::free(&format!("box {i}"), mesh.clone(), 0.1, rubber);
        builder.add(body.at([0.1 * (i % 32) as f64, 0.1 * (i / 32) as f64, 0.03]));
    }
    let model = Arc::new(builder.build().unwrap());
    let state = State::neutral(&model);
    (model, state)
}
