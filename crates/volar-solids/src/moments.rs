//! Volume and moments of primitives in closed form: a capsule's finger is not
//! the polyhedron that stands in for it in contact. With `s = ∫ x²`, along each
//! axis about the centre:
//!
//! ```text
//! box        V = abc,            s = V a²/12
//! ellipsoid  V = 4π/3 abc,       s = V a²/5
//! cylinder   V = π r² l,         s = V r²/4 across, V l²/12 along
//! capsule    cylinder + balls    s = … + B r²/5 across,
//!                                    … + B (l²/4 + 3 l r/8 + r²/5) along,  B = 4π/3 r³
//! ```

use std::f64::consts::PI;

use glam::{DMat3, DVec3};
use volar_geom::mesh::mass::SolidMoments;

use crate::shape::Shape;

impl Shape {
    /// Volume, centroid and second moments in G. None for the ground, which has
    /// no end, and for a mesh file, which has to be read.
    pub fn moments(&self) -> Option<SolidMoments> {
        let (volume, squares) = match *self {
            Shape::Box(size) => {
                let size = DVec3::from_array(size);
                (size.element_product(), size * size / 12.0)
            }
            Shape::Sphere { radius, .. } => {
                let square = radius * radius / 5.0;
                (
                    4.0 / 3.0 * PI * radius * (radius * radius),
                    DVec3::splat(square),
                )
            }
            Shape::Ellipsoid(radii) => {
                let radii = DVec3::from_array(radii);
                let volume = 4.0 / 3.0 * PI * radii.element_product();
                (volume, radii * radii / 5.0)
            }
            Shape::Cylinder { radius, length } => {
                let across = radius * radius / 4.0;
                let squares = DVec3::new(across, across, length * length / 12.0);
                (PI * radius * radius * length, squares)
            }
            Shape::Capsule {
                radius: r,
                length: l,
            } => {
                let cylinder = PI * r * r * l;
                let ball = 4.0 / 3.0 * PI * r * r * r;
                let across = cylinder * r * r / 4.0 + ball * r * r / 5.0;
                let ends = l * l / 4.0 + 3.0 * l * r / 8.0 + r * r / 5.0;
                let along = cylinder * l * l / 12.0 + ball * ends;
                let volume = cylinder + ball;
                (volume, DVec3::new(across, across, along) / volume)
            }
            Shape::Ground {} | Shape::Mesh(_) => return None,
        };
        Some(SolidMoments {
            volume,
            centroid: DVec3::ZERO,
            second_moment: DMat3::from_diagonal(squares * volume),
        })
    }
}
