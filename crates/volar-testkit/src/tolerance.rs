//! How close is close enough, and why.

/// Bar for the volume, relative: what the project promises.
pub const VOLUME: f64 = 1e-9;

/// Bar for the centroid, relative to the size of the overlap.
pub const CENTROID: f64 = 1e-9;

/// Bar for `|S_A + S_B|` over the area of the overlap's surface.
pub const CLOSURE: f64 = 1e-12;

/// Two ways to add up the same few hundred numbers in floating point: the
/// rounding of n additions is at most n·2⁻⁵³ of the sum of the magnitudes,
/// 1e-13 for n = 1000.
pub const SUMS: f64 = 1e-12;

/// Rounding of the coordinates of B in the frame of A, in units in the last
/// place of the scene's extent: three products, three sums, one more rounding
/// each way between the frames. It shifts B's surface, so the volume may be off
/// by this times the area of the surface, however exact the rest is.
pub const POSE_ULPS: f64 = 8.0;

/// The farthest that rounding the pose can move a point of a scene of this
/// extent, metres.
pub fn pose_rounding(extent: f64) -> f64 {
    POSE_ULPS * f64::EPSILON * extent
}
