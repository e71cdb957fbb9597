//! The mathematics that all other crates share: poses, spatial vectors,
//! rotations and linear systems, small and dense or in sparse blocks.
//!
//! SI units. Frames follow the monogram notation of `docs/notation.md`.
//!
//! Small functions are `#[inline]`: inner loops of other crates call them, and
//! there is no link-time optimisation to do it.
#![cfg_attr(test, allow(clippy::disallowed_methods))] // the bits of tests do not matter
#![allow(non_snake_case)] // frame notation: X_AB, p_WC

mod block_lu;
mod block_pattern;
pub mod cholesky;
mod inertia;
pub mod lu;
mod matrix;
mod pose;
pub mod random;
pub mod real;
pub mod rotation;
mod spatial;

pub use block_lu::BlockLu;
pub use block_pattern::BlockPattern;
pub use inertia::SpatialInertia;
pub use matrix::{cross_matrix, outer};
pub use pose::Pose;
pub use spatial::{Matrix6, Twist, Wrench};
