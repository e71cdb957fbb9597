//! Planar faces, how the surface bends at the edges, and whether it is convex.

use glam::DVec3;

use super::ClosedMesh;

/// A connected part of the surface in one plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarFace {
    /// Unit normal, outward; zero for a face without area.
    pub normal: DVec3,
    /// A vertex in its plane.
    pub vertex: u32,
}

/// How the surface bends at an edge, seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bend {
    /// A ridge: the solid is less than half of the space round the edge.
    Convex,
    /// No bend: both triangles lie in one plane.
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
}

/// Triangles are in one plane when they are so up to this part of the size of
/// the mesh.
const FLAT: f64 = 1e-9;

/// A vertex may stand out of a face of a convex solid by this part of the
/// size: a rotated box in a file with single precision is still a box.
const CONVEX: f64 = 2e-7;

impl Faces {
    pub fn find(mesh: &ClosedMesh) -> Faces {
        let size = mesh.bounds().size().length();
        let area_vectors: Vec<DVec3> = (0..mesh.triangles().len() as u32)
            .map(|triangle| {
                let [a, b, c] = mesh.corners(triangle);
                0.5 * (b - a).cross(c - a)
            })
            .collect();
        let normals: Vec<DVec3> = area_vectors
            .iter()
            .map(|area| area.normalize_or_zero())
            .collect();
        let mut may_be_convex = mesh.shells().len() == 1 && mesh.volume() > 0.0;
        let mut bends = Vec::with_capacity(mesh.edges().len());
        for edge in mesh.edges() {
            let [n, m] = edge.triangles.map(|t| normals[t as usize]);
            let [above_m, above_n] = edge.triangles.map(|t| {
                let apex = opposite(mesh, t, edge.vertices);
                apex - mesh.vertices()[edge.vertices[0] as usize]
            });
            // The corner of each triangle that is not on the other.
            let heights = [n.dot(above_n), m.dot(above_m)];
            let highest = heights[0].abs().max(heights[1].abs());
            let has_area = n != DVec3::ZERO && m != DVec3::ZERO;
            bends.push(if !has_area || (highest <= FLAT * size && n.dot(m) > 0.0) {
                Bend::Flat
            } else if heights[0] + heights[1] < 0.0 {
                Bend::Convex
            } else {
                Bend::Reflex
            });
            may_be_convex &= heights[0].max(heights[1]) <= CONVEX * size;
        }
        let mut faces = Faces {
            faces: Vec::new(),
            triangle_faces: vec![u32::MAX; area_vectors.len()],
            bends,
            is_convex: false,
        };
        faces.merge(mesh, &area_vectors, FLAT * size);
        faces.is_convex = may_be_convex && faces.all_below(mesh, CONVEX * size);
        faces
    }

    /// Joins triangles across flat edges, as long as they stay in the plane
    /// of the triangle with which a face begins.
    fn merge(&mut self, mesh: &ClosedMesh, area_vectors: &[DVec3], tolerance: f64) {
        // Large triangles first: they know their plane best.
        let mut seeds: Vec<(f64, u32)> = area_vectors
            .iter()
            .map(|area| area.length_squared())
            .zip(0..)
            .collect();
        if self.bends.contains(&Bend::Flat) {
            seeds.sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
        }
        let mut stack = Vec::new();
        for (_, seed) in seeds {
            if self.triangle_faces[seed as usize] != u32::MAX {
                continue;
            }
            let face = self.faces.len() as u32;
            let normal = area_vectors[seed as usize].normalize_or_zero();
            let vertex = mesh.triangles()[seed as usize][0];
            let origin = mesh.vertices()[vertex as usize];
            let mut area_vector = DVec3::ZERO;
            self.triangle_faces[seed as usize] = face;
            stack.push(seed);
            while let Some(triangle) = stack.pop() {
                area_vector += area_vectors[triangle as usize];
                for k in 0..3 {
                    let next = mesh.neighbour(triangle, k);
                    let edge = mesh.triangle_edges()[triangle as usize][k] / 2;
                    let in_plane = || {
                        let heights = mesh.corners(next).map(|p| normal.dot(p - origin).abs());
                        heights.into_iter().all(|height| height <= tolerance)
                            && area_vectors[next as usize].dot(normal) >= 0.0
                    };
                    if self.bends[edge as usize] == Bend::Flat
                        && self.triangle_faces[next as usize] == u32::MAX
                        && in_plane()
                    {
                        self.triangle_faces[next as usize] = face;
                        stack.push(next);
                    }
                }
            }
            self.faces.push(PlanarFace {
                normal: area_vector.normalize_or_zero(),
                vertex,
            });
        }
    }

    /// True when no vertex is above the plane of any face.
    fn all_below(&self, mesh: &ClosedMesh, tolerance: f64) -> bool {
        let mut stack = Vec::new();
        self.faces.iter().all(|face| {
            let height = face.normal.dot(mesh.vertices()[face.vertex as usize]);
            let corners = |triangle| mesh.corners(triangle);
            !mesh
                .bvh()
                .reaches_above(face.normal, height + tolerance, corners, &mut stack)
        })
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
                    let origin = solid.vertices()[face.vertex as usize];
                    for p in solid.corners(triangle) {
                        assert!(face.normal.dot(p - origin).abs() < 1e-15);
                    }
                }
            }
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
