//! The integrators against problems with known solutions.
//!
//! `cargo test -p volar-ode --test suite -- --nocapture` prints the tables.
#![allow(clippy::disallowed_methods)] // the bits of tests do not matter
#![allow(missing_docs)] // the modules of a test are not read from outside

mod accuracy;
mod control;
mod dense;
mod drive;
mod order;
mod problems;
mod stability;
