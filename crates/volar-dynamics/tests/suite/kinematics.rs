//! Poses, velocities, accelerations and Jacobians against one another by
//! central differences, which share no formula with what they check.

use crate::common::{self, kinematics, moved, random_state, random_tree};
use glam::DVec3;
use volar_math::{Pose, Twist};
use volar_testkit::rng::Rng;

/// A step at which the error of a central difference, h² times third
/// derivatives, meets rounding over h: both near 1e-9.
const STEP: f64 = 1e-5;
const TOLERANCE: f64 = 1e-8;

/// The twist between two poses over 2 h, in world axes at their origin.
fn twist(before: &Pose, after: &Pose, h: f64) -> Twist {
    let R = after.R * before.R.transpose();
    // The skew part of R is sin θ times the axis.
    let skew = DVec3::new(
        R.y_axis.z - R.z_axis.y,
        R.z_axis.x - R.x_axis.z,
        R.x_axis.y - R.y_axis.x,
    );
    Twist::new(skew * (0.25 / h), (after.p - before.p) * (0.5 / h))
}

fn assert_close(got: Twist, want: Twist, what: &str) {
    let error = got - want;
    let size = 1.0 + want.angular.length() + want.linear.length();
    assert!(
        error.angular.length() + error.linear.length() < TOLERANCE * size,
        "{what}: {got:?} is not {want:?}"
    );
}

#[test]
fn each_column_is_what_its_dof_moves() {
    for seed in 0..20 {
        let mut rng = Rng::for_case("columns", seed);
        let tree = random_tree(&mut rng);
        let state = random_state(&tree, &mut rng);
        let now = kinematics(&tree, &state.q, &state.v, &state.base_motions);
        let mut columns = vec![Twist::ZERO; tree.nv()];
        for dof in 0..tree.nv() {
            let shifted = |h: f64| {
                let mut delta = vec![0.0; tree.nv()];
                delta[dof] = h;
                let mut q = vec![0.0; tree.nq()];
                tree.plus(&state.q, &delta, &mut q);
                kinematics(&tree, &q, &state.v, &state.base_motions)
            };
            let (before, after) = (shifted(-STEP), shifted(STEP));
            let own = tree.dof_body(dof);
            let seen = twist(&before.X_WB[own], &after.X_WB[own], STEP);
            assert_close(now.axes[dof], seen, "column at its own body");
            for body in 0..tree.bodies().len() {
                let seen = twist(&before.X_WB[body], &after.X_WB[body], STEP);
                now.jacobian_at(&tree, body, now.X_WB[body].p, &mut columns);
                assert_close(columns[dof], seen, "Jacobian");
            }
        }
    }
}

#[test]
fn velocities_are_rates_of_poses_and_accelerations_of_velocities() {
    for seed in 0..50 {
        let mut rng = Rng::for_case("rates", seed);
        let tree = random_tree(&mut rng);
        let state = random_state(&tree, &mut rng);
        let vdot = common::random_vector(tree.nv(), &mut rng);
        let now = kinematics(&tree, &state.q, &state.v, &state.base_motions);
        let at = |h: f64| {
            let later = moved(&tree, &state, &vdot, h);
            kinematics(&tree, &later.q, &later.v, &later.base_motions)
        };
        let (before, after) = (at(-STEP), at(STEP));
        let mut A_WB = vec![Twist::ZERO; tree.bodies().len()];
        now.calc_accelerations(&tree, &vdot, &mut A_WB);
        for body in 0..tree.bodies().len() {
            let seen = twist(&before.X_WB[body], &after.X_WB[body], STEP);
            assert_close(now.V_WB[body], seen, "velocity");
            let seen = (after.V_WB[body] - before.V_WB[body]) * (0.5 / STEP);
            assert_close(A_WB[body], seen, "acceleration");
        }
    }
}

#[test]
fn jacobian_times_velocity_is_the_velocity_of_the_point() {
    for seed in 0..50 {
        let mut rng = Rng::for_case("points", seed);
        let tree = random_tree(&mut rng);
        let mut state = random_state(&tree, &mut rng);
        // Prescribed motion is not in the Jacobian.
        for base_motion in &mut state.base_motions {
            base_motion.V_WF = Twist::ZERO;
        }
        let now = kinematics(&tree, &state.q, &state.v, &state.base_motions);
        let mut columns = vec![Twist::ZERO; tree.nv()];
        for body in 0..tree.bodies().len() {
            let p_WC = rng.in_cube(2.0);
            now.jacobian_at(&tree, body, p_WC, &mut columns);
            let sum = columns
                .iter()
                .zip(&state.v)
                .fold(Twist::ZERO, |sum, (column, v)| sum + *column * *v);
            assert!((sum.linear - now.velocity_at(body, p_WC)).length() < 1e-13);
            // And its transpose takes a wrench to efforts of the same power.
            let F = common::random_wrench(&mut rng);
            let mut tau = vec![0.0; tree.nv()];
            now.add_efforts_of(&tree, body, p_WC, F, &mut tau);
            let power: f64 = tau.iter().zip(&state.v).map(|(t, v)| t * v).sum();
            assert!((power - F.dot(sum)).abs() < 1e-12);
        }
    }
}

#[test]
fn far_from_the_origin_offsets_keep_their_digits() {
    let mut rng = Rng::for_case("far", 0);
    let tree = common::g3r();
    let state = random_state(&tree, &mut rng);
    let near = kinematics(&tree, &state.q, &state.v, &state.base_motions);
    let mut base_motions = state.base_motions.clone();
    base_motions[0].X_WF.p += DVec3::new(1e6, -1e6, 1e6);
    let far = kinematics(&tree, &state.q, &state.v, &base_motions);
    assert_eq!(near.p_PoBo_W, far.p_PoBo_W);
    assert_eq!(near.V_WB, far.V_WB);
}
