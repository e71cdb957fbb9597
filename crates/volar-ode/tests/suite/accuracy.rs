//! Both methods on every problem at several tolerances, as a table.

use volar_ode::{Method, Statistics};

use crate::dense::{Dense, Tangent};
use crate::drive::{Options, integrate};
use crate::problems::{Problem, gentle, prothero_robinson, stiff};

/// The error at the end may exceed the tolerance, which bounds one step, by
/// as much: errors add up over the steps. Kepler's ellipse and the relaxation
/// oscillator amplify them most.
const ACCUMULATION: f64 = 300.0;

fn solve(problem: &Problem, method: Method, tolerance: f64) -> (f64, Statistics) {
    let mut system = Dense::new(problem, Tangent::Exact, tolerance, tolerance);
    let mut x = problem.x0.clone();
    let statistics = integrate(&mut system, &Options::new(method), 0.0, problem.t1, &mut x)
        .expect("steps of any length are allowed");
    (problem.error(&x), statistics)
}

fn table(problems: &[Problem], method: Method) {
    println!(
        "\n{method:?}\n{:20}{:>10}{:>10}{:>8}{:>9}{:>8}{:>8}{:>8}",
        "problem", "tolerance", "error", "steps", "rejected", "rates", "jac", "factor"
    );
    for problem in problems {
        let mut errors = Vec::new();
        for tolerance in [1e-4, 1e-6, 1e-8] {
            let (error, s) = solve(problem, method, tolerance);
            println!(
                "{:20}{tolerance:>10.0e}{error:>10.1e}{:>8}{:>9}{:>8}{:>8}{:>8}",
                problem.name, s.steps, s.rejected, s.evaluations, s.jacobians, s.factorisations
            );
            assert!(
                error <= ACCUMULATION * tolerance,
                "{}: {error}",
                problem.name
            );
            errors.push(error);
        }
        // Tighter tolerances pay: four digits asked for give at least two.
        assert!(errors[2] < 0.01 * errors[0], "{}: {errors:?}", problem.name);
    }
}

#[test]
fn explicit_method_solves_gentle_problems() {
    table(&gentle(), Method::Rk45);
}

#[test]
fn implicit_method_solves_gentle_and_stiff_problems() {
    table(&gentle(), Method::Implicit);
    table(&[prothero_robinson()], Method::Implicit);
    table(&stiff(), Method::Implicit);
}

/// The explicit method gets there too, at the price stiffness asks of it.
#[test]
fn stiffness_costs_the_explicit_method_its_steps() {
    let problem = prothero_robinson();
    table(&[prothero_robinson()], Method::Rk45);
    let (_, explicit) = solve(&problem, Method::Rk45, 1e-6);
    let (_, implicit) = solve(&problem, Method::Implicit, 1e-6);
    // Stability allows |λ| h of 3.3, whatever the tolerance.
    assert!(explicit.steps > 5000, "{explicit:?}");
    assert!(implicit.steps < 500, "{implicit:?}");
}

#[test]
fn back_in_time_and_forth_again() {
    let problem = crate::problems::spiral();
    for method in [Method::Rk45, Method::Implicit] {
        let mut system = Dense::new(&problem, Tangent::Exact, 1e-9, 1e-9);
        let mut x = problem.x1.clone();
        let options = Options::new(method);
        integrate(&mut system, &options, problem.t1, 0.0, &mut x).unwrap();
        let distance = (x[0] - problem.x0[0]).hypot(x[1] - problem.x0[1]);
        assert!(distance < 1e-5, "{method:?}: {distance}");
    }
}
