//! Scene files: what they mean, and what is said of mistakes.
#![allow(clippy::disallowed_methods)] // the bits of tests do not matter
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]
#![allow(non_snake_case, reason = "frame notation: X_AB")]

mod bodies;
mod builtins;
mod chains;
mod common;
mod docs;
mod errors;
mod garbled;
mod hands;
mod mistakes;
mod motions;
mod robots;
mod schedule;
