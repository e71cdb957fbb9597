//! Primitives as closed meshes.
//!
//! Vertices lie on the true surface, so the mesh is inside it: by
//! `r (1 − cos(π/n))` in the middle of a facet, 0.2 % of the radius for the 48
//! sides of a cylinder and 0.5 % for the 32 of a capsule.

use std::f64::consts::PI;

use glam::DVec3;
use volar_geom::mesh::shapes::{cuboid, icosphere};
use volar_geom::{Pose, TriMesh};
use volar_math::real;

use crate::shape::Shape;

/// Sides of a cylinder.
const CYLINDER_SIDES: u32 = 48;
/// Sides of a capsule.
const CAPSULE_SIDES: u32 = 32;
/// Rings of triangles on each end of a capsule.
const CAPSULE_RINGS: u32 = 8;
/// Of an ellipsoid, and of a capsule without a cylinder.
const SUBDIVISIONS: u32 = 3;
/// Half width of the ground, m; also its thickness.
const GROUND: f64 = 10.0;

impl Shape {
    /// Its closed mesh in G, outward. None for a mesh file, which has to be
    /// read.
    ///
    /// ```
    /// use volar_solids::Shape;
    ///
    /// let ball = Shape::sphere(0.03).tessellate().unwrap(); // m
    /// assert_eq!(ball.triangles.len(), 1280);
    /// assert!((ball.vertices[0].length() - 0.03).abs() < 1.0e-12);
    /// ```
    pub fn tessellate(&self) -> Option<TriMesh> {
        Some(match *self {
            Shape::Box(size) => cuboid(DVec3::from_array(size)),
            Shape::Sphere {
                radius,
                subdivisions,
            } => icosphere(radius, subdivisions),
            Shape::Ellipsoid(radii) => ellipsoid(DVec3::from_array(radii), SUBDIVISIONS),
            Shape::Cylinder { radius, length } => cylinder(radius, length, CYLINDER_SIDES),
            // Without a cylinder between the half balls it is a ball.
            Shape::Capsule { radius, length } if length <= 0.0 => icosphere(radius, SUBDIVISIONS),
            Shape::Capsule { radius, length } => {
                capsule(radius, length, CAPSULE_SIDES, CAPSULE_RINGS)
            }
            Shape::Ground {} => {
                let slab = cuboid(DVec3::new(2.0 * GROUND, 2.0 * GROUND, GROUND));
                let down = Pose::from_translation(DVec3::new(0.0, 0.0, -0.5 * GROUND));
                slab.transformed(1.0, &down)
            }
            Shape::Mesh(_) => return None,
        })
    }
}

fn ellipsoid(radii: DVec3, subdivisions: u32) -> TriMesh {
    let mut mesh = icosphere(1.0, subdivisions);
    mesh.vertices.iter_mut().for_each(|v| *v *= radii);
    mesh
}

fn cylinder(radius: f64, length: f64, sides: u32) -> TriMesh {
    let half = 0.5 * length;
    revolve(&[(radius, -half), (radius, half)], -half, half, sides)
}

fn capsule(radius: f64, length: f64, sides: u32, rings: u32) -> TriMesh {
    let half = 0.5 * length;
    let arc = (1..rings).map(|i| {
        let angle = 0.5 * PI * f64::from(i) / f64::from(rings);
        (radius * real::sin(angle), -half - radius * real::cos(angle))
    });
    // The last ring of one end at exactly the full radius.
    let lower: Vec<(f64, f64)> = arc.chain([(radius, -half)]).collect();
    let upper = lower.iter().rev().map(|(r, z)| (*r, -z));
    let rings: Vec<(f64, f64)> = lower.iter().copied().chain(upper).collect();
    let end = half + radius;
    revolve(&rings, -end, end, sides)
}

