//! Lists of grasps as files.
#![allow(missing_docs)]
#![allow(clippy::unwrap_used)]
#![allow(non_snake_case)] // frame notation: X_OH

mod common;
mod datasets;
mod sampling;
mod tables;
