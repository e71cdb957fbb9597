//! Where the surfaces of the two bodies cross.
//!
//! A *crossing* is a point where an edge of one body passes through a face of
//! the other; a *segment* joins two crossings within one face of A and one of
//! B. All segments together are the closed curves along which the surfaces meet.
//! A *cut* is a triangle with at least one segment on it.

use glam::DVec3;

use super::candidates::Candidates;
use super::decide::{Face, NEXT, Sides, passes};
use super::frame::{Frame, Slots, Vertices};
use crate::ClosedMesh;
use crate::predicates::Lattice;

/// "No such thing" in index fields.
pub(super) const NONE: u32 = u32::MAX;

/// An edge of one body passing through a face of the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// The body that owns the edge: 0 is A, 1 is B.
    pub body: usize,
    pub edge: u32,
    /// The triangle of the other body.
    pub triangle: u32,
    /// In L.
    pub position: DVec3,
    /// Where on the edge, 0 at its first vertex, 1 at its second.
    pub along: f64,
    /// The edge, from its first vertex to its second, enters the other body.
    pub enters: bool,
    /// The next crossing on the same edge.
    pub next_on_edge: u32,
    /// The segments that end here: the one on the triangle along the edge,
    /// then the one on the triangle against it.
    pub segments: [u32; 2],
}

/// The line in which a triangle of A and one of B meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// The crossings it joins, in the direction in which it bounds the part
    /// of A's triangle that is inside B (inside to the left, seen from
    /// outside of A). For B's triangle it runs the other way.
    pub ends: [u32; 2],
    /// The next segment on the triangle of A, and on that of B.
    pub next: [u32; 2],
    /// The loop it is part of on the triangle of A, and on that of B.
    pub loops: [u32; 2],
}

/// A triangle that the other body's surface passes through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub triangle: u32,
    pub first_segment: u32,
    /// How many times the other body winds round each corner: 1 is inside.
    pub windings: [i32; 3],
    /// The strip of neighbouring cuts it belongs to.
    pub strip: u32,
    /// For each side that lies wholly inside, the loop along it.
    pub side_loops: [u32; 3],
}

/// All crossings of two bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Crossings {
    pub vertices: [Vertices; 2],
    pub crossings: Vec<Crossing>,
    pub segments: Vec<Segment>,
    pub cuts: [Vec<Cut>; 2],
    /// From a triangle to its cut.
    pub cut_of: [Slots; 2],
    /// From an edge to its first crossing.
    pub first_on_edge: [Slots; 2],
    /// The triangles met as candidates, and from a triangle to its place there.
    faces: [Vec<Face>; 2],
    face_of: [Slots; 2],
}

impl Crossing {
    /// Side `k` of a face of `body`, of which `code` tells the edge, through a
    /// triangle of the other body.
    #[inline]
    fn new(
        body: usize,
        code: u32,
        triangle: u32,
        face: &Face,
        sides: &Sides,
        k: usize,
    ) -> Crossing {
        let (from, to) = (sides.heights[k], sides.heights[NEXT[k]]);
        let (along, back) = (from / (from - to), to / (to - from));
        // Measured from the nearer end, which rounds less.
        let position = if along <= 0.5 {
            face.corners[k] + face.edges[k] * along
        } else {
            face.corners[NEXT[k]] - face.edges[k] * back
        };
        let reversed = code % 2 == 1;
        Crossing {
            body,
            edge: code / 2,
            triangle,
            position,
            along: if reversed { back } else { along },
            enters: sides.outside(k) ^ reversed,
            next_on_edge: NONE,
            segments: [NONE; 2],
        }
    }
}

impl Crossings {
    /// Finds every crossing and joins them by segments.
    #[inline(never)]
    pub fn find(&mut self, bodies: [&ClosedMesh; 2], frame: &Frame, candidates: &mut Candidates) {
        self.crossings.clear();
        self.segments.clear();
        for body in 0..2 {
            self.vertices[body].restart(bodies[body].vertices().len());
            self.faces[body].clear();
            self.face_of[body].restart(bodies[body].triangles().len());
            self.cuts[body].clear();
            self.cut_of[body].restart(bodies[body].triangles().len());
            self.first_on_edge[body].restart(bodies[body].edges().len());
        }
        let mut last_b = (NONE, 0);
        candidates.visit(bodies, frame, |a, b| {
            // Candidates come in runs with the same triangle of B.
            if last_b.0 != b {
                last_b = (b, self.face(bodies, 1, frame, b));
            }
            let face_a = self.face(bodies, 0, frame, a);
            self.cross(bodies, &frame.lattice, [a, b], [face_a, last_b.1]);
        });
    }

    /// The place of a triangle in `faces`.
    #[inline]
    fn face(
        &mut self,
        bodies: [&ClosedMesh; 2],
        body: usize,
        frame: &Frame,
        triangle: u32,
    ) -> usize {
        if let Some(face) = self.face_of[body].get(triangle) {
            return face as usize;
        }
        let face = self.faces[body].len();
        let corners = self.corners(bodies[body], body, frame, triangle);
        self.faces[body].push(Face::new(&frame.lattice, body, corners));
        self.face_of[body].set(triangle, face as u32);
        face
    }

    /// The corners of a triangle in L.
    #[inline]
    pub fn corners(
        &mut self,
        mesh: &ClosedMesh,
        body: usize,
        frame: &Frame,
        triangle: u32,
    ) -> [DVec3; 3] {
        let [a, b, c] = mesh.triangles()[triangle as usize];
        [
            self.vertex(mesh, body, frame, a),
            self.vertex(mesh, body, frame, b),
            self.vertex(mesh, body, frame, c),
        ]
    }

