//! From one time to another with steps of controlled length: the loop of the
//! tests. It ends exactly at the time asked for; a step is retried shorter when
//! its error norm is above 1 or a number on the way was not finite.

use volar_ode::{Controller, Method, Statistics, Stepper, System};

/// How to integrate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The method.
    pub method: Method,
    /// Length of the first step tried; chosen from the rates if none.
    pub initial_step: Option<f64>,
    /// A step that would have to be shorter is an error. The last one may be
    /// shorter, to end on time.
    pub min_step: f64,
    /// No step is longer.
    pub max_step: f64,
}

impl Options {
    /// `method` with steps of any length.
    pub fn new(method: Method) -> Options {
        Options {
            method,
            initial_step: None,
            min_step: 0.0,
            max_step: f64::INFINITY,
        }
    }
}

/// Why an integration ended early.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OdeError<E> {
    /// The tolerance asks for a step below the shortest allowed, or below
    /// what changes the time at all.
    StepTooSmall {
        /// Time reached.
        t: f64,
        /// Length of the step that was not tried.
        h: f64,
    },
    /// A state or rate is not finite, however short the step.
    NonFinite {
        /// Time reached.
        t: f64,
    },
    /// The system could not answer.
    System(E),
}

/// Integrates from `t0` to exactly `t1`, which may be earlier; `x` is the
/// state at `t0` and becomes that at `t1`. After an error it is the state at
/// the time the error names, or at the last accepted step.
pub fn integrate<S: System>(
    system: &mut S,
    options: &Options,
    t0: f64,
    t1: f64,
    x: &mut [f64],
) -> Result<Statistics, OdeError<S::Error>> {
    let mut statistics = Statistics::default();
    let mut t = t0;
    let implicit = options.method == Method::Implicit;
    let mut stepper = Stepper::new(options.method);
    let mut controller = Controller::new(options.method);

    // The start, and a first length.
    let mut rate = vec![0.0; x.len()];
    let mut rate_next = vec![0.0; x.len()];
    if !(t0.is_finite() && t1.is_finite() && is_finite(x)) {
        return Err(OdeError::NonFinite { t });
    }
    system.rate(t, x, &mut rate).map_err(OdeError::System)?;
    statistics.evaluations += 1;
    if !is_finite(&rate) {
        return Err(OdeError::NonFinite { t });
    }
    if t1 - t0 == 0.0 {
        return Ok(statistics);
    }
    let mut h = match options.initial_step {
        Some(length) => length.copysign(t1 - t0),
        None => {
            let h = stepper
                .initial_step(system, t, x, &rate, t1 - t0)
                .map_err(OdeError::System)?;
            statistics.evaluations += u64::from(stepper.evaluations());
            h
        }
    };

    let mut fresh = true;
    loop {
        h = within(h, options);
        let (length, last) = fit(h, t1 - t);
        let t_next = if last { t1 } else { t + length };
        if t_next - t == 0.0 {
            return Err(OdeError::StepTooSmall { t, h: length });
        }

        // Try, and make sure that there is a way on from the end.
        let mut error = stepper
            .try_step(system, t, x, &rate, length, fresh)
            .map_err(OdeError::System)?;
        statistics.evaluations += u64::from(stepper.evaluations());
        statistics.jacobians += u64::from(implicit && fresh);
        statistics.factorisations += u64::from(implicit);
        if error <= 1.0 && !last {
            match stepper.rate1() {
                Some(rate1) => rate_next.copy_from_slice(rate1),
                None => {
                    system
                        .rate(t_next, stepper.x1(), &mut rate_next)
                        .map_err(OdeError::System)?;
                    statistics.evaluations += 1;
                    if !is_finite(&rate_next) {
                        error = f64::INFINITY;
                    }
                }
            }
        }

        fresh = error <= 1.0;
        if fresh {
            statistics.steps += 1;
            x.copy_from_slice(stepper.x1());
            t = t_next;
            if last {
                return Ok(statistics);
            }
            std::mem::swap(&mut rate, &mut rate_next);
            h = controller.accepted(length, error);
        } else {
            statistics.rejected += 1;
            h = controller.rejected(length, error);
            if h.abs() < options.min_step || t + h - t == 0.0 {
                return Err(if error.is_finite() {
                    OdeError::StepTooSmall { t, h }
                } else {
                    OdeError::NonFinite { t }
                });
            }
        }
    }
}

/// A length within the limits, of the same sign.
fn within(h: f64, options: &Options) -> f64 {
    // Not `clamp`, which panics on limits the wrong way round.
    let length = h.abs().max(options.min_step).min(options.max_step);
    length.copysign(h)
}

/// A length that ends in time, and whether it ends exactly on time.
///
/// The last two steps share what remains, lest the last one be a crumb.
fn fit(h: f64, remaining: f64) -> (f64, bool) {
    if h.abs() >= remaining.abs() {
        (remaining, true)
    } else if 2.0 * h.abs() > remaining.abs() {
        (0.5 * remaining, false)
    } else {
        (h, false)
    }
}

fn is_finite(values: &[f64]) -> bool {
    values.iter().all(|value| value.is_finite())
}
