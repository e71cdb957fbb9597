//! Shapes with teeth and tips in the three grippers: at rest none moves without slip,
//! at any tolerance.
//!
//! `VOLAR_SHAPES=all cargo test --release -p volar-run --test suite -- shapes:: --nocapture`
//! runs all of them at three tolerances; without it the finer ones are only sampled.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::fmt::Write as _;

use glam::{DQuat, DVec2};
use volar_run::{FailureKind, Summary};
use volar_testkit::solids::{prism, star};

use crate::common::{GRIPPERS, page, scene_in, trial};

/// Long enough for an object that swings to come to rest, s.
const DURATION: f64 = 30.0;
/// What counts as moving at rest, µm/s.
const STILL: f64 = 1.0;
/// What moves then is given as long as this: fingers of constant torque may hold an object in
/// an equilibrium that is not stable, and leave it when rounding has grown into motion
/// (`docs/grasps.md`). Bristles that let go would walk on.
const LONGER: f64 = 90.0;
const TOLERANCES: [f64; 3] = [1.0e-3, 1.0e-4, 1.0e-5];
/// Of the runs at finer tolerances one in so many is part of every test.
const SAMPLED: usize = 11;

/// Outer radius and height of all of them, m.
const RADIUS: f64 = 0.03;
const HEIGHT: f64 = 0.06;

fn gear(teeth: u32, root: f64) -> volar_geom::TriMesh {
    let corners = [(0.0, root), (0.2, RADIUS), (0.5, RADIUS), (0.7, root)];
    let tooth = |k: u32| {
        let corner = move |&(at, r): &(f64, f64)| {
            DVec2::from_angle(TAU * (f64::from(k) + at) / f64::from(teeth)) * r
        };
        corners.map(|c| corner(&c))
    };
    let outline: Vec<DVec2> = (0..teeth).flat_map(tooth).collect();
    prism(&outline, HEIGHT)
}

fn cross(half: f64) -> volar_geom::TriMesh {
    let arm = [(half, half), (half, RADIUS), (-half, RADIUS), (-half, half)].map(DVec2::from);
    let quarter = |k: u32| {
        let turn = DVec2::from_angle(FRAC_PI_2 * f64::from(k));
        // The last corner of an arm is the first of the next.
        [0, 1, 2].map(|i| turn.rotate(arm[i]))
    };
    let outline: Vec<DVec2> = (0..4).flat_map(quarter).collect();
    prism(&outline, HEIGHT)
}

fn shapes() -> Vec<(String, volar_geom::TriMesh)> {
    let mut all = Vec::new();
    for points in 5..=12 {
        all.push((
            format!("star {points}"),
            star(points, 0.6 * RADIUS, RADIUS, HEIGHT),
        ));
    }
    for teeth in [8, 12, 20] {
        all.push((format!("gear {teeth}"), gear(teeth, 0.025)));
    }
    for (ridges, depth) in [(40, 0.05), (60, 0.03)] {
        let root = (1.0 - depth) * RADIUS;
        all.push((
            format!("knurl {ridges}"),
            star(ridges, root, RADIUS, HEIGHT),
        ));
    }
    for half in [0.005, 0.01] {
        all.push((format!("cross {}", 2.0e3 * half), cross(half)));
    }
    all
}

