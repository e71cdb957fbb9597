//! The scene file as types: what a person writes, nothing checked but the
//! types themselves. SI units, seconds, metres; angles in rad unless a name
//! says degrees; quaternions (w, x, y, z).
//!
//! The JSON Schema of the format is made from these types, so the comments
//! here are its documentation.
//!
//! ```
//! use volar_scene::Scene;
//! use volar_scene::spec::{BodyEntry, Shape};
//!
//! let text = "name = \"drop\"\n[[body]]\nname = \"ball\"\nshape = { box = [0.1, 0.1, 0.1] }\n";
//! let spec = Scene::parse("drop", text)?.spec;
//! assert_eq!(spec.gravity, [0.0, 0.0, -9.81]); // m/s², world axes
//! let ball: &BodyEntry = &spec.bodies[0];
//! assert_eq!(ball.shape, Shape::Box([0.1; 3])); // m
//! assert_eq!((&*ball.material, ball.mass), ("plastic", None));
//! # Ok::<(), volar_scene::SceneError>(())
//! ```

mod body;
mod contact;
mod measure;
mod motion;
mod robot;
mod schedule;

pub use body::BodyEntry;
pub use contact::{
    ContactSection, FilterFrequency, FrictionName, LawName, MaterialEntry, PaperSection,
};
pub use measure::{GraspSection, PhaseEntry, PullSection, QualitySection, SensorEntry, SensorKind};
pub use motion::{MotionEntry, Waypoint};
pub use robot::{Command, JointEntry, RobotEntry, SelfContact};
pub use schedule::{ForceEntry, GravityTurn, ScheduleEntry, Transition};
pub use volar_solids::{MeshFile, Scale, Shape};

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A scene: robots, bodies, what happens when, and what to measure.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Scene")]
pub struct SceneSpec {
    /// Name, as summaries give it.
    pub name: String,
    /// What the scene shows, in a line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// How long it runs, s.
    #[serde(default = "ten")]
    pub duration: f64,
    /// Acceleration of free fall, world axes, m/s².
    #[serde(default = "earth")]
    pub gravity: [f64; 3],
    /// What becomes of bodies that start in each other.
    #[serde(default)]
    pub start: StartName,
    /// How time is integrated.
    #[serde(default)]
    pub integrator: IntegratorSection,
    /// The law of contact.
    #[serde(default)]
    pub contact: ContactSection,
    /// What is recorded.
    #[serde(default)]
    pub record: RecordSection,
    /// Materials by name, beside those every scene knows, such as rubber.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub materials: BTreeMap<String, MaterialEntry>,
    /// Robots, grippers, hands.
    #[serde(default, rename = "robot", skip_serializing_if = "Vec::is_empty")]
    pub robots: Vec<RobotEntry>,
    /// Single bodies: objects, tables, ground.
    #[serde(default, rename = "body", skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<BodyEntry>,
    /// What changes at a time: gravity, efforts, targets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schedule: Vec<ScheduleEntry>,
    /// Forces and torques from outside.
    #[serde(default, rename = "force", skip_serializing_if = "Vec::is_empty")]
    pub forces: Vec<ForceEntry>,
    /// Sensors, whose values are recorded.
    #[serde(default, rename = "sensor", skip_serializing_if = "Vec::is_empty")]
    pub sensors: Vec<SensorEntry>,
    /// What is grasped, and when it counts as held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grasp: Option<GraspSection>,
    /// Pull the held object in six directions until it slips.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pull: Option<PullSection>,
}

fn ten() -> f64 {
    10.0
}

fn earth() -> [f64; 3] {
    [0.0, 0.0, -9.81]
}

/// What becomes of bodies that start in each other; each such pair is named in a
/// warning.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum StartName {
    /// The overlap pushes them apart with the energy it stores.
    AsIs,
    /// They are moved to where nothing presses, at rest, before the run begins.
    Relaxed,
    /// They are pushed apart slowly, and the energy is lost.
    #[default]
    Gentle,
}

impl StartName {
    /// As it stands in a scene file.
    pub fn name(self) -> &'static str {
        match self {
            StartName::AsIs => "as-is",
            StartName::Relaxed => "relaxed",
            StartName::Gentle => "gentle",
        }
    }
}

/// How time is integrated.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct IntegratorSection {
    /// `implicit`, with large steps at rest, or the explicit `rk45`.
    #[serde(default)]
    pub method: MethodName,
    /// Relative tolerance; 1e-3 for `implicit`, 1e-5 for `rk45` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Longest step, s; 0.5 if not given. At most 0.1 while motions, efforts, loads or
    /// gravity change with time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest_step: Option<f64>,
}

/// The integrators.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum MethodName {
    /// Linearly implicit, adaptive, order 3.
    #[default]
    Implicit,
    /// Dormand–Prince 4(5), explicit: the paper's choice.
    Rk45,
}

impl MethodName {
    /// As it stands in a scene file.
    pub fn name(self) -> &'static str {
        match self {
            MethodName::Implicit => "implicit",
            MethodName::Rk45 => "rk45",
        }
    }
}

/// What is recorded.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct RecordSection {
    /// Frames per second of simulated time.
    #[serde(default = "hundred")]
    pub rate: f64,
}

fn hundred() -> f64 {
    100.0
}

impl Default for RecordSection {
    fn default() -> RecordSection {
        RecordSection { rate: hundred() }
    }
}

pub(crate) fn upright() -> [f64; 4] {
    [1.0, 0.0, 0.0, 0.0]
}

pub(crate) fn is_upright(orientation: &[f64; 4]) -> bool {
    same(orientation, &upright())
}

pub(crate) fn is_origin(position: &[f64; 3]) -> bool {
    same(position, &[0.0; 3])
}

pub(crate) fn is_zero(value: &f64) -> bool {
    same(&[*value], &[0.0])
}

/// The very same numbers: what was left out and what was written as it is by
/// default.
fn same(a: &[f64], b: &[f64]) -> bool {
    a.iter()
        .map(|x| x.to_bits())
        .eq(b.iter().map(|x| x.to_bits()))
}
