//! Orders of convergence, measured by halving fixed steps.

use volar_ode::{Method, Stepper, System};

use crate::dense::{Dense, Tangent};
use crate::problems::{Problem, driven, kepler, logistic, oscillator, spiral};

/// The error after `count` equal steps.
fn error_after(problem: &Problem, method: Method, tangent: Tangent, count: u32) -> f64 {
    let mut system = Dense::new(problem, tangent, 1.0, 1.0);
    let mut stepper = Stepper::new(method);
    let mut x = problem.x0.clone();
    let mut rate = vec![0.0; x.len()];
    let h = problem.t1 / f64::from(count);
    for step in 0..count {
        let t = f64::from(step) * h;
        system.rate(t, &x, &mut rate).unwrap();
        stepper
            .try_step(&mut system, t, &x, &rate, h, true)
            .unwrap();
        x.copy_from_slice(stepper.x1());
    }
    problem.error(&x)
}

/// The orders seen at the last halving of the steps, of four, and the one before.
fn orders(problem: &Problem, method: Method, tangent: Tangent, coarse: u32) -> (f64, f64) {
    let errors: Vec<f64> = (0..5)
        .map(|level| error_after(problem, method, tangent, coarse << level))
        .collect();
    let orders: Vec<f64> = errors
        .windows(2)
        .map(|pair| (pair[0] / pair[1]).log2())
        .collect();
    println!(
        "{:12} {method:?} {tangent:?}: error {:.1e} to {:.1e}, orders {orders:.2?}",
        problem.name, errors[0], errors[4]
    );
    (orders[3], orders[2])
}

fn assert_order(problem: &Problem, method: Method, tangent: Tangent, coarse: u32) {
    let wanted = f64::from(method.order());
    let (last, before) = orders(problem, method, tangent, coarse);
    assert!(
        last > wanted - 0.25 && before > wanted - 0.5,
        "{}: order {last} after {before}",
        problem.name
    );
}

#[test]
fn explicit_method_is_of_order_five() {
    for (problem, coarse) in [
        (oscillator(), 20),
        (driven(), 8),
        (logistic(), 5),
        (spiral(), 6),
        (kepler(), 60),
    ] {
        assert_order(&problem, Method::Rk45, Tangent::Exact, coarse);
    }
}

#[test]
fn implicit_method_is_of_order_three() {
    for (problem, coarse) in [
        (oscillator(), 80),
        (driven(), 40),
        (logistic(), 40),
        (spiral(), 40),
        (kepler(), 400),
    ] {
        assert_order(&problem, Method::Implicit, Tangent::Exact, coarse);
    }
}

/// The property of a W-method.
#[test]
fn implicit_method_keeps_its_order_with_any_tangent() {
    for tangent in [
        Tangent::Scaled(0.0),
        Tangent::Scaled(0.7),
        Tangent::Scaled(1.3),
        Tangent::Delayed,
    ] {
        for (problem, coarse) in [(driven(), 80), (spiral(), 80), (kepler(), 800)] {
            assert_order(&problem, Method::Implicit, tangent, coarse);
        }
    }
}

/// The estimate of one step's error falls with the power the controller takes.
#[test]
fn error_estimate_falls_as_the_controller_expects() {
    for problem in [spiral(), driven(), kepler()] {
        for (method, tangent) in [
            (Method::Rk45, Tangent::Exact),
            (Method::Implicit, Tangent::Exact),
            (Method::Implicit, Tangent::Scaled(0.0)),
        ] {
            let mut system = Dense::new(&problem, tangent, 0.0, 1.0);
            let mut stepper = Stepper::new(method);
            let mut rate = vec![0.0; problem.x0.len()];
            let t = 0.3;
            system.rate(t, &problem.x0, &mut rate).unwrap();
            let mut estimate = |h: f64| {
                stepper
                    .try_step(&mut system, t, &problem.x0, &rate, h, true)
                    .unwrap()
            };
            let power = (estimate(0.01) / estimate(0.005)).log2();
            println!(
                "{:12} {method:?} {tangent:?}: estimate falls with h^{power:.2}",
                problem.name
            );
            let wanted = f64::from(method.error_power());
            assert!((power - wanted).abs() < 0.25, "{}: {power}", problem.name);
        }
    }
}