    /// A vertex in L.
    #[inline]
    pub fn vertex(&mut self, mesh: &ClosedMesh, body: usize, frame: &Frame, vertex: u32) -> DVec3 {
        self.vertices[body].get(vertex, || {
            let p = mesh.vertices()[vertex as usize];
            if body == 0 {
                frame.point_of_a(p)
            } else {
                frame.point_of_b(p)
            }
        })
    }

    /// Finds the segment in which two triangles meet, if they do, and the
    /// crossings at its ends.
    #[inline(never)]
    fn cross(
        &mut self,
        bodies: [&ClosedMesh; 2],
        lattice: &Lattice,
        triangles: [u32; 2],
        faces: [usize; 2],
    ) {
        let [face_a, face_b] = [&self.faces[0][faces[0]], &self.faces[1][faces[1]]];
        let sides_b = Sides::of(face_a, lattice, &face_b.corners);
        if sides_b.agree() && !face_a.flat {
            return;
        }
        let sides_a = Sides::of(face_b, lattice, &face_a.corners);
        if sides_a.agree() && !face_b.flat {
            return;
        }
        // A side meets the other's plane on the line in which the two planes
        // meet. On that line the other triangle reaches from one of its
        // straddling sides to the other one, and the side passes through it if
        // it passes both on the same hand. A triangle without extent has no
        // plane and so no line: ask all sides.
        let (straddling_a, straddling_b) = (sides_a.straddling(), sides_b.straddling());
        let limits_a = if face_b.flat { 0b111 } else { straddling_a };
        let limits_b = if face_a.flat { 0b111 } else { straddling_b };
        // Bit j of row k, and bit k of column j: how side k of A's triangle
        // passes side j of B's.
        let (mut rows, mut columns) = ([0; 3], [0; 3]);
        for k in (0..3).filter(|k| limits_a >> k & 1 == 1) {
            for j in (0..3).filter(|j| limits_b >> j & 1 == 1) {
                let hand = u32::from(passes(lattice, face_a, k, face_b, j));
                rows[k] |= hand << j;
                columns[j] |= hand << k;
            }
        }
        let mut through = [0; 2];
        for k in 0..3 {
            let same_a = rows[k] == 0 || rows[k] == limits_b;
            let same_b = columns[k] == 0 || columns[k] == limits_a;
            through[0] |= u32::from(same_a) << k;
            through[1] |= u32::from(same_b) << k;
        }
        through[0] &= straddling_a;
        through[1] &= straddling_b;
        if through == [0, 0] {
            return;
        }
        // Two sides pass through, of one triangle or one of each: the ends.
        let segment = self.segments.len() as u32;
        let mut ends = [NONE; 2];
        for (body, sides) in [(0, &sides_a), (1, &sides_b)] {
            for k in (0..3).filter(|k| through[body] >> k & 1 == 1) {
                let code = bodies[body].triangle_edges()[triangles[body] as usize][k];
                let other = triangles[1 - body];
                let index = self.find_on_edge(body, code / 2, other).unwrap_or_else(|| {
                    let face = &self.faces[body][faces[body]];
                    self.push(Crossing::new(body, code, other, face, sides, k))
                });
                // Going round the inside part of a triangle, one comes along a
                // segment to the point where a side enters the other body, and
                // leaves along a segment where a side exits. For the other
                // body's triangle the segment runs backwards.
                ends[usize::from(sides.outside(k) ^ (body == 1))] = index;
                self.crossings[index as usize].segments[(code % 2) as usize] = segment;
            }
        }
        debug_assert!(!ends.contains(&NONE), "a segment has two ends");
        let next = [0, 1].map(|body| {
            let cut = self.cut(body, triangles[body]);
            std::mem::replace(&mut cut.first_segment, segment)
        });
        self.segments.push(Segment {
            ends,
            next,
            loops: [NONE; 2],
        });
    }

    /// The crossing of an edge with a triangle, if it is known already: each
    /// is met twice, from the triangles on both sides of the edge.
    #[inline]
    fn find_on_edge(&self, body: usize, edge: u32, triangle: u32) -> Option<u32> {
        let mut index = self.first_on_edge[body].get(edge)?;
        loop {
            let crossing = &self.crossings[index as usize];
            if crossing.triangle == triangle {
                return Some(index);
            }
            if crossing.next_on_edge == NONE {
                return None;
            }
            index = crossing.next_on_edge;
        }
    }

    /// Adds a crossing to the list and to that of its edge.
    #[inline]
    fn push(&mut self, mut crossing: Crossing) -> u32 {
        let index = self.crossings.len() as u32;
        let first = &mut self.first_on_edge[crossing.body];
        crossing.next_on_edge = first.get(crossing.edge).unwrap_or(NONE);
        first.set(crossing.edge, index);
        self.crossings.push(crossing);
        index
    }

    /// The cut of a triangle, made if new.
    fn cut(&mut self, body: usize, triangle: u32) -> &mut Cut {
        let cuts = &mut self.cuts[body];
        let index = self.cut_of[body].get(triangle).unwrap_or_else(|| {
            let index = cuts.len() as u32;
            cuts.push(Cut {
                triangle,
                first_segment: NONE,
                windings: [0; 3],
                strip: NONE,
                side_loops: [NONE; 3],
            });
            self.cut_of[body].set(triangle, index);
            index
        });
        &mut cuts[index as usize]
    }
}
