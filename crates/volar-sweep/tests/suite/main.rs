//! Sweeps from the plan to the table.
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]

mod common;
mod cost;
mod identity;
mod results;
mod shards;
mod tables;
