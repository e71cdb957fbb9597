//! Patches of contact: the overlap of two surfaces as triangles, with pressure.
//!
//! They are computed from the meshes of the header and the poses of a frame, so that
//! recordings need not hold them. Pressure is [`figures::pressures`] of the pair's
//! normal force.
#![allow(non_snake_case)] // frame notation: X_WB

use glam::DVec3;
use volar_geom::overlap::{Overlap, OverlapKernel};
use volar_geom::{ClosedMesh, Pose};
use volar_record::{BodyFrame, Frame, Header, figures};

/// The overlap of a pair of bodies.
#[derive(Clone, Debug)]
pub struct Patch {
    /// Number of the first body.
    pub a: usize,
    /// Number of the second body.
    pub b: usize,
    /// Triangles on the surface of `a`, and on that of `b`.
    pub surfaces: [Vec<Triangle>; 2],
}

impl Patch {
    /// Greatest pressure on the surface of `a`, which is the one that is coloured, Pa.
    pub fn greatest_pressure(&self) -> f64 {
        let triangles = self.surfaces[0].iter();
        triangles.map(|t| t.pressure).fold(0.0, f64::max)
    }
}

/// A triangle of an overlap.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Corners in the frame of `a`, m.
    pub corners: [DVec3; 3],
    /// Pressure, Pa.
    pub pressure: f64,
}

/// Finds patches.
#[derive(Debug)]
pub struct PatchFinder {
    surfaces: Vec<Option<ClosedMesh>>,
    kernel: OverlapKernel,
}

impl PatchFinder {
    /// For the bodies of a header. A mesh that is not closed has no overlap:
    /// it is left out.
    pub fn new(header: &Header) -> PatchFinder {
        let closed = |mesh: &volar_geom::TriMesh| ClosedMesh::new(mesh.clone()).ok();
        let surfaces = header.bodies.iter();
        PatchFinder {
            surfaces: surfaces
                .map(|body| body.mesh.as_ref().and_then(closed))
                .collect(),
            kernel: OverlapKernel::new(),
        }
    }

    /// The patches of all pairs that touch.
    pub fn at(&mut self, frame: &Frame) -> Vec<Patch> {
        let mut pairs: Vec<(usize, usize, f64)> = Vec::new();
        for contact in &frame.contacts {
            let known = pairs
                .iter_mut()
                .find(|p| (p.0, p.1) == (contact.a.index(), contact.b.index()));
            match known {
                Some(pair) => pair.2 += contact.normal_force,
                None => pairs.push((contact.a.index(), contact.b.index(), contact.normal_force)),
            }
        }
        let pairs = pairs.into_iter();
        pairs
            .filter_map(|(a, b, force)| self.patch(frame, a, b, force))
            .collect()
    }

    fn patch(&mut self, frame: &Frame, a: usize, b: usize, force: f64) -> Option<Patch> {
        let X_WA = pose(frame.bodies.get(a)?)?;
        let X_WB = pose(frame.bodies.get(b)?)?;
        let meshes = [
            self.surfaces.get(a)?.as_ref()?,
            self.surfaces.get(b)?.as_ref()?,
        ];
        let X_AB = Pose::relative(&X_WA, &X_WB);
        let mesh = self.kernel.overlap_mesh(meshes[0], meshes[1], &X_AB);
        if mesh.triangles.is_empty() {
            return None;
        }
        let overlap = self.kernel.overlap_with_depths(meshes[0], meshes[1], &X_AB);
        let depths = [0, 1].map(|body| depth_of_triangles(overlap, body));
        let mut surfaces = [Vec::new(), Vec::new()];
        for (corners, (body, triangle)) in mesh.triangles.iter().zip(&mesh.origins) {
            let body = usize::from(*body).min(1);
            let found = depths[body].binary_search_by_key(triangle, |(triangle, _)| *triangle);
            surfaces[body].push(Triangle {
                corners: corners.map(|corner| mesh.vertices[corner as usize]),
                pressure: found.map_or(0.0, |at| depths[body][at].1),
            });
        }
        for surface in &mut surfaces {
            press(surface, force);
        }
        Some(Patch { a, b, surfaces })
    }
}

/// Depth of the deepest facet of every triangle that has one, sorted.
fn depth_of_triangles(overlap: &Overlap, body: usize) -> Vec<(u32, f64)> {
    let facets = overlap.facets[body].iter().zip(&overlap.depths[body]);
    let mut depths: Vec<(u32, f64)> = facets
        .map(|(facet, depth)| (facet.triangle, depth.distance))
        .collect();
    depths.sort_by(|x, y| x.0.cmp(&y.0).then(y.1.total_cmp(&x.1)));
    depths.dedup_by_key(|(triangle, _)| *triangle);
    depths
}

/// Turns depths into pressures.
fn press(surface: &mut [Triangle], force: f64) {
    let area = |t: &Triangle| {
        let [a, b, c] = t.corners;
        0.5 * (b - a).cross(c - a).length()
    };
    let parts: Vec<_> = surface.iter().map(|t| (area(t), t.pressure)).collect();
    let pressures = figures::pressures(force, &parts);
    for (triangle, pressure) in surface.iter_mut().zip(pressures) {
        triangle.pressure = pressure;
    }
}

/// The pose of a body; none when its numbers make no sense.
fn pose(body: &BodyFrame) -> Option<Pose> {
    Pose::from_wxyz(body.position.to_array(), body.orientation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn pressure_adds_up_to_the_force() {
        let frame = sample::frame(10.0);
        let patches = PatchFinder::new(&sample::header()).at(&frame);
        assert_eq!(patches.len(), 2, "two pairs");
        let left = &patches[0];
        for surface in &left.surfaces {
            let sum = |of: fn(&Triangle) -> f64| {
                let parts = surface.iter().map(|t| {
                    let [a, b, c] = t.corners;
                    of(t) * 0.5 * (b - a).cross(c - a).length()
                });
                parts.sum::<f64>()
            };
            assert!(
                (sum(|t| t.pressure) - 20.0).abs() < 1e-6,
                "N, of two patches"
            );
            assert!(sum(|_| 1.0) > 3.9e-4, "m², the face of the pad");
        }
    }

    #[test]
    fn what_cannot_be_found_is_left_out() {
        let mut header = sample::header();
        let mut frame = sample::frame(0.0);
        if let Some(mesh) = &mut header.bodies[1].mesh {
            mesh.triangles.pop();
        }
        assert_eq!(
            PatchFinder::new(&header).at(&frame).len(),
            1,
            "an open mesh"
        );
        frame.contacts[2].b = volar_sim::BodyId::new(99);
        assert_eq!(
            PatchFinder::new(&header).at(&frame).len(),
            0,
            "no such body"
        );
        frame.contacts[2].b = volar_sim::BodyId::new(3);
        frame.bodies[3].orientation = [0.0; 4];
        assert_eq!(PatchFinder::new(&header).at(&frame).len(), 0, "no pose");
    }
}
