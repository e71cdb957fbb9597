//! Planar faces, how the surface bends at the edges, and whether it is convex.
//!
//! Depth belongs to a shape, not to its triangles, so triangles that lie in one
//! plane up to the rounding of their corners are one face with one plane. A
//! file in single precision rounds a coordinate c by up to `2⁻²⁴ |c|`, hence a
//! vertex by `√3 2⁻²⁴ M` with M the largest coordinate; a text file with few
//! decimals rounds it by half a step of its grid (`grid`), a vertex by `½ √3` of
//! it; noise of 1e-9 of the size counts as rounding, too. The tolerance is three
//! times the greatest of these, because a plane laid through the first few rounded triangles of a face is
//! off by a little more at the next.
//!
//! A face grows from its largest triangle in rings. Its plane is that of all the
//! triangles it has so far (the direction of the sum of their area vectors,
//! through their centroid), so it is known the better the larger the face
//! is: the plane of a single small triangle would be off by its rounding over
//! its width, everywhere else by that angle times the distance.

use std::collections::VecDeque;

use glam::DVec3;

use super::{ClosedMesh, grid};

/// A connected part of the surface in one plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarFace {
    /// Unit normal, outward; zero for a face without area.
    pub normal: DVec3,
    /// A point in its plane.
    pub point: DVec3,
}

/// How the surface bends at an edge, seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bend {
    /// A ridge: the solid is less than half of the space round the edge.
    Convex,
    /// No bend: both triangles belong to one face.
    Flat,
    /// A valley.
    Reflex,
}

/// What `ClosedMesh` knows of its faces.
#[derive(Clone, Debug, Default)]
pub(super) struct Faces {
    pub faces: Vec<PlanarFace>,
    pub triangle_faces: Vec<u32>,
    pub bends: Vec<Bend>,
    pub is_convex: bool,
    /// How far a vertex may be from the plane of its face, metres.
    pub tolerance: f64,
    /// The step of the grid on which the coordinates are, metres, if they are.
    pub grid_step: Option<f64>,
}

/// Noise of this part of the size of a mesh is rounding.
const NOISE: f64 = 1e-9;

/// How far single precision moves a vertex, against its largest coordinate:
/// √3 2⁻²⁴.
const SINGLE: f64 = 1.732_050_807_568_877_2 / 16_777_216.0;

/// A vertex may stand out of a face of a convex solid by this part of the
/// size: a rotated box in a file with single precision is still a box.
const CONVEX: f64 = 2e-7;

/// How far half a step of a grid in each coordinate moves a vertex: ½ √3.
const HALF_STEP: f64 = 0.866_025_403_784_438_6;

impl PlanarFace {
    /// How far a point is above the plane, metres.
    pub fn height(&self, p: DVec3) -> f64 {
        self.normal.dot(p - self.point)
    }
}

impl Faces {
    pub fn find(mesh: &ClosedMesh) -> Faces {
        let size = mesh.bounds().size().length();
        let area_vectors: Vec<DVec3> = (0..mesh.triangles().len() as u32)
            .map(|triangle| {
                let [a, b, c] = mesh.corners(triangle);
                0.5 * (b - a).cross(c - a)
            })
            .collect();
        let mut faces = Faces {
            faces: Vec::new(),
            triangle_faces: vec![u32::MAX; area_vectors.len()],
            bends: Vec::with_capacity(mesh.edges().len()),
            is_convex: false,
            tolerance: 0.0,
            grid_step: None,
        };
        faces.find_tolerance(mesh.vertices(), size);
        faces.merge(mesh, &area_vectors);
        let reach = (CONVEX * size).max(2.0 * faces.tolerance);
        let may_be_convex = faces.find_bends(mesh, reach);
        faces.is_convex = may_be_convex
            && mesh.shells().len() == 1
            && mesh.volume() > 0.0
            && faces.all_below(mesh, reach);
        faces
    }

