//! Critical friction: pads smaller than the object's face hold it at
//! 1.001 μ_crit without slip and let it slide at 0.999 μ_crit exactly as
//! Coulomb says, `½ (1 − μ/μ_crit) g t²`, with μ_crit = m g / (2 N).

use std::sync::Arc;

use crate::scenes::{Squeeze, ball, block, closed};
use glam::{DVec2, DVec3};
use volar_geom::ClosedMesh;
use volar_sim::{Settings, Simulation, State};
use volar_testkit::solids::prism;

const OBJECT: usize = 2;
const G: f64 = 9.81;

/// A hexagonal bar along z with faces at x = ±30 mm.
fn hexagon() -> Arc<ClosedMesh> {
    let radius = 0.03 / (std::f64::consts::PI / 6.0).cos();
    let angle = |i: u32| std::f64::consts::PI * (f64::from(i) / 3.0 + 1.0 / 6.0);
    let outline: Vec<DVec2> = (0..6)
        .map(|i| radius * DVec2::from_angle(angle(i)))
        .collect();
    closed(prism(&outline, 0.08))
}

/// Settles at twice the critical friction, then lowers it to `ratio` of it;
/// how far it sinks and slips in a time after that.
fn lowered(object: Arc<ClosedMesh>, mass: f64, ratio: f64, time: f64) -> (f64, f64) {
    let mut squeeze = Squeeze::of(object);
    squeeze.size = DVec3::new(0.02, 0.02, 0.03);
    squeeze.gap = 0.0301;
    squeeze.mass = mass;
    let critical = mass * G / (2.0 * squeeze.effort);
    squeeze.pad.friction = 2.0 * critical;
    squeeze.surface.friction = 2.0 * critical;
    let model = squeeze.model();
    let state = State::neutral(&model);
    let mut simulation = Simulation::new(model.clone(), state, Settings::default()).unwrap();
    simulation
        .change(|controls| controls.gravity = DVec3::ZERO.into())
        .unwrap();
    simulation.advance_to(1.0).unwrap();
    simulation
        .change(|controls| controls.gravity = DVec3::new(0.0, 0.0, -G).into())
        .unwrap();
    simulation.advance_to(4.0).unwrap();
    let seen = |simulation: &mut Simulation| {
        let contacts = simulation.contacts();
        let slip = contacts.iter().map(|c| c.slip).fold(0.0, f64::max);
        (
            simulation.state().q[model.tree().q_range(OBJECT).start + 2],
            slip,
        )
    };
    let (height, slip) = seen(&mut simulation);
    simulation
        .change(|controls| {
            for body in model.bodies() {
                controls.material_mut(body).friction = ratio * critical;
            }
        })
        .unwrap();
    simulation.advance_to(4.0 + time).unwrap();
    let (lower, more) = seen(&mut simulation);
    (height - lower, more - slip)
}

#[test]
fn holds_above_and_slides_below() {
    println!("object    mass  slip at 1.001 in 5 s  sunk at 0.999 in 1 s  formula");
    for (name, object, mass) in [
        ("cube", block(DVec3::splat(0.06)), 0.2),
        ("brick", block(DVec3::new(0.06, 0.1, 0.05)), 0.05),
        ("hexagon", hexagon(), 0.4),
        ("sphere", ball(), 0.2),
    ] {
        let (_, slip) = lowered(object.clone(), mass, 1.001, 5.0);
        let (sunk, _) = lowered(object, mass, 0.999, 1.0);
        let formula = 0.5 * (1.0 - 0.999) * G;
        println!("{name:8}  {mass:4}  {slip:20.1e}  {sunk:20.6e}  {formula:.4e}");
        assert!(slip < 1e-9, "plastic slip in 5 s");
        assert!((sunk / formula - 1.0).abs() < 0.05);
    }
}
