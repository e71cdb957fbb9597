//! Tests of the measures of a grasp.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // the bits of tests do not matter

mod closed_forms;
mod common;
mod directions;
mod enumeration;
mod input;
mod invariance;
