//! What is measured.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is grasped, and when it counts as held.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct GraspSection {
    /// Name of the body that is grasped.
    pub object: String,
    /// The link that drift is measured against; the root of the first robot if
    /// not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub palm: Option<String>,
    /// Drift, rotation and slip are counted from here, s.
    #[serde(default = "two")]
    pub from: f64,
    /// Measures are taken up to here, s; to the end if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
    /// Held means: in the end the object is within this distance, m, of where
    /// it was at `held_since`, seen from the palm ...
    #[serde(default = "span")]
    pub held_within: f64,
    /// ... s ...
    #[serde(default)]
    pub held_since: f64,
    /// ... and at least so many fingers carry load.
    #[serde(default = "fingers")]
    pub held_by: usize,
    /// A normal force above this after 1 s is a failure, N.
    #[serde(default = "twenty_times_ten")]
    pub failure_force: f64,
    /// For shakes: the object's kinetic energy is compared with that of the
    /// prescribed motion from this time on, s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kinetic_energy_from: Option<f64>,
}

fn two() -> f64 {
    2.0
}

fn span() -> f64 {
    0.025
}

fn fingers() -> usize {
    2
}

fn twenty_times_ten() -> f64 {
    200.0
}

/// At the end of the run, pull the held object along ±x, ±y, ±z of the palm,
/// each time from that same state, until it slips.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct PullSection {
    /// How fast the pull grows, N/s.
    pub rate: f64,
    /// Where it ends, N.
    pub limit: f64,
    /// Plastic slip of a contact that counts as slipping, m.
    #[serde(default = "tenth_of_a_millimetre")]
    pub slip: f64,
}

fn tenth_of_a_millimetre() -> f64 {
    1.0e-4
}

/// A sensor.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct SensorEntry {
    /// Name of its channels.
    pub name: String,
    /// What it measures.
    pub kind: SensorKind,
    /// The link it sits on.
    pub link: String,
}

/// What a sensor measures.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum SensorKind {
    /// Force (N) and torque (N m) that pass from the parent through the link's
    /// joint, about its origin, in its axes.
    ForceTorque,
    /// Normal force (N), mean pressure (Pa) and plastic slip (m) over all
    /// contacts of the link.
    Contact,
}
