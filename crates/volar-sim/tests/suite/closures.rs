//! Closed chains: four-bar linkages by their closed form, welds, relations of joints.
//!
//! The four-bar: ground pivots at the origin and at (d, 0), crank a, coupler b and
//! rocker c, in the plane of x and z with hinges about −y, so that angles count from
//! x to z. With the crank at φ its end is A, and the rocker is at
//!
//! ```text
//! θ = π − atan2(A_z, d − A_x) − acos((c² + e² − b²) / (2 c e)),   e = |(d, 0) − A|
//! ```

use std::sync::Arc;

use glam::{DMat3, DVec3};
use volar_contact::Material;
use volar_dynamics::{Actuator, Joint};
use volar_geom::mesh::mass::MassProperties;
use volar_math::{Pose, Wrench};
use volar_sim::{
    Anchor, Body, BodyId, Closure, Load, Model, ModelBuilder, ModelError, Parent, Settings,
    SimError, Simulation, State,
};

use crate::scenes::block;

const A: f64 = 0.03;
const B: f64 = 0.08;
const C: f64 = 0.06;
const D: f64 = 0.07;

/// A bar along x of a length in m and a mass in kg, that touches nothing.
fn bar(name: &str, length: f64, mass: f64) -> Body {
    let centre = DVec3::new(0.5 * length, 0.0, 0.0);
    let across = mass * length * length / 12.0;
    Body {
        shapes: Vec::new(),
        mass: MassProperties {
            mass,
            centre_of_mass: centre,
            inertia: DMat3::from_diagonal(DVec3::new(0.02 * across, across, across)),
        },
        ..Body::free(
            name,
            block(DVec3::splat(0.01)),
            mass,
            Material::named("rubber").unwrap(),
        )
        .on_hinge([0.0, -1.0, 0.0])
    }
}

fn at(body: BodyId, p: DVec3) -> Anchor {
    Anchor {
        body: Some(body),
        frame: Pose::from_translation(p),
    }
}

/// Where the rocker is when the crank is at φ, and how much it turns with it.
fn rocker(phi: f64) -> f64 {
    let end = DVec3::new(A * phi.cos(), 0.0, A * phi.sin());
    let to = DVec3::new(D, 0.0, 0.0) - end;
    let e = to.length();
    std::f64::consts::PI - end.z.atan2(to.x) - ((C * C + e * e - B * B) / (2.0 * C * e)).acos()
}

/// Crank, coupler, rocker; closed with the crank at φ.
fn four_bar(masses: [f64; 3], phi: f64) -> (ModelBuilder, [BodyId; 3], [f64; 3]) {
    let mut builder = ModelBuilder::new();
    let crank = builder.add(bar("crank", A, masses[0]));
    let coupler = bar("coupler", B, masses[1]).on(Parent::Body(crank));
    let coupler = builder.add(coupler.at([A, 0.0, 0.0]));
    let rocking = builder.add(bar("rocker", C, masses[2]).at([D, 0.0, 0.0]));
    builder.close(Closure::Connect([
        at(coupler, DVec3::new(B, 0.0, 0.0)),
        at(rocking, DVec3::new(C, 0.0, 0.0)),
    ]));
    let theta = rocker(phi);
    let end = DVec3::new(A * phi.cos(), 0.0, A * phi.sin());
    let tip = DVec3::new(D + C * theta.cos(), 0.0, C * theta.sin());
    let along = (tip - end).z.atan2((tip - end).x);
    (
        builder,
        [crank, coupler, rocking],
        [phi, along - phi, theta],
    )
}

fn started(builder: ModelBuilder, q: &[f64], settings: Settings) -> Simulation {
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    state.q.copy_from_slice(q);
    Simulation::new(model, state, settings).unwrap()
}

/// How far the coupler's end is from the rocker's, m.
fn gap(sim: &Simulation, [_, coupler, rocking]: [BodyId; 3]) -> f64 {
    let a = sim.pose(coupler).point(DVec3::new(B, 0.0, 0.0));
    let b = sim.pose(rocking).point(DVec3::new(C, 0.0, 0.0));
    (a - b).length()
}

