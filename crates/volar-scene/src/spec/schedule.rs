//! What happens when.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::is_origin;

/// A change at a time: of gravity, of efforts, targets or speeds of joints, or of the state.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ScheduleEntry {
    /// When it begins, s.
    pub at: f64,
    /// How long it takes, s; at once if not given.
    #[serde(default)]
    pub over: f64,
    /// How it goes from the old values to the new ones.
    #[serde(default)]
    pub shape: Transition,
    /// Everything returns to where it was at this earlier time, s, with its velocities; time goes
    /// on. What else the entry has changes then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub return_to: Option<f64>,
    /// New gravity, world axes, m/s²; at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gravity: Option<[f64; 3]>,
    /// Turns gravity about an axis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_gravity: Option<GravityTurn>,
    /// New efforts by joint (`joint` or `robot/joint`), N m or N.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub efforts: BTreeMap<String, f64>,
    /// New targets by joint, rad or m.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub targets: BTreeMap<String, f64>,
    /// New speeds by joint, rad/s or m/s.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub speeds: BTreeMap<String, f64>,
    /// New controls of the file's actuators by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub controls: BTreeMap<String, f64>,
}

/// How values change.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Transition {
    /// A straight line.
    #[default]
    Linear,
    /// `u³ (10 − 15 u + 6 u²)`: starts and ends gently.
    Smooth,
}

/// Turns gravity.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct GravityTurn {
    /// About this axis, world axes.
    pub axis: [f64; 3],
    /// By this angle, degrees.
    pub angle_deg: f64,
}

/// A force or torque from outside; `step` if neither `ramp` nor `frequency` is
/// given.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ForceEntry {
    /// The body or link it acts on.
    pub body: String,
    /// Force at the centre of mass, world axes, N.
    #[serde(default, skip_serializing_if = "is_origin")]
    pub force: [f64; 3],
    /// Torque, world axes, N m.
    #[serde(default, skip_serializing_if = "is_origin")]
    pub torque: [f64; 3],
    /// When it begins, s.
    #[serde(default)]
    pub start: f64,
    /// When it ends, s; never if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
    /// Grows along a straight line for so long, s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ramp: Option<f64>,
    /// Swings as a sine, Hz.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<f64>,
}