    /// Finds how the coordinates are rounded.
    fn find_tolerance(&mut self, vertices: &[DVec3], size: f64) {
        let largest = vertices
            .iter()
            .fold(0.0_f64, |largest, p| largest.max(p.abs().max_element()));
        let rounding = (SINGLE * largest).max(NOISE * size);
        self.grid_step = grid::step(vertices, size, rounding / HALF_STEP);
        let of_grid = self.grid_step.map_or(0.0, |step| HALF_STEP * step);
        self.tolerance = 3.0 * rounding.max(of_grid);
    }

    /// Finds how the surface bends at each edge; false when a valley is deeper
    /// than `reach`.
    fn find_bends(&mut self, mesh: &ClosedMesh, reach: f64) -> bool {
        let mut may_be_convex = true;
        for edge in mesh.edges() {
            let [f, g] = edge.triangles.map(|t| self.triangle_faces[t as usize]);
            let [n, m] = [f, g].map(|face| self.faces[face as usize]);
            let bend = if f == g || n.normal == DVec3::ZERO || m.normal == DVec3::ZERO {
                Bend::Flat
            } else {
                // How far the outer corner of each triangle is above the other.
                let [above_m, above_n] = edge.triangles.map(|t| {
                    let apex = opposite(mesh, t, edge.vertices);
                    apex - mesh.vertices()[edge.vertices[0] as usize]
                });
                let heights = [n.normal.dot(above_n), m.normal.dot(above_m)];
                may_be_convex &= heights[0].max(heights[1]) <= reach;
                if heights[0] + heights[1] < 0.0 {
                    Bend::Convex
                } else {
                    Bend::Reflex
                }
            };
            self.bends.push(bend);
        }
        may_be_convex
    }

    /// Joins neighbouring triangles as long as they stay in one plane.
    fn merge(&mut self, mesh: &ClosedMesh, area_vectors: &[DVec3]) {
        // Large triangles first: they know their plane best.
        let mut seeds: Vec<(f64, u32)> = area_vectors
            .iter()
            .map(|area| area.length_squared())
            .zip(0..)
            .collect();
        seeds.sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
        let mut growing = Growing::default();
        for (_, seed) in seeds {
            if self.triangle_faces[seed as usize] == u32::MAX {
                let face = growing.grow(self, mesh, area_vectors, seed);
                self.faces.push(face);
            }
        }
    }

    /// True when no vertex is above the plane of any face.
    fn all_below(&self, mesh: &ClosedMesh, tolerance: f64) -> bool {
        let mut stack = Vec::new();
        self.faces.iter().all(|face| {
            let height = face.normal.dot(face.point);
            let corners = |triangle| mesh.corners(triangle);
            !mesh
                .bvh()
                .reaches_above(face.normal, height + tolerance, corners, &mut stack)
        })
    }
}

/// A face while it grows.
#[derive(Default)]
struct Growing {
    /// Its triangles whose neighbours are still to be looked at.
    queue: VecDeque<u32>,
    /// Triangles that were not in the plane when they were looked at.
    refused: Vec<u32>,
    area_vector: DVec3,
    /// Sums over its triangles about the first corner of the first: area, and
    /// area times centroid.
    area: f64,
    first_moment: DVec3,
}

