//! Shapes of robots and scenes, as scene files write them.

use glam::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};
use volar_geom::{Pose, TriMesh};

/// A shape, centred on its frame G; round ones about its z.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// The half space below z = 0: a slab 20 m wide and 10 m thick, so exact
    /// within 10 m of the origin.
    Ground {},
    /// A closed mesh from a file.
    Mesh(MeshFile),
}

/// A mesh file and where its vertices are in the frame of the shape.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MeshFile {
    /// Mesh file; relative to the scene or robot file.
    pub file: String,
    /// Multiplies its coordinates; 0.001 for a file in millimetres.
    #[serde(default)]
    pub scale: Scale,
    /// Turns the mesh in the body, quaternion (w, x, y, z).
    #[serde(default = "upright", skip_serializing_if = "is_upright")]
    pub orientation: [f64; 4],
    /// Then moves it, m.
    #[serde(default, skip_serializing_if = "is_origin")]
    pub position: [f64; 3],
    /// Moves the body's origin to the centre of mass of the mesh.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub centre: bool,
    /// Repairs a mesh that is not a closed solid, as `volar check
    /// --repair` does, up to the convex hull.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repair: bool,
    /// The frame M in the file's frame F in which vertices are scaled. The
    /// identity but for MJCF's `refpos` and `refquat`.
    #[serde(skip, default = "identity")]
    pub X_FM: Pose,
}

/// A factor for all axes, or one for each of x, y, z.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Scale {
    /// The same along all axes.
    Uniform(f64),
    /// Along x, y, z; negative entries mirror.
    PerAxis([f64; 3]),
}

impl Default for Scale {
    fn default() -> Scale {
        Scale::Uniform(1.0)
    }
}

impl Scale {
    /// The factors along x, y, z.
    pub fn axes(self) -> DVec3 {
        match self {
            Scale::Uniform(factor) => DVec3::splat(factor),
            Scale::PerAxis(factors) => DVec3::from_array(factors),
        }
    }
}

impl Shape {
    /// A ball of 1280 triangles.
    pub fn sphere(radius: f64) -> Shape {
        Shape::Sphere {
            radius,
            subdivisions: three(),
        }
    }
}

impl MeshFile {
    /// A file as it is: not scaled, not moved, not repaired.
    pub fn new(file: impl Into<String>) -> MeshFile {
        MeshFile {
            file: file.into(),
            scale: Scale::default(),
            orientation: upright(),
            position: [0.0; 3],
            centre: false,
            repair: false,
            X_FM: Pose::IDENTITY,
        }
    }

    /// The mesh of the file in the shape's frame: a vertex v is at
    /// `X_GM (scale · (X_FM⁻¹ v))`. A mirrored mesh stays outward. `centre`
    /// is left to the caller, who knows the mass.
    pub fn placed(&self, mesh: &TriMesh) -> TriMesh {
        let scale = self.scale.axes();
        let X_MF = self.X_FM.inverse();
        let [w, x, y, z] = self.orientation;
        let turn = DQuat::from_xyzw(x, y, z, w);
        let X_GM = Pose {
            R: DMat3::from_quat(turn * (1.0 / turn.length())),
            p: DVec3::from_array(self.position),
        };
        let mut placed = mesh.clone();
        for vertex in &mut placed.vertices {
            *vertex = X_GM.point(scale * X_MF.point(*vertex));
        }
        if scale.element_product() < 0.0 {
            placed.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        placed
    }
}

fn three() -> u32 {
    3
}

fn identity() -> Pose {
    Pose::IDENTITY
}

fn upright() -> [f64; 4] {
    [1.0, 0.0, 0.0, 0.0]
}

/// What was left out and what was written as it is by default are the same.
fn is_upright(orientation: &[f64; 4]) -> bool {
    orientation.map(f64::to_bits) == upright().map(f64::to_bits)
}

fn is_origin(position: &[f64; 3]) -> bool {
    position.map(f64::to_bits) == [0; 3]
}
