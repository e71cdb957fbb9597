//! Mass and inertia of shapes.
//!
//! Primitives have closed forms: a capsule's finger is not the polyhedron
//! that stands in for it in contact. With `s = ∫ x²`, along each axis about
//! the centre:
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
use volar_geom::Pose;
use volar_geom::mesh::mass::{MassProperties, SolidMoments};

use crate::error::RobotError;
use crate::meshes;
use crate::robot::{Geometry, Shape};

/// Volume, centroid and second moments of a shape in G. None for a plane.
/// Mesh files are read; one that encloses no volume is an error.
pub fn moments(shape: &Shape) -> Result<Option<SolidMoments>, RobotError> {
    let (volume, squares) = match shape {
        Shape::Box { size } => (size.element_product(), *size * *size / 12.0),
        Shape::Sphere { radius } => {
            let square = radius * radius / 5.0;
            (4.0 / 3.0 * PI * radius.powi(3), DVec3::splat(square))
        }
        Shape::Ellipsoid { radii } => (
            4.0 / 3.0 * PI * radii.element_product(),
            *radii * *radii / 5.0,
        ),
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
            let along =
                cylinder * l * l / 12.0 + ball * (l * l / 4.0 + 3.0 * l * r / 8.0 + r * r / 5.0);
            let volume = cylinder + ball;
            (volume, DVec3::new(across, across, along) / volume)
        }
        Shape::Mesh { path, .. } => {
            let mesh = meshes::read_mesh(shape)?.unwrap_or_default();
            let Some(moments) = SolidMoments::of(&mesh) else {
                return Err(RobotError::Mesh {
                    what: path.display().to_string(),
                    problem: "encloses no volume, so it has no mass; is it open or inside out? \
                              `volar check` tells, or give the body an <inertial>"
                        .into(),
                });
            };
            return Ok(Some(moments));
        }
        Shape::Plane => return Ok(None),
    };
    Ok(Some(SolidMoments {
        volume,
        centroid: DVec3::ZERO,
        second_moment: DMat3::from_diagonal(squares * volume),
    }))
}

/// Mass properties in the link's frame of one shape, by its mass, or else its
/// density, or else `density` in kg/m³. None when it has none.
pub fn mass_of(geometry: &Geometry, density: f64) -> Result<Option<MassProperties>, RobotError> {
    let density = geometry.density.unwrap_or(density);
    let weightless = match geometry.mass {
        Some(mass) => mass <= 0.0,
        None => density <= 0.0,
    };
    if weightless {
        return Ok(None);
    }
    let Some(moments) = moments(&geometry.shape)? else {
        return Ok(None);
    };
    if moments.volume <= 0.0 {
        return Ok(None);
    }
    let mass = match geometry.mass {
        Some(mass) => moments.with_mass(mass),
        None => moments.with_density(density),
    };
    Ok(Some(moved(&mass, &geometry.X_LG)))
}

/// Mass properties given in B, seen from A.
pub fn moved(mass: &MassProperties, X_AB: &Pose) -> MassProperties {
    MassProperties {
        mass: mass.mass,
        centre_of_mass: X_AB.point(mass.centre_of_mass),
        inertia: X_AB.R * mass.inertia * X_AB.R.transpose(),
    }
}

/// Several bodies as one. None when there are none.
pub fn combined(parts: &[MassProperties]) -> Option<MassProperties> {
    let mass: f64 = parts.iter().map(|part| part.mass).sum();
    if mass <= 0.0 {
        return None;
    }
    let first: DVec3 = parts.iter().map(|p| p.centre_of_mass * p.mass).sum();
    let centre_of_mass = first / mass;
    let inertia = parts.iter().fold(DMat3::ZERO, |sum, part| {
        let r = part.centre_of_mass - centre_of_mass;
        let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
        let about = DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer;
        sum + part.inertia + about * part.mass
    });
    Some(MassProperties {
        mass,
        centre_of_mass,
        inertia,
    })
}
