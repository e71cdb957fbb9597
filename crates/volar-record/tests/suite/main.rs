//! Recordings: written, read back, damaged, and read by other programs.
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]

mod broken_files;
mod common;
mod python;
mod round_trip;
mod series;
