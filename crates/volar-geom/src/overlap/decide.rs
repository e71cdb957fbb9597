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

use glam::DVec3;

use crate::predicates::Lattice;

/// Where a point is with respect to the plane of a face.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Side {
    /// Height above the plane times twice the area of the face.
    pub height: f64,
    /// Above, where the normal points. Decided also for zero height.
    pub outside: bool,
}

/// A triangle of one body, prepared to be asked about points of the other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Face {
    pub corners: [DVec3; 3],
    /// `(b − a) × (c − a)`, rounded.
    pub normal: DVec3,
    /// Bound on the rounding of `normal · w` per unit of `|w|∞`.
    rounding: f64,
    /// All three corners on a line.
    pub flat: bool,
    /// Sign of the displacement of the other body's points relative to it.
    displacement: i32,
}

impl Face {
    /// A triangle of body `body` (0 is A, 1 is B).
    pub fn new(lattice: &Lattice, body: usize, corners: [DVec3; 3]) -> Face {
        let [a, b, c] = corners;
        let (u, v) = (b - a, c - a);
        let normal = u.cross(v);
        let rounding = Lattice::rounding(u, v);
        let flat =
            normal.abs().max_element() <= rounding && lattice.cross_signs(a, b, a, c) == [0, 0, 0];
        Face {
            corners,
            normal,
            rounding,
            flat,
            displacement: if body == 0 { -1 } else { 1 },
        }
    }

    /// The side of a point of the other body.
    #[inline]
    pub fn side(&self, lattice: &Lattice, p: DVec3) -> Side {
        let w = p - self.corners[0];
        let height = self.normal.dot(w);
        if height.abs() > self.rounding * w.abs().max_element() {
            return Side {
                height,
                outside: height > 0.0,
            };
        }
        self.close_side(lattice, p)
    }

    #[cold]
    fn close_side(&self, lattice: &Lattice, p: DVec3) -> Side {
        let [a, b, c] = self.corners;
        let height = lattice.side(a, b, c, p);
        let outside = if height > 0.0 {
            true
        } else if height < 0.0 {
            false
        } else {
            let normal = lattice.cross_signs(a, b, a, c);
            self.flat || self.displacement * first_sign(normal) > 0
        };
        Side { height, outside }
    }
}

/// True when the edge of A from `p` to `q` passes the edge of B from `a` to
/// `b` on the positive side, `((q − p) × (b − a))·(a − p) > 0`.
#[inline]
pub(super) fn passes(lattice: &Lattice, [p, q]: [DVec3; 2], [a, b]: [DVec3; 2]) -> bool {
    let value = lattice.passing(p, q, a, b);
    if value > 0.0 {
        true
    } else if value < 0.0 {
        false
    } else {
        first_sign(lattice.cross_signs(p, q, a, b)) < 0
    }
}

/// The sign of the component along which the displacement is largest.
fn first_sign(signs: [i32; 3]) -> i32 {
    signs.into_iter().find(|&sign| sign != 0).unwrap_or(0)
}
