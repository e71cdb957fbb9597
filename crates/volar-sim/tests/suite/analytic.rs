//! Contact against closed forms: a block on an incline, the angular velocity of a disc,
//! bounces, collisions, and the energy balance of a body that does all of it.
//!
//! Where the table of materials has no place in the closed form, the bodies
//! are made so that one of the two is ten times harder and more: then one depth
//! field is left, and the contact is the textbook's.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use crate::scenes::*;
use glam::{DMat3, DVec2, DVec3};
use volar_contact::Material;
use volar_dynamics::Joint;
use volar_geom::Pose;
use volar_geom::mesh::shapes::icosphere;
use volar_sim::{Body, BodyId, Integrator, ModelBuilder, Settings, Simulation, State};
use volar_testkit::solids::prism;

const G: f64 = 9.81;

/// A block of rubber on a steel plane that is tilted about y, friction μ; at
/// rest, just touching.
fn incline(mu: f64, angle: f64, settings: Settings) -> Simulation {
    let tilt = DMat3::from_rotation_y(angle);
    let (plane, size) = (DVec3::new(40.0, 1.0, 0.2), DVec3::new(0.06, 0.06, 0.02));
    let mut builder = ModelBuilder::new();
    let top = Pose {
        R: tilt,
        p: tilt * DVec3::new(0.0, 0.0, -0.5 * plane.z),
    };
    let steel = Material::named("steel").unwrap().with_friction(mu);
    let rubber = Material::named("rubber").unwrap().with_friction(mu);
    builder.add(Body::fixed("plane", block(plane), top, steel));
    let body = builder.add(Body::free("block", block(size), 0.2, rubber));
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    let start = tilt * DVec3::new(0.0, 0.0, 0.5 * size.z);
    place(&model, &mut state, body, start, wxyz(DVec3::Y, angle));
    Simulation::new(model, state, settings).unwrap()
}

/// Below atan μ the bristles are springs: what has come to rest stays there.
/// 1 pm in 8 s is what rounding may do, not what friction may. Explicit steps
/// ride on the limit of their stability, with a ripple of the tolerance's size
/// in which bristles slip to and fro; theirs is 1e-5, and 1 nm the limit.
#[test]
fn block_on_an_incline_sticks_without_creep() {
    let mu = 0.5;
    println!("tan/mu  integrator   speed m/s    drift m      slip m");
    for (integrator, tolerance, furthest, fastest) in [
        (Integrator::Implicit, 1.0e-3, 1.0e-12, 1.0e-12),
        (Integrator::Rk45, 1.0e-5, 1.0e-9, 1.0e-6),
    ] {
        for share in [0.5, 0.95] {
            let mut sim = incline(mu, f64::atan(share * mu), settings(integrator, tolerance));
            sim.advance_to(2.0).unwrap();
            let before = position(&sim, BodyId::new(1));
            let slip_before = sim.contacts()[0].slip;
            sim.advance_to(10.0).unwrap();
            let drift = (position(&sim, BodyId::new(1)) - before).length();
            let speed = velocity(&sim, BodyId::new(1))[0].length();
            let slip = sim.contacts()[0].slip - slip_before;
            println!("{share:6.2}  {integrator:10?}  {speed:9.2e}  {drift:9.2e}  {slip:9.2e}");
            assert!(speed < fastest, "speed {speed:e}");
            assert!(drift < furthest, "drift {drift:e}");
            assert!(slip <= 0.0, "slip {slip:e}");
        }
    }
}

