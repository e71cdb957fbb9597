//! The frame and the numbers in which one overlap is computed.
//!
//! A local frame L: parallel to A's frame, origin near the contact. Vertices
//! of both bodies are moved into it and snapped to one lattice the first time
//! they are asked for; from then on those are *the* vertices, and every
//! decision about them is exact.

use glam::DVec3;

use crate::bvh::Aabb;
use crate::predicates::Lattice;
use crate::{ClosedMesh, Pose};

/// The pose and the lattice of one overlap computation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub X_AB: Pose,
    /// The origin of L in A.
    pub p_AL: DVec3,
    pub lattice: Lattice,
    /// Distance by which boxes are widened, so that rounding in a box test
    /// never hides a pair of triangles: far above rounding, far below use.
    pub margin: f64,
    /// No vertex of either body is further than this from L's origin.
    pub extent: f64,
}

impl Frame {
    /// `None` when the boxes around the bodies are apart.
    pub fn new(a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) -> Option<Frame> {
        let (box_a, box_b) = (a.bounds(), b.bounds().transformed(X_AB));
        let extent = 2.0 * (box_a.size().length() + box_b.size().length());
        let margin = 1e-14
            * extent
                .max(box_a.centre().length())
                .max(box_b.centre().length());
        let common = Aabb {
            min: box_a.min.max(box_b.min),
            max: box_a.max.min(box_b.max),
        };
        if !(common.size() + margin).cmpge(DVec3::ZERO).all() {
            return None;
        }
        Some(Frame {
            X_AB: *X_AB,
            p_AL: common.centre(),
            // Twice: rays that leave the scene end outside of it.
            lattice: Lattice::covering(2.0 * extent),
            margin,
            extent,
        })
    }

    /// Lengths up to this are but rounding of the coordinates.
    pub fn rounding(&self) -> f64 {
        4.0 * f64::EPSILON * self.extent
    }

    /// A point of A's frame in L.
    pub fn point_of_a(&self, p_A: DVec3) -> DVec3 {
        self.lattice.snap(self.point_in_L(0, p_A))
    }

    /// A point of B's frame in L.
    pub fn point_of_b(&self, p_B: DVec3) -> DVec3 {
        self.lattice.snap(self.point_in_L(1, p_B))
    }

    /// A point of a body's frame in L, not snapped.
    pub fn point_in_L(&self, body: usize, p: DVec3) -> DVec3 {
        if body == 0 {
            p - self.p_AL
        } else {
            self.X_AB.R * p + (self.X_AB.p - self.p_AL)
        }
    }

    /// A point of L in the frame of `body` (0 is A, 1 is B).
    pub fn point_in_body(&self, body: usize, p_L: DVec3) -> DVec3 {
        let p_A = p_L + self.p_AL;
        if body == 0 {
            p_A
        } else {
            self.X_AB.R.transpose() * (p_A - self.X_AB.p)
        }
    }

    /// The box around a box given in the frame of a body, in L.
    pub fn bounds_in_L(&self, body: usize, bounds: &Aabb) -> Aabb {
        let bounds = if body == 0 {
            *bounds
        } else {
            bounds.transformed(&self.X_AB)
        };
        Aabb {
            min: bounds.min - self.p_AL,
            max: bounds.max - self.p_AL,
        }
    }
}

/// The vertices of one body in L, each computed when first needed.
#[derive(Clone, Debug, Default)]
pub(super) struct Vertices {
    /// Positions, each with the computation for which it is valid.
    entries: Vec<(DVec3, u32)>,
    stamp: u32,
}

impl Vertices {
    /// Forgets every position and makes room for `count` vertices.
    pub fn restart(&mut self, count: usize) {
        self.stamp = next_stamp(self.stamp, || self.entries.clear());
        if self.entries.len() < count {
            self.entries.resize(count, (DVec3::ZERO, 0));
        }
    }

    /// The position of a vertex, computed by `locate` the first time.
    #[inline]
    pub fn get(&mut self, vertex: u32, locate: impl FnOnce() -> DVec3) -> DVec3 {
        let entry = &mut self.entries[vertex as usize];
        if entry.1 != self.stamp {
            *entry = (locate(), self.stamp);
        }
        entry.0
    }
}

/// A table from mesh elements to small numbers that is emptied in no time.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    /// Numbers, each with the computation for which it is valid.
    entries: Vec<(u32, u32)>,
    stamp: u32,
}

impl Slots {
    /// Empties the table and makes room for keys below `count`.
    pub fn restart(&mut self, count: usize) {
        self.stamp = next_stamp(self.stamp, || self.entries.clear());
        if self.entries.len() < count {
            self.entries.resize(count, (0, 0));
        }
    }

    #[inline]
    pub fn get(&self, key: u32) -> Option<u32> {
        let (value, stamp) = self.entries[key as usize];
        (stamp == self.stamp).then_some(value)
    }

    #[inline]
    pub fn set(&mut self, key: u32, value: u32) {
        self.entries[key as usize] = (value, self.stamp);
    }
}

/// A stamp that no entry has, zero being that of an empty one. Once in four
/// thousand million computations the old entries must go.
fn next_stamp(stamp: u32, clear: impl FnOnce()) -> u32 {
    stamp.checked_add(1).unwrap_or_else(|| {
        clear();
        1
    })
}
