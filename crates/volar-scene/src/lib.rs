//! Scene files: robots, bodies, what happens when, and what to measure.
//!
//! ```text
//! file, text or name of a built-in ──▶ Scene ──compile──▶ Setup: model, start, events, sensors
//! ```
//!
//! [`spec`] is the format; its JSON Schema is made from the types. [`Setup`] is
//! what a simulation needs; it can be run many times, and all runs share its
//! meshes. Units SI.
#![allow(non_snake_case)] // frame notation: X_WB, p_WC

pub mod builtin;
mod compile;
mod error;
pub mod hand;
mod keep;
mod motions;
mod read;
mod scene;
mod schedule;
mod similar;
pub mod spec;
mod spline;

pub use compile::{
    Commanded, ControlMap, Drive, Finger, Grasp, JointName, QualityPlan, SceneRobot, Sensor, Setup,
    Workshop,
};
pub use error::{OverrideError, SceneError};
pub use hand::{Frame, GraspOptions, Hand, HandAt, Object, Offset, Protocol, Touching, Trials};
pub use scene::Scene;
pub use schedule::{Change, Event, Passage};

/// The JSON Schema of scene files.
pub fn json_schema() -> serde_json::Value {
    schemars::schema_for!(spec::SceneSpec).to_value()
}