/// Upright, upright and turned, lying and turned.
fn orientations() -> [(&'static str, DQuat); 3] {
    let turned = DQuat::from_rotation_z(0.2);
    [
        ("upright", DQuat::IDENTITY),
        ("turned", turned),
        ("lying", DQuat::from_rotation_x(FRAC_PI_2) * turned),
    ]
}

struct Done {
    name: String,
    tolerance: f64,
    held: bool,
    /// At the end, µm/s.
    creep: f64,
    /// At the end of the longer run, of one that moves.
    later: Option<f64>,
    failure: Option<String>,
    evaluations: u64,
}

impl Done {
    /// The speed that must be none, µm/s.
    fn at_rest(&self) -> f64 {
        self.later.unwrap_or(self.creep)
    }
}

#[test]
fn at_rest_no_shape_moves_without_slip() {
    let all = std::env::var("VOLAR_SHAPES").is_ok_and(|value| value == "all");
    let shapes = shapes();
    let mut jobs = Vec::new();
    for gripper in GRIPPERS {
        for (shape, mesh) in &shapes {
            for (pose, q) in orientations() {
                for tolerance in TOLERANCES {
                    jobs.push((gripper, shape, mesh, pose, q, tolerance));
                }
            }
        }
    }
    let is_first = |tolerance: f64| tolerance >= TOLERANCES[0];
    let mut number = 0;
    jobs.retain(|job| {
        number += 1;
        all || is_first(job.5) || number % SAMPLED == 0
    });
    let run = |(): &mut (), k: usize| {
        let (gripper, shape, mesh, pose, q, tolerance) = jobs[k];
        let folder = tempfile::tempdir().unwrap();
        let base = format!("{gripper}-cube");
        volar_scene::builtin::find(&base)
            .unwrap()
            .write(folder.path())
            .unwrap();
        volar_meshes::write_obj(&folder.path().join("object.obj"), mesh).unwrap();
        let summary = |duration: f64| {
            let overrides = [
                "body.cube.shape={ mesh = { file = \"object.obj\" } }".into(),
                format!("body.cube.orientation={:?}", [q.w, q.x, q.y, q.z]),
                format!("integrator.tolerance={tolerance:?}"),
                format!("duration={duration:?}"),
            ];
            let setup = scene_in(folder.path(), &base, &overrides);
            trial(&setup, |_| {}).summary
        };
        let speed = |summary: &Summary| summary.creep_um_per_s.unwrap_or(f64::NAN);
        let moves = |creep: f64| creep.is_nan() || creep > STILL;
        let summary_at_rest = summary(DURATION);
        let creep = speed(&summary_at_rest);
        let later = moves(creep).then(|| speed(&summary(LONGER)));
        let summary = summary_at_rest;
        let failure = summary.failure.filter(|f| f.kind != FailureKind::Dropped);
        Done {
            name: format!("{gripper} {shape} {pose} {tolerance:e}"),
            tolerance,
            held: summary.held == Some(true),
            creep,
            later,
            failure: failure.map(|failure| failure.what),
            evaluations: summary.evaluations,
        }
    };
    let done = volar_testkit::parallel::map_with(jobs.len(), || (), run);

    let mut table = String::from(
        "| gripper | tolerance | runs | held | evaluations, mean | leave an unstable equilibrium | fastest at rest µm/s |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for gripper in GRIPPERS {
        for tolerance in TOLERANCES {
            let own = |d: &&Done| {
                d.name.starts_with(gripper) && d.tolerance.to_bits() == tolerance.to_bits()
            };
            let rows: Vec<&Done> = done.iter().filter(own).collect();
            let held = rows.iter().filter(|d| d.held).count();
            let evaluations: u64 = rows.iter().map(|d| d.evaluations).sum();
            let fastest = rows.iter().map(|d| d.at_rest()).fold(0.0, f64::max);
            let leave = rows.iter().filter(|d| d.later.is_some()).count();
            let mean = evaluations / rows.len().max(1) as u64;
            let n = rows.len();
            writeln!(
                table,
                "| {gripper} | {tolerance:e} | {n} | {held} | {mean} | {leave} | {fastest:.3} |"
            )
            .unwrap();
        }
    }
    println!("{table}");
    for d in done.iter().filter(|d| !d.held) {
        println!("rests elsewhere: {} ({:.1e} µm/s)", d.name, d.creep);
    }
    for d in done.iter().filter(|d| d.later.is_some()) {
        println!("moves at {DURATION} s: {} ({} µm/s)", d.name, d.creep);
    }
    // Not a number fails too.
    let rests = |d: &&Done| d.at_rest() <= STILL && d.failure.is_none();
    let moves: Vec<String> = done
        .iter()
        .filter(|d| !rests(d))
        .map(|d| format!("{}: {} µm/s {:?}", d.name, d.at_rest(), d.failure))
        .collect();
    assert!(moves.is_empty(), "\n{}", moves.join("\n"));
    if all {
        page::check("grasps.md", "shapes", &table);
    }
}
