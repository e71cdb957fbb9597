//! The two questions every overlap is decided by, answered exactly.
//!
//! On which side of a face is a point of the other body, and how does an edge
//! of A pass an edge of B? A tie (a point on the plane, edges that meet) is
//! broken as if body A were displaced by `(ε, ε², ε³)` with ε → 0⁺. That is a
//! motion of a rigid body, so the answers always fit one another: together
//! they describe the overlap of two solids in general position, whose volume
//! is that of the given ones [Edelsbrunner & Mücke 1990, simulation of
//! simplicity, with one perturbation for all points of a body].
//!
//! Two cases need no tie-break: parallel edges are never asked about, because
//! an edge that changes sides of a face is not parallel to its edges; and a
//! face without extent (three points on a line) has every point outside, so
//! nothing passes through it.

use std::cmp::Ordering;

use glam::DVec3;

use crate::predicates::{Lattice, cross_with_rounding, size};

/// Where a point is with respect to the plane of a face.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Side {
    /// Height above the plane times twice the area of the face.
    pub height: f64,
    /// Above, where the normal points. Decided also for zero height.
    pub outside: bool,
}

/// Where the corners of a triangle are with respect to the plane of a face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    /// As in [`Side`].
    pub heights: [f64; 3],
    /// Bit k is set when corner k is outside.
    outside: u32,
}

/// The corner after a corner.
pub(super) const NEXT: [usize; 3] = [1, 2, 0];

impl Sides {
    #[inline]
    pub fn of(face: &Face, lattice: &Lattice, corners: &[DVec3; 3]) -> Sides {
        let [a, b, c] = corners;
        let (a, b, c) = (
            face.side(lattice, a),
            face.side(lattice, b),
            face.side(lattice, c),
        );
        Sides {
            heights: [a.height, b.height, c.height],
            outside: u32::from(a.outside) | u32::from(b.outside) << 1 | u32::from(c.outside) << 2,
        }
    }

    /// All corners on the same side.
    #[inline]
    pub fn agree(&self) -> bool {
        self.outside == 0 || self.outside == 0b111
    }

    /// Corner `k` is outside.
    #[inline]
    pub fn outside(&self, k: usize) -> bool {
        self.outside >> k & 1 == 1
    }

    /// Bit k is set when the side from corner k to the next changes sides of
    /// the plane.
    #[inline]
    pub fn straddling(&self) -> u32 {
        let next = self.outside >> 1 | (self.outside & 1) << 2;
        self.outside ^ next
    }
}

/// A triangle of one body, prepared to be asked about the other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Face {
    pub corners: [DVec3; 3],
    /// From each corner to the next.
    pub edges: [DVec3; 3],
    /// `(b − a) × (c − a)`, rounded.
    normal: DVec3,
    /// Bound on the rounding of `normal · w`, per unit of each `|w|`.
    rounding: DVec3,
    /// All three corners on a line.
    pub flat: bool,
    /// Where points of the other body that lie in the plane count as being.
    tie_outside: bool,
}

impl Face {
    /// A triangle of body `body` (0 is A, 1 is B).
    #[inline]
    pub fn new(lattice: &Lattice, body: usize, corners: [DVec3; 3]) -> Face {
        let [a, b, c] = corners;
        let edges = [b - a, c - b, a - c];
        let (normal, rounding) = cross_with_rounding(edges[2], edges[0]);
        let certain = normal.abs().cmpgt(rounding) | rounding.cmple(DVec3::ZERO);
        let tie = if certain.all() {
            first_sign(
                normal
                    .to_array()
                    .map(|x| i32::from(x > 0.0) - i32::from(x < 0.0)),
            )
        } else {
            first_sign(lattice.cross_signs(a, b, a, c))
        };
        Face {
            corners,
            edges,
            normal,
            rounding,
            flat: tie == 0,
            // Points of B are displaced against A's faces, points of A along.
            tie_outside: tie == 0 || (tie > 0) == (body == 1),
        }
    }

    /// The side of a point of the other body.
    ///
    /// By reference: handing a copy to the rare exact path would put the
    /// point on the stack on the common one, which costs more than the test.
    #[inline]
    pub fn side(&self, lattice: &Lattice, p: &DVec3) -> Side {
        let w = *p - self.corners[0];
        let height = self.normal.dot(w);
        let rounding = self.rounding.dot(w.abs());
        if height.abs() > rounding {
            Side {
                height,
                outside: height > 0.0,
            }
        } else if rounding <= 0.0 {
            // Every product is zero: faces along the axes that are flush.
            Side {
                height: 0.0,
                outside: self.tie_outside,
            }
        } else {
            self.close_side(lattice, p)
        }
    }

    #[cold]
    fn close_side(&self, lattice: &Lattice, p: &DVec3) -> Side {
        let [a, b, c] = self.corners;
        let height = lattice.side(a, b, c, *p);
        let outside = match height.partial_cmp(&0.0) {
            Some(Ordering::Greater) => true,
            Some(Ordering::Less) => false,
            _ => self.tie_outside,
        };
        Side { height, outside }
    }
}

/// How side `k` of a face of A passes side `j` of a face of B: true when
/// `((q − p) × (b − a))·(a − p) > 0` for sides from p to q and from a to b.
#[inline]
pub(super) fn passes(lattice: &Lattice, face_a: &Face, k: usize, face_b: &Face, j: usize) -> bool {
    let (u, v) = (face_a.edges[k], face_b.edges[j]);
    let w = face_b.corners[j] - face_a.corners[k];
    let value = u.cross(v).dot(w);
    if value.abs() > Lattice::rounding(u, v) * size(w) {
        return value > 0.0;
    }
    let edge = |face: &Face, k: usize| [face.corners[k], face.corners[(k + 1) % 3]];
    passes_close(lattice, edge(face_a, k), edge(face_b, j))
}

/// As [`passes`] for any edge of A, from p to q, and edge of B, from a to b.
#[cold]
pub(super) fn passes_close(lattice: &Lattice, [p, q]: [DVec3; 2], [a, b]: [DVec3; 2]) -> bool {
    match lattice.passing(p, q, a, b).partial_cmp(&0.0) {
        Some(Ordering::Greater) => true,
        Some(Ordering::Less) => false,
        _ => first_sign(lattice.cross_signs(p, q, a, b)) < 0,
    }
}

/// The sign of the component along which the displacement is largest.
fn first_sign(signs: [i32; 3]) -> i32 {
    signs.into_iter().find(|&sign| sign != 0).unwrap_or(0)
}
