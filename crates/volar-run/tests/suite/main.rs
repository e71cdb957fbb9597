//! Built-in scenes run to their end.
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]

mod common;
mod hour;
mod neighbours;
mod nine;
mod others;
mod shadow;
mod shakes;