/// Rings (radius, z) about z from bottom to top, closed by a point on the axis
/// at each end.
fn revolve(rings: &[(f64, f64)], bottom: f64, top: f64, sides: u32) -> TriMesh {
    let turn = 2.0 * PI / f64::from(sides);
    let mut vertices: Vec<DVec3> = rings
        .iter()
        .flat_map(|&(r, z)| {
            (0..sides).map(move |i| {
                let (sin, cos) = real::sin_cos(turn * f64::from(i));
                DVec3::new(r * cos, r * sin, z)
            })
        })
        .collect();
    let lowest = vertices.len() as u32;
    vertices.push(DVec3::new(0.0, 0.0, bottom));
    vertices.push(DVec3::new(0.0, 0.0, top));
    let highest = lowest + 1;
    let last = (rings.len() as u32 - 1) * sides;
    let mut triangles = Vec::new();
    for i in 0..sides {
        let j = (i + 1) % sides;
        triangles.push([lowest, j, i]);
        for ring in (0..last).step_by(sides as usize) {
            let (a, b) = (ring + i, ring + j);
            let (c, d) = (a + sides, b + sides);
            triangles.push([a, b, d]);
            triangles.push([a, d, c]);
        }
        triangles.push([highest, last + i, last + j]);
    }
    TriMesh {
        vertices,
        triangles,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use volar_geom::mesh::check::check;
    use volar_geom::mesh::mass::SolidMoments;

    fn shapes() -> Vec<Shape> {
        vec![
            Shape::Box([0.1, 0.2, 0.3]),
            Shape::sphere(0.03),
            Shape::Cylinder {
                radius: 0.02,
                length: 0.07,
            },
            Shape::Capsule {
                radius: 0.01,
                length: 0.045,
            },
            Shape::Capsule {
                radius: 0.01,
                length: 0.0,
            },
            Shape::Ellipsoid([0.01, 0.02, 0.03]),
        ]
    }

    /// Relative errors of volume and second moments.
    fn error_of(mesh: &TriMesh, shape: &Shape) -> (f64, f64) {
        let report = check(mesh);
        assert!(report.is_usable(), "{shape:?}: {:?}", report.complaints);
        let (got, want) = (SolidMoments::of(mesh).unwrap(), shape.moments().unwrap());
        assert!(got.centroid.length() < 1e-15);
        let size = |m: &glam::DMat3| {
            let entries = m.to_cols_array();
            entries.iter().fold(0.0, |a: f64, b| a.max(b.abs()))
        };
        (
            (want.volume - got.volume) / want.volume,
            size(&(got.second_moment - want.second_moment)) / size(&want.second_moment),
        )
    }

    #[test]
    fn meshes_are_sound_and_near_the_shape() {
        for shape in shapes() {
            let (volume, second) = error_of(&shape.tessellate().unwrap(), &shape);
            assert!((-1e-14..0.015).contains(&volume), "{shape:?}: {volume}");
            assert!(second < 0.025, "{shape:?}: {second}");
        }
    }

    #[test]
    fn finer_meshes_approach_the_closed_forms() {
        for shape in shapes() {
            let fine = match shape {
                Shape::Sphere { radius, .. } => icosphere(radius, 4),
                Shape::Ellipsoid(radii) => ellipsoid(DVec3::from_array(radii), 4),
                Shape::Cylinder { radius, length } => cylinder(radius, length, 96),
                Shape::Capsule { radius, length } if length > 0.0 => {
                    capsule(radius, length, 64, 16)
                }
                _ => continue,
            };
            let coarse = error_of(&shape.tessellate().unwrap(), &shape);
            let finer = error_of(&fine, &shape);
            // Errors go with the square of the size of facets.
            let enough = finer.0 <= 0.27 * coarse.0 && finer.1 <= 0.27 * coarse.1;
            assert!(enough, "{shape:?}: {coarse:?} {finer:?}");
        }
    }

    #[test]
    fn the_ground_is_below_its_plane() {
        let ground = Shape::Ground {}.tessellate().unwrap();
        assert!(check(&ground).is_usable());
        let top = ground.vertices.iter().map(|v| v.z).fold(f64::MIN, f64::max);
        assert!(top.abs() <= 0.0);
    }
}
