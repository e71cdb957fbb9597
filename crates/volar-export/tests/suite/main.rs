//! Exports, read back.
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]
#![allow(non_snake_case, reason = "frame notation: X_AB")]

mod described;
mod rerun;
mod schedule;
