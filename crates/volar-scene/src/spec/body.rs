//! Single bodies.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::motion::MotionEntry;
use super::{is_origin, is_upright, upright};

/// A body of its own: an object, a table, the ground.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct BodyEntry {
    /// Name, unique in the scene.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
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

/// A shape, centred on the body's origin; round ones about its z.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    /// Edge lengths along x, y, z, m.
    Box([f64; 3]),
    /// A ball.
    Sphere {
        /// Radius, m.
        radius: f64,
        /// How often the icosahedron is subdivided: 20·4ⁿ triangles, 1280 at 3.
        #[serde(default = "three")]
        subdivisions: u32,
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius, m.
        radius: f64,
        /// Length, m.
        length: f64,
    },
    /// A cylinder along z with a half ball on each end.
    Capsule {
        /// Radius, m.
        radius: f64,
        /// Length without the half balls, m.
        length: f64,
    },
    /// Half axes along x, y, z, m.
    Ellipsoid([f64; 3]),
    /// The half space below z = 0 of the body; 20 m wide, always fixed.
    Ground {},
    /// A closed mesh from a file.
    Mesh {
        /// OBJ, STL, PLY, glTF or COLLADA; relative to the scene file.
        file: String,
        /// Multiplies its coordinates; 0.001 for a file in millimetres.
        #[serde(default = "one")]
        scale: f64,
        /// Turns the mesh in the body, quaternion (w, x, y, z).
        #[serde(default = "upright", skip_serializing_if = "is_upright")]
        orientation: [f64; 4],
        /// Then moves it, m.
        #[serde(default, skip_serializing_if = "is_origin")]
        position: [f64; 3],
        /// Moves the body's origin to the centre of mass of the mesh.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        centre: bool,
        /// Repairs a mesh that is not a closed solid, as `volar check
        /// --repair` does, up to the convex hull.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        repair: bool,
    },
}

fn one() -> f64 {
    1.0
}

fn three() -> u32 {
    3
}