/// Above atan μ: a = g (sin θ − μ cos θ). 1e-3, since the block still rocks a
/// little on its pair material and velocities are good to the tolerance.
#[test]
fn block_on_an_incline_slides_as_coulomb_says() {
    let mu = 0.5;
    println!("tan/mu  integrator   a m/s2     closed form  relative error");
    for integrator in BOTH {
        for share in [1.05, 1.2, 2.0] {
            let angle = f64::atan(share * mu);
            let mut sim = incline(mu, angle, settings(integrator, 1.0e-3));
            sim.advance_to(0.5).unwrap();
            let down = DMat3::from_rotation_y(angle) * DVec3::X;
            let before = velocity(&sim, BodyId::new(1))[0].dot(down);
            sim.advance_to(1.0).unwrap();
            let a = (velocity(&sim, BodyId::new(1))[0].dot(down) - before) / 0.5;
            let exact = G * (angle.sin() - mu * angle.cos());
            let error = a / exact - 1.0;
            println!("{share:6.2}  {integrator:10?}  {a:9.6}  {exact:9.6}  {error:9.2e}");
            assert!(error.abs() < 1.0e-3, "a {a} instead of {exact}");
        }
    }
}

/// A disc that spins on a plane under its weight is slowed by ⅔ μ N R. 96
/// sides: the prism has the area of a disc whose torque differs by 1e-6. 1e-3
/// as for the incline.
#[test]
fn spinning_disc_feels_two_thirds_mu_n_r() {
    let (mu, sides, corner, mass) = (0.4, 96_u32, 0.03, 0.3);
    let at = |k: u32| corner * DVec2::from_angle(TAU * f64::from(k) / f64::from(sides));
    let outline: Vec<DVec2> = (0..sides).map(at).collect();
    let mesh = closed(prism(&outline, 0.02));
    let area = 0.5 * f64::from(sides) * corner * corner * (TAU / f64::from(sides)).sin();
    let radius = (area / PI).sqrt();
    println!("softer  integrator   torque N m   2/3 mu N R   relative error");
    for integrator in BOTH {
        for soft_disc in [true, false] {
            let (disc, plane) = if soft_disc {
                ("rubber", "steel")
            } else {
                ("steel", "rubber")
            };
            let [disc, plane] =
                [disc, plane].map(|m| Material::named(m).unwrap().with_friction(mu));
            let mut builder = ModelBuilder::new();
            let floor = Pose::from_translation(DVec3::new(0.0, 0.0, -0.1));
            builder.add(Body::fixed(
                "plane",
                block(DVec3::new(1.0, 1.0, 0.2)),
                floor,
                plane,
            ));
            let body = Body::free("disc", mesh.clone(), mass, disc);
            let inertia = body.mass.inertia.z_axis.z;
            let body = builder.add(body);
            let model = Arc::new(builder.build().unwrap());
            let mut state = State::neutral(&model);
            place(
                &model,
                &mut state,
                body,
                DVec3::new(0.0, 0.0, 0.01),
                [1.0, 0.0, 0.0, 0.0],
            );
            throw(
                &model,
                &mut state,
                body,
                DVec3::ZERO,
                DVec3::new(0.0, 0.0, 60.0),
            );
            let mut sim = Simulation::new(model, state, settings(integrator, 1.0e-3)).unwrap();
            sim.advance_to(0.1).unwrap();
            let before = velocity(&sim, body)[1].z;
            sim.advance_to(0.2).unwrap();
            let torque = inertia * (before - velocity(&sim, body)[1].z) / 0.1;
            let exact = 2.0 / 3.0 * mu * mass * G * radius;
            let error = torque / exact - 1.0;
            println!("{soft_disc}  {integrator:10?}  {torque:.6}  {exact:.6}  {error:9.2e}");
            assert!(error.abs() < 1.0e-3, "torque {torque} instead of {exact}");
        }
    }
}

/// A ball above a rubber plane, neither with friction.
fn drop(damping_time: f64, height: f64, settings: Settings) -> Simulation {
    let mut builder = ModelBuilder::new();
    let floor = Pose::from_translation(DVec3::new(0.0, 0.0, -0.1));
    let rubber = material("rubber", 0.0, damping_time);
    let plastic = material("plastic", 0.0, damping_time);
    builder.add(Body::fixed(
        "plane",
        block(DVec3::new(1.0, 1.0, 0.2)),
        floor,
        rubber,
    ));
    let body = builder.add(Body::free("ball", ball(), 0.2, plastic));
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    place(
        &model,
        &mut state,
        body,
        DVec3::new(0.0, 0.0, 0.03 + height),
        [1.0, 0.0, 0.0, 0.0],
    );
    Simulation::new(model, state, settings).unwrap()
}

