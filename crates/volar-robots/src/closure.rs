//! Closed chains and joints that follow others, as plain data.

use volar_geom::Pose;

/// A relation that always holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Closure {
    /// As the file has it; made up where it gives none.
    pub name: String,
    /// What it relates.
    pub kind: ClosureKind,
}

/// What a [`Closure`] relates.
#[derive(Clone, Debug, PartialEq)]
pub enum ClosureKind {
    /// The origins of two frames are one point: MJCF's `<connect>`.
    Connect([Anchor; 2]),
    /// Two frames are one: MJCF's `<weld>`.
    Weld([Anchor; 2]),
    /// `y − y₀ = p(x − x₀)` of sums of coordinates: URDF's `<mimic>`, MJCF's
    /// `<equality>` of joints and of tendons.
    Joints {
        /// y: pairs of link, whose joint has one degree of freedom, and coefficient.
        follower: Vec<(usize, f64)>,
        /// x, in the same way; empty when y is held still.
        leader: Vec<(usize, f64)>,
        /// y₀ and x₀.
        reference: [f64; 2],
        /// Coefficients of p, the constant first.
        polynomial: [f64; 5],
    },
}

/// A frame on a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// Number of the link.
    pub link: usize,
    /// The frame in the link's.
    pub X_LE: Pose,
}
