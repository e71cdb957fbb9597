//! Damping of the foundation law takes energy out of every motion, on patches
//! that wrap corners as well, and no contact ever pulls.

use crate::common::{Bodies, Motion, block, columns, eigenvalues, pair_materials, pose, stiff};
use glam::DVec3;
use volar_contact::foundation::RAMP_PRESSURE;
use volar_contact::{PairContact, PairMaterial};
use volar_geom::mesh::shapes::icosphere;
use volar_geom::{ClosedMesh, Pose};
use volar_math::Twist;
use volar_testkit::rng::Rng;
use volar_testkit::solids::{closed, l_block, u_channel};

/// Patches that wrap: pairs, and where A is.
fn wrapped() -> Vec<(&'static str, ClosedMesh, ClosedMesh, Pose)> {
    let cube = || block(0.04, 0.04, 0.04);
    let corner = closed(l_block(0.04, 0.01, 0.03));
    let channel = closed(u_channel(0.04, 0.01, 0.03));
    vec![
        (
            "cube's corner in a box",
            block(0.02, 0.02, 0.02),
            cube(),
            pose(DVec3::new(0.6, 0.7, 0.1), DVec3::new(0.002, 0.001, 0.033)),
        ),
        (
            "corner on corner",
            cube(),
            cube(),
            pose(DVec3::new(0.1, 0.05, 0.2), DVec3::new(0.036, 0.035, 0.037)),
        ),
        // The inner corner of the L is 10 mm from its two outer faces.
        (
            "ball in a tray's corner",
            closed(icosphere(0.01, 3)),
            corner,
            pose(DVec3::new(0.1, 0.2, 0.3), DVec3::new(-0.0003, -0.0004, 0.0)),
        ),
        (
            "block in a channel",
            block(0.0204, 0.02, 0.02),
            channel,
            pose(DVec3::new(0.0, 0.01, 0.02), DVec3::new(0.0, -0.0003, 0.001)),
        ),
    ]
}

fn moving(bodies: &Bodies, X_WA: Pose, rng: &mut Rng, speed: f64) -> (Motion, PairContact) {
    let motion = Motion {
        X_WA,
        X_WB: Pose::IDENTITY,
        at: X_WA.p,
        twist: Twist {
            angular: speed / 0.01 * rng.in_cube(1.0),
            linear: speed * rng.in_cube(1.0),
        },
    };
    let contact = bodies.fresh(&motion);
    (motion, contact)
}

#[test]
fn damping_takes_energy_out_of_every_motion() {
    println!(
        "{:<24} {:<10} least and greatest loss, N s/m",
        "patch", "field"
    );
    for (index, (name, a, b, X_WA)) in wrapped().into_iter().enumerate() {
        for (pair_material, materials) in pair_materials() {
            let bodies = Bodies::new(a.clone(), b.clone(), materials);
            let mut rng = Rng::for_case("damping", index);
            let (mut least, mut greatest) = (f64::INFINITY, 0.0_f64);
            for _ in 0..200 {
                // From creeping to a speed that outruns every spring.
                let speed = rng.log_uniform(1e-6, 10.0);
                let (motion, contact) = moving(&bodies, X_WA, &mut rng, speed);
                let lost = contact.damping_lost / motion.twist.linear.length_squared();
                assert!(lost >= 0.0, "{name}, {pair_material}: {lost:e}");
                least = least.min(lost);
                greatest = greatest.max(lost);
            }
            println!("{name:<24} {pair_material:<10} {least:.1e}  {greatest:.1e}");
            assert!(greatest > 0.0, "{name}, {pair_material} must be damped");
        }
    }
}

#[test]
fn the_damping_matrix_is_symmetric_and_negative_semidefinite() {
    // Eigenvalues in units of force per velocity, with turns at this lever.
    const LEVER: f64 = 0.01;
    println!(
        "{:<24} {:<10} eigenvalues / smallest, skew",
        "patch", "field"
    );
    for (index, (name, a, b, X_WA)) in wrapped().into_iter().enumerate() {
        for (pair_material, materials) in pair_materials() {
            let bodies = Bodies::new(a.clone(), b.clone(), materials);
            let mut rng = Rng::for_case("matrix", index);
            for speed in [0.0, 1e-3, 1.0] {
                let (_, contact) = moving(&bodies, X_WA, &mut rng, speed);
                let mut m = columns(&contact.normal_contact.by_twist);
                for i in 0..6 {
                    for j in 0..6 {
                        m[i][j] /=
                            if i < 3 { LEVER } else { 1.0 } * if j < 3 { LEVER } else { 1.0 };
                    }
                }
                let values = eigenvalues(m);
                let stiffest = values.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
                let skew = (0..36).map(|k| (m[k / 6][k % 6] - m[k % 6][k / 6]).abs());
                let skew = skew.fold(0.0, f64::max) / stiffest;
                let largest = values.iter().fold(f64::NEG_INFINITY, |a, v| a.max(*v)) / stiffest;
                if speed <= 0.0 {
                    println!("{name:<24} {pair_material:<10} {largest:+.1e}, {skew:.1e}");
                }
                assert!(skew < 1e-13, "{name}, {pair_material}: {skew:e}");
                assert!(
                    largest < 1e-13,
                    "{name}, {pair_material}: an eigenvalue of {largest:e}"
                );
            }
        }
    }
}

