//! Primitives as closed meshes at a stated resolution.
//!
//! Vertices lie on the true surface, so the mesh is inside it: by
//! `r (1 − cos(π/n))` in the middle of a facet, 0.2 % of the radius for 48
//! sides and 0.5 % for 32.

use std::f64::consts::PI;

use glam::DVec3;
use volar_geom::TriMesh;
use volar_geom::mesh::shapes::{cuboid, icosphere};

use crate::robot::Shape;

/// How finely round shapes are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// Sides of a cylinder; at least 3.
    pub cylinder_sides: u32,
    /// Sides of a capsule; at least 3.
    pub capsule_sides: u32,
    /// Rings of triangles on each end of a capsule; at least 1.
    pub capsule_rings: u32,
    /// How often the icosahedron of a sphere or an ellipsoid is subdivided:
    /// 20·4ⁿ triangles.
    pub sphere_subdivisions: u32,
}

impl Default for Resolution {
    /// Cylinders with 48 sides, capsules with 32 and 8 rings on each end,
    /// spheres and ellipsoids with 1,280 triangles.
    fn default() -> Resolution {
        Resolution {
            cylinder_sides: 48,
            capsule_sides: 32,
            capsule_rings: 8,
            sphere_subdivisions: 3,
        }
    }
}

/// The closed mesh of a primitive in G, outward. None for a mesh file and a
/// plane, which is no solid.
pub fn tessellate(shape: &Shape, resolution: &Resolution) -> Option<TriMesh> {
    Some(match *shape {
        Shape::Box { size } => cuboid(size),
        Shape::Sphere { radius } => icosphere(radius, resolution.sphere_subdivisions),
        Shape::Ellipsoid { radii } => {
            let mut mesh = icosphere(1.0, resolution.sphere_subdivisions);
            mesh.vertices.iter_mut().for_each(|v| *v *= radii);
            mesh
        }
        Shape::Cylinder { radius, length } => {
            let half = 0.5 * length;
            let sides = resolution.cylinder_sides.max(3);
            revolve(&[(radius, -half), (radius, half)], -half, half, sides)
        }
        // Without a cylinder between the half balls it is a ball.
        Shape::Capsule { radius, length } if length <= 0.0 => {
            icosphere(radius, resolution.sphere_subdivisions)
        }
        Shape::Capsule { radius, length } => {
            let (half, rings) = (0.5 * length, resolution.capsule_rings.max(1));
            let arc = (1..=rings).map(|i| {
                let angle = 0.5 * PI * f64::from(i) / f64::from(rings);
                (radius * angle.sin(), -half - radius * angle.cos())
            });
            // The last ring of one end at exactly the full radius.
            let lower: Vec<(f64, f64)> = arc
                .take(rings as usize - 1)
                .chain([(radius, -half)])
                .collect();
            let upper = lower.iter().rev().map(|(r, z)| (*r, -z));
            let rings: Vec<(f64, f64)> = lower.iter().copied().chain(upper).collect();
            let end = half + radius;
            revolve(&rings, -end, end, resolution.capsule_sides.max(3))
        }
        Shape::Mesh { .. } | Shape::Plane => return None,
    })
}

/// Rings (radius, z) about z from bottom to top, closed by a point on the axis
/// at each end.
fn revolve(rings: &[(f64, f64)], bottom: f64, top: f64, sides: u32) -> TriMesh {
    let turn = 2.0 * PI / f64::from(sides);
    let mut vertices: Vec<DVec3> = rings
        .iter()
        .flat_map(|&(r, z)| {
            (0..sides).map(move |i| {
                let (sin, cos) = (turn * f64::from(i)).sin_cos();
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
