//! Rows of blocks squeezed between two fingers, after the benchmark of Taylor,
//! Drumwright & Hsu (2016): 1 to 11 blocks of 0.1 m and 1 kg, 100 N per block,
//! μ = 100, gravity on, 100 s. Published logs: Bullet lets go after 1.0 to
//! 7.2 s, ODE after 0.6 to 2.5 s from three blocks on, DART holds up to three.

use std::sync::Arc;

use crate::scenes::{block, box_mass, place};
use glam::DVec3;
use volar_contact::{Material, PairMaterial};
use volar_dynamics::{Actuator, DofParams, Joint};
use volar_geom::Pose;
use volar_sim::{Body, BodyId, Model, ModelBuilder, Parent, Settings, Simulation, State};

const EDGE: f64 = 0.1;
const EFFORT_PER_BLOCK: f64 = 100.0;
const FINGERS: usize = 2;

fn plastic() -> Material {
    Material::named("plastic").unwrap().with_friction(100.0)
}

fn row(blocks: usize) -> (Arc<Model>, State) {
    let mut builder = ModelBuilder::new();
    let half = 0.5 * EDGE * blocks as f64;
    let size = DVec3::new(0.1, 0.2, 0.2);
    for (name, side) in [("left", -1.0), ("right", 1.0)] {
        let finger = builder.add(Body {
            name: name.into(),
            parent: Parent::World,
            placement: Pose::from_translation(DVec3::new(side * (half + 0.5 * size.x), 0.0, 0.0)),
            joint: Joint::Prismatic {
                axis: DVec3::new(-side, 0.0, 0.0),
            },
            mass: box_mass(1.0, size),
            shapes: vec![block(size)],
            material: plastic(),
            joint_params: DofParams::default(),
        });
        let effort = EFFORT_PER_BLOCK * blocks as f64;
        builder.drive(finger.joint(), Actuator::effort(effort));
    }
    let cube = block(DVec3::splat(EDGE));
    for i in 0..blocks {
        builder.add(Body::free(
            &format!("block {i}"),
            cube.clone(),
            1.0,
            plastic(),
        ));
    }
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    for i in 0..blocks {
        let x = EDGE * (i as f64 + 0.5) - half;
        let wxyz = [1.0, 0.0, 0.0, 0.0];
        place(
            &model,
            &mut state,
            BodyId::new(FINGERS + i),
            DVec3::new(x, 0.0, 0.0),
            wxyz,
        );
    }
    (model, state)
}

fn positions(simulation: &Simulation, blocks: usize) -> Vec<DVec3> {
    let tree = simulation.model().tree();
    let at = |i: usize| tree.q_range(FINGERS + i).start;
    let q = &simulation.state().q;
    (0..blocks)
        .map(|i| DVec3::from_slice(&q[at(i)..]))
        .collect()
}

/// Load at which the row would buckle: n rigid blocks with joints of stiffness
/// `k = g a⁴/12` bend like a beam of `EI = k a` between clamped ends, so
/// `F = 4 π² E I / (n a)²` [Euler].
fn buckling_load(blocks: usize) -> f64 {
    let stiffness = PairMaterial::of(&plastic(), &plastic()).stiffness;
    let joint = stiffness * EDGE.powi(4) / 12.0;
    4.0 * std::f64::consts::PI.powi(2) * joint / ((blocks * blocks) as f64 * EDGE)
}

#[test]
fn rows_of_one_to_eleven_blocks_are_held_for_100_s() {
    let stiffness = PairMaterial::of(&plastic(), &plastic()).stiffness;
    println!("plastic on plastic, {stiffness:.3e} N/m³");
    println!("blocks  load/buckling  sag/m     drift 2-100 s/m  steps  rejected");
    for blocks in 1..=11 {
        let (model, state) = row(blocks);
        let mut simulation = Simulation::new(model, state, Settings::default()).unwrap();
        simulation.advance_to(2.0).unwrap();
        let before = positions(&simulation, blocks);
        simulation.advance_to(100.0).unwrap();
        let after = positions(&simulation, blocks);
        let moved = after.iter().zip(&before).map(|(a, b)| (*a - *b).length());
        let drift = moved.fold(0.0, f64::max);
        let sag = after.iter().map(|p| -p.z).fold(0.0, f64::max);
        let load = EFFORT_PER_BLOCK * blocks as f64 / buckling_load(blocks);
        let statistics = simulation.statistics();
        println!(
            "{blocks:6}  {load:13.1e}  {sag:.2e}  {drift:15.1e}  {:5}  {:8}",
            statistics.steps, statistics.rejected
        );
        assert!(sag < 1e-3, "held");
        assert!(drift < 1e-4, "drift");
    }
}
