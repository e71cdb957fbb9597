//! Overlaps whose volume is a formula.

use std::f64::consts::PI;

use glam::DVec3;

/// What two boxes with parallel axes share: opposite corners of a third box,
/// or `None` when they share no volume.
pub fn box_overlap(a: [DVec3; 2], b: [DVec3; 2]) -> Option<[DVec3; 2]> {
    let (min, max) = (a[0].max(b[0]), a[1].min(b[1]));
    min.cmplt(max).all().then_some([min, max])
}

/// Volume of the cap of height `h` of a ball of radius `r`.
pub fn cap_volume(r: f64, h: f64) -> f64 {
    PI * h * h * (3.0 * r - h) / 3.0
}

/// Distance of the cap's centroid from the centre of the ball.
pub fn cap_centroid(r: f64, h: f64) -> f64 {
    3.0 * (2.0 * r - h) * (2.0 * r - h) / (4.0 * (3.0 * r - h))
}

/// Volume of the lens common to two balls whose centres are `d` apart.
pub fn lens_volume(r_a: f64, r_b: f64, d: f64) -> f64 {
    let (h_a, h_b) = lens_heights(r_a, r_b, d);
    cap_volume(r_a, h_a) + cap_volume(r_b, h_b)
}

/// Distance of the lens' centroid from the centre of the first ball, towards
/// the second.
pub fn lens_centroid(r_a: f64, r_b: f64, d: f64) -> f64 {
    let (h_a, h_b) = lens_heights(r_a, r_b, d);
    let (v_a, v_b) = (cap_volume(r_a, h_a), cap_volume(r_b, h_b));
    (v_a * cap_centroid(r_a, h_a) + v_b * (d - cap_centroid(r_b, h_b))) / (v_a + v_b)
}

/// Heights of the two caps that make up a lens.
fn lens_heights(r_a: f64, r_b: f64, d: f64) -> (f64, f64) {
    let plane = (d * d + r_a * r_a - r_b * r_b) / (2.0 * d);
    (r_a - plane, r_b - (d - plane))
}