#[test]
fn a_driven_four_bar_follows_its_closed_form_for_a_minute() {
    let phi = 0.4;
    let (mut builder, bodies, q) = four_bar([0.02, 0.03, 0.05], phi);
    let motor = Actuator::Velocity {
        target: 3.0.into(), // rad/s
        kd: 5.0,
        effort_limit: None,
    };
    builder.drive(bodies[0].joint(), motor);
    let mut sim = started(builder, &q, Settings::default());
    sim.advance_to(0.2).unwrap(); // up to speed
    let before = sim.statistics().steps;
    let mut worst = 0.0_f64;
    for tenth in 3..=600 {
        sim.advance_to(0.1 * f64::from(tenth)).unwrap();
        worst = worst.max(gap(&sim, bodies));
        let [phi, theta] =
            [bodies[0], bodies[2]].map(|body| sim.joint_position(body.joint()).unwrap());
        let turns = (theta - rocker(phi)) / std::f64::consts::TAU;
        let off = (turns - turns.round()) * std::f64::consts::TAU;
        assert!(off.abs() < 1.0e-8, "rocker off by {off} rad at {phi}");
    }
    let steps = sim.statistics().steps - before;
    println!("gap {worst:.1e} m after 60 s, {steps} steps");
    assert!(worst < 1.0e-9, "{worst}");
    // Half a turn a second of a crank of 3 cm, to the default tolerance.
    assert!(steps < 18_000, "{steps}");
}

#[test]
fn torques_balance_by_virtual_work() {
    let phi = 1.1;
    let h = 1.0e-5;
    let ratio = (rocker(phi + h) - rocker(phi - h)) / (2.0 * h);
    let push = 0.7; // N m on the rocker
    let (mut builder, bodies, q) = four_bar([0.02, 0.03, 0.05], phi);
    builder.gravity = DVec3::ZERO;
    builder.drive(bodies[2].joint(), Actuator::effort(push));
    builder.drive(bodies[0].joint(), Actuator::effort(-push * ratio));
    let mut sim = started(builder, &q, Settings::default());
    sim.advance_to(0.05).unwrap();
    // Unstable at most: what is left is the difference quotient's error.
    let turned = sim.joint_position(bodies[0].joint()).unwrap() - phi;
    assert!(turned.abs() < 1.0e-4, "{turned}");
}

/// Left alone under gravity from one and the same state, both methods keep the energy
/// and agree.
#[test]
fn a_swinging_four_bar_keeps_its_energy() {
    let mut ends = Vec::new();
    for settings in [Settings::default(), Settings::rk45()] {
        let (builder, bodies, q) = four_bar([0.02, 0.03, 0.05], 0.8);
        let mut sim = started(builder, &q, settings);
        let start = sim.energies();
        sim.advance_to(2.0).unwrap();
        let end = sim.energies();
        let error = (end.total() - start.total()).abs();
        println!(
            "{:?}: energy off by {error:.1e} J of {:.1e}, closures {:.1e} J, {} steps",
            settings.integrator,
            end.kinetic,
            end.balance.closures,
            sim.statistics().steps
        );
        // Of the 0.03 J that swing.
        assert!(error < 3.0e-5, "{error}");
        assert!((end.balance() - start.balance()).abs() < 3.0e-5);
        assert!(end.balance.closures.abs() < 1.0e-5);
        assert!(gap(&sim, bodies) < 1.0e-9);
        ends.push(sim.joint_position(bodies[0].joint()).unwrap());
    }
    assert!((ends[0] - ends[1]).abs() < 2.0e-3, "{ends:?}");
}

fn cube(name: &str, mass: f64) -> Body {
    Body {
        shapes: Vec::new(),
        ..Body::free(
            name,
            block(DVec3::new(0.02, 0.04, 0.06)),
            mass,
            Material::named("rubber").unwrap(),
        )
    }
}

