//! Grasps whose measures are known, to 1e-9.

use std::f64::consts::{PI, SQRT_2, TAU};

use glam::DVec3;
use volar_math::Wrench;
use volar_quality::{Contact, ContactModel, Grasp, Options, quality};

use crate::common::{faces_of_cube, options, three_on_disc, two_on_sphere};

#[track_caller]
fn close(value: f64, expected: f64) {
    let error = (value - expected).abs();
    assert!(error < 1.0e-9, "{value} instead of {expected}: {error:e}");
}

/// Two soft fingers, torques over the radius of the sphere, ρ = r/R. With x and y for the parts of
/// a direction that the friction of one and of the other finger is along,
///
/// ```text
/// |x|/(μ c) ≤ v ± u₁,  |u₄|/(μ ρ) ≤ v − |u₁|,  u² = (x² + y²)/2 + u₁² + u₄²,  c = cos(π/k)
/// ```
///
/// so that the greatest u², which is convex in u₁, is at u₁ = 0 or at u₁ = v. For L∞ the same
/// with A + B ≤ v of the two fingers.
#[test]
fn two_soft_fingers_on_a_sphere() {
    for (friction, ratio, edges) in [
        (0.5, 0.2, 8),
        (0.3, 0.05, 8),
        (0.8, 0.7, 16),
        (1.0, 3.0, 8),
        (0.2, 10.0, 4),
    ] {
        let radius = 0.03;
        let grasp = two_on_sphere(radius, friction, ratio * radius);
        let found = quality(&grasp, &options(ContactModel::SoftFinger, edges)).unwrap();
        let along = friction * (PI / edges as f64).cos();
        let about = friction * ratio;
        let sum_of = |x: f64, y: f64| 1.0 / (x * x) + 1.0 / (y * y);
        let l1 = sum_of(along, about).max(2.0 / (along * along) + 1.0);
        close(found.epsilon_l1.unwrap(), 1.0 / l1.sqrt());
        close(found.q1.unwrap(), 1.0 / l1.sqrt());
        let both = 0.25 * (sum_of(along, about) + 1.0);
        let linf = both.max(0.5 / (along * along) + 1.0);
        close(found.epsilon_linf.unwrap(), 1.0 / linf.sqrt());
        // A slice across the line of the fingers is a sum of two double pyramids, of
        // height h = μρ over polygons of radius μ√2.
        let area = 0.5 * edges as f64 * (TAU / edges as f64).sin();
        let mu5 = friction * friction * friction * friction * friction;
        let volume = 32.0 / 45.0 * mu5 * ratio * (0.5 * area) * (0.5 * area);
        close(found.volume_l1.unwrap() / volume, 1.0);
        assert!(found.force_closure);
    }
}

/// Hard points cannot be twisted about the line between them.
#[test]
fn two_points_on_a_sphere() {
    let grasp = two_on_sphere(0.03, 0.5, 6.0e-3);
    let found = quality(&grasp, &options(ContactModel::Point, 8)).unwrap();
    assert!(!found.force_closure);
    let zeros = [
        found.epsilon_l1.unwrap(),
        found.epsilon_linf.unwrap(),
        found.volume_l1.unwrap(),
        found.q1.unwrap(),
        found.min_singular_value,
        found.isotropy,
    ];
    zeros.into_iter().for_each(|value| close(value, 0.0));
}

/// Two soft fingers close if the line between them is within both cones [Nguyen 1988].
#[test]
fn two_fingers_at_an_angle() {
    let friction: f64 = 0.5;
    for (slope, closes) in [(0.499, true), (0.501, false), (0.1, true), (2.0, false)] {
        let mut grasp = two_on_sphere(0.03, friction, 5.0e-3);
        grasp.contacts[0].normal = DVec3::new(-1.0, slope, 0.0);
        let found = quality(&grasp, &options(ContactModel::SoftFinger, 64)).unwrap();
        assert_eq!(found.force_closure, closes, "{slope}");
        let within_pyramid = slope < friction * (PI / 64.0).cos();
        assert_eq!(found.epsilon_l1.unwrap() > 0.0, within_pyramid, "{slope}");
    }
}

