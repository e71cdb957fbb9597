//! Contact of a pair of bodies: laws, patches, tangents.
#![allow(clippy::disallowed_methods)] // the bits of tests do not matter
#![allow(non_snake_case, reason = "frame notation: X_AB")]

mod common;
mod cycles;
mod damping;
mod foundation;
mod materials;
mod paper;
mod paper_direction;
mod paper_filter;
mod tangents;
mod torsion;
mod tracking;
