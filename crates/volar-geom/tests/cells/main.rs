//! Cells: what a pressure that follows the depth is integrated over.
#![allow(non_snake_case)] // frame notation: X_AB
#![allow(missing_docs)]

mod closed_forms;
mod conservative;
mod nearest;
mod not_convex;
mod properties;
mod wrench;
