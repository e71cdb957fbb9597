//! Scene files: robots, bodies, what happens when, and what to measure.
//!
//! ```text
//! text ──read──▶ Scene (types, spec) ──compile──▶ Setup: model, start, events, sensors
//! name of a built-in ──builtin──▶ folder with scene.toml and what it needs
//! ```
//!
//! [`spec`] is the format; its JSON Schema is made from the types. [`Setup`] is
//! what a simulation needs. Units SI.
#![allow(non_snake_case)] // frame notation: X_WB, p_WC

pub mod builtin;
mod compile;
mod error;
mod motions;
mod read;
mod schedule;
pub mod spec;
mod spline;

pub use compile::{Commanded, ControlMap, Drive, Finger, Grasp, JointName, Sensor, Setup};
pub use error::SceneError;
pub use read::SceneText;
pub use schedule::{Change, Event, Passage};

/// The JSON Schema of scene files.
pub fn json_schema() -> serde_json::Value {
    schemars::schema_for!(spec::Scene).to_value()
}
