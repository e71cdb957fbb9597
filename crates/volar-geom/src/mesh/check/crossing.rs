//! Which triangles of a mesh meet where they should not.
//!
//! Two triangles may share a vertex or an edge, and they may touch in one
//! point: no solid changes by that. Having more in common is an intersection,
//! also when they only lie against each other. Positions decide what is
//! shared, so surfaces that coincide in a vertex but do not share it are
//! neighbours too; where they coincide along an edge, they intersect if they
//! pass through each other there. All decisions are exact.

use std::ops::ControlFlow;

use glam::DVec3;

use super::contact::Contact;
use super::duplicate_faces;
use super::topology::{Side, edges, sorted_sides};
use crate::bvh::{Aabb, Bvh};
use crate::mesh::TriMesh;
use crate::predicates::Lattice;

/// No more crossings are looked for: a mesh with so many is no solid, and in a heap of
/// triangles every two may cross.
pub const MAX_CROSSINGS: usize = 20_000;
/// Copies of an edge that each of them is compared with.
const MAX_COPIES: usize = 100;

/// A mesh on the lattice of exact decisions.
pub struct Surface<'m> {
    pub(super) lattice: Lattice,
    /// Vertices, snapped.
    pub(super) points: Vec<DVec3>,
    pub(super) triangles: &'m [[u32; 3]],
    /// One number per distinct position, for each vertex.
    positions: Vec<u32>,
}

