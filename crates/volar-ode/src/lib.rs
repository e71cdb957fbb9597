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
//! [`Stepper`] tries one step, [`Controller`] chooses its length, and
//! [`integrate`] drives both from one time to another. Nothing here allocates
//! after the first step of a given dimension, and the same input gives the
//! same bits.
//!
//! ```
//! use volar_ode::{Method, Options, System, integrate};
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
//! let mut x = [0.0];
//! let statistics = integrate(
//!     &mut Follow { w: 1.0 },
//!     &Options::new(Method::Implicit),
//!     0.0,
//!     1.0,
//!     &mut x,
//! )?;
//! // Past the transient, x = (2500 cos t + 50 sin t) / 2501.
//! let exact = (2500.0 * 1f64.cos() + 50.0 * 1f64.sin()) / 2501.0;
//! assert!((x[0] - exact).abs() < 1e-6);
//! assert!(statistics.steps > 0);
//! # Ok::<(), volar_ode::OdeError<std::convert::Infallible>>(())
//! ```

mod controller;
mod dormand_prince;
mod driver;
mod interpolation;
mod method;
mod rosenbrock;
mod stepper;
mod system;

pub use controller::Controller;
pub use driver::{OdeError, Options, Statistics, integrate};
pub use interpolation::hermite;
pub use method::Method;
pub use stepper::Stepper;
pub use system::System;
