//! Solids made of several, and contacts with several separation directions: a box cut in
//! two, a block in the corner of a tray, a peg in a tight hole.

use std::sync::Arc;

use crate::scenes::*;
use glam::DVec3;
use volar_contact::Material;
use volar_geom::mesh::shapes::cuboid;
use volar_geom::{ClosedMesh, Pose, TriMesh};
use volar_math::Wrench;
use volar_sim::{Body, BodyId, Load, ModelBuilder, Settings, Simulation, State};

/// A box between two corners.
fn between(low: DVec3, high: DVec3) -> TriMesh {
    let mut mesh = cuboid(high - low);
    for p in &mut mesh.vertices {
        *p += 0.5 * (low + high);
    }
    mesh
}

/// A block thrown askew on a plane, its shapes given.
fn thrown(shapes: Vec<Arc<ClosedMesh>>, names: [&str; 2], mu: f64, damping: f64) -> Simulation {
    let [plane, surface] = names.map(|name| material(name, mu, damping));
    let mut builder = ModelBuilder::new();
    let floor = Pose::from_translation(DVec3::new(0.0, 0.0, -0.1));
    builder.add(Body::fixed(
        "plane",
        block(DVec3::new(1.0, 1.0, 0.2)),
        floor,
        plane,
    ));
    let size = DVec3::new(0.06, 0.04, 0.04);
    builder.add(Body {
        shapes,
        ..Body::free("block", block(size), 0.2, surface)
    });
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    place(
        &model,
        &mut state,
        BodyId::new(1),
        DVec3::new(0.0, 0.0, 0.035),
        wxyz(DVec3::new(0.6, 0.8, 0.0), 0.2),
    );
    throw(
        &model,
        &mut state,
        BodyId::new(1),
        DVec3::new(0.3, 0.1, -0.1),
        DVec3::new(0.0, 1.0, 2.0),
    );
    Simulation::new(model, state, Settings::default()).unwrap()
}

/// How far apart the whole box and that of two come, at most, on their way.
fn apart(names: [&str; 2], mu: f64, damping: f64) -> f64 {
    let half = DVec3::new(0.03, 0.02, 0.02);
    let whole = vec![block(2.0 * half)];
    let cut = vec![
        closed(between(-half, DVec3::new(0.01, half.y, half.z))),
        closed(between(DVec3::new(-0.005, -half.y, -half.z), half)),
    ];
    let mut one = thrown(whole, names, mu, damping);
    let mut two = thrown(cut, names, mu, damping);
    let mut worst = 0.0_f64;
    let mut touched = false;
    for k in 1..=60 {
        let t = 5.0e-3 * f64::from(k);
        one.advance_to(t).unwrap();
        two.advance_to(t).unwrap();
        touched |= !one.contacts().is_empty();
        worst =
            worst.max((position(&one, BodyId::new(1)) - position(&two, BodyId::new(1))).length());
    }
    assert!(touched, "it bounced");
    println!("plane/block {names:?}, friction {mu}, damping {damping} s: {worst:.2e} m apart");
    worst
}

const PLANE_AND_BLOCK: [[&str; 2]; 3] = [
    ["steel", "rubber"],
    ["rubber", "steel"],
    ["rubber", "rubber"],
];

/// A box of two that overlap bounces as the whole box does: to 1e-9 m, what
/// rounding may grow to in a few hundred steps.
#[test]
fn box_cut_in_two_is_the_whole_box() {
    for names in PLANE_AND_BLOCK {
        let worst = apart(names, 0.0, 0.0);
        assert!(worst < 1.0e-9, "{worst:e} m apart");
    }
}

/// Also with damping, whichever way its faces are cut into triangles: rounding
/// grows where a corner of the box is about to touch.
#[test]
fn damped_box_cut_in_two_is_the_whole_box() {
    for names in PLANE_AND_BLOCK {
        let worst = apart(names, 0.0, 1.0e-3);
        assert!(worst < 1.0e-7, "{worst:e} m apart");
    }
}

/// Also with friction, up to the radius of the patches: that is weighted with
/// the pressure in the middle of each cell, so it depends on the triangles.
#[test]
fn rubbing_box_cut_in_two_is_the_whole_box() {
    for names in PLANE_AND_BLOCK {
        let worst = apart(names, 0.4, 1.0e-3);
        assert!(worst < 1.0e-4, "{worst:e} m apart");
    }
}

