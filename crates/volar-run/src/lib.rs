//! Runs scenes: takes a simulation through its events, looks at it after every
//! step, and sums up.
//!
//! ```text
//! Setup ──▶ Run ──step──▶ Frame (at the end of every step)
//!                            ├─▶ Measures ──▶ Summary
//!                            └─▶ Sampler ──▶ recording, at its own rate
//! ```
//!
//! Frames are taken where steps end, and what lies between is interpolated, so
//! that recording does not change the motion by a bit.
#![allow(non_snake_case)] // frame notation: X_WB, V_WB

mod execute;
mod frames;
mod measures;
mod pull;
mod run;
mod sampler;
mod summary;

pub use execute::{Ended, Options, Outcome, Progress, RunError, Saved, execute};
pub use frames::{frame, header};
pub use measures::Measures;
pub use pull::pulls;
pub use run::Run;
pub use sampler::Sampler;
pub use summary::{Failure, FailureKind, Summary};
