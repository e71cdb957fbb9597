//! The simulator against closed forms, and in grasps that must hold.
#![allow(clippy::disallowed_methods)] // the bits of tests do not matter
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]
#![allow(non_snake_case, reason = "frame notation: X_AB")]

mod analytic;
mod closures;
mod cost;
mod critical;
mod gentle;
mod many;
mod masses;
mod mechanics;
mod motion;
mod paper;
mod passing;
mod pile;
mod resume;
mod rows;
mod scenes;
mod squeeze;
mod start;
mod tessellation;
mod union;
