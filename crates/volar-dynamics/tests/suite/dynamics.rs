//! Forward dynamics, inverse dynamics and mass matrix against one another and
//! against the balance of energy, on random trees with all joints, base motions,
//! wrenches and rotor inertias.

use crate::common::{
    self, GRAVITY, State, difference, kinematics, moved, random_state, random_tree, random_vector,
};
use glam::DVec3;
use volar_dynamics::{Aba, Crba, Kinematics, Loads, Rnea, Tree, energy};
use volar_math::{BlockPattern, Twist, Wrench};
use volar_testkit::rng::Rng;

fn loads(state: &State) -> Loads<'_> {
    Loads {
        gravity: GRAVITY,
        F_Bo_W: &state.wrenches,
        armature: &state.armature,
    }
}

fn inverse(tree: &Tree, now: &Kinematics, loads: &Loads, vdot: &[f64]) -> Vec<f64> {
    let mut tau = vec![0.0; tree.nv()];
    Rnea::default().calc(tree, now, loads, vdot, &mut tau);
    tau
}

fn forward(tree: &Tree, now: &Kinematics, loads: &Loads, tau: &[f64]) -> Vec<f64> {
    let mut vdot = vec![0.0; tree.nv()];
    Aba::default()
        .calc(tree, now, loads, tau, &mut vdot)
        .unwrap();
    vdot
}

#[test]
fn forward_undoes_inverse() {
    let mut worst = 0.0_f64;
    for seed in 0..300 {
        let mut rng = Rng::for_case("inverse", seed);
        let tree = random_tree(&mut rng);
        let state = random_state(&tree, &mut rng);
        let now = kinematics(&tree, &state.q, &state.v, &state.base_motions);
        let vdot = random_vector(tree.nv(), &mut rng);
        let tau = inverse(&tree, &now, &loads(&state), &vdot);
        let again = forward(&tree, &now, &loads(&state), &tau);
        worst = worst.max(difference(&again, &vdot));
    }
    assert!(worst < 1e-10, "{worst:e}");
}

#[test]
fn mass_matrix_is_inverse_dynamics_column_by_column() {
    for seed in 0..100 {
        let mut rng = Rng::for_case("columns of M", seed);
        let tree = random_tree(&mut rng);
        let state = random_state(&tree, &mut rng);
        let now = kinematics(&tree, &state.q, &state.v, &state.base_motions);
        let nv = tree.nv();
        let mut M = vec![0.0; nv * nv];
        let pattern = BlockPattern::dense(nv);
        Crba::default().calc(&tree, &now, &state.armature, &pattern, &mut M);
        let rest = inverse(&tree, &now, &loads(&state), &vec![0.0; nv]);
        let mut columns = vec![0.0; nv * nv];
        for j in 0..nv {
            let mut unit = vec![0.0; nv];
            unit[j] = 1.0;
            let tau = inverse(&tree, &now, &loads(&state), &unit);
            for i in 0..nv {
                columns[i * nv + j] = tau[i] - rest[i];
            }
        }
        assert!(difference(&M, &columns) < 1e-12);
    }
}

#[test]
fn mass_matrix_gives_the_kinetic_energy() {
    for seed in 0..100 {
        let mut rng = Rng::for_case("kinetic energy", seed);
        let tree = random_tree(&mut rng);
        let mut state = random_state(&tree, &mut rng);
        for base_motion in &mut state.base_motions {
            base_motion.V_WF = Twist::ZERO;
        }
        let now = kinematics(&tree, &state.q, &state.v, &state.base_motions);
        let nv = tree.nv();
        let mut M = vec![0.0; nv * nv];
        let pattern = BlockPattern::dense(nv);
        Crba::default().calc(&tree, &now, &state.armature, &pattern, &mut M);
        let mut twice = 0.0;
        for i in 0..nv {
            for j in 0..nv {
                twice += state.v[i] * M[i * nv + j] * state.v[j];
            }
        }
        let T = energy::kinetic_energy(&now) + energy::armature_energy(&state.armature, &state.v);
        assert!((0.5 * twice - T).abs() < 1e-13 * T.max(1.0));
        // Positive for any motion: the matrix is positive definite.
        assert!(T > 0.0);
    }
}

/// Total energy, and the momentum and centre of mass it goes with.
fn total_energy(tree: &Tree, state: &State) -> f64 {
    let now = kinematics(tree, &state.q, &state.v, &state.base_motions);
    energy::kinetic_energy(&now)
        + energy::armature_energy(&state.armature, &state.v)
        + energy::potential_energy(tree, &now, GRAVITY)
}

