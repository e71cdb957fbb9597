//! Speed of `overlap_with_cells` in the contacts of a grasp: a pad of
//! 20 × 20 × 60 mm against things that a hand holds, pressed in until the
//! overlap is what 10 N need at 7.4e8 N/m³. One thread.
//!
//! ```text
//! cargo bench -p volar-geom --bench cells -- [--only NAME] [--milliseconds N]
//! ```
#![allow(clippy::disallowed_methods)] // the bits of benchmarks do not matter
#![allow(non_snake_case)] // frame notation: X_AB
#![allow(missing_docs)] // a program for developers

use std::hint::black_box;
use std::time::{Duration, Instant};

use glam::{DMat3, DVec3};
use volar_geom::overlap::{Fields, OverlapKernel};
use volar_geom::{ClosedMesh, Pose};
use volar_testkit::corpus::solid;
use volar_testkit::rng::Rng;

/// Overlap that carries 10 N, m³.
const VOLUME: f64 = 10.0 / 7.4e8;

/// Poses of each contact.
const POSES: usize = 20;

struct Contact {
    name: &'static str,
    object: ClosedMesh,
    /// How the object is rotated, for each pose.
    turn: fn(&mut Rng) -> DMat3,
}

fn main() {
    let mut only = None;
    let mut budget = Duration::from_millis(500);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--only" => only = args.next(),
            "--milliseconds" => {
                let value = args.next().and_then(|n| n.parse().ok());
                budget = Duration::from_millis(value.expect("--milliseconds takes a number"));
            }
            "--bench" => {} // cargo bench adds it
            _ => panic!("unknown option {arg}; see the head of benches/cells.rs"),
        }
    }
    let flush = |_: &mut Rng| DMat3::IDENTITY;
    let tilted = |rng: &mut Rng| rng.tilt(0.01);
    let edge = |rng: &mut Rng| rng.tilt(0.05) * DMat3::from_rotation_z(0.25 * std::f64::consts::PI);
    let any = |rng: &mut Rng| rng.rotation();
    let contact = |name, object, turn| Contact {
        name,
        object: solid(object),
        turn,
    };
    let contacts = [
        contact("cube flush", "cube", flush),
        contact("cube tilted", "cube", tilted),
        contact("cube edge", "cube", edge),
        contact("sphere 1280", "sphere_1280", any),
        contact("bunny 3674", "bunny", any),
        contact("distal", "distal", any),
        contact("l_block", "l_block", any),
    ];
    println!(
        "contact       facets  cells pad/object  overlap  +facets  pad field  object field  both, µs"
    );
    for contact in &contacts {
        if only
            .as_ref()
            .is_none_or(|name| contact.name.starts_with(name))
        {
            measure(contact, budget);
        }
    }
    println!("Median over {POSES} poses of the shortest of the repeats. A is the pad.");
}

fn measure(contact: &Contact, budget: Duration) {
    let pad = solid("finger");
    let mut kernel = OverlapKernel::new();
    let poses: Vec<Pose> = (0..POSES)
        .map(|index| {
            let mut rng = Rng::for_case(contact.name, index);
            press(&mut kernel, &pad, contact, &mut rng)
        })
        .collect();
    let fields = |of_a, of_b| Fields { of_a, of_b };
    let mut counts = [[0; POSES]; 4];
    for (index, X_AB) in poses.iter().enumerate() {
        let overlap = kernel.overlap_with_cells(&pad, &contact.object, X_AB, Fields::BOTH);
        let [facets_a, facets_b] = [0, 1].map(|body| overlap.facets[body].len());
        let [cells_a, cells_b] = [0, 1].map(|body| overlap.cells[body].len());
        let all = [facets_a, facets_b, cells_b, cells_a];
        for (counts, count) in counts.iter_mut().zip(all) {
            counts[index] = count;
        }
    }
    let mut best = [[f64::INFINITY; POSES]; 5];
    let start = Instant::now();
    while start.elapsed() < budget {
        for (kind, best) in best.iter_mut().enumerate() {
            for (X_AB, best) in poses.iter().zip(best) {
                let (a, b, X) = (&pad, &contact.object, black_box(X_AB));
                let start = Instant::now();
                black_box(match kind {
                    0 => kernel.overlap(a, b, X),
                    1 => kernel.overlap_with_facets(a, b, X),
                    2 => kernel.overlap_with_cells(a, b, X, fields(true, false)),
                    3 => kernel.overlap_with_cells(a, b, X, fields(false, true)),
                    _ => kernel.overlap_with_cells(a, b, X, Fields::BOTH),
                });
                *best = best.min(1e6 * start.elapsed().as_secs_f64());
            }
        }
    }
    let [facets_a, facets_b, cells_a, cells_b] = counts.map(median);
    let [overlap, facets, pad_field, object_field, both] = best.map(median);
    println!(
        "{:12} {:>7} {:>17} {overlap:>8.2} {facets:>8.2} {pad_field:>10.2} {object_field:>13.2} {both:>9.2}",
        contact.name,
        format!("{facets_a}/{facets_b}"),
        format!("{cells_a}/{cells_b}"),
    );
}

/// The pose in which the object has been pressed onto the pad's +x face far
/// enough.
fn press(kernel: &mut OverlapKernel, pad: &ClosedMesh, contact: &Contact, rng: &mut Rng) -> Pose {
    let R = (contact.turn)(rng);
    let rotated = contact.object.vertices().iter().map(|&p| R * p);
    let foot = rotated
        .min_by(|p, q| p.x.total_cmp(&q.x))
        .expect("an object has vertices");
    // The lowest point over the pad's middle; a flat face stays centred.
    let aside =
        if foot.truncate().length() > 0.9 * foot.length() && contact.name.starts_with("cube") {
            DVec3::ZERO
        } else {
            foot
        };
    let at = |depth: f64| Pose {
        R,
        p: DVec3::new(0.01 - foot.x - depth, -aside.y, -aside.z) + DVec3::new(0.0, 1e-3, 2e-3),
    };
    let (mut low, mut high) = (0.0, 5e-3);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if kernel
            .overlap(pad, &contact.object, &at(middle))
            .total
            .volume
            < VOLUME
        {
            low = middle;
        } else {
            high = middle;
        }
    }
    at(high)
}

fn median<T: Copy + PartialOrd>(values: [T; POSES]) -> T {
    let mut values = values;
    values.sort_by(|x, y| x.partial_cmp(y).expect("times and counts are numbers"));
    values[(POSES - 1) / 2]
}