/// Two free bodies welded side by side move as one body of their masses, also under a
/// load on one of them.
#[test]
fn a_weld_makes_one_body_of_two() {
    let apart = DVec3::new(0.05, 0.01, 0.0);
    let (m1, m2) = (0.1, 0.3);
    let load = Wrench::new(DVec3::new(0.001, 0.002, -0.001), DVec3::new(0.2, -0.1, 0.3));
    let throw = |state: &mut State, joints: usize| {
        let w = DVec3::new(3.0, -2.0, 5.0);
        for body in 0..joints {
            let v = DVec3::new(0.1, 0.2, 0.0) + w.cross(apart * body as f64);
            state.v[6 * body..6 * body + 3].copy_from_slice(&v.to_array());
            state.v[6 * body + 3..6 * body + 6].copy_from_slice(&w.to_array());
        }
    };
    let run = |builder: ModelBuilder, joints: usize| {
        let model = Arc::new(builder.build().unwrap());
        let mut state = State::neutral(&model);
        throw(&mut state, joints);
        let settings = Settings {
            tolerance: 0.01 * Settings::default().tolerance,
            ..Settings::default()
        };
        let mut sim = Simulation::new(model, state, settings).unwrap();
        sim.change(|controls| controls.loads.push(Load::new(BodyId::new(0), load)))
            .unwrap();
        sim.advance_to(1.0).unwrap();
        sim
    };
    let mut two = ModelBuilder::new();
    let first = two.add(cube("first", m1));
    let second = two.add(cube("second", m2).at(apart));
    two.exclude(first, second);
    two.close(Closure::Weld([at(first, apart), at(second, DVec3::ZERO)]));
    let two = run(two, 2);

    let mut one = ModelBuilder::new();
    let parts = [cube("a", m1).mass, cube("b", m2).mass];
    let centre = apart * (m2 / (m1 + m2));
    let about = |part: &MassProperties, r: DVec3| {
        let square = DMat3::from_diagonal(DVec3::splat(r.length_squared()));
        let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
        part.inertia + (square - outer) * part.mass
    };
    let both = MassProperties {
        mass: m1 + m2,
        centre_of_mass: centre,
        inertia: about(&parts[0], -centre) + about(&parts[1], apart - centre),
    };
    one.add(Body {
        mass: both,
        ..cube("both", m1 + m2)
    });
    let one = run(one, 1);
    let (a, b) = (one.pose(BodyId::new(0)), two.pose(BodyId::new(0)));
    println!(
        "{:.1e} m apart after {:.2} m; steps {} and {}",
        (a.p - b.p).length(),
        a.p.length(),
        one.statistics().steps,
        two.statistics().steps
    );
    assert!((a.p - b.p).length() < 2.0e-5);
    assert!(
        (a.R - b.R)
            .abs()
            .to_cols_array()
            .iter()
            .all(|x| *x < 1.0e-3)
    );
    let relative = Pose::relative(&b, &two.pose(BodyId::new(1)));
    assert!((relative.p - apart).length() < 1.0e-9);
    assert!(two.statistics().steps < 2 * one.statistics().steps);
}

/// `y = 0.2 + 0.5 x − 0.3 x²` between two slides: position, velocity and the balance of
/// forces by virtual work.
#[test]
fn a_joint_follows_another_by_a_polynomial() {
    let (c1, c2) = (0.5, -0.3);
    let mut builder = ModelBuilder::new();
    builder.gravity = DVec3::ZERO;
    let slide = |name| cube(name, 0.2).on_slide([1.0, 0.0, 0.0]);
    let leader = builder.add(slide("leader"));
    let follower = builder.add(slide("follower"));
    builder.close(Closure::Joints {
        follower: vec![(follower.joint().into(), 1.0)],
        leader: vec![(leader.joint().into(), 1.0)],
        reference: [0.0, 0.0],
        polynomial: [0.2, c1, c2, 0.0, 0.0],
    });
    builder.drive(leader.joint(), Actuator::effort(1.5)); // N
    let mut sim = started(builder, &[0.0, 0.0], Settings::default());
    // It starts open and is closed: by the least motion, which moves both.
    let [x0, y0] = [leader, follower].map(|b| sim.joint_position(b.joint()).unwrap());
    assert!(
        (y0 - (0.2 + c1 * x0 + c2 * x0 * x0)).abs() < 1.0e-10,
        "{x0} {y0}"
    );
    assert!(x0 < -0.05 && y0 > 0.1);
    sim.advance_to(0.5).unwrap();
    let [x, y] = [leader, follower].map(|b| sim.joint_position(b.joint()).unwrap());
    let [vx, vy] = [leader, follower].map(|b| sim.joint_velocity(b.joint()).unwrap());
    assert!((y - (0.2 + c1 * x + c2 * x * x)).abs() < 1.0e-10);
    assert!((vy - (c1 + 2.0 * c2 * x) * vx).abs() < 1.0e-9);
    // All work of the force is motion.
    let kinetic = 0.5 * 0.2 * (vx * vx + vy * vy);
    assert!(
        (kinetic - 1.5 * (x - x0)).abs() < 2.0e-4 * kinetic,
        "{kinetic}"
    );
}

