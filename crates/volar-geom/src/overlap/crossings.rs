//! Where the skins of the two bodies cross.
//!
//! A *crossing* is a point where an edge of one body passes through a face of
//! the other; a *segment* joins two crossings within one face of A and one of
//! B. All segments together are the closed curves along which the skins meet.
//! A *cut* is a triangle with at least one segment on it.

use glam::DVec3;

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
    pub triangles: [u32; 2],
    /// The crossings it joins, in the direction in which it bounds the part
    /// of A's triangle that is inside B (inside to the left, seen from
    /// outside of A). For B's triangle it runs the other way.
    pub ends: [u32; 2],
    /// The next segment on the triangle of A, and on that of B.
    pub next: [u32; 2],
    /// The loop it is part of on the triangle of A, and on that of B.
    pub loops: [u32; 2],
}

/// A triangle that the other body's skin passes through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub triangle: u32,
    pub first_segment: u32,
    pub segments: u32,
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
    stack: Vec<(u32, u32)>,
}

impl Crossing {
    /// Side `k` of a face of `body`, which runs along `edge`, through a
    /// triangle of the other body.
    #[inline]
    fn new(
        body: usize,
        edge: u32,
        triangle: u32,
        face: &Face,
        sides: &Sides,
        k: usize,
    ) -> Crossing {
        let (from, to) = (sides.heights[k], sides.heights[NEXT[k]]);
        let along = from / (from - to);
        // Measured from the nearer end, which rounds less.
        let position = if along <= 0.5 {
            face.corners[k] + face.edges[k] * along
        } else {
            face.corners[NEXT[k]] - face.edges[k] * (to / (to - from))
        };
        Crossing {
            body,
            edge,
            triangle,
            position,
            along,
            enters: sides.outside(k),
            next_on_edge: NONE,
            segments: [NONE; 2],
        }
    }
}

/// Adds a crossing to the list and to that of its edge.
#[inline]
fn push(crossings: &mut Vec<Crossing>, first_on_edge: &mut [Slots; 2], mut crossing: Crossing) {
    let first = &mut first_on_edge[crossing.body];
    crossing.next_on_edge = first.get(crossing.edge).unwrap_or(NONE);
    first.set(crossing.edge, crossings.len() as u32);
    crossings.push(crossing);
}

/// True when `passing` is the same for all sides whose bit is set.
#[inline]
fn same_hand(sides: u32, mut passing: impl FnMut(usize) -> bool) -> bool {
    let (mut left, mut right) = (false, false);
    for j in 0..3 {
        if sides >> j & 1 == 1 {
            if passing(j) {
                left = true
            } else {
                right = true
            }
            if left && right {
                return false;
            }
        }
    }
    true
}