/// A tray in one piece: a floor at z = 0, walls at x = 0 and y = 0.
fn tray() -> Arc<ClosedMesh> {
    let floor = between(DVec3::new(-0.02, -0.02, -0.02), DVec3::new(0.12, 0.12, 0.0));
    let left = between(DVec3::new(-0.02, -0.02, -0.02), DVec3::new(0.0, 0.12, 0.05));
    let back = between(DVec3::new(-0.02, -0.02, -0.02), DVec3::new(0.12, 0.0, 0.05));
    let mesh = closed(volar_solids::unite(&[floor, left, back]).unwrap());
    let volume = mesh.moments().unwrap().volume;
    // Floor, two walls, and their common edge counted once.
    let exact = 0.14 * 0.14 * 0.02 + (0.14 * 0.14 - 0.12 * 0.12) * 0.05;
    assert!(
        (volume / exact - 1.0).abs() < 1.0e-9,
        "volume {volume} instead of {exact}"
    );
    mesh
}

/// A block of 0.2 kg at rest after a push of 3 N and 1 N into the corner; then
/// the whole force on it, and that of its patches by direction. Without
/// friction, so that each wall can only carry what is pushed against it.
fn in_the_corner(names: [&str; 2]) -> (DVec3, DVec3) {
    let size = DVec3::new(0.05, 0.04, 0.03);
    let [tray_material, surface] =
        names.map(|name| Material::named(name).unwrap().with_friction(0.0));
    let mut builder = ModelBuilder::new();
    builder.add(Body::fixed("tray", tray(), Pose::IDENTITY, tray_material));
    builder.add(Body::free("block", block(size), 0.2, surface));
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    let start = 0.5 * size + DVec3::new(1.0e-3, 2.0e-3, 0.0);
    place(
        &model,
        &mut state,
        BodyId::new(1),
        start,
        [1.0, 0.0, 0.0, 0.0],
    );
    let mut sim = Simulation::new(model, state, Settings::default()).unwrap();
    let push = DVec3::new(-3.0, -1.0, 0.0);
    let load = Load::new(BodyId::new(1), Wrench::new(DVec3::ZERO, push));
    sim.change(|controls| controls.loads.push(load)).unwrap();
    sim.advance_to(5.0).unwrap();
    let speed = velocity(&sim, BodyId::new(1))[0].length();
    assert!(speed < 1.0e-9, "speed {speed:e}");
    let total = sim.wrench_on(BodyId::new(1)).force - push;
    let mut by_patch = DVec3::ZERO;
    for c in sim.contacts() {
        let axis = (0..3).max_by(|i, j| c.normal[*i].abs().total_cmp(&c.normal[*j].abs()));
        by_patch[axis.unwrap()] += c.normal_force;
    }
    println!("{names:?}: total {total:.7}, patches {by_patch:.7}");
    (total, by_patch)
}

const TRAY_AND_BLOCK: [[&str; 2]; 4] = [
    ["steel", "rubber"],
    ["rubber", "steel"],
    ["rubber", "rubber"],
    ["plastic", "plastic"],
];

/// What the corner carries: push and weight.
const CARRIED: DVec3 = DVec3::new(3.0, 1.0, 0.2 * 9.81);

#[test]
fn block_in_the_corner_of_a_tray_is_carried() {
    for names in TRAY_AND_BLOCK {
        let error = (in_the_corner(names).0 / CARRIED - 1.0).abs().max_element();
        assert!(error < 1.0e-6, "{names:?}: {error:e}");
    }
}

/// Each patch has the load of its wall, which is what friction follows: exactly
/// where the block alone is soft. The tray's own layer presses in the corner's
/// edges in no one's direction, a depth over a width of the load.
#[test]
fn patches_in_the_corner_of_a_tray_have_their_loads() {
    let errors =
        TRAY_AND_BLOCK.map(|names| (in_the_corner(names).1 / CARRIED - 1.0).abs().max_element());
    assert!(errors[0] < 1.0e-6, "{errors:?}");
    assert!(errors.iter().all(|error| *error < 1.0e-3), "{errors:?}");
}

