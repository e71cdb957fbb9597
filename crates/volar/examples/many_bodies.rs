//! What many bodies cost: 1 to 100 of them dropped into a bin, and 1,000 boxes that lie apart.
//!
//! ```text
//! cargo run --release -p volar --example many_bodies              # prints the table
//! cargo run --release -p volar --example many_bodies -- docs/many-bodies.md
//! ```

use std::error::Error;
use std::fmt::Write as _;
use std::time::Instant;

use volar::prelude::*;

/// How many are dropped into the bin.
const COUNTS: [usize; 5] = [1, 3, 10, 30, 100];
/// How many boxes lie apart.
const APART: usize = 1000;
/// Simulated time, s.
const DURATION: f64 = 0.5;
/// Inner side of the bin, m, and bodies along it in each layer.
const SIDE: f64 = 0.24;
const ALONG: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let mut table = String::from(
        "| bodies | triangles | to load, s | evaluations | processor s for 0.5 s | µs per evaluation | grows with n to the |\n\
         |---|--:|--:|--:|--:|--:|--:|\n",
    );
    let mut before: Option<(usize, f64)> = None;
    for count in COUNTS {
        let cost = measure(|| bin(count))?;
        let power = before.map_or(String::new(), |(fewer, each)| {
            let ratio = (cost.each() / each).ln() / (count as f64 / fewer as f64).ln();
            format!("{ratio:.2}")
        });
        cost.write(&mut table, &format!("{count} in a bin"), &power)?;
        before = Some((count, cost.each()));
    }
    measure(|| apart(APART))?.write(&mut table, &format!("{APART} apart"), "")?;
    print!("{table}");
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(path, page(&table))?;
    }
    Ok(())
}

fn page(table: &str) -> String {
    format!(
        "<!-- Written by `cargo run --release -p volar --example many_bodies -- docs/many-bodies.md`; do not edit. -->\n\
         # Many bodies\n\n\
         Boxes, balls and cylinders of 40 mm fall into a bin of {:.0} mm and pile up, for {DURATION} s; boxes\n\
         of 40 mm fall by 10 mm on the ground, 100 mm apart. One thread; the time is the processor's, without loading. All\n\
         bodies take the same steps, so the number of evaluations grows with the number of\n\
         touches. An evaluation costs what the contacts in it cost; the last column is the power of\n\
         the number of bodies with which that grew since the row above.\n\n{table}",
        1.0e3 * SIDE
    )
}

/// What a simulation cost.
struct Cost {
    triangles: usize,
    /// Until the first step, s.
    load: f64,
    evaluations: u64,
    /// Of the processor, s.
    spent: f64,
}

impl Cost {
    /// Of an evaluation, s.
    fn each(&self) -> f64 {
        self.spent / self.evaluations as f64
    }

    fn write(&self, table: &mut String, name: &str, power: &str) -> std::fmt::Result {
        writeln!(
            table,
            "| {name} | {} | {:.2} | {} | {:.2} | {:.0} | {power} |",
            self.triangles,
            self.load,
            self.evaluations,
            self.spent,
            1.0e6 * self.each()
        )
    }
}

fn measure(
    build: impl FnOnce() -> Result<ModelBuilder, Box<dyn Error>>,
) -> Result<Cost, Box<dyn Error>> {
    let clock = Clock::start();
    let mut simulation = Simulation::start(build()?.build()?)?;
    let load = clock.spent();
    let clock = Clock::start();
    simulation.advance_to(DURATION)?;
    let spent = clock.spent();
    let model = simulation.model();
    let surfaces = model.bodies().filter_map(|body| model.surface(body));
    Ok(Cost {
        triangles: surfaces.map(|surface| surface.mesh.triangles().len()).sum(),
        load,
        evaluations: simulation.statistics().evaluations,
        spent,
    })
}

/// Bodies in layers above a bin, each a little off the one below.
fn bin(count: usize) -> Result<ModelBuilder, Box<dyn Error>> {
    let mut builder = ModelBuilder::new();
    let wood = material("wood")?;
    let (far, height) = (0.5 * SIDE + 0.05, 1.0);
    let walls = [
        ("floor", [0.6, 0.6, 0.1], [0.0, 0.0, -0.05]),
        ("left", [0.1, 0.6, height], [-far, 0.0, 0.5 * height]),
        ("right", [0.1, 0.6, height], [far, 0.0, 0.5 * height]),
        ("front", [0.6, 0.1, height], [0.0, -far, 0.5 * height]),
        ("back", [0.6, 0.1, height], [0.0, far, 0.5 * height]),
    ];
    for (name, size, at) in walls {
        let pose = Pose::from_translation(DVec3::from_array(at));
        builder.add(Body::fixed(name, mesh::cuboid(size)?, pose, wood));
    }
    let shapes = [
        mesh::cuboid([0.04; 3])?,
        mesh::sphere(0.02)?,
        mesh::cylinder(0.02, 0.04)?,
    ];
    let rubber = material("rubber")?;
    let spacing = SIDE / ALONG as f64;
    for i in 0..count {
        let (layer, place) = (i / (ALONG * ALONG), i % (ALONG * ALONG));
        let at = |k: usize| (k as f64 + 0.5) * spacing - 0.5 * SIDE;
        let off = |k: usize| 1.0e-3 * ((i * k) % 7) as f64 - 3.0e-3;
        let height = 0.03 + 0.055 * layer as f64 + 0.1 * off(2);
        let position = [at(place % ALONG) + off(3), at(place / ALONG) + off(5), height];
        let shape = shapes[i % shapes.len()].clone();
        builder.add(Body::free(&format!("body {i}"), shape, 0.05, rubber).at(position));
    }
    Ok(builder)
}

/// Boxes above the ground that never meet.
fn apart(count: usize) -> Result<ModelBuilder, Box<dyn Error>> {
    let mut builder = ModelBuilder::new();
    let wood = material("wood")?;
    let ground = Body::ground("ground", DVec3::ZERO, DVec3::Z, wood);
    builder.add(ground.ok_or("the ground has a normal")?);
    let shape = mesh::cuboid([0.04; 3])?;
    for i in 0..count {
        let (x, y) = ((i % 32) as f64, (i / 32) as f64);
        let body = Body::free(&format!("box {i}"), shape.clone(), 0.05, wood);
        builder.add(body.at([0.1 * x, 0.1 * y, 0.03]));
    }
    Ok(builder)
}

/// Time this thread has had a processor, on Linux; elsewhere the time of the clock.
struct Clock {
    processor: Option<f64>,
    wall: Instant,
}

impl Clock {
    fn start() -> Clock {
        Clock {
            processor: processor_time(),
            wall: Instant::now(),
        }
    }

    /// Since the start, s.
    fn spent(&self) -> f64 {
        match (self.processor, processor_time()) {
            (Some(before), Some(now)) => now - before,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(1.0e-9 * nanoseconds)
}
