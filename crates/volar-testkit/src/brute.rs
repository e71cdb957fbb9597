//! Depths by asking every triangle.

use glam::DVec3;
use volar_geom::{ClosedMesh, Pose};

/// The distance from a point in the frame of A to the surface of a body at
/// `X_AB`, and every triangle at that distance up to `slack`.
pub fn nearest(mesh: &ClosedMesh, X_AB: &Pose, p_A: DVec3, slack: f64) -> (f64, Vec<u32>) {
    let distances: Vec<f64> = (0..mesh.triangles().len() as u32)
        .map(|t| point_triangle_distance(p_A, mesh.corners(t).map(|v| X_AB.point(v))))
        .collect();
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let ties = (0_u32..)
        .zip(&distances)
        .filter(|&(_, &d)| d <= least + slack);
    (least, ties.map(|(t, _)| t).collect())
}

/// The distance from a point to a triangle: to its plane if the foot is
/// inside, else to the nearest of its sides.
pub fn point_triangle_distance(p: DVec3, corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let n = (b - a).cross(c - a);
    let inside = (0..3).all(|k| {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        n.dot((to - from).cross(p - from)) >= 0.0
    });
    if inside && n != DVec3::ZERO {
        return n.dot(p - a).abs() / n.length();
    }
    (0..3)
        .map(|k| point_segment_distance(p, corners[k], corners[(k + 1) % 3]))
        .fold(f64::INFINITY, f64::min)
}

fn point_segment_distance(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    let u = b - a;
    let length_squared = u.length_squared();
    let t = if length_squared > 0.0 {
        (u.dot(p - a) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    p.distance(a + t * u)
}
