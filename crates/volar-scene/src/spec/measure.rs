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
    /// ... has not rotated by more than this since, degrees, ...
    #[serde(default = "eighth_of_a_turn")]
    pub held_angle_deg: f64,
    /// ... and at least so many fingers carry load.
    #[serde(default = "fingers")]
    pub held_by: usize,
    /// A normal force above this after 1 s is a failure, N, ...
    #[serde(default = "twenty_times_ten")]
    pub failure_force: f64,
    /// ... if it stays above for so long, s: a peak while fingers close is none.
    #[serde(default = "tenth_of_a_second")]
    pub failure_time: f64,
    /// Parts of the run, each of which is judged by itself, from where the object
    /// is when it begins. The object is held if it is held in all of them.
    #[serde(default, rename = "phase", skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<PhaseEntry>,
    /// For shakes: the object's kinetic energy is compared with that of the
    /// prescribed motion from this time on, s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kinetic_energy_from: Option<f64>,
    /// Measures the static quality of the grasp: force closure, epsilon, and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<QualitySection>,
}

/// Static quality of a grasp, from its contacts at one time.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct QualitySection {
    /// When, s. If not given: when the first phase begins or gravity first changes, or at
    /// `from` if neither happens; at the end of the run if that is earlier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
    /// Length by which torques are divided, m; the greatest distance of the object's surface from its
    /// centre of mass if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<f64>,
    /// Edges of the pyramid in a cone of friction, 3 to 64.
    #[serde(default = "eight")]
    pub edges: usize,
}

fn eight() -> usize {
    8
}

/// A part of a run that is judged by itself: a load, a direction of gravity.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct PhaseEntry {
    /// Name, as the summary gives it.
    pub name: String,
    /// When it begins, s.
    pub from: f64,
    /// When it ends, s.
    pub until: f64,
    /// Greatest distance, m; that of the grasp if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_within: Option<f64>,
    /// Greatest rotation, degrees; that of the grasp if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_angle_deg: Option<f64>,
    /// How many fingers carry load at least; as for the grasp if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_by: Option<usize>,
    /// The object may still move when the phase ends, as what swings in a hand that has just
    /// lifted it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_move: bool,
}

impl PhaseEntry {
    /// When its last second begins, s; or its second half, if that is shorter.
    pub fn last_second(&self) -> f64 {
        (self.until - 1.0).max(0.5 * (self.from + self.until))
    }
}

fn eighth_of_a_turn() -> f64 {
    45.0
}

fn tenth_of_a_second() -> f64 {
    0.1
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
