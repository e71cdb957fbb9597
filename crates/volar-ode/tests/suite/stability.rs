//! Steps far longer than the fastest motion of the system.

use volar_ode::{Method, Stepper, System};

use crate::dense::{Dense, Tangent};
use crate::drive::{Options, integrate};
use crate::problems::Problem;

/// x' = -10⁸ x
fn fast_decay() -> Problem {
    Problem {
        name: "fast decay",
        rate: |_, x, rate| rate[0] = -1e8 * x[0],
        jacobian: |_, _, j| j[0] = -1e8,
        x0: vec![1.0],
        t1: 1.0,
        x1: vec![0.0],
        scale: vec![1.0],
    }
}

/// x'' = -k x - d x' with k = 10¹⁰ and d = 10²: a swing of 10⁵ rad/s.
fn fast_swing() -> Problem {
    Problem {
        name: "fast swing",
        rate: |_, x, rate| {
            rate[0] = x[1];
            rate[1] = -1e10 * x[0] - 1e2 * x[1];
        },
        jacobian: |_, _, j| j.copy_from_slice(&[0.0, 1.0, -1e10, -1e2]),
        x0: vec![1.0, 0.0],
        t1: 1.0,
        x1: vec![0.0, 0.0],
        scale: vec![1.0, 1e5],
    }
}

/// A slow swing beside an overdamped mode that starts out of equilibrium:
/// x = cos t in the first two, in the third exp(-10⁶ t) on top of it.
fn slow_beside_fast() -> Problem {
    Problem {
        name: "slow beside fast",
        rate: |_, x, rate| {
            rate[0] = x[1];
            rate[1] = -x[0];
            rate[2] = -1e6 * (x[2] - x[0]) + x[1];
        },
        jacobian: |_, _, j| {
            j.copy_from_slice(&[0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 1e6, 1.0, -1e6]);
        },
        x0: vec![1.0, 0.0, 2.0],
        t1: 10.0,
        x1: vec![10f64.cos(), -(10f64.sin()), 10f64.cos()],
        scale: vec![1.0; 3],
    }
}

/// One step of the implicit method from the problem's start.
fn one_step(problem: &Problem, tangent: Tangent, h: f64) -> Vec<f64> {
    let mut system = Dense::new(problem, tangent, 1.0, 1.0);
    let mut stepper = Stepper::new(Method::Implicit);
    let mut rate = vec![0.0; problem.x0.len()];
    system.rate(0.0, &problem.x0, &mut rate).unwrap();
    stepper
        .try_step(&mut system, 0.0, &problem.x0, &rate, h, true)
        .unwrap();
    stepper.x1().to_vec()
}

#[test]
fn one_long_step_ends_a_fast_motion() {
    let decayed = one_step(&fast_decay(), Tangent::Exact, 1.0);
    assert!(decayed[0].abs() < 1e-7, "{decayed:?}");
    // Displacement and velocity, the latter against ω = 10⁵ rad/s.
    let swung = one_step(&fast_swing(), Tangent::Exact, 1.0);
    assert!(swung[0].abs() < 1e-4, "{swung:?}");
    assert!(swung[1].abs() < 1e-4 * 1e5, "{swung:?}");
}

/// Order holds for any tangent, stability does not: stiffness left out of it
/// by more than a third makes long steps grow, too much only damps.
#[test]
fn tangent_may_be_too_stiff_but_hardly_too_soft() {
    for (factor, wanted) in [
        (0.5, -6.49),
        (0.7, 0.05),
        (1.0, 0.0),
        (1.3, -0.46),
        (2.0, -0.71),
        (10.0, 0.36),
    ] {
        let x = one_step(&fast_decay(), Tangent::Scaled(factor), 1.0)[0];
        println!("J times {factor}: x1 = {x:.3}");
        assert!((x - wanted).abs() < 0.01, "J times {factor}: {x}");
    }
}

#[test]
fn fast_mode_does_not_bound_the_step_once_it_is_gone() {
    let problem = slow_beside_fast();
    let mut system = Dense::new(&problem, Tangent::Exact, 1e-4, 1e-4);
    let mut x = problem.x0.clone();
    let statistics = integrate(
        &mut system,
        &Options::new(Method::Implicit),
        0.0,
        problem.t1,
        &mut x,
    )
    .unwrap();
    println!("{statistics:?}");
    assert!(problem.error(&x) < 1e-2);
    // The explicit method would need 10⁶ · 10 / 3.3 steps.
    assert!(statistics.steps < 300, "{statistics:?}");
}

/// With a tangent off by 30 % either way the fast mode still does not bound it.
#[test]
fn a_rough_tangent_still_allows_long_steps() {
    let problem = slow_beside_fast();
    for factor in [0.7, 1.3] {
        let mut system = Dense::new(&problem, Tangent::Scaled(factor), 1e-4, 1e-4);
        let mut x = problem.x0.clone();
        let statistics = integrate(
            &mut system,
            &Options::new(Method::Implicit),
            0.0,
            problem.t1,
            &mut x,
        )
        .unwrap();
        println!(
            "J times {factor}: {statistics:?}, error {:.1e}",
            problem.error(&x)
        );
        assert!(problem.error(&x) < 1e-2);
        assert!(statistics.steps < 2000, "{statistics:?}");
    }
}
