//! The surface of an overlap as a closed mesh.

use glam::DVec3;

use super::classify::Insides;
use super::crossings::Crossings;
use super::frame::Frame;
use super::pieces::Pieces;
use crate::ClosedMesh;

/// The surface of an overlap as a closed mesh, in the frame of A.
#[derive(Clone, Debug, Default)]
pub struct OverlapMesh {
    /// Corner positions, metres.
    pub vertices: Vec<DVec3>,
    /// Three vertex indices per triangle, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle: the body it comes from (0 is A, 1 is B) and the
    /// triangle of that body.
    pub origins: Vec<(u8, u32)>,
}

pub(super) fn assemble(
    bodies: [&ClosedMesh; 2],
    frame: &Frame,
    crossings: &mut Crossings,
    insides: &Insides,
    pieces: &Pieces,
) -> OverlapMesh {
    let _ = (bodies, frame, crossings, insides, pieces);
    OverlapMesh::default()
}
