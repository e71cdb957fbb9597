//! Geometric stiffness against central differences of the efforts, in the
//! chart.

use crate::common::{self, GRAVITY, difference, kinematics, random_state, random_tree};
use glam::DVec3;
use volar_dynamics::{GeometricStiffness, Joint, Loads, Tree, TreeBuilder};
use volar_math::{BlockPattern, Wrench};
use volar_testkit::rng::Rng;

/// Efforts of wrenches that keep their line of action in the world, and of
/// gravity at the centres of mass.
fn efforts(
    tree: &Tree,
    state: &common::State,
    delta: &[f64],
    points: &[DVec3],
    gravity: DVec3,
) -> Vec<f64> {
    let mut q = vec![0.0; tree.nq()];
    tree.plus(&state.q, delta, &mut q);
    let now = kinematics(tree, &q, &state.v, &state.base_motions);
    let mut tau = vec![0.0; tree.nv()];
    for (b, body) in tree.bodies().iter().enumerate() {
        now.add_efforts_of(tree, b, points[b], state.wrenches[b], &mut tau);
        let weight = Wrench::new(DVec3::ZERO, gravity * body.mass);
        let p_WBcm = now.X_WB[b].p + now.p_BoBcm_W[b];
        now.add_efforts_of(tree, b, p_WBcm, weight, &mut tau);
    }
    tau
}

/// The stiffness from the formulas and from differences.
fn both(tree: &Tree, state: &common::State, gravity: DVec3) -> [Vec<f64>; 2] {
    let nv = tree.nv();
    let now = kinematics(tree, &state.q, &state.v, &state.base_motions);
    let loads = Loads {
        gravity,
        F_Bo_W: &state.wrenches,
        armature: &[],
    };
    let mut K = vec![0.0; nv * nv];
    GeometricStiffness::default().add(tree, &now, &loads, &BlockPattern::dense(nv), &mut K);

    let points: Vec<DVec3> = now.X_WB.iter().map(|X_WB| X_WB.p).collect();
    let h = 1e-5;
    let mut seen = vec![0.0; nv * nv];
    for j in 0..nv {
        let at = |h: f64| {
            let mut delta = vec![0.0; nv];
            delta[j] = h;
            efforts(tree, state, &delta, &points, gravity)
        };
        let (before, after) = (at(-h), at(h));
        for i in 0..nv {
            seen[i * nv + j] = (after[i] - before[i]) / (2.0 * h);
        }
    }
    [K, seen]
}

#[test]
fn each_joint_on_its_own_and_below_another() {
    let mut rng = Rng::for_case("pairs of joints", 0);
    for upper in 0..6 {
        for lower in 0..5 {
            let mut builder = TreeBuilder::new();
            let joint = common::joint(upper, &mut rng);
            let first = builder.add(common::random_body("upper", None, joint, &mut rng));
            let joint = common::joint(lower, &mut rng);
            builder.add(common::random_body("lower", Some(first), joint, &mut rng));
            let tree = builder.build().unwrap();
            for gravity in [DVec3::ZERO, GRAVITY] {
                let state = random_state(&tree, &mut rng);
                let [got, seen] = both(&tree, &state, gravity);
                let scale = seen.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
                for (k, (got, seen)) in got.iter().zip(&seen).enumerate() {
                    assert!(
                        (got - seen).abs() < 1e-8 * scale,
                        "joints {upper} {lower}, entry {k}: {got} is not {seen}"
                    );
                }
            }
        }
    }
}

#[test]
fn trees_with_all_joints() {
    for seed in 0..100 {
        let mut rng = Rng::for_case("stiffness", seed);
        let tree = random_tree(&mut rng);
        let state = random_state(&tree, &mut rng);
        let [got, seen] = both(&tree, &state, GRAVITY);
        assert!(difference(&got, &seen) < 1e-8, "seed {seed}");
    }
}

#[test]
fn a_pendulum_has_m_g_l_sine() {
    // τ = −m g l sin q, so ∂τ/∂q = −m g l cos q.
    let mut rng = Rng::for_case("pendulum", 0);
    let joint = Joint::Revolute { axis: DVec3::Y };
    let mut body = common::random_body("bob", None, joint, &mut rng);
    body.X_PJ = volar_math::Pose::IDENTITY;
    body.mass = 2.0;
    body.p_BoBcm_B = DVec3::new(0.0, 0.0, -0.5);
    let mut builder = TreeBuilder::new();
    builder.add(body);
    let tree = builder.build().unwrap();
    let now = kinematics(&tree, &[0.6], &[0.0], &[]);
    let loads = Loads {
        gravity: DVec3::new(0.0, 0.0, -9.81),
        ..Loads::default()
    };
    let mut K = [0.0];
    GeometricStiffness::default().add(&tree, &now, &loads, &BlockPattern::dense(1), &mut K);
    assert!((K[0] + 9.81 * 0.6_f64.cos()).abs() < 1e-13);
}
