//! Closed triangle meshes and their exact overlap.
//!
//! This crate knows geometry only: no file, no force, no time. Lengths are in
//! metres. Frames follow the monogram notation of `docs/notation.md`: `X_AB`
//! is the pose of frame B in frame A, `p_AC` the position of point C in A.
#![cfg_attr(test, allow(clippy::disallowed_methods))] // the bits of tests do not matter
#![allow(non_snake_case)] // frame notation: X_AB, p_WC

pub mod broadphase;
pub mod bvh;
pub mod mesh;
pub mod overlap;
pub mod predicates;

pub use mesh::{ClosedMesh, MeshError, TriMesh};
pub use volar_math::Pose;
