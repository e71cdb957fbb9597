//! Patches: the pieces of contact that carry a memory.
//!
//! Overlaps come and go, split and merge from one evaluation to the next. A
//! [`Patch`] is what persists: where a part of the contact with one separation direction
//! was when the last step ended. During a step the list of patches stays as it
//! is, so that forces are a continuous function of the state: every cell of
//! the overlap is given to the nearest patch of its component with about its
//! separation direction, and what fits none presses without a memory until the
//! step ends.

use glam::DVec3;

/// A piece of contact between two bodies, as it was when the last step ended.
/// Positions and directions in A's frame.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Patch {
    /// Centre of pressure.
    pub centre: DVec3,
    /// Direction in which A was pushed.
    pub normal: DVec3,
    /// No part of the patch was farther from its centre, m.
    pub reach: f64,
    /// Tangential stiffness of its bristles, N/m.
    pub stiffness: f64,
    /// Torsional stiffness of its bristles, N m/rad.
    pub torsional_stiffness: f64,
    /// When it was first seen, s.
    pub created_at: f64,
    /// Speed of approach when it was first seen, m/s.
    pub first_speed: f64,
}

/// Directions that differ by less than 45° belong to one patch.
const SAME_DIRECTION: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Two patches merge only when their directions differ by less than 25°: at the
/// angle at which one splits, patches would come and go with every step.
const NEARLY_SAME_DIRECTION: f64 = 0.906;

/// Which patch a part of the contact belongs to: of those that it may belong to
/// and could reach, with about its direction, the nearest.
pub(crate) fn nearest(
    patches: &[Patch],
    may: impl Fn(usize) -> bool,
    centre: DVec3,
    reach: f64,
    direction: DVec3,
) -> Option<usize> {
    let mut best = None;
    let mut least = f64::INFINITY;
    for (index, patch) in patches.iter().enumerate() {
        if !may(index) {
            continue;
        }
        let distance = (patch.centre - centre).length();
        let near = distance <= 2.0 * (patch.reach + reach);
        if near && same_direction(patch.normal, direction) && distance < least {
            least = distance;
            best = Some(index);
        }
    }
    best
}

/// True when two patches that touch become one.
pub(crate) fn nearly_same_direction(a: DVec3, b: DVec3) -> bool {
    a.dot(b) >= NEARLY_SAME_DIRECTION
}

/// True when two directions belong to one patch.
pub(crate) fn same_direction(a: DVec3, b: DVec3) -> bool {
    a.dot(b) >= SAME_DIRECTION
}
