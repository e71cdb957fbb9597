//! Cells: what a pressure that follows the depth is integrated over.

mod closed_forms;
mod conservative;
mod nearest;
mod not_convex;
mod properties;
mod tessellation;
mod wrench;
