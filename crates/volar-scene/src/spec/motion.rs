//! Prescribed motions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{is_upright, upright};

/// A motion added to the pose a robot or a fixed body has without it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum MotionEntry {
    /// `amplitude · sin(2π frequency (t − start) + phase)` along each axis,
    /// faded in over `ramp`; does not turn.
    Sine {
        /// Along x, y, z, m.
        amplitude: [f64; 3],
        /// Of the sine, Hz.
        frequency: f64,
        /// Along x, y, z, degrees.
        #[serde(default)]
        phase_deg: [f64; 3],
        /// When it begins, s.
        #[serde(default)]
        start: f64,
        /// How long it takes to reach its full size, s.
        #[serde(default = "second")]
        ramp: f64,
    },
    /// From point to point; at rest in each.
    Waypoints(Vec<Waypoint>),
    /// From a CSV file with a head line `t,x,y,z` or `t,x,y,z,qw,qx,qy,qz`:
    /// a smooth curve (cubic spline) through all lines.
    Csv {
        /// Relative to the scene file.
        file: String,
    },
}

fn second() -> f64 {
    1.0
}

/// A displacement at a time.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Waypoint {
    /// When it is reached, s.
    pub time: f64,
    /// Displacement from where the frame stands without the motion, m.
    pub position: [f64; 3],
    /// Rotation about the frame's own origin, quaternion (w, x, y, z).
    #[serde(default = "upright", skip_serializing_if = "is_upright")]
    pub orientation: [f64; 4],
}