impl Crossings {
    /// Finds every crossing and joins them by segments.
    #[inline(never)]
    pub fn find(&mut self, bodies: [&ClosedMesh; 2], frame: &Frame) {
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
        let mut stack = std::mem::take(&mut self.stack);
        bodies[0].bvh().pairs(
            bodies[1].bvh(),
            &frame.X_AB,
            frame.margin,
            &mut stack,
            |a, b| {
                let faces = [
                    self.face(bodies, 0, frame, a),
                    self.face(bodies, 1, frame, b),
                ];
                self.cross(bodies, &frame.lattice, [a, b], faces);
            },
        );
        self.stack = stack;
        for crossing in 0..self.crossings.len() as u32 {
            self.link(bodies, crossing);
        }
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
                frame.from_a(p)
            } else {
                frame.from_b(p)
            }
        })
    }

    /// Records the crossings of the sides of each triangle with the other.
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
        // How side k of A's triangle passes side j of B's, found when asked.
        let mut known = [[None; 3]; 3];
        let mut passing = |k: usize, j: usize| {
            *known[k][j].get_or_insert_with(|| passes(lattice, face_a, k, face_b, j))
        };
        // A side meets the other's plane on the line in which the two planes
        // meet. On that line the other triangle reaches from one of its
        // straddling sides to the other one, and the side passes through it if
        // it passes both on the same hand. A triangle without extent has no
        // plane and so no line: ask all sides.
        let limits_a = if face_b.flat {
            0b111
        } else {
            sides_a.straddling()
        };
        let limits_b = if face_a.flat {
            0b111
        } else {
            sides_b.straddling()
        };
        let codes_a = bodies[0].triangle_edges()[triangles[0] as usize];
        let codes_b = bodies[1].triangle_edges()[triangles[1] as usize];
        for k in 0..3 {
            if sides_a.straddling() >> k & 1 == 1
                && codes_a[k] % 2 == 0
                && same_hand(limits_b, |j| passing(k, j))
            {
                let crossing = Crossing::new(0, codes_a[k] / 2, triangles[1], face_a, &sides_a, k);
                push(&mut self.crossings, &mut self.first_on_edge, crossing);
            }
            if sides_b.straddling() >> k & 1 == 1
                && codes_b[k] % 2 == 0
                && same_hand(limits_a, |j| passing(j, k))
            {
                let crossing = Crossing::new(1, codes_b[k] / 2, triangles[0], face_b, &sides_b, k);
                push(&mut self.crossings, &mut self.first_on_edge, crossing);
            }
        }
    }

    /// Makes a crossing an end of its two segments.
    #[inline(never)]
    fn link(&mut self, bodies: [&ClosedMesh; 2], index: u32) {
        let crossing = self.crossings[index as usize];
        let along_and_against = bodies[crossing.body].edges()[crossing.edge as usize].triangles;
        for (i, triangle) in along_and_against.into_iter().enumerate() {
            let mut pair = [triangle; 2];
            pair[1 - crossing.body] = crossing.triangle;
            let segment = self.segment(pair);
            self.crossings[index as usize].segments[i] = segment;
            // Going round the inside part of a triangle, one comes along a
            // segment to the point where a side enters the other body, and
            // leaves along a segment where a side exits. Seen from the other
            // body's triangle the segment runs backwards, and so it does for
            // the triangle against the edge.
            let end = crossing.enters ^ (i == 1) ^ (crossing.body == 1);
            self.segments[segment as usize].ends[usize::from(end)] = index;
        }
    }

    /// The segment of a pair of triangles, made if new.
    fn segment(&mut self, triangles: [u32; 2]) -> u32 {
        let cuts = [0, 1].map(|body| self.cut(body, triangles[body]));
        // Look in the shorter of the two lists: a large face has many.
        let [count_a, count_b] = [0, 1].map(|body| self.cuts[body][cuts[body]].segments);
        let body = usize::from(count_b < count_a);
        let mut segment = self.cuts[body][cuts[body]].first_segment;
        while segment != NONE {
            let found = &self.segments[segment as usize];
            if found.triangles == triangles {
                return segment;
            }
            segment = found.next[body];
        }
        let segment = self.segments.len() as u32;
        let mut next = [NONE; 2];
        for body in 0..2 {
            let cut = &mut self.cuts[body][cuts[body]];
            next[body] = std::mem::replace(&mut cut.first_segment, segment);
            cut.segments += 1;
        }
        self.segments.push(Segment {
            triangles,
            ends: [NONE; 2],
            next,
            loops: [NONE; 2],
        });
        segment
    }

    /// The cut of a triangle, made if new.
    fn cut(&mut self, body: usize, triangle: u32) -> usize {
        if let Some(cut) = self.cut_of[body].get(triangle) {
            return cut as usize;
        }
        let cut = self.cuts[body].len();
        self.cuts[body].push(Cut {
            triangle,
            first_segment: NONE,
            segments: 0,
            windings: [0; 3],
            strip: NONE,
            side_loops: [NONE; 3],
        });
        self.cut_of[body].set(triangle, cut as u32);
        cut
    }
}
