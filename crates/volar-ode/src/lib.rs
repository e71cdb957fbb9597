//! Differential equations x' = f(t, x), explicit and linearly implicit.
//!
//! This crate knows no physics: states are slices of numbers, and whatever
//! has a structure (the matrix, what an error weighs) is asked of the
//! [`System`]. Two methods share one interface:
//!
//! - [`Method::Rk45`], Dormand and Prince's explicit pair of orders 5 and 4;
//! - [`Method::Implicit`], the Rosenbrock-W method ROS34PW2 of order 3,
//!   L-stable, whose order holds for any matrix in place of the Jacobian.
//!
//! [`Stepper`] tries one step, [`Controller`] chooses its length; the loop
//! around them belongs to the caller. Nothing here allocates after the first
//! step of a given dimension, and the same input gives the same bits.
//!
//! ```
//! use volar_ode::{Controller, Method, Stepper, System};
//!
//! /// x' = -50 (x - cos t)
//! struct Follow {
//!     w: f64,
//! }
//!
//! impl System for Follow {
//!     type Error = std::convert::Infallible;
//!     fn dim(&self) -> usize {
//!         1
//!     }
//!     fn rate(&mut self, t: f64, x: &[f64], rate: &mut [f64]) -> Result<(), Self::Error> {
//!         rate[0] = -50.0 * (x[0] - t.cos());
//!         Ok(())
//!     }
//!     fn linearise(&mut self, _t: f64, _x: &[f64]) -> Result<(), Self::Error> {
//!         Ok(()) // J = -50 everywhere
//!     }
//!     fn factor(&mut self, c: f64) -> Result<(), Self::Error> {
//!         self.w = 1.0 + 50.0 * c;
//!         Ok(())
//!     }
//!     fn solve(&mut self, b: &mut [f64]) {
//!         b[0] /= self.w;
//!     }
//!     fn error_norm(&self, _x0: &[f64], _x1: &[f64], error: &[f64]) -> f64 {
//!         error[0].abs() / 1e-6
//!     }
//! }
//!
//! let mut system = Follow { w: 1.0 };
//! let mut stepper = Stepper::new(Method::Implicit);
//! let mut controller = Controller::new(Method::Implicit);
//! let (mut t, mut x, mut rate) = (0.0, [0.0], [0.0]);
//! system.rate(t, &x, &mut rate)?;
//! let mut h = stepper.initial_step(&mut system, t, &x, &rate, 1.0)?;
//! let mut fresh = true;
//! while t < 1.0 {
//!     h = h.min(1.0 - t);
//!     let error = stepper.try_step(&mut system, t, &x, &rate, h, fresh)?;
//!     fresh = error <= 1.0;
//!     if fresh {
//!         t += h;
//!         x.copy_from_slice(stepper.x1());
//!         system.rate(t, &x, &mut rate)?;
//!         h = controller.accepted(h, error);
//!     } else {
//!         h = controller.rejected(h, error);
//!     }
//! }
//! // Past the transient, x = (2500 cos t + 50 sin t) / 2501.
//! let exact = (2500.0 * 1f64.cos() + 50.0 * 1f64.sin()) / 2501.0;
//! assert!((x[0] - exact).abs() < 1e-6);
//! # Ok::<(), std::convert::Infallible>(())
//! ```
#![cfg_attr(test, allow(clippy::disallowed_methods))] // the bits of tests do not matter

mod controller;
mod dormand_prince;
mod method;
mod rosenbrock;
mod statistics;
mod stepper;
mod system;

pub use controller::Controller;
pub use method::Method;
pub use statistics::Statistics;
pub use stepper::Stepper;
pub use system::System;