impl Growing {
    /// Grows a face from a triangle and labels its triangles.
    fn grow(
        &mut self,
        faces: &mut Faces,
        mesh: &ClosedMesh,
        area_vectors: &[DVec3],
        seed: u32,
    ) -> PlanarFace {
        let label = faces.faces.len() as u32;
        let origin = mesh.corners(seed)[0];
        (self.area_vector, self.area, self.first_moment) = (DVec3::ZERO, 0.0, DVec3::ZERO);
        self.take(mesh, area_vectors, seed, origin);
        faces.triangle_faces[seed as usize] = label;
        let tolerance = faces.tolerance;
        // Nothing joins a triangle without area, and it knows no plane.
        while !self.queue.is_empty() && self.area_vector != DVec3::ZERO {
            let before = self.area;
            while let Some(triangle) = self.queue.pop_front() {
                for k in 0..3 {
                    let next = mesh.neighbour(triangle, k);
                    if faces.triangle_faces[next as usize] != u32::MAX {
                        continue;
                    }
                    if self.is_in_plane(mesh, area_vectors[next as usize], next, origin, tolerance)
                    {
                        faces.triangle_faces[next as usize] = label;
                        self.take(mesh, area_vectors, next, origin);
                    } else {
                        self.refused.push(triangle);
                    }
                }
            }
            // The plane is known better now; twice as well is worth a look.
            if self.area > 2.0 * before {
                self.queue.extend(self.refused.drain(..));
            }
        }
        self.queue.clear();
        self.refused.clear();
        let face = self.plane(origin);
        PlanarFace {
            normal: face.normal,
            point: origin + face.normal * face.normal.dot(face.point - origin),
        }
    }

    fn take(&mut self, mesh: &ClosedMesh, area_vectors: &[DVec3], triangle: u32, origin: DVec3) {
        let [a, b, c] = mesh.corners(triangle).map(|p| p - origin);
        let area = area_vectors[triangle as usize].length();
        self.area_vector += area_vectors[triangle as usize];
        self.area += area;
        self.first_moment += area / 3.0 * (a + b + c);
        self.queue.push_back(triangle);
    }

    fn plane(&self, origin: DVec3) -> PlanarFace {
        let mean = if self.area > 0.0 {
            self.first_moment / self.area
        } else {
            DVec3::ZERO
        };
        PlanarFace {
            normal: self.area_vector.normalize_or_zero(),
            point: origin + mean,
        }
    }

    fn is_in_plane(
        &self,
        mesh: &ClosedMesh,
        area_vector: DVec3,
        triangle: u32,
        origin: DVec3,
        tolerance: f64,
    ) -> bool {
        let plane = self.plane(origin);
        let corners = mesh.corners(triangle);
        if corners.iter().any(|&p| plane.height(p).abs() > tolerance) {
            return false;
        }
        // The other side of a thin wall is near, but faces the other way. A
        // needle may face anywhere: rounding decides.
        let longest = (0..3).map(|k| corners[k].distance_squared(corners[(k + 1) % 3]));
        let longest = longest.fold(0.0, f64::max).sqrt();
        area_vector.dot(plane.normal) >= -tolerance * longest
    }
}

