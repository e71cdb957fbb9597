//! The surface of an overlap as a closed mesh.

use std::collections::BTreeMap;

use glam::DVec3;

use super::classify::Insides;
use super::crossings::Crossings;
use super::frame::Frame;
use super::loops::Source;
use super::pieces::Pieces;
use super::triangulate::{Corner, triangulate};
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

/// Numbers the corners of pieces so that pieces that meet share them.
#[derive(Default)]
struct Corners {
    numbers: BTreeMap<(usize, Source), u32>,
    positions_L: Vec<DVec3>,
}

impl Corners {
    fn number(&mut self, body: usize, source: Source, position_L: DVec3) -> u32 {
        // A crossing belongs to both bodies, a vertex to its own.
        let owner = if matches!(source, Source::Crossing(_)) {
            0
        } else {
            body
        };
        *self.numbers.entry((owner, source)).or_insert_with(|| {
            self.positions_L.push(position_L);
            self.positions_L.len() as u32 - 1
        })
    }
}

/// Joins the pieces of surface whose elements are `kept`.
pub(super) fn assemble(
    bodies: [&ClosedMesh; 2],
    frame: &Frame,
    crossings: &mut Crossings,
    insides: &Insides,
    pieces: &Pieces,
    kept: impl Fn(u32) -> bool,
) -> OverlapMesh {
    let mut mesh = OverlapMesh::default();
    let mut corners = Corners::default();
    let cut = &pieces.pieces;

    // Cut triangles: the outlines of each piece, in the plane of the triangle.
    let mut outlines: Vec<Vec<Vec<Corner>>> = vec![Vec::new(); cut.len()];
    for outline in &pieces.loops.loops {
        let piece = &cut[outline.piece as usize];
        // Seen along the axis closest to the normal, from outside.
        let axis = piece.normal.abs().max_position();
        let (mut x, mut y) = ((axis + 1) % 3, (axis + 2) % 3);
        if piece.normal[axis] < 0.0 {
            (x, y) = (y, x);
        }
        let range = outline.start as usize..outline.end as usize;
        let flat = pieces.loops.points[range].iter().map(|point| {
            let p = point.position;
            (corners.number(piece.body, point.source, p), [p[x], p[y]])
        });
        outlines[outline.piece as usize].push(flat.collect());
    }
    for (piece, mut outlines) in cut.iter().zip(outlines) {
        if kept(piece.element) && !outlines.is_empty() {
            let outline = outlines.remove(0);
            triangulate(outline, outlines, |triangle| {
                mesh.triangles.push(triangle);
                mesh.origins.push((piece.body as u8, piece.triangle));
            });
        }
    }

    // Triangles wholly inside.
    for body in 0..2 {
        for inside in &insides.triangles[body] {
            if kept(pieces.element_of_patch(inside.patch)) {
                let vertices = bodies[body].triangles()[inside.triangle as usize];
                mesh.triangles.push(vertices.map(|vertex| {
                    let position = crossings.vertex(bodies[body], body, frame, vertex);
                    corners.number(body, Source::Vertex(vertex), position)
                }));
                mesh.origins.push((body as u8, inside.triangle));
            }
        }
    }
    mesh.vertices = corners
        .positions_L
        .iter()
        .map(|&p_L| p_L + frame.p_AL)
        .collect();
    mesh
}