impl<'m> Surface<'m> {
    /// Snaps a mesh with finite coordinates and valid indices.
    pub fn new(mesh: &'m TriMesh) -> Surface<'m> {
        let extent = mesh
            .vertices
            .iter()
            .fold(0.0_f64, |m, p| m.max(p.abs().max_element()));
        let lattice = Lattice::covering(extent);
        // Adding zero makes −0 and 0 one position.
        let points: Vec<DVec3> = mesh
            .vertices
            .iter()
            .map(|&p| lattice.snap(p) + DVec3::ZERO)
            .collect();
        let mut order: Vec<u32> = (0..points.len() as u32).collect();
        let key = |&v: &u32| points[v as usize].to_array().map(f64::to_bits);
        order.sort_unstable_by_key(|v| (key(v), *v));
        let mut positions = vec![0; points.len()];
        for group in order.chunk_by(|v, w| key(v) == key(w)) {
            for &vertex in group {
                positions[vertex as usize] = group[0];
            }
        }
        Surface {
            lattice,
            points,
            triangles: &mesh.triangles,
            positions,
        }
    }

    /// How many vertices have the position of an earlier one.
    pub fn coincident_vertices(&self) -> usize {
        (0_u32..)
            .zip(&self.positions)
            .filter(|&(vertex, &position)| vertex != position)
            .count()
    }

    /// True when the three corners are on a line.
    pub fn is_degenerate(&self, triangle: u32) -> bool {
        let [a, b, c] = self.corners(triangle);
        self.lattice.cross_signs(a, b, a, c) == [0; 3]
    }

    /// Pairs of triangles that intersect, lower index first and sorted, at most
    /// [`MAX_CROSSINGS`] of them. Triangles without area and those with the same
    /// three vertices are not compared.
    pub fn crossings(&self) -> Vec<[u32; 2]> {
        let mut compared = vec![true; self.triangles.len()];
        for face in duplicate_faces(self.triangles) {
            compared[face as usize] = false;
        }
        let faces: Vec<u32> = (0..self.triangles.len() as u32)
            .filter(|&t| compared[t as usize] && !self.is_degenerate(t))
            .collect();
        let margin = self.margin();
        let boxes: Vec<Aabb> = faces
            .iter()
            .map(|&t| Aabb::around(self.corners(t)).grown(margin))
            .collect();
        let mut found = Vec::new();
        Bvh::build(&boxes).self_pairs(|i, j| {
            let [i, j] = [i, j].map(|box_number| faces[box_number as usize]);
            if self.meet(i, j) {
                found.push([i.min(j), i.max(j)]);
            }
            match found.len() < MAX_CROSSINGS {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        self.find_passing_edges(&mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The tree rounds its boxes; boxes that touch must still do so when grown by this.
    pub(super) fn margin(&self) -> f64 {
        let sizes = self.points.iter().map(|p| p.abs().max_element());
        8.0 * f64::EPSILON * sizes.fold(0.0, f64::max)
    }

    pub(super) fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|v| self.points[v as usize])
    }

    fn meet(&self, i: u32, j: u32) -> bool {
        let contact = Contact(&self.lattice);
        let vertices = [i, j].map(|t| self.triangles[t as usize]);
        let [p, q] = vertices.map(|t| t.map(|v| self.positions[v as usize]));
        let (t, u) = (self.corners(i), self.corners(j));
        let mut shared = [(0, 0); 3];
        let mut count = 0;
        for (k, position) in p.iter().enumerate() {
            if let Some(l) = q.iter().position(|other| other == position) {
                shared[count] = (k, l);
                count += 1;
            }
        }
        match count {
            0 => contact.apart(t, u),
            1 => {
                let (k, l) = shared[0];
                contact.at_vertex(rotated(t, k), rotated(u, l))
            }
            2 => {
                let ((k0, l0), (k1, l1)) = (shared[0], shared[1]);
                contact.at_edge(t[k0], t[k1], t[3 - k0 - k1], u[3 - l0 - l1])
            }
            // One on the other. With the same vertices it is a duplicate,
            // which is a complaint of its own.
            _ => !vertices[0].iter().all(|v| vertices[1].contains(v)),
        }
    }

    /// Surfaces that pass through each other exactly along an edge each of them
    /// has its own copy of.
    fn find_passing_edges(&self, found: &mut Vec<[u32; 2]>) {
        let contact = Contact(&self.lattice);
        let position = |v: u32| self.positions[v as usize];
        let mut sides = sorted_sides(self.triangles);
        let place = |side: &Side| {
            let [p, q] = side.edge.map(position);
            [p.min(q), p.max(q)]
        };
        sides.sort_unstable_by_key(|side| (place(side), *side));
        for group in sides.chunk_by(|x, y| place(x) == place(y)) {
            if group.len() < 4 {
                continue;
            }
            let [a, b] = place(&group[0]).map(|v| self.points[v as usize]);
            // The copies of the edge, each with its two triangles.
            let copies: Vec<[u32; 2]> = edges(group)
                .filter(|copy| copy.len() == 2)
                .map(|copy| [copy[0].triangle, copy[1].triangle])
                .collect();
            for (i, first) in copies.iter().enumerate() {
                if found.len() >= MAX_CROSSINGS {
                    return;
                }
                // So many copies of an edge also lie in each other.
                for second in copies[i + 1..].iter().take(MAX_COPIES) {
                    let apex = |&t: &u32| self.apex(t, group[0].edge.map(position));
                    let [p, q] = [first, second].map(|pair| [apex(&pair[0]), apex(&pair[1])]);
                    if contact.pass_through(a, b, p, q) {
                        let (t, u) = (first[0], second[0]);
                        found.push([t.min(u), t.max(u)]);
                    }
                }
            }
        }
    }

    /// The corner of a triangle that is not at either end of its edge.
    fn apex(&self, triangle: u32, edge: [u32; 2]) -> DVec3 {
        let corners = self.triangles[triangle as usize];
        let apex = corners
            .into_iter()
            .find(|&v| !edge.contains(&self.positions[v as usize]));
        self.points[apex.unwrap_or(corners[0]) as usize]
    }
}

/// The corners in the same order, beginning with corner `k`.
fn rotated(t: [DVec3; 3], k: usize) -> [DVec3; 3] {
    [t[k], t[(k + 1) % 3], t[(k + 2) % 3]]
}