/// The corner of a triangle that is not an end of one of its edges.
fn opposite(mesh: &ClosedMesh, triangle: u32, ends: [u32; 2]) -> DVec3 {
    let corners = mesh.triangles()[triangle as usize];
    let apex = corners.into_iter().find(|corner| !ends.contains(corner));
    mesh.vertices()[apex.unwrap_or(corners[0]) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::shapes::{cuboid, icosphere, subdivide};
    use crate::{Pose, TriMesh};
    use glam::DMat3;

    fn closed(mesh: TriMesh) -> ClosedMesh {
        ClosedMesh::new(mesh).unwrap()
    }

    #[test]
    fn a_box_has_six_faces_however_fine() {
        let rotated = Pose {
            R: DMat3::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 1.0),
            p: DVec3::new(1.0, -2.0, 0.5),
        };
        let mut mesh = cuboid(DVec3::new(0.02, 0.03, 0.06));
        for _ in 0..4 {
            for solid in [mesh.clone(), mesh.clone().transformed(1.0, &rotated)] {
                let solid = closed(solid);
                assert_eq!(solid.faces().len(), 6);
                assert!(solid.is_convex());
                for (triangle, &face) in (0..).zip(solid.triangle_faces()) {
                    let face = solid.faces()[face as usize];
                    for p in solid.corners(triangle) {
                        assert!(face.height(p).abs() < 1e-15);
                    }
                }
            }
            mesh = subdivide(&mesh);
        }
    }

    /// Rounded and shaken: still six faces, their planes within the rounding.
    #[test]
    fn a_rounded_box_has_six_faces_however_fine() {
        let X = Pose {
            R: DMat3::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 1.0),
            p: DVec3::new(0.1, -0.02, 0.05),
        };
        let mut mesh = cuboid(DVec3::splat(0.06));
        for fineness in 0..6 {
            let mut rounded = mesh.clone().transformed(1.0, &X);
            for p in &mut rounded.vertices {
                *p = p.as_vec3().as_dvec3();
            }
            let mut shaken = mesh.clone();
            for (k, p) in shaken.vertices.iter_mut().enumerate() {
                let k = k as f64;
                *p += 0.5e-10 * DVec3::new((3.7 * k).sin(), (5.3 * k).sin(), (7.9 * k).sin());
            }
            for solid in [closed(rounded), closed(shaken)] {
                assert_eq!(solid.faces().len(), 6, "fineness {fineness}");
                assert!(solid.is_convex());
                for (triangle, &face) in (0..).zip(solid.triangle_faces()) {
                    let face = solid.faces()[face as usize];
                    let heights = solid.corners(triangle).map(|p| face.height(p).abs());
                    assert!(heights.into_iter().all(|h| h < 2e-8));
                }
            }
            mesh = subdivide(&mesh);
        }
    }

    /// As written with six decimals, which is coarser than single precision.
    #[test]
    fn a_box_in_a_text_file_has_six_faces_however_fine() {
        let X = Pose {
            R: DMat3::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 1.0),
            p: DVec3::new(0.1, -0.02, 0.05),
        };
        let mut mesh = cuboid(DVec3::splat(0.06));
        for fineness in 0..6 {
            let mut printed = mesh.clone().transformed(1.0, &X);
            for p in &mut printed.vertices {
                *p = (*p * 1e6).round() / 1e6;
            }
            let solid = closed(printed);
            assert!((solid.grid_step().unwrap() - 1e-6).abs() < 1e-12);
            assert_eq!(solid.faces().len(), 6, "fineness {fineness}");
            assert!(solid.is_convex());
            mesh = subdivide(&mesh);
        }
    }

    #[test]
    fn a_sphere_is_convex_and_a_dented_one_is_not() {
        let mesh = icosphere(0.03, 3);
        let sphere = closed(mesh.clone());
        assert!(sphere.is_convex());
        assert_eq!(sphere.faces().len(), 1280);
        assert!(sphere.bends().iter().all(|&bend| bend == Bend::Convex));
        let mut dented = mesh;
        dented.vertices[0] *= 0.99;
        let dented = closed(dented);
        assert!(!dented.is_convex());
        let reflex = dented.bends().iter().filter(|&&b| b == Bend::Reflex);
        // The five edges that meet in the dent; those round it stay ridges.
        assert_eq!(reflex.count(), 5);
    }

    #[test]
    fn a_turned_box_in_single_precision_is_convex() {
        for k in 1..20 {
            let X = Pose {
                R: DMat3::from_axis_angle(DVec3::new(0.48, 0.6, 0.64), f64::from(k)),
                p: DVec3::splat(0.01),
            };
            let mut mesh = cuboid(DVec3::new(0.1, 0.2, 0.3)).transformed(1.0, &X);
            for p in &mut mesh.vertices {
                *p = p.as_vec3().as_dvec3();
            }
            assert!(closed(mesh).is_convex(), "rotated by {k}");
        }
    }

    #[test]
    fn thickness_of_plates_and_spheres() {
        let plate = closed(cuboid(DVec3::new(0.06, 0.05, 0.001)));
        assert!((plate.thickness() - 0.001).abs() < 1e-15);
        let sphere = closed(icosphere(0.03, 4));
        assert!((sphere.thickness() - 0.06).abs() < 2e-3);
    }
}
