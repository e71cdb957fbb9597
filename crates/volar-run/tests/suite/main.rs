//! The run loop, and built-in scenes run to their end.
#![allow(clippy::disallowed_methods)] // the bits of tests do not matter
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]

mod bits;
mod common;
mod hour;
mod neighbours;
mod nine;
mod objects;
mod observers;
mod others;
mod quality;
mod shadow;
mod shakes;
mod shapes;
mod steps;
mod summary;
mod tolerance;
mod triangulated;
mod verdict;
