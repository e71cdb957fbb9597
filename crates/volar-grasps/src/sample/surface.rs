//! Points on the mesh, and where lines pass through it.

use glam::DVec3;
use volar_geom::ClosedMesh;

use super::Draws;

/// The areas of the triangles of a mesh, summed up.
#[derive(Clone, Debug)]
pub struct Surface {
    up_to: Vec<f64>,
}

/// A point of a surface.
#[derive(Clone, Copy, Debug)]
pub struct SurfacePoint {
    pub p: DVec3,
    /// Out of the solid.
    pub normal: DVec3,
}

/// Where a line passes through a surface.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// Along the line, m.
    pub t: f64,
    /// Of the surface, out of the solid.
    pub normal: DVec3,
}

impl Surface {
    pub fn new(mesh: &ClosedMesh) -> Surface {
        let mut sum = 0.0;
        let areas = (0..mesh.triangles().len()).map(|triangle| {
            sum += cross(mesh, triangle as u32).length();
            sum
        });
        Surface {
            up_to: areas.collect(),
        }
    }

    /// A point, each part of the surface as likely as it is large.
    pub fn point(&self, mesh: &ClosedMesh, draws: Draws) -> SurfacePoint {
        let sum = self.up_to.last().copied().unwrap_or(0.0);
        let at = draws.uniform("triangle") * sum;
        let triangle = self.up_to.partition_point(|up_to| *up_to <= at);
        let triangle = triangle.min(self.up_to.len().saturating_sub(1)) as u32;
        let [a, b, c] = mesh.corners(triangle);
        // The half of a parallelogram folded onto the triangle.
        let (mut u, mut v) = (draws.uniform("u"), draws.uniform("v"));
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        SurfacePoint {
            p: a + u * (b - a) + v * (c - a),
            normal: cross(mesh, triangle).normalize_or_zero(),
        }
    }
}

fn cross(mesh: &ClosedMesh, triangle: u32) -> DVec3 {
    let [a, b, c] = mesh.corners(triangle);
    (b - a).cross(c - a)
}

/// Where the line from `p` along the unit vector `d` passes through a mesh, for `t` in a range,
/// in order.
pub fn hits(mesh: &ClosedMesh, p: DVec3, d: DVec3, [from, to]: [f64; 2]) -> Vec<Hit> {
    let mut found = Vec::new();
    let mut stack = Vec::new();
    let bvh = mesh.bvh();
    bvh.along_segment(p + from * d, p + to * d, 0.0, &mut stack, |triangle| {
        let [a, b, c] = mesh.corners(triangle);
        // [Möller & Trumbore 1997], with the line for the ray.
        let (e1, e2) = (b - a, c - a);
        let h = d.cross(e2);
        let det = e1.dot(h);
        let s = p - a;
        let q = s.cross(e1);
        let (u, v, t) = (s.dot(h) / det, d.dot(q) / det, e2.dot(q) / det);
        if u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= from && t <= to {
            let normal = e1.cross(e2).normalize_or_zero();
            found.push(Hit { t, normal });
        }
    });
    found.sort_by(|a, b| a.t.total_cmp(&b.t));
    found
}
