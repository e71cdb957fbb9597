//! Step control: what it costs, how it fails, and what it promises a system.

use volar_ode::{Method, Statistics, System};

use crate::dense::{Dense, Tangent};
use crate::drive::{OdeError, Options, integrate};
use crate::problems::{Problem, kepler, robertson_40, spiral, van_der_pol};

fn run(
    problem: &Problem,
    options: &Options,
) -> (
    Vec<f64>,
    Result<Statistics, OdeError<std::convert::Infallible>>,
) {
    let mut system = Dense::new(problem, Tangent::Exact, 1e-6, 1e-6);
    let mut x = problem.x0.clone();
    let outcome = integrate(&mut system, options, 0.0, problem.t1, &mut x);
    (x, outcome)
}

fn counts(problem: &Problem, method: Method) -> [u64; 5] {
    let (_, outcome) = run(problem, &Options::new(method));
    let s = outcome.expect("steps of any length are allowed");
    [
        s.steps,
        s.rejected,
        s.evaluations,
        s.jacobians,
        s.factorisations,
    ]
}

/// Steps, rejections, rates, Jacobians, factorisations. A change of these
/// numbers is a change of every trajectory.
#[test]
fn snapshot_of_the_work() {
    assert_eq!(counts(&kepler(), Method::Rk45), [38, 4, 254, 0, 0]);
    assert_eq!(
        counts(&kepler(), Method::Implicit),
        [268, 0, 1074, 268, 268]
    );
    assert_eq!(
        counts(&van_der_pol(), Method::Implicit),
        [3130, 8, 12546, 3130, 3138]
    );
    assert_eq!(
        counts(&robertson_40(), Method::Implicit),
        [210, 2, 848, 210, 212]
    );
}

#[test]
fn work_adds_up() {
    let (_, outcome) = run(&kepler(), &Options::new(Method::Rk45));
    let s = outcome.unwrap();
    // The start, the probe for the first step, six for each step tried.
    assert_eq!(s.evaluations, 2 + 6 * (s.steps + s.rejected));
    assert_eq!((s.jacobians, s.factorisations), (0, 0));

    let (_, outcome) = run(&van_der_pol(), &Options::new(Method::Implicit));
    let s = outcome.unwrap();
    // The start twice and the probe; the end of each step but the last.
    assert_eq!(s.evaluations, 3 + 3 * (s.steps + s.rejected) + s.steps - 1);
    assert_eq!(s.jacobians, s.steps, "a retry keeps the Jacobian");
    assert_eq!(s.factorisations, s.steps + s.rejected);
}

#[test]
fn same_bits_on_two_runs() {
    for problem in [kepler(), spiral()] {
        for method in [Method::Rk45, Method::Implicit] {
            let (first, _) = run(&problem, &Options::new(method));
            let (second, _) = run(&problem, &Options::new(method));
            let bits = |x: &[f64]| x.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&first), bits(&second));
        }
    }
}

#[test]
fn limits_are_kept() {
    let problem = spiral();
    for method in [Method::Rk45, Method::Implicit] {
        let options = Options {
            initial_step: Some(1e-3),
            max_step: 0.01,
            ..Options::new(method)
        };
        let (_, outcome) = run(&problem, &options);
        assert!(outcome.unwrap().steps >= 300);
    }
}

#[test]
fn no_time_to_go_is_no_step() {
    let problem = spiral();
    let mut system = Dense::new(&problem, Tangent::Exact, 1e-6, 1e-6);
    let mut x = problem.x0.clone();
    let s = integrate(&mut system, &Options::new(Method::Rk45), 1.0, 1.0, &mut x).unwrap();
    assert_eq!(s.steps, 0);
    assert_eq!(x, problem.x0);
}

/// A scalar system with no tangent that fails in various ways.
struct Scalar<F> {
    rate: F,
}

impl<F: FnMut(f64, f64) -> Result<f64, String>> System for Scalar<F> {
    type Error = String;
    fn dim(&self) -> usize {
        1
    }
    fn rate(&mut self, t: f64, x: &[f64], rate: &mut [f64]) -> Result<(), String> {
        assert!(x[0].is_finite(), "asked at {}", x[0]);
        rate[0] = (self.rate)(t, x[0])?;
        Ok(())
    }
    fn linearise(&mut self, _: f64, _: &[f64]) -> Result<(), String> {
        Ok(())
    }
    fn factor(&mut self, _: f64) -> Result<(), String> {
        Ok(())
    }
    fn solve(&mut self, _: &mut [f64]) {}
    fn error_norm(&self, _: &[f64], _: &[f64], error: &[f64]) -> f64 {
        error[0].abs() / 1e-6
    }
}

fn outcome_of(
    options: &Options,
    rate: impl FnMut(f64, f64) -> Result<f64, String>,
) -> (f64, Result<Statistics, OdeError<String>>) {
    let mut x = [1.0];
    let outcome = integrate(&mut Scalar { rate }, options, 0.0, 2.0, &mut x);
    (x[0], outcome)
}

