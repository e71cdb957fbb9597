//! Contact forces on the overlap of two closed meshes.
//!
//! An overlap and the relative motion of two bodies become a wrench, with its
//! tangents. This crate knows no joint and no file. Start at [`pair`]: it is
//! one evaluation of one pair from top to bottom.
//!
//! Units SI. Everything of a pair is in the frame of its first body A; the
//! wrench acts on A, and B gets its opposite at the same point.
#![cfg_attr(test, allow(clippy::disallowed_methods))] // the bits of tests do not matter
#![allow(non_snake_case)] // frame notation: X_AB, p_WC

pub mod foundation;
pub mod friction;
pub mod law;
pub mod material;
pub mod memory;
pub mod normal_contact;
pub mod pair;
pub mod paper;
pub mod patch;
pub mod piece;
pub mod track;

pub use friction::Tanh;
pub use law::{ContactLaw, Friction, NormalLaw};
pub use material::{Material, PairMaterial};
pub use memory::PatchState;
pub use pair::{PairContact, PairInput, PairState};
pub use paper::Paper;
pub use patch::Patch;