/// `G Gᵀ` is diagonal: 3 for forces and for torque about the axis, 3/2 about the others.
#[test]
fn three_on_a_disc() {
    for friction in [0.1, 0.5, 1.0] {
        let mut options = options(ContactModel::Point, 8);
        options.load = Wrench {
            force: DVec3::new(0.0, 0.0, -3.0),
            torque: DVec3::ZERO,
        };
        let found = quality(&three_on_disc(0.04, friction), &options).unwrap();
        assert!(found.force_closure);
        close(found.min_singular_value, 1.5_f64.sqrt());
        close(found.isotropy, 1.0 / SQRT_2);
        close(found.balancing_force_n.unwrap(), 1.0 / friction);
        // A torque about the axis of μ R per newton.
        options.load = Wrench {
            force: DVec3::ZERO,
            torque: DVec3::new(0.0, 0.0, 0.6),
        };
        let found = quality(&three_on_disc(0.04, friction), &options).unwrap();
        close(found.balancing_force_n.unwrap() * 0.12 * friction, 0.6);
    }
}

/// The nearest facets are those across (±1, ±1, ±1) of the torques.
#[test]
fn faces_of_a_cube() {
    for friction in [0.05, 0.3, 0.6] {
        let options = options(ContactModel::Point, 4);
        let found = quality(&faces_of_cube(0.02, friction), &options).unwrap();
        close(found.epsilon_l1.unwrap(), friction / 3.0_f64.sqrt());
        close(found.q1.unwrap(), friction / 3.0_f64.sqrt());
        // Forces: 2 along the normal and 4 across it. Torques: 4 about each axis.
        close(found.min_singular_value, 2.0);
        close(found.isotropy, (4.0_f64 / 6.0).sqrt());
        assert!(found.force_closure);
    }
}

#[test]
fn forces_that_balance_a_load() {
    let (radius, friction, torsion) = (0.03, 0.5, 6.0e-3);
    let grasp = two_on_sphere(radius, friction, torsion);
    let mut options = options(ContactModel::SoftFinger, 8);
    let mut force = |force: DVec3, torque: DVec3| {
        options.load = Wrench { force, torque };
        quality(&grasp, &options).unwrap().balancing_force_n
    };
    let (weight, twist) = (2.0, 4.0e-3);
    close(
        force(weight * DVec3::Z, DVec3::ZERO).unwrap(),
        weight / (2.0 * friction),
    );
    close(
        force(DVec3::ZERO, twist * DVec3::X).unwrap(),
        twist / (2.0 * friction * torsion),
    );
    let both = (weight * weight + twist * twist / (torsion * torsion)).sqrt();
    close(
        force(weight * DVec3::Z, twist * DVec3::X).unwrap(),
        both / (2.0 * friction),
    );
    close(
        force(DVec3::ZERO, twist * DVec3::Y).unwrap(),
        twist / (2.0 * radius * friction),
    );
    // Along the line of the fingers one of them is enough.
    close(force(weight * DVec3::X, DVec3::ZERO).unwrap(), weight);
    close(force(DVec3::ZERO, DVec3::ZERO).unwrap(), 0.0);
    let hard = Options {
        model: ContactModel::Point,
        load: Wrench {
            force: DVec3::ZERO,
            torque: twist * DVec3::X,
        },
        ..Options::default()
    };
    assert_eq!(quality(&grasp, &hard).unwrap().balancing_force_n, None);
}

/// Two square pads between which a plate is tilted: a patch resists up to where its four points are.
#[test]
fn patches_resist_tilting() {
    let gyration = 4.0e-3;
    let pad = |side: f64| Contact {
        spread: [gyration * DVec3::Y, gyration * DVec3::Z],
        ..Contact::point(0.01 * side * DVec3::X, -side * DVec3::X, 0.0)
    };
    let grasp = Grasp {
        contacts: vec![pad(1.0), pad(-1.0)],
        centre: DVec3::ZERO,
        length: 0.01,
    };
    let mut options = options(ContactModel::Patch, 8);
    let torque = 1.0e-2;
    options.load.torque = torque * DVec3::Y;
    // Without friction: one finger presses at the upper, the other at the lower point.
    let arm = 2.0 * SQRT_2 * gyration;
    let found = quality(&grasp, &options).unwrap();
    close(found.balancing_force_n.unwrap() * arm / torque, 1.0);
    assert!(!found.force_closure);
    options.model = ContactModel::SoftFinger;
    assert_eq!(quality(&grasp, &options).unwrap().balancing_force_n, None);
}