fn both() -> [Options; 2] {
    [Method::Rk45, Method::Implicit].map(|method| Options {
        min_step: 1e-9,
        ..Options::new(method)
    })
}

/// x' = x² from 1 leaves for infinity at t = 1.
#[test]
fn blow_up_is_a_step_too_small() {
    for options in both() {
        let (_, outcome) = outcome_of(&options, |_, x| Ok(x * x));
        match outcome {
            Err(OdeError::StepTooSmall { t, h }) => {
                assert!((t - 1.0).abs() < 1e-3, "{t}");
                assert!(h < 1e-9);
            }
            other => panic!("{other:?}"),
        }
    }
}

/// x falls towards 1/2, and below it the square root has no value.
#[test]
fn not_a_number_is_told_as_such() {
    for options in both() {
        let (x, outcome) = outcome_of(&options, |_, x| Ok(-1.0 - (x - 0.5).sqrt()));
        let Err(OdeError::NonFinite { t }) = outcome else {
            panic!("{outcome:?}");
        };
        assert!(t > 0.1 && t < 0.5, "{t}");
        assert!((x - 0.5).abs() < 1e-3, "{x}");
    }
}

/// A wall that only the too long first step meets is no failure:
/// x' = -0.9 √x, x = (1 - 0.45 t)², stays positive.
#[test]
fn a_step_over_the_edge_is_retried_shorter() {
    for options in both() {
        let options = Options {
            initial_step: Some(2.0),
            ..options
        };
        let mut over_the_edge = 0;
        let (x, outcome) = outcome_of(&options, |_, x| {
            over_the_edge += u32::from(x < 0.0);
            Ok(-0.9 * x.sqrt())
        });
        assert!(outcome.unwrap().rejected > 0);
        assert!(over_the_edge > 0, "the edge was not met");
        assert!((x - 0.01).abs() < 1e-4, "{x}");
    }
}

#[test]
fn bad_starts_are_told() {
    for options in both() {
        let (_, outcome) = outcome_of(&options, |_, _| Ok(f64::NAN));
        assert_eq!(outcome, Err(OdeError::NonFinite { t: 0.0 }));
    }
}

#[test]
fn an_error_of_the_system_comes_through() {
    for options in both() {
        let (_, outcome) = outcome_of(&options, |t, _| {
            if t > 0.5 {
                Err(String::from("too late"))
            } else {
                Ok(1.0)
            }
        });
        assert_eq!(outcome, Err(OdeError::System(String::from("too late"))));
    }
}

/// A jump in the rate is stepped over, not died of.
#[test]
fn a_jump_in_the_rate_is_passed() {
    for options in both() {
        let (x, outcome) = outcome_of(&options, |t, _| Ok(if t < 0.77 { 1.0 } else { -3.0 }));
        let exact = 1.0 + 0.77 - 3.0 * (2.0 - 0.77);
        assert!((x - exact).abs() < 1e-4, "{x}");
        println!("{:?}: {:?}", options.method, outcome.unwrap());
    }
}

/// Remembers where the rate was asked last.
struct Watch<'a> {
    inner: Dense<'a>,
    last: (f64, Vec<f64>),
    linearised: usize,
}

impl System for Watch<'_> {
    type Error = std::convert::Infallible;
    fn dim(&self) -> usize {
        self.inner.dim()
    }
    fn rate(&mut self, t: f64, x: &[f64], rate: &mut [f64]) -> Result<(), Self::Error> {
        self.last = (t, x.to_vec());
        self.inner.rate(t, x, rate)
    }
    fn linearise(&mut self, t: f64, x: &[f64]) -> Result<(), Self::Error> {
        assert_eq!(self.last, (t, x.to_vec()), "rate was asked elsewhere");
        self.linearised += 1;
        self.inner.linearise(t, x)
    }
    fn factor(&mut self, c: f64) -> Result<(), Self::Error> {
        self.inner.factor(c)
    }
    fn solve(&mut self, b: &mut [f64]) {
        self.inner.solve(b);
    }
    fn error_norm(&self, x0: &[f64], x1: &[f64], error: &[f64]) -> f64 {
        self.inner.error_norm(x0, x1, error)
    }
}

#[test]
fn linearise_follows_the_rate_at_the_same_point() {
    let problem = van_der_pol();
    let mut system = Watch {
        inner: Dense::new(&problem, Tangent::Exact, 1e-4, 1e-4),
        last: (f64::NAN, Vec::new()),
        linearised: 0,
    };
    let mut x = problem.x0.clone();
    let s = integrate(
        &mut system,
        &Options::new(Method::Implicit),
        0.0,
        problem.t1,
        &mut x,
    )
    .unwrap();
    assert!(s.rejected > 0, "nothing was retried");
    assert_eq!(system.linearised as u64, s.jacobians);
}
