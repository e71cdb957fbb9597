//! Many bodies: those that are apart cost and move as if alone, and those that
//! hang together in a large island carry each other's weight.

use crate::scenes::block;
use glam::DVec3;
use volar_contact::Material;
use volar_sim::{Body, BodyId, ModelBuilder, Simulation};

const EDGE: f64 = 0.04;
const MASS: f64 = 0.1;

fn rubber() -> Material {
    Material::named("rubber").unwrap()
}

/// Blocks on the ground at the given places.
fn blocks(places: impl Iterator<Item = DVec3>) -> (Simulation, Vec<BodyId>) {
    let mut builder = ModelBuilder::new();
    builder.add(Body::ground("ground", DVec3::ZERO, DVec3::Z, rubber()).unwrap());
    let mesh = block(DVec3::splat(EDGE));
    let ids = places.enumerate().map(|(i, p)| {
        let body = Body::free(&format!("block {i}"), mesh.clone(), MASS, rubber());
        builder.add(body.at(p.to_array()))
    });
    let ids = ids.collect();
    (Simulation::start(builder.build().unwrap()).unwrap(), ids)
}

#[test]
fn apart_they_fall_as_one_does() {
    let fall = |count: usize| {
        let spread = |i: usize| DVec3::new(0.1 * (i % 16) as f64, 0.1 * (i / 16) as f64, 0.03);
        let (mut sim, ids) = blocks((0..count).map(spread));
        sim.advance_to(0.2).unwrap();
        let heights: Vec<f64> = ids.iter().map(|id| sim.pose(*id).p.z).collect();
        (sim.statistics().steps, heights)
    };
    let (alone_steps, alone) = fall(1);
    let (steps, heights) = fall(200);
    println!("steps: {alone_steps} of one block, {steps} of 200");
    // The first of many touches by rounding cuts a step for all.
    assert!(steps < 2 * alone_steps);
    for height in heights {
        assert!((height - alone[0]).abs() < 1.0e-9, "{height} m");
    }
}

/// 20 blocks have 120 degrees of freedom, more than one dense block of the linear
/// system takes.
#[test]
fn a_tower_carries_its_weight() {
    const COUNT: usize = 20;
    let up = |i: usize| DVec3::new(0.0, 0.0, EDGE * (i as f64 + 0.5));
    let (mut sim, ids) = blocks((0..COUNT).map(up));
    sim.advance_to(5.0).unwrap();
    for (i, &id) in ids.iter().enumerate() {
        let contacts = sim.contacts_of(id);
        let below = contacts.iter().filter(|contact| contact.b == id);
        let force: f64 = below.map(|contact| contact.normal_force).sum();
        let weight = (COUNT - i) as f64 * MASS * 9.81;
        assert!(
            (force - weight).abs() < 1.0e-4 * weight,
            "{force} N for {weight} N"
        );
    }
}
