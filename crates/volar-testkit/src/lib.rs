//! What the tests of volar share: oracles, meshes, random poses.
//!
//! Nothing here is published or used outside tests and the commands that write
//! the accuracy tables.
#![allow(clippy::disallowed_methods)] // the bits of tests do not matter
#![allow(non_snake_case)] // frame notation: X_AB, p_WC

pub mod accuracy;
pub mod brute;
pub mod cases;
pub mod clock;
pub mod closed_form;
pub mod columns;
pub mod convergence;
pub mod corpus;
pub mod direct;
pub mod invariants;
pub mod parallel;
pub mod rng;
pub mod solids;
pub mod sweep;
pub mod tolerance;
