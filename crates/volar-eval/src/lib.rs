//! Evaluations: every grasp of a list under a protocol.
//!
//! ```text
//! hand, object, protocol ──▶ Trials ──▶ one scene ───────────────┐
//! grasps ──▶ a row of a table each (× repeats with noise) ───────┴─▶ Sweep ──▶ table
//!                                                                             grasps.parquet
//! ```
//!
//! An evaluation is a sweep over the rows of a table, so it is resumed, sharded and reported
//! as every sweep is. [`finish`] sums its runs up by grasp, [`write_labels`] writes the
//! verdicts back into a file of grasps.
#![cfg_attr(test, allow(clippy::disallowed_methods))] // the bits of tests do not matter
#![allow(non_snake_case)] // frame notation: X_OH

mod error;
mod noise;
mod plan;
mod results;

pub use error::EvalError;
pub use noise::Noise;
pub use plan::{Request, plan};
pub use results::{GRASPS, finish, is_evaluation, write_labels};