/// Without damping a ball comes back to where it was dropped, in one go: what
/// it lacks is the integrator's error, and the pair material has given back all it took.
/// A bounce is some twenty steps, each good to the tolerance.
fn bounces_back(integrator: Integrator) {
    let height = 0.1;
    let fall = (2.0 * height / G).sqrt();
    println!("integrator  tolerance  bounce/drop - 1  left in the foundation / energy");
    let mut last = f64::INFINITY;
    for tolerance in [1.0e-3, 1.0e-5, 1.0e-7] {
        let mut sim = drop(0.0, height, settings(integrator, tolerance));
        sim.advance_to(1.5 * fall).unwrap();
        let (p, [v, _]) = (
            position(&sim, BodyId::new(1)),
            velocity(&sim, BodyId::new(1)),
        );
        assert!(v.z > 0.0 && p.z > 0.031, "on its way up");
        let apex = p.z - 0.03 + v.z * v.z / (2.0 * G);
        let error = apex / height - 1.0;
        let left = sim.energies().balance.contact / (0.2 * G * height);
        println!("{integrator:10?}  {tolerance:.0e}  {error:9.2e}  {left:9.2e}");
        assert!(error.abs() < 20.0 * tolerance, "bounce off by {error:e}");
        assert!(
            left.abs() < 20.0 * tolerance,
            "{left:e} left in the foundation"
        );
        assert!(error.abs() < last, "a smaller tolerance is no better");
        last = error.abs();
    }
}

#[test]
fn undamped_ball_bounces_back_to_its_height_explicitly() {
    bounces_back(Integrator::Rk45);
}

#[test]
fn undamped_ball_bounces_back_to_its_height_implicitly() {
    bounces_back(Integrator::Implicit);
}

/// With damping the energy falls at every bounce, and never grows: by no more
/// than the tolerance's share of the energy dropped.
#[test]
fn damped_ball_only_loses_energy() {
    for integrator in BOTH {
        let mut sim = drop(1.0e-3, 0.1, settings(integrator, 1.0e-3));
        let dropped = 0.2 * G * 0.1;
        let mut last = sim.energies().total();
        let first = last;
        let mut grown = 0.0_f64;
        for k in 1..=400 {
            sim.advance_to(f64::from(k) * 5.0e-3).unwrap();
            let total = sim.energies().total();
            grown = grown.max(total - last);
            last = total;
        }
        println!(
            "{integrator:?}: lost {:.4} of the energy, largest growth {:.1e}",
            (first - last) / dropped,
            grown / dropped
        );
        assert!((first - last) / dropped > 0.9);
        assert!(grown < 1.0e-3 * dropped, "grew by {:e}", grown / dropped);
    }
}

/// Two equal bodies, the first at 1 m/s towards the second.
fn cradle(spheres: bool, settings: Settings) -> Simulation {
    let mut builder = ModelBuilder::new();
    builder.gravity = DVec3::ZERO;
    let plastic = material("plastic", 0.0, 0.0);
    for (name, x) in [("first", -0.05), ("second", 0.05)] {
        if spheres {
            builder.add(Body::free(name, closed(icosphere(0.03, 2)), 0.1, plastic));
        } else {
            let size = DVec3::splat(0.04);
            builder.add(Body {
                joint: Joint::Prismatic { axis: DVec3::X },
                placement: Pose::from_translation(DVec3::new(x, 0.0, 0.0)),
                ..Body::free(name, block(size), 0.1, plastic)
            });
        }
    }
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    if spheres {
        place(
            &model,
            &mut state,
            BodyId::new(0),
            DVec3::new(-0.05, 0.0, 0.0),
            [1.0, 0.0, 0.0, 0.0],
        );
        place(
            &model,
            &mut state,
            BodyId::new(1),
            DVec3::new(0.05, 0.0, 0.0),
            [1.0, 0.0, 0.0, 0.0],
        );
    }
    state.v[0] = 1.0;
    Simulation::new(model, state, settings).unwrap()
}