/// A gripper of two pads tied together squeezes with half of its motor's force each, and
/// touching shortens no step.
#[test]
fn contact_and_closure_share_a_load() {
    let mut builder = ModelBuilder::new();
    builder.gravity = DVec3::ZERO;
    let rubber = Material::named("rubber").unwrap();
    let mesh = block(DVec3::splat(0.04));
    let pad = |name| Body::free(name, mesh.clone(), 0.1, rubber).with_damping(20.0);
    let left = builder.add(pad("left").at([-0.05, 0.0, 0.0]).on_slide([1.0, 0.0, 0.0]));
    let right = builder.add(pad("right").at([0.05, 0.0, 0.0]).on_slide([-1.0, 0.0, 0.0]));
    let held = builder.add(Body::free("held", mesh.clone(), 0.2, rubber));
    builder.exclude(left, right);
    builder.close(Closure::Joints {
        follower: vec![(right.joint().into(), 1.0)],
        leader: vec![(left.joint().into(), 1.0)],
        reference: [0.0, 0.0],
        polynomial: [0.0, 1.0, 0.0, 0.0, 0.0],
    });
    builder.drive(left.joint(), Actuator::effort(10.0)); // N
    let mut sim = Simulation::start(builder.build().unwrap()).unwrap();
    sim.advance_to(2.0).unwrap();
    for pad in [left, right] {
        let force = sim.wrench_on(pad).force.x.abs();
        assert!((force - 5.0).abs() < 1.0e-3, "{force}");
    }
    assert!(sim.pose(held).p.length() < 1.0e-6);
    assert!(sim.statistics().steps < 1_000, "{}", sim.statistics().steps);
}

fn refused(builder: ModelBuilder) -> String {
    match builder.build() {
        Err(error @ ModelError::Closure { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn closures_that_make_no_sense_are_refused() {
    let mut builder = ModelBuilder::new();
    let fixed = |name: &str| Body {
        joint: Joint::Fixed,
        ..cube(name, 0.1)
    };
    let a = builder.add(fixed("a"));
    let b = builder.add(fixed("b"));
    builder.close_named(
        "tie",
        Closure::Connect([at(a, DVec3::ZERO), at(b, DVec3::ZERO)]),
    );
    let message = refused(builder);
    assert!(
        message.contains("tie") && message.contains("no joint moves"),
        "{message}"
    );

    let mut builder = ModelBuilder::new();
    let a = builder.add(cube("a", 0.1));
    builder.close(Closure::Connect([
        at(a, DVec3::NAN),
        at(BodyId::new(7), DVec3::ZERO),
    ]));
    assert!(refused(builder).contains("body number 7"));
}

#[test]
fn a_chain_that_cannot_be_closed_is_refused_with_its_gap() {
    let mut builder = ModelBuilder::new();
    let crank = builder.add(bar("crank", A, 0.02));
    let far = Anchor {
        body: None,
        frame: Pose::from_translation(DVec3::new(0.1, 0.0, 0.0)),
    };
    builder.close_named(
        "short",
        Closure::Connect([at(crank, DVec3::new(A, 0.0, 0.0)), far]),
    );
    let model: Model = builder.build().unwrap();
    match Simulation::start(model).map(|_| ()) {
        Err(SimError::Open { closure, gap, .. }) => {
            assert_eq!(closure, "short");
            assert!((gap - 0.07).abs() < 1.0e-6, "{gap}");
        }
        other => panic!("{other:?}"),
    }
}