#[test]
fn energy_changes_by_the_power_put_in() {
    for seed in 0..100 {
        let mut rng = Rng::for_case("power", seed);
        let tree = random_tree(&mut rng);
        let state = random_state(&tree, &mut rng);
        let now = kinematics(&tree, &state.q, &state.v, &state.base_motions);
        let tau = random_vector(tree.nv(), &mut rng);
        let vdot = forward(&tree, &now, &loads(&state), &tau);

        // Joints, wrenches, and what the base motions give.
        let mut rnea = Rnea::default();
        let mut same = vec![0.0; tree.nv()];
        rnea.calc(&tree, &now, &loads(&state), &vdot, &mut same);
        let mut power: f64 = tau.iter().zip(&state.v).map(|(t, v)| t * v).sum();
        for (b, body) in tree.bodies().iter().enumerate() {
            power += state.wrenches[b].dot(now.V_WB[b]);
            if let Some(base_motion) = body.base_motion {
                let F = rnea.joint_wrenches()[b].about(-now.p_PoBo_W[b]);
                power += F.dot(state.base_motions[base_motion].V_WF);
            }
        }

        let h = 1e-5;
        let rate = (total_energy(&tree, &moved(&tree, &state, &vdot, h))
            - total_energy(&tree, &moved(&tree, &state, &vdot, -h)))
            / (2.0 * h);
        assert!(
            (rate - power).abs() < 1e-6 * (1.0 + power.abs()),
            "{rate} is not {power}"
        );
    }
}

#[test]
fn momentum_changes_by_the_forces_from_outside() {
    for seed in 0..50 {
        // Free in the world: only wrenches and gravity act from outside.
        let mut rng = Rng::for_case("momentum", seed);
        let mut builder = volar_dynamics::TreeBuilder::new();
        for number in 0..6 {
            let kind = [4, 0, 2, 3, 1, 5][number];
            let joint = common::joint(kind, &mut rng);
            let parent = number.checked_sub(1).map(|n| rng.below(n + 1));
            let name = format!("body {number}");
            builder.add(common::random_body(&name, parent, joint, &mut rng));
        }
        let tree = builder.build().unwrap();
        let mut state = random_state(&tree, &mut rng);
        state.armature.fill(0.0);
        let now = kinematics(&tree, &state.q, &state.v, &[]);
        // Motors between bodies, none on the free joint.
        let mut tau = random_vector(tree.nv(), &mut rng);
        tau[..6].fill(0.0);
        // Gentle, for the differences below: 1 N m turns the light bodies at
        // 1e4 rad/s².
        tau.iter_mut().for_each(|effort| *effort *= 1e-2);
        for wrench in &mut state.wrenches {
            *wrench = *wrench * 1e-2;
        }
        let vdot = forward(&tree, &now, &loads(&state), &tau);
        let mass: f64 = tree.bodies().iter().map(|body| body.mass).sum();
        let centre = energy::centre_of_mass(&tree, &now).unwrap();
        let mut outside = Wrench::new(centre.cross(GRAVITY), GRAVITY) * mass;
        for (F, X_WB) in state.wrenches.iter().zip(&now.X_WB) {
            outside += F.about(-X_WB.p);
        }
        let h = 1e-5;
        let momentum = |h: f64| {
            let later = moved(&tree, &state, &vdot, h);
            let k = kinematics(&tree, &later.q, &later.v, &[]);
            Wrench::new(energy::angular_momentum(&k), energy::linear_momentum(&k))
        };
        let rate = (momentum(h) - momentum(-h)) * (0.5 / h);
        let error = rate - outside;
        assert!(
            error.torque.length() + error.force.length() < 1e-6 * (1.0 + outside.force.length()),
            "{rate:?} is not {outside:?}"
        );
        // The centre of mass moves with the momentum.
        let later = moved(&tree, &state, &vdot, h);
        let k = kinematics(&tree, &later.q, &later.v, &[]);
        let moved = (energy::centre_of_mass(&tree, &k).unwrap() - centre) / h;
        assert!((moved - energy::linear_momentum(&now) / mass).length() < 1e-3);
    }
}

#[test]
fn a_free_body_falls() {
    let mut rng = Rng::for_case("fall", 0);
    let mut builder = volar_dynamics::TreeBuilder::new();
    let mut body = common::random_body("stone", None, volar_dynamics::Joint::Free, &mut rng);
    body.X_PJ = volar_math::Pose::IDENTITY;
    builder.add(body);
    let tree = builder.build().unwrap();
    let now = kinematics(&tree, &tree.neutral_q(), &[0.0; 6], &[]);
    let loads = Loads {
        gravity: GRAVITY,
        ..Loads::default()
    };
    let vdot = forward(&tree, &now, &loads, &[0.0; 6]);
    assert!((DVec3::from_slice(&vdot) - GRAVITY).length() < 1e-13);
    assert!(DVec3::from_slice(&vdot[3..]).length() < 1e-12);
}