/// Equal bodies exchange their velocities. Momentum is linear in the state and
/// both integrators keep it to rounding; velocities and energy keep to the
/// tolerance, per bounce about ten times it.
#[test]
fn equal_bodies_exchange_velocities() {
    println!("shape    integrator  tolerance  v1         v2 - 1     momentum   energy");
    for spheres in [false, true] {
        for integrator in BOTH {
            for tolerance in [1.0e-3, 1.0e-5, 1.0e-7] {
                let mut sim = cradle(spheres, settings(integrator, tolerance));
                sim.advance_to(0.15).unwrap();
                let second = sim.model().tree().v_range(1).start;
                let (v1, v2) = (sim.state().v[0], sim.state().v[second]);
                let momentum = v1 + v2 - 1.0;
                let energy = sim.energies().kinetic / 0.05 - 1.0;
                println!(
                    "{spheres} {integrator:10?}  {tolerance:.0e}  {v1:9.2e}  {:9.2e}  {momentum:9.2e}  {energy:9.2e}",
                    v2 - 1.0
                );
                assert!(momentum.abs() < 1.0e-9);
                assert!(v1.abs() < 10.0 * tolerance && (v2 - 1.0).abs() < 10.0 * tolerance);
                assert!(energy.abs() < 20.0 * tolerance);
            }
        }
    }
}

/// A block of plastic thrown askew on a rubber plane: it bounces, slides, spins
/// and comes to rest.
fn thrown(settings: Settings) -> Simulation {
    let mut builder = ModelBuilder::new();
    let floor = Pose::from_translation(DVec3::new(0.0, 0.0, -0.1));
    let rubber = material("rubber", 0.3, 5.0e-4);
    let plastic = material("plastic", 0.3, 5.0e-4);
    builder.add(Body::fixed(
        "plane",
        block(DVec3::new(2.0, 2.0, 0.2)),
        floor,
        rubber,
    ));
    let size = DVec3::new(0.06, 0.05, 0.03);
    let body = builder.add(Body::free("block", block(size), 0.2, plastic));
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    let tilt = wxyz(DVec3::new(0.6, 0.0, 0.8), 0.3);
    place(&model, &mut state, body, DVec3::new(0.0, 0.0, 0.06), tilt);
    throw(
        &model,
        &mut state,
        body,
        DVec3::new(0.6, 0.1, 0.0),
        DVec3::new(1.0, 2.0, 3.0),
    );
    Simulation::new(model, state, settings).unwrap()
}

/// What is in the motion, stored, lost and put in adds up. The error is the
/// integrator's and goes away with the tolerance.
#[test]
fn energy_balance_of_bounce_and_slide_closes() {
    println!("integrator  tolerance  largest error / energy");
    for integrator in BOTH {
        let mut last = f64::INFINITY;
        for tolerance in [1.0e-3, 1.0e-4, 1.0e-5, 1.0e-6] {
            let mut sim = thrown(settings(integrator, tolerance));
            let start = sim.energies();
            let energy = start.kinetic + 0.2 * G * 0.045;
            let mut worst = 0.0_f64;
            for k in 1..=50 {
                sim.advance_to(f64::from(k) * 0.01).unwrap();
                let now = sim.energies();
                worst = worst.max((now.balance() - start.balance()).abs() / energy);
            }
            println!("{integrator:10?}  {tolerance:.0e}  {worst:9.2e}");
            assert!(worst < 5.0 * tolerance, "balance off by {worst:e}");
            assert!(worst < last, "a smaller tolerance is no better");
            last = worst;
        }
    }
}
