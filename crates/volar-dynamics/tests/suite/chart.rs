//! The chart: there and back, and its rate.

use crate::common::{self, kinematics, random_state, random_tree, random_vector};
use glam::DVec3;
use volar_dynamics::{Aba, Body, Joint, Loads, Tree, TreeBuilder, energy};
use volar_testkit::rng::Rng;

fn ball(rng: &mut Rng) -> Tree {
    let mut builder = TreeBuilder::new();
    builder.add(common::random_body("ball", None, Joint::Ball, rng));
    builder.build().unwrap()
}

#[test]
fn minus_undoes_plus() {
    for seed in 0..200 {
        let mut rng = Rng::for_case("round trip", seed);
        let tree = random_tree(&mut rng);
        let q0 = random_state(&tree, &mut rng).q;
        // From steps of rounding size to nearly half a turn.
        let size = rng.log_uniform(1e-12, 3.0);
        let delta: Vec<f64> = random_vector(tree.nv(), &mut rng)
            .iter()
            .map(|x| x * size / 3.0_f64.sqrt())
            .collect();
        let (mut q1, mut back) = (vec![0.0; tree.nq()], vec![0.0; tree.nv()]);
        tree.plus(&q0, &delta, &mut q1);
        tree.minus(&q1, &q0, &mut back);
        for (got, want) in back.iter().zip(&delta) {
            assert!((got - want).abs() < 1e-14, "{got} is not {want}");
        }
    }
}

#[test]
fn plus_turns_on_the_left() {
    let mut rng = Rng::for_case("left", 0);
    let tree = ball(&mut rng);
    let q0 = random_state(&tree, &mut rng).q;
    let delta = DVec3::new(0.3, -0.7, 0.5);
    let mut q1 = vec![0.0; 4];
    tree.plus(&q0, &delta.to_array(), &mut q1);
    let R = |q: &[f64]| Joint::Ball.pose(q).R;
    let (axis, angle) = (delta / delta.length(), delta.length());
    let want = glam::DMat3::from_axis_angle(axis, angle) * R(&q0);
    assert!(
        (R(&q1) - want)
            .abs()
            .to_cols_array()
            .iter()
            .all(|x| *x < 1e-15)
    );
}

#[test]
fn the_rate_keeps_step_with_the_motion() {
    // δ moves at its rate; then q₀ ⊕ δ moves at the velocity v.
    for seed in 0..200 {
        let mut rng = Rng::for_case("rate", seed);
        let tree = ball(&mut rng);
        let q0 = random_state(&tree, &mut rng).q;
        // On both sides of where the series takes over, up to 300°.
        let delta = rng.direction() * rng.log_uniform(1e-6, 5.2);
        let v = rng.in_cube(1.0).to_array();
        let mut rate = [0.0; 3];
        tree.chart_rate(&delta.to_array(), &v, &mut rate);
        let h = 1e-5;
        let rotated = |h: f64| {
            let mut q = vec![0.0; 4];
            let delta = delta + DVec3::from_array(rate) * h;
            tree.plus(&q0, &delta.to_array(), &mut q);
            q
        };
        let mut twice = [0.0; 3];
        tree.minus(&rotated(h), &rotated(-h), &mut twice);
        let seen = DVec3::from_array(twice) / (2.0 * h);
        assert!(
            (seen - DVec3::from_array(v)).length() < 1e-8,
            "{seen} at {delta}"
        );
    }
}

#[test]
fn rate_at_zero_is_the_velocity() {
    let mut rng = Rng::for_case("zero", 0);
    let tree = random_tree(&mut rng);
    let v = random_vector(tree.nv(), &mut rng);
    let mut rate = vec![0.0; tree.nv()];
    tree.chart_rate(&vec![0.0; tree.nv()], &v, &mut rate);
    assert_eq!(rate, v);
}

/// Integrates with the classical Runge–Kutta method in the chart: the unknowns
/// are δ, from zero in each step, and v.
fn integrate(tree: &Tree, q: &mut [f64], v: &mut [f64], h: f64, steps: usize) {
    let nv = tree.nv();
    let mut aba = Aba::default();
    for _ in 0..steps {
        let start = q.to_vec();
        let mut slope = |x: &[f64]| {
            let (delta, v) = x.split_at(nv);
            let mut q = vec![0.0; tree.nq()];
            tree.plus(&start, delta, &mut q);
            let mut rate = vec![0.0; 2 * nv];
            let (delta_rate, vdot) = rate.split_at_mut(nv);
            tree.chart_rate(delta, v, delta_rate);
            let now = kinematics(tree, &q, v, &[]);
            aba.calc(tree, &now, &Loads::default(), &vec![0.0; nv], vdot)
                .unwrap();
            rate
        };
        let x: Vec<f64> = vec![0.0; nv].into_iter().chain(v.to_vec()).collect();
        let along =
            |k: &[f64], h: f64| -> Vec<f64> { x.iter().zip(k).map(|(x, k)| x + h * k).collect() };
        let k1 = slope(&x);
        let k2 = slope(&along(&k1, h / 2.0));
        let k3 = slope(&along(&k2, h / 2.0));
        let k4 = slope(&along(&k3, h));
        let mean: Vec<f64> = (0..2 * nv)
            .map(|i| (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0)
            .collect();
        let end = along(&mean, h);
        tree.plus(&start, &end[..nv], q);
        v.copy_from_slice(&end[nv..]);
    }
}

#[test]
fn a_torque_free_top_keeps_energy_and_angular_momentum() {
    // Spun about its middle axis, so that it tumbles [Goldstein 2002, §5.6].
    let moments = DVec3::new(1.0, 2.0, 2.8) * 1e-3;
    let mut builder = TreeBuilder::new();
    builder.add(Body {
        name: "top".into(),
        parent: None,
        base_motion: None,
        X_PJ: volar_math::Pose::IDENTITY,
        joint: Joint::Free,
        mass: 0.3,
        p_BoBcm_B: DVec3::new(0.02, -0.01, 0.03),
        inertia: glam::DMat3::from_diagonal(moments),
    });
    let tree = builder.build().unwrap();
    let v0 = [0.1, 0.2, -0.3, 0.02, 10.0, 0.01];
    let measure = |q: &[f64], v: &[f64]| {
        let now = kinematics(&tree, q, v, &[]);
        let L = energy::angular_momentum(&now);
        (energy::kinetic_energy(&now), L)
    };
    let run = |h: f64| {
        let (mut q, mut v) = (tree.neutral_q(), v0.to_vec());
        let (T0, L0) = measure(&q, &v);
        integrate(&tree, &mut q, &mut v, h, (2.0 / h).round() as usize);
        let (T1, L1) = measure(&q, &v);
        let rotated = (q[3] * q[3]).min(1.0);
        assert!(rotated < 0.99, "it does not tumble");
        ((T1 / T0 - 1.0).abs(), (L1 - L0).length() / L0.length())
    };
    let (coarse_energy, coarse) = run(2e-3);
    let (fine_energy, fine) = run(1e-3);
    assert!(
        fine_energy < 1e-8 && fine < 1e-8,
        "{fine_energy:e} {fine:e}"
    );
    // Fourth order: half the step, a sixteenth of the error, at least a tenth.
    assert!(fine_energy < 0.1 * coarse_energy && fine < 0.1 * coarse);
}
