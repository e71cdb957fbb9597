//! The solution between the ends of a step.

use volar_ode::{Method, Stepper, System, hermite};

use crate::dense::{Dense, Tangent};
use crate::problems::{Problem, logistic};

#[test]
fn hermite_is_exact_for_cubics() {
    let cubic = |t: f64| 2.0 - t + 3.0 * t * t - 0.5 * t * t * t;
    let slope = |t: f64| -1.0 + 6.0 * t - 1.5 * t * t;
    let (t0, h) = (0.7, 1.9);
    let ends = [t0, t0 + h];
    let [x0, x1] = ends.map(|t| [cubic(t)]);
    let [rate0, rate1] = ends.map(|t| [slope(t)]);
    for theta in [0.0, 0.1, 0.5, 0.77, 1.0] {
        let mut out = [0.0];
        hermite(theta, h, &x0, &rate0, &x1, &rate1, &mut out);
        assert!((out[0] - cubic(t0 + theta * h)).abs() < 1e-14);
    }
}

/// The largest error within one step of length `h` of the logistic function.
fn error_within(problem: &Problem, method: Method, h: f64) -> f64 {
    let exact = |t: f64| 1.0 / (1.0 + 9.0 * (-t).exp());
    let mut system = Dense::new(problem, Tangent::Exact, 1.0, 1.0);
    let mut stepper = Stepper::new(method);
    let (mut rate0, mut rate1, mut out) = ([0.0], [0.0], [0.0]);
    let x0 = [exact(1.0)];
    system.rate(1.0, &x0, &mut rate0).unwrap();
    stepper
        .try_step(&mut system, 1.0, &x0, &rate0, h, true)
        .unwrap();
    system.rate(1.0 + h, stepper.x1(), &mut rate1).unwrap();
    (0..=20)
        .map(|k| {
            let theta = f64::from(k) / 20.0;
            stepper.interpolate(theta, &x0, &rate0, &rate1, &mut out);
            (out[0] - exact(1.0 + theta * h)).abs()
        })
        .fold(0.0, f64::max)
}

#[test]
fn interpolation_keeps_up_with_the_method() {
    let problem = logistic();
    // The local error has one power more than the order: 4 and 3.
    for (method, wanted) in [(Method::Rk45, 5.0), (Method::Implicit, 4.0)] {
        let power =
            (error_within(&problem, method, 0.2) / error_within(&problem, method, 0.1)).log2();
        println!("{method:?}: error within a step falls with h^{power:.2}");
        assert!((power - wanted).abs() < 0.3, "{method:?}: {power}");
    }
}

#[test]
fn interpolation_meets_the_ends() {
    let problem = logistic();
    for method in [Method::Rk45, Method::Implicit] {
        let mut system = Dense::new(&problem, Tangent::Exact, 1.0, 1.0);
        let mut stepper = Stepper::new(method);
        let (x0, mut rate0, mut rate1, mut out) = ([0.3], [0.0], [0.0], [0.0]);
        system.rate(0.0, &x0, &mut rate0).unwrap();
        stepper
            .try_step(&mut system, 0.0, &x0, &rate0, 0.5, true)
            .unwrap();
        system.rate(0.5, stepper.x1(), &mut rate1).unwrap();
        for (theta, end) in [(0.0, &x0[..]), (1.0, stepper.x1())] {
            stepper.interpolate(theta, &x0, &rate0, &rate1, &mut out);
            assert!((out[0] - end[0]).abs() < 1e-15);
        }
        // Where the method evaluated the rate at the end, it is that rate.
        if let Some(last) = stepper.rate1() {
            assert_eq!(last[0].to_bits(), rate1[0].to_bits());
        }
    }
}
