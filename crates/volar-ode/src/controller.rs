//! Choosing the length of the next step.
//!
//! Symbols: h length of a step, err its error against the tolerance, q the
//! power of h with which err falls (5 for Rk45, 3 for Implicit).
//!
//! After an accepted step, the proportional-integral controller
//! [Gustafsson 1991; HW §IV.2]
//!
//! ```text
//! h_next = h · 0.9 · err^(-I/q) · err_previous^(P/q)
//! ```
//!
//! with err_previous of the accepted step before. Where all goes on as it does, the error
//! settles at `0.9^(q/(I − P))`: 0.17 for Rk45, 0.53 for Implicit. Where a step is bounded by
//! stability, as the explicit method's is on a damped contact, the second
//! factor keeps the length from swinging between too long and rejected. After
//! a rejection err_previous says nothing of where the limit is, and
//!
//! ```text
//! h_next = h · 0.9 · err^(-1/q)
//! ```
//!
//! The factor stays within 0.2 and 5, and within 1 for a rejected step and
//! the one accepted after it.

use crate::Method;
use volar_math::real;

/// How far below the tolerance the controller aims [HNW §II.4].
const SAFETY: f64 = 0.9;
/// A step is not cut or stretched by more than this at once [HNW §II.4].
const SHRINK_LIMIT: f64 = 0.2;
const GROWTH_LIMIT: f64 = 5.0;
/// The step after one whose error is not a number: nothing is known but that
/// it was too long.
const BLIND_SHRINK: f64 = 0.25;
/// A previous error counts as at least this. A step that was exact says only
/// that it was far too short; as a factor, its error would cut the next.
/// The value is DOPRI5's.
const PREVIOUS_FLOOR: f64 = 1e-4;

/// I and P of the controller.
const fn exponents(method: Method) -> [f64; 2] {
    match method {
        // [HW §IV.2]. An error nearer to the tolerance shows as a ripple in the forces of
        // contacts, where stability bounds the step.
        Method::Rk45 => [0.7, 0.4],
        // The exponents above settle at an error of 0.35 and need 3 to 12 % more evaluations
        // in the built-in grasps; without P, twice as many steps are rejected.
        Method::Implicit => [0.8, 0.3],
    }
}

/// Chooses step sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct Controller {
    /// q, the power of h with which the error falls.
    power: f64,
    /// I and P.
    exponents: [f64; 2],
    /// Error of the accepted step before, if it is of any use.
    previous: Option<f64>,
    just_rejected: bool,
}

impl Controller {
    /// A controller for steps of `method`.
    pub fn new(method: Method) -> Controller {
        Controller {
            power: f64::from(method.error_power()),
            exponents: exponents(method),
            previous: None,
            just_rejected: false,
        }
    }

    /// The length of the step after an accepted one of length `h` whose error
    /// norm was `error` (at most 1).
    pub fn accepted(&mut self, h: f64, error: f64) -> f64 {
        let growth_limit = if self.just_rejected {
            1.0
        } else {
            GROWTH_LIMIT
        };
        let [integral, proportional] = self.exponents;
        let factor = match self.previous {
            Some(previous) => {
                SAFETY
                    * real::pow(error, -integral / self.power)
                    * real::pow(previous, proportional / self.power)
            }
            None => SAFETY * real::pow(error, -1.0 / self.power),
        };
        self.previous = Some(error.max(PREVIOUS_FLOOR));
        self.just_rejected = false;
        h * factor.clamp(SHRINK_LIMIT, growth_limit)
    }

    /// The length with which to retry a step of length `h` whose error norm
    /// was `error`: above 1, or not finite if the step could not be computed.
    pub fn rejected(&mut self, h: f64, error: f64) -> f64 {
        self.just_rejected = true;
        if !error.is_finite() {
            return h * BLIND_SHRINK;
        }
        // At most SAFETY, so that a caller with a stricter mind about errors
        // than the norm's 1 also gets a shorter step.
        let factor = SAFETY * real::pow(error, -1.0 / self.power);
        h * factor.clamp(SHRINK_LIMIT, SAFETY)
    }

    /// What it remembers: the error of the step before, and whether that was
    /// a retry. For saving and resuming a run.
    pub fn memory(&self) -> (Option<f64>, bool) {
        (self.previous, self.just_rejected)
    }

    /// Takes up a [`memory`](Self::memory).
    pub fn remember(&mut self, (previous, just_rejected): (Option<f64>, bool)) {
        self.previous = previous;
        self.just_rejected = just_rejected;
    }

    /// Forgets the steps so far; for a restart at a jump of the system.
    pub fn reset(&mut self) {
        self.previous = None;
        self.just_rejected = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() <= 1e-12 * b.abs(), "{a} is not {b}");
    }

    #[test]
    fn first_step_follows_the_error_alone() {
        close(Controller::new(Method::Implicit).accepted(2.0, 1.0), 1.8);
        close(
            Controller::new(Method::Implicit).accepted(1.0, 1.0 / 8.0),
            1.8,
        );
        close(Controller::new(Method::Rk45).accepted(1.0, 1.0 / 32.0), 1.8);
    }

    #[test]
    fn errors_settle_where_the_exponents_say() {
        for (method, power, expected) in [(Method::Implicit, 3, 0.531), (Method::Rk45, 5, 0.173)] {
            let mut controller = Controller::new(method);
            let mut h = 0.1_f64;
            for _ in 0..40 {
                // A system on which err = h^q.
                h = controller.accepted(h, h.powi(power));
            }
            assert!((h.powi(power) - expected).abs() < 1e-3, "{method:?}: {h}");
        }
    }

    #[test]
    fn a_rising_error_slows_growth() {
        let mut steady = Controller::new(Method::Rk45);
        steady.accepted(1.0, 0.1);
        let mut rising = Controller::new(Method::Rk45);
        rising.accepted(1.0, 0.01);
        assert!(rising.accepted(1.0, 0.1) < steady.accepted(1.0, 0.1));
    }

    #[test]
    fn factors_stay_within_limits() {
        let mut controller = Controller::new(Method::Implicit);
        close(controller.accepted(1.0, 0.0), 5.0);
        close(controller.rejected(1.0, 1e30), 0.2);
        close(controller.rejected(1.0, f64::INFINITY), 0.25);
        close(controller.rejected(1.0, f64::NAN), 0.25);
        close(controller.rejected(1.0, 1.0), 0.9);
    }

    #[test]
    fn no_growth_right_after_a_rejection() {
        let mut controller = Controller::new(Method::Implicit);
        controller.rejected(1.0, 8.0);
        close(controller.accepted(0.5, 1e-6), 0.5);
        close(controller.accepted(0.5, 1e-9), 2.5);
    }

    #[test]
    fn reset_forgets() {
        let mut controller = Controller::new(Method::Rk45);
        controller.accepted(1.0, 0.01);
        controller.rejected(1.0, 3.0);
        controller.reset();
        assert_eq!(controller, Controller::new(Method::Rk45));
    }
}
