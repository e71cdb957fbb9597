//! Robots.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::motion::MotionEntry;
use super::{is_origin, is_upright, is_zero, upright};

/// A robot from a file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct RobotEntry {
    /// Name, unique in the scene; its links are called `name/link`.
    pub name: String,
    /// URDF, MJCF or SDF file; relative to the scene file.
    pub file: String,
    /// Folders in which `package://` looks; relative to the scene file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<String>,
    /// Where its root stands in the world (or on its motion), m.
    #[serde(default, skip_serializing_if = "is_origin")]
    pub position: [f64; 3],
    /// Orientation of its root, quaternion (w, x, y, z).
    #[serde(default = "upright", skip_serializing_if = "is_upright")]
    pub orientation: [f64; 4],
    /// Lets its base move freely: the root of a URDF, the body with a free joint of an
    /// MJCF file that carries further joints. Otherwise the base is held, or moves as
    /// `motion` says.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub floating: bool,
    /// Moves its root as prescribed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<MotionEntry>,
    /// Name of the material of all its links; rubber if not given.
    #[serde(default = "rubber")]
    pub material: String,
    /// Materials of single links.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub link_materials: BTreeMap<String, String>,
    /// Which of its own links touch each other.
    #[serde(default)]
    pub self_contact: SelfContact,
    /// Links or shapes of the file that take no part in contact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// How far the surfaces of its links may be from those of the file, m: they get fewer
    /// triangles. 0 keeps them as they are; shapes that are convex stay in any case.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub detail: f64,
    /// Name or number of a keyframe of the file to start from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyframe: Option<String>,
    /// Start and drive of single joints, by the names of the file.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub joints: BTreeMap<String, JointEntry>,
    /// Controls of the actuators of the file, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub controls: BTreeMap<String, Command>,
    /// Fingers: names, each with its links, and those welded to them. Forces are
    /// summed over them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fingers: BTreeMap<String, Vec<String>>,
}

fn rubber() -> String {
    "rubber".into()
}

/// Which links of a robot touch each other.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum SelfContact {
    /// All that the rules of its file let touch: not parent and child, and none that
    /// the file excludes.
    All,
    /// The same, but for links that a closed chain joins and links that overlap at the
    /// start or in the pose of the file.
    #[default]
    Sensible,
    /// None.
    None,
}

/// Start and drive of a joint.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct JointEntry {
    /// Coordinate at the start, rad or m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// Rate at the start, rad/s or m/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Drives the joint with an effort, N m or N.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Command>,
    /// Drives the joint to a coordinate, rad or m. Gains are those of the
    /// file's own actuator unless `kp` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Command>,
    /// Drives the joint at a rate, rad/s or m/s; needs `kd`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_speed: Option<Command>,
    /// Gain on the coordinate, N m/rad or N/m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kp: Option<f64>,
    /// Gain on the rate, N m s/rad or N s/m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kd: Option<f64>,
    /// Greatest effort of the drive, N m or N.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort_limit: Option<f64>,
    /// Viscous damping instead of the file's, N m s/rad or N s/m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<f64>,
    /// Dry friction instead of the file's, N m or N.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
    /// Rotor inertia instead of the file's, kg m² or kg.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub armature: Option<f64>,
}

/// A number, or pairs of time (s) and number with straight lines between.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(untagged)]
pub enum Command {
    /// The same at all times.
    Constant(f64),
    /// Over time: `[[0.0, 0.0], [1.0, 5.0]]`.
    OverTime(Vec<[f64; 2]>),
}
