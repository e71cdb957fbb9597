//! Triangle meshes, from anything a file may hold to a closed solid.

mod bad_places;
pub mod check;
mod closed;
mod faces;
mod grid;
pub(crate) mod layer;
pub mod mass;
mod merge;
pub mod shapes;
mod simplify;
mod thickness;

pub use closed::{ClosedMesh, Edge, Shell};
pub use faces::{Bend, PlanarFace};
pub use merge::Merged;
pub use simplify::Simplified;

use glam::DVec3;

use crate::Pose;
use check::Complaint;

/// Triangles as somebody gave them: possibly open, crossing or upside down.
///
/// Turn it into a [`ClosedMesh`] to compute with it. Vertices in metres in
/// the mesh's own frame; triangles list their corners counter-clockwise seen
/// from outside.
///
/// ```
/// use glam::DVec3;
/// use volar_geom::{ClosedMesh, Pose, TriMesh};
///
/// let mesh = TriMesh {
///     vertices: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
///     triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
/// };
/// let small = mesh.transformed(0.01, &Pose::IDENTITY); // edges of 10 mm
/// assert!(ClosedMesh::checked(small).is_ok());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriMesh {
    /// Corner positions, metres.
    pub vertices: Vec<DVec3>,
    /// Three vertex indices per triangle.
    pub triangles: Vec<[u32; 3]>,
}

impl TriMesh {
    /// The corners of one triangle.
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// Scales about the origin, then moves the mesh: its vertices go from
    /// frame B to frame A.
    pub fn transformed(mut self, scale: f64, X_AB: &Pose) -> TriMesh {
        for vertex in &mut self.vertices {
            *vertex = X_AB.point(*vertex * scale);
        }
        self
    }
}

/// Why a mesh cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MeshError {
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but there are only {vertices} vertices")]
    NoSuchVertex {
        /// Index of the triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("vertex {vertex} has a coordinate that is not finite")]
    NotFinite {
        /// Index of the vertex.
        vertex: usize,
    },
    /// An edge does not have exactly one triangle running along it in each direction.
    #[error(
        "the mesh is not closed: the edge from vertex {from} to vertex {to} has {along} triangles along it and {against} against it; one of each is needed"
    )]
    OpenEdge {
        /// First vertex of the edge.
        from: u32,
        /// Second vertex of the edge.
        to: u32,
        /// Triangles that run from `from` to `to`.
        along: usize,
        /// Triangles that run from `to` to `from`.
        against: usize,
    },
    /// The mesh is not the surface of a solid.
    #[error("the mesh is not usable: {}", fatal(complaints))]
    Invalid {
        /// Everything the check found.
        complaints: Vec<Complaint>,
    },
}

fn fatal(complaints: &[Complaint]) -> String {
    let texts = complaints.iter().filter(|c| c.is_fatal());
    texts
        .map(Complaint::to_string)
        .collect::<Vec<_>>()
        .join("; ")
}
