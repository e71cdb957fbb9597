//! How thin a solid is at its thin places.

use glam::DVec3;

use super::ClosedMesh;

/// Rays are sent from so many triangles, at most.
const SAMPLES: usize = 500;

/// The part of the surface that may be thinner.
const QUANTILE: f64 = 0.05;

/// The length of the way straight inward to the other side, such that a
/// twentieth of the surface (by area) has a shorter one.
pub(super) fn find(mesh: &ClosedMesh) -> f64 {
    let size = mesh.bounds().size().length();
    let stride = mesh.triangles().len().div_ceil(SAMPLES).max(1);
    let mut stack = Vec::new();
    let mut lengths: Vec<(f64, f64)> = Vec::new();
    for triangle in (0..mesh.triangles().len() as u32).step_by(stride) {
        let [a, b, c] = mesh.corners(triangle);
        let area_vector = 0.5 * (b - a).cross(c - a);
        let Some(inward) = (-area_vector).try_normalize() else {
            continue;
        };
        let from = (a + b + c) / 3.0;
        let to = from + size * inward;
        let mut nearest = f64::INFINITY;
        mesh.bvh()
            .along_segment(from, to, 1e-9 * size, &mut stack, |other| {
                let length = along_ray(from, inward, mesh.corners(other));
                // Not its own plane, nor a neighbour that lies in it.
                if length > 1e-9 * size {
                    nearest = nearest.min(length);
                }
            });
        if nearest.is_finite() {
            lengths.push((nearest, area_vector.length()));
        }
    }
    lengths.sort_unstable_by(|x, y| x.0.total_cmp(&y.0));
    let all: f64 = lengths.iter().map(|(_, area)| area).sum();
    let mut below = 0.0;
    for (length, area) in lengths {
        below += area;
        if below >= QUANTILE * all {
            return length;
        }
    }
    // No ray met the other side: the mesh bounds nothing to speak of.
    0.0
}

/// Where a ray meets a triangle, from either side; infinite if it does not
/// [Möller & Trumbore 1997].
fn along_ray(from: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    // Wider than the triangle by a little: no ray slips through an edge.
    const SLACK: f64 = 1e-9;
    let (u, v, s) = (b - a, c - a, from - a);
    let across = direction.cross(v);
    let determinant = u.dot(across);
    if determinant.abs() <= f64::MIN_POSITIVE {
        return f64::INFINITY;
    }
    let second = s.cross(u);
    let x = s.dot(across) / determinant;
    let y = direction.dot(second) / determinant;
    if x < -SLACK || y < -SLACK || x + y > 1.0 + SLACK {
        return f64::INFINITY;
    }
    v.dot(second) / determinant
}
