//! Single bodies.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use volar_solids::Shape;

use super::motion::MotionEntry;
use super::{is_origin, is_upright, is_zero, upright};

/// A body of its own: an object, a table, the ground.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct BodyEntry {
    /// Name, unique in the scene.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// How far its surface may be from that of its shape, m: it gets fewer triangles.
    /// 0 keeps it as it is; a shape that is convex stays in any case.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub detail: f64,
    /// Position of its origin in the world at the start, m.
    #[serde(default, skip_serializing_if = "is_origin")]
    pub position: [f64; 3],
    /// Orientation at the start, quaternion (w, x, y, z).
    #[serde(default = "upright", skip_serializing_if = "is_upright")]
    pub orientation: [f64; 4],
    /// Velocity at the start, m/s.
    #[serde(default, skip_serializing_if = "is_origin")]
    pub velocity: [f64; 3],
    /// Angular velocity at the start, rad/s.
    #[serde(default, skip_serializing_if = "is_origin")]
    pub angular_velocity: [f64; 3],
    /// Mass, kg; or else give `density`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<f64>,
    /// Density, kg/m³; 1000 if neither it nor `mass` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<f64>,
    /// Moments of inertia about the centre of mass (Ixx, Iyy, Izz, Ixy, Ixz,
    /// Iyz), kg m²; those of the uniform solid if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<[f64; 6]>,
    /// Name of its material; plastic if not given.
    #[serde(default = "plastic")]
    pub material: String,
    /// Fixed in the world (or on its motion).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fixed: bool,
    /// Slides along this direction only, as on a rail; world axes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slides_along: Option<[f64; 3]>,
    /// Force along the rail, N.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<f64>,
    /// Viscous damping along the rail, N s/m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<f64>,
    /// Name of a robot with a prescribed motion, if the body is held by it all
    /// the time: its own motion is then described from the robot's moving base,
    /// where it is nearly at rest, and steps can be ten times longer. It moves
    /// as it would without this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub travels_with: Option<String>,
    /// A fixed body that moves as prescribed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<MotionEntry>,
}

fn plastic() -> String {
    "plastic".into()
}
