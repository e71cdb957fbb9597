//! Which triangles of a mesh meet where they should not.
//!
//! Two triangles may share a vertex or an edge; any other common point is an
//! intersection, also a mere touch. Positions decide what is shared, so skins
//! that coincide in a vertex but do not share it are neighbours too. All
//! decisions are signs of exact determinants on a [`Lattice`].

use glam::DVec3;

use crate::bvh::{Aabb, Bvh};
use crate::mesh::TriMesh;
use crate::predicates::Lattice;

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

    /// Pairs of triangles, lower index first and sorted, that have a point in
    /// common which is not a shared vertex or edge. Triangles without area and
    /// those with the same three corners are not compared.
    pub fn crossings(&self) -> Vec<[u32; 2]> {
        let extent = self
            .points
            .iter()
            .fold(0.0_f64, |m, p| m.max(p.abs().max_element()));
        // The tree rounds its boxes; boxes that touch must still do so.
        let margin = DVec3::splat(8.0 * f64::EPSILON * extent);
        let boxes: Vec<Aabb> = (0..self.triangles.len() as u32)
            .map(|t| {
                let tight = Aabb::around(self.corners(t));
                Aabb {
                    min: tight.min - margin,
                    max: tight.max + margin,
                }
            })
            .collect();
        let flat: Vec<bool> = (0..self.triangles.len() as u32)
            .map(|t| self.is_degenerate(t))
            .collect();
        let mut found = Vec::new();
        Bvh::build(&boxes).self_pairs(|i, j| {
            if !flat[i as usize] && !flat[j as usize] && self.meet(i, j) {
                found.push([i.min(j), i.max(j)]);
            }
        });
        found.sort_unstable();
        found
    }

    pub(super) fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|v| self.points[v as usize])
    }

    fn meet(&self, i: u32, j: u32) -> bool {
        let [p, q] = [i, j].map(|t| self.triangles[t as usize].map(|v| self.positions[v as usize]));
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
            0 => self.apart_meet(t, u),
            1 => {
                let (k, l) = shared[0];
                self.at_vertex_meet(rotated(t, k), rotated(u, l))
            }
            2 => {
                let ((k0, l0), (k1, l1)) = (shared[0], shared[1]);
                self.at_edge_meet(t[k0], t[k1], t[3 - k0 - k1], u[3 - l0 - l1])
            }
            _ => false,
        }
    }

    /// Triangles that share nothing: an edge of one must hit the other.
    fn apart_meet(&self, t: [DVec3; 3], u: [DVec3; 3]) -> bool {
        if self.one_side(t, &u) || self.one_side(u, &t) {
            return false;
        }
        (0..3).any(|k| {
            self.segment_hits(t[k], t[(k + 1) % 3], u) || self.segment_hits(u[k], u[(k + 1) % 3], t)
        })
    }

    /// Triangles that share their first corner. What they have in common is
    /// convex; if it is more than that corner, follow it away from the corner:
    /// it ends on the opposite edge of one of the two.
    fn at_vertex_meet(&self, t: [DVec3; 3], u: [DVec3; 3]) -> bool {
        if self.one_side(t, &u[1..]) || self.one_side(u, &t[1..]) {
            return false;
        }
        self.segment_hits(t[1], t[2], u) || self.segment_hits(u[1], u[2], t)
    }

    /// Triangles on the edge from `p` to `q` with third corners `c` and `d`:
    /// they overlap if folded flat onto each other.
    fn at_edge_meet(&self, p: DVec3, q: DVec3, c: DVec3, d: DVec3) -> bool {
        is_zero(self.lattice.side(p, q, c, d))
            && self.lattice.cross_signs(p, q, p, c) == self.lattice.cross_signs(p, q, p, d)
    }

    /// True when all points are strictly on one side of the triangle's plane.
    fn one_side(&self, [a, b, c]: [DVec3; 3], points: &[DVec3]) -> bool {
        let side = |&p: &DVec3| self.lattice.side(a, b, c, p);
        points.iter().all(|p| side(p) > 0.0) || points.iter().all(|p| side(p) < 0.0)
    }

    /// True when the closed segment and the closed triangle share a point.
    fn segment_hits(&self, p: DVec3, q: DVec3, [a, b, c]: [DVec3; 3]) -> bool {
        let (at_p, at_q) = (self.lattice.side(a, b, c, p), self.lattice.side(a, b, c, q));
        if is_zero(at_p) && is_zero(at_q) {
            return self.segment_hits_in_plane(p, q, [a, b, c]);
        }
        if (at_p > 0.0 && at_q > 0.0) || (at_p < 0.0 && at_q < 0.0) {
            return false;
        }
        // The line goes through the plane once, inside if it passes the
        // three sides on the same hand.
        let hands = [(a, b), (b, c), (c, a)].map(|(a, b)| self.lattice.side(p, q, a, b));
        hands.iter().all(|&h| h >= 0.0) || hands.iter().all(|&h| h <= 0.0)
    }

    /// The same for a segment in the triangle's plane.
    fn segment_hits_in_plane(&self, p: DVec3, q: DVec3, [a, b, c]: [DVec3; 3]) -> bool {
        // Seen along an axis the triangle is not edge-on to, turned so that
        // it runs counter-clockwise.
        let normal = self.lattice.cross_signs(a, b, a, c);
        let Some(axis) = (0..3).find(|&k| normal[k] != 0) else {
            return false;
        };
        let turn = |u: DVec3, v: DVec3, w: DVec3| {
            normal[axis] * self.lattice.cross_signs(u, v, u, w)[axis]
        };
        // Their Minkowski difference has the sides of the triangle and twice
        // the segment for sides, so one of those separates them if any line
        // does.
        let apart = [(a, b), (b, c), (c, a)]
            .iter()
            .any(|&(u, v)| turn(u, v, p) < 0 && turn(u, v, q) < 0);
        let hands = [a, b, c].map(|v| turn(p, q, v));
        !(apart || hands.iter().all(|&h| h > 0) || hands.iter().all(|&h| h < 0))
    }
}

/// The corners in the same order, beginning with corner `k`.
fn rotated(t: [DVec3; 3], k: usize) -> [DVec3; 3] {
    [t[k], t[(k + 1) % 3], t[(k + 2) % 3]]
}

/// True for the exact zero the lattice's signs are made of.
fn is_zero(sign: f64) -> bool {
    sign.abs() <= 0.0
}