/// Drawn apart faster than the springs follow, a contact loses its load; it
/// never pulls, neither as a whole nor in any of its parts.
#[test]
fn no_contact_pulls() {
    let mut unloaded = 0;
    for (index, (name, a, b, X_WA)) in wrapped().into_iter().enumerate() {
        for (pair_material, materials) in pair_materials() {
            let bodies = Bodies::new(a.clone(), b.clone(), materials);
            let mut rng = Rng::for_case("pull", index);
            let still = bodies.fresh(&Motion::still(X_WA, Pose::IDENTITY));
            for _ in 0..200 {
                let speed = rng.log_uniform(1e-3, 10.0);
                let (mut motion, mut contact) = moving(&bodies, X_WA, &mut rng, speed);
                if motion.twist.linear.dot(X_WA.R * still.wrench.force) < 0.0 {
                    motion.twist.linear *= -1.0;
                    contact = bodies.fresh(&motion);
                }
                for fragment in &contact.normal_contact.fragments {
                    let load = fragment.sums.load;
                    assert!(
                        load >= 0.0,
                        "{name}, {pair_material}: {load:e} N at {speed} m/s"
                    );
                }
                unloaded += usize::from(load(&contact) < 0.5 * load(&still));
            }
        }
    }
    println!("less than half of the load at rest: {unloaded} of 2400 motions");
    assert!(
        unloaded > 100,
        "the speeds must be such that loads fall: {unloaded}"
    );
    // Flat faces drawn straight apart lose all of it.
    let bodies = Bodies::new(
        block(0.02, 0.02, 0.02),
        block(0.1, 0.1, 0.04),
        pair_materials()[0].1,
    );
    let X_WA = pose(DVec3::ZERO, DVec3::new(0.0, 0.0, 0.03 - 1e-4));
    let mut motion = Motion::still(X_WA, Pose::IDENTITY);
    let still = bodies.fresh(&motion).wrench.force.z;
    motion.twist.linear = DVec3::Z;
    let left = bodies.fresh(&motion).wrench.force.z / still;
    println!("flat faces drawn apart: {left:.1e} of the load at rest");
    // The strips along the sides keep normal contact sideways: 2 depths of 20 mm.
    assert!((-1e-12..0.02).contains(&left), "{left:e}");
}

fn load(contact: &PairContact) -> f64 {
    contact
        .normal_contact
        .pieces
        .iter()
        .map(|piece| piece.load)
        .sum()
}

/// Flat on flat: `g τ V̇` times the ramp, which is ½ at the ramp's pressure.
#[test]
fn flat_damping_is_the_rate_of_the_volume_ramped_with_depth() {
    let materials = [stiff(1e12), stiff(1e9)];
    let bodies = Bodies::new(block(0.02, 0.02, 0.02), block(0.1, 0.1, 0.04), materials);
    let PairMaterial {
        stiffness,
        damping_time,
        ..
    } = bodies.pair_material;
    println!("pressure / ramp  damping / g τ A v");
    for ratio in [0.01, 1.0, 100.0] {
        let depth = ratio * RAMP_PRESSURE / stiffness;
        let X_WA = pose(DVec3::ZERO, DVec3::new(0.0, 0.0, 0.03 - depth));
        let mut motion = Motion::still(X_WA, Pose::IDENTITY);
        motion.twist.linear = DVec3::new(0.3, 0.2, -1e-4);
        let contact = bodies.fresh(&motion);
        let full = stiffness * damping_time * 4e-4 * 1e-4;
        let got = contact.normal_contact.damping.force.z / full;
        println!("{ratio:>15}  {got:.12}");
        assert!((got - ratio / (1.0 + ratio)).abs() < 1e-9, "{got}");
        // Sliding is left to friction.
        let across = contact.normal_contact.damping.force.truncate().length() / full;
        assert!(across < 1e-9, "{across:e}");
    }
}
