//! Solids: primitive shapes as closed meshes, the union of solids, and the
//! repair of meshes that are not solids yet. Reads no files.
//!
//! ```text
//! Shape ──tessellate──▶ TriMesh ──repair──▶ usable TriMesh
//!                       several TriMesh ──unite──▶ one
//! ```
#![cfg_attr(test, allow(clippy::disallowed_methods))] // the bits of tests do not matter
#![allow(non_snake_case)] // frame notation: X_GM

mod moments;
mod polygon;
pub mod repair;
mod shape;
mod tessellate;
mod unite;

pub use polygon::triangulate;
pub use repair::{NoSolid, RepairOptions, RepairStep, Repaired, convex_hull, repair};
pub use shape::{MeshFile, Scale, Shape};
pub use unite::{NotUnited, side_by_side, unite};