/// A plate with a square hole, 20 mm wide.
fn plate_with_hole() -> Arc<ClosedMesh> {
    let (out, hole, z) = (0.03, 0.01, 0.005);
    let bar =
        |x0: f64, x1: f64, y0: f64, y1: f64| between(DVec3::new(x0, y0, -z), DVec3::new(x1, y1, z));
    let bars = [
        bar(-out, -hole, -out, out),
        bar(hole, out, -out, out),
        bar(-out, out, -out, -hole),
        bar(-out, out, hole, out),
    ];
    let mesh = closed(volar_solids::unite(&bars).unwrap());
    let exact = 4.0 * (out * out - hole * hole) * 2.0 * z;
    let volume = mesh.moments().unwrap().volume;
    assert!(
        (volume / exact - 1.0).abs() < 1.0e-9,
        "volume {volume} instead of {exact}"
    );
    mesh
}

fn peg(names: [&str; 2], mu: f64, offset: DVec3, angle: f64, gravity: DVec3) -> Simulation {
    let [plate, surface] = names.map(|name| Material::named(name).unwrap().with_friction(mu));
    let mut builder = ModelBuilder::new();
    builder.gravity = gravity;
    builder.add(Body::fixed(
        "plate",
        plate_with_hole(),
        Pose::IDENTITY,
        plate,
    ));
    let size = DVec3::new(0.0201, 0.0201, 0.04);
    builder.add(Body::free("peg", block(size), 0.1, surface));
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    place(
        &model,
        &mut state,
        BodyId::new(1),
        offset,
        wxyz(DVec3::new(0.48, 0.6, 0.64), angle),
    );
    Simulation::new(model, state, Settings::default()).unwrap()
}

/// A peg 0.1 mm too wide finds the middle of its hole: the four walls push it
/// there, and nothing is left of their forces. 10 nm is 5e-4 of the start's
/// offset. Without friction; with it the peg stays where it was put.
#[test]
fn oversize_peg_centres_in_its_hole() {
    println!("plate/peg            off the middle m  tilt rad   net force N  wall forces N");
    for names in [
        ["steel", "rubber"],
        ["rubber", "steel"],
        ["rubber", "rubber"],
    ] {
        let mut sim = peg(
            names,
            0.0,
            DVec3::new(2.0e-5, -1.0e-5, 0.0),
            1.0e-3,
            DVec3::ZERO,
        );
        sim.advance_to(3.0).unwrap();
        let p = position(&sim, BodyId::new(1));
        let off = p.truncate().length();
        let q = &sim.state().q[3..7];
        let tilt = 2.0 * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
        let net = sim.wrench_on(BodyId::new(1)).force.length();
        let walls: Vec<f64> = sim.contacts().iter().map(|c| c.normal_force).collect();
        println!("{names:?}  {off:9.2e}  {tilt:9.2e}  {net:9.2e}  {walls:.3?}");
        assert!(
            walls.len() == 4 && walls.iter().all(|w| *w > 1.0),
            "four walls press"
        );
        assert!(off < 1.0e-8, "{off:e} m off the middle");
        assert!(net < 1.0e-6 * walls[0], "net force {net:e} N");
    }
}

/// With friction the walls carry the peg's weight, and it does not creep.
#[test]
fn oversize_peg_is_held_by_friction() {
    for names in [["steel", "rubber"], ["rubber", "rubber"]] {
        let mut sim = peg(names, 0.5, DVec3::ZERO, 0.0, DVec3::new(0.0, 0.0, -9.81));
        sim.advance_to(1.0).unwrap();
        let before = position(&sim, BodyId::new(1));
        sim.advance_to(4.0).unwrap();
        let (drift, off) = (
            position(&sim, BodyId::new(1)) - before,
            position(&sim, BodyId::new(1)).truncate().length(),
        );
        let lift: f64 = sim.contacts().iter().map(|c| -c.friction_force.z).sum();
        println!(
            "{names:?}: drift {:.1e} m, off the middle {off:.1e} m, lift {lift:.9} N",
            drift.length()
        );
        assert!(drift.length() < 1.0e-12, "drift {drift}");
        assert!(off < 1.0e-8, "{off:e} m off the middle");
        assert!((lift / 0.981 - 1.0).abs() < 1.0e-6, "lift {lift} N");
    }
}
