//! The overlap of two closed meshes against formulas, exact arithmetic and itself.
#![allow(clippy::disallowed_methods)] // the bits of tests do not matter
#![allow(non_snake_case, reason = "frame notation: X_AB")]

mod cells;
mod closed_forms;
mod degenerate;
mod depth;
mod determinism;
mod fuzz_cases;
mod invariants;
mod oracle_overlap;
mod properties;
mod reference;
mod regressions;
