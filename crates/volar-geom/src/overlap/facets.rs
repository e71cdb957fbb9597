//! Facets: what needs the second moments of the pieces of surface.

use glam::{DMat3, DVec3};

use super::classify::Insides;
use super::components::Components;
use super::crossings::{Crossings, NONE};
use super::frame::Frame;
use super::pieces::{Piece, Pieces};
use super::{Facet, Overlap};
use crate::ClosedMesh;
use crate::bvh::Aabb;
use crate::predicates::size;
use volar_math::outer;

/// Buffers of this stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Facets {
    /// `∫ (x − r)(x − r)ᵀ dA` of the piece of each cut triangle.
    seconds: Vec<DMat3>,
    /// What each facet was made of, same order.
    pub origins: [Vec<Origin>; 2],
}

/// What a facet was made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    /// The piece of a cut triangle, or none for a whole triangle.
    pub element: u32,
    /// So often it counts.
    pub winding: f64,
    /// The facet's centroid in L.
    pub centroid: DVec3,
    /// The box around it, in L.
    pub bounds: Aabb,
}

impl Facets {
    /// Lists the facets.
    #[inline(never)]
    pub fn find(
        &mut self,
        overlap: &mut Overlap,
        bodies: [&ClosedMesh; 2],
        frame: &Frame,
        crossings: &mut Crossings,
        (insides, pieces, components): (&Insides, &Pieces, &Components),
    ) {
        self.seconds.clear();
        self.seconds.resize(pieces.pieces.len(), DMat3::ZERO);
        for (index, outline) in pieces.loops.loops.iter().enumerate() {
            let piece = &pieces.pieces[outline.piece as usize];
            let outline = pieces.outline(index);
            let Some(last) = outline.last() else { continue };
            let mut u = last.position - piece.reference;
            for point in outline {
                let v = point.position - piece.reference;
                self.seconds[piece.element as usize] += second_moment(piece.normal, u, v);
                u = v;
            }
        }
        self.origins.iter_mut().for_each(Vec::clear);
        for (index, piece) in pieces.pieces.iter().enumerate() {
            let second = self.seconds[index];
            let component = components.component_of[piece.element as usize];
            self.add(overlap, frame, component, piece, second);
        }
        for body in 0..2 {
            for inside in &insides.triangles[body] {
                let element = pieces.element_of_patch(inside.patch);
                let component = components.component_of[element as usize];
                let winding = insides.patches[inside.patch as usize].winding;
                let corners = crossings.corners(bodies[body], body, frame, inside.triangle);
                let piece = Piece::whole(body, inside.triangle, winding, corners);
                let [a, b, c] = corners;
                let second = piece.winding * second_moment(piece.normal, b - a, c - a);
                self.add(overlap, frame, component, &piece, second);
            }
        }
    }

    /// Adds a piece of a component to the facets.
    fn add(
        &mut self,
        overlap: &mut Overlap,
        frame: &Frame,
        component: u32,
        piece: &Piece,
        second: DMat3,
    ) {
        if component == NONE {
            return;
        }
        // Ties make pieces without area, up to rounding; they bound nothing.
        let no_area = frame.rounding() * size(piece.bounds.size());
        if piece.area > no_area {
            overlap.facets[piece.body].push(facet(piece, second, component, frame));
            self.origins[piece.body].push(Origin {
                element: piece.element,
                winding: piece.winding,
                centroid: piece.reference + piece.first / piece.area,
                bounds: piece.bounds,
            });
        }
    }
}

/// `∫ x xᵀ dA` over the triangle with corners 0, u, v in a plane with normal n.
fn second_moment(n: DVec3, u: DVec3, v: DVec3) -> DMat3 {
    let twelfth = u.cross(v).dot(n) / 24.0;
    let sum = u + v;
    outer(twelfth * u, u) + outer(twelfth * v, v) + outer(twelfth * sum, sum)
}

fn facet(piece: &Piece, second: DMat3, component: u32, frame: &Frame) -> Facet {
    let mean = piece.first / piece.area;
    let about_centroid = second - outer(piece.first, mean);
    let entry = |i: usize, j: usize| about_centroid.col(j)[i];
    Facet {
        triangle: piece.triangle,
        component,
        normal: piece.normal,
        area: piece.area,
        centroid: piece.reference + mean + frame.p_AL,
        second_moment: [
            entry(0, 0).max(0.0),
            entry(1, 1).max(0.0),
            entry(2, 2).max(0.0),
            entry(0, 1),
            entry(0, 2),
            entry(1, 2),
        ],
    }
}
