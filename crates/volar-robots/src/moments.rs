//! Mass and inertia of shapes on links.

use std::path::Path;

use glam::{DMat3, DVec3};
use volar_geom::Pose;
use volar_geom::mesh::mass::{MassProperties, SolidMoments};
use volar_meshes::MeshLibrary;
use volar_solids::Shape;

use crate::error::RobotError;
use crate::robot::Geometry;

/// Volume, centroid and second moments of a shape in G. None for a plane.
/// Mesh files are read; one that encloses no volume is an error.
fn moments(shape: &Shape, library: &MeshLibrary) -> Result<Option<SolidMoments>, RobotError> {
    let Shape::Mesh(file) = shape else {
        return Ok(shape.moments());
    };
    let path = Path::new(&file.file);
    let mesh = file.placed(&*library.mesh(path)?);
    let moments = SolidMoments::of(&mesh);
    moments.map(Some).ok_or_else(|| RobotError::NoVolume {
        file: library.source().name_of(path),
    })
}

/// Mass properties in the link's frame of one shape, by its mass, or else its
/// density, or else `density` in kg/m³. None when it has none.
pub(crate) fn mass_of(
    geometry: &Geometry,
    density: f64,
    library: &MeshLibrary,
) -> Result<Option<MassProperties>, RobotError> {
    let density = geometry.density.unwrap_or(density);
    let weightless = match geometry.mass {
        Some(mass) => mass <= 0.0,
        None => density <= 0.0,
    };
    if weightless {
        return Ok(None);
    }
    let Some(moments) = moments(&geometry.shape, library)? else {
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
pub(crate) fn moved(mass: &MassProperties, X_AB: &Pose) -> MassProperties {
    let turned = X_AB.R * mass.inertia * X_AB.R.transpose();
    MassProperties {
        mass: mass.mass,
        centre_of_mass: X_AB.point(mass.centre_of_mass),
        // Symmetric to the bit, as six numbers of a file are: so it is when exported, too.
        inertia: 0.5 * (turned + turned.transpose()),
    }
}

/// Several bodies as one. None when there are none.
pub(crate) fn combined(parts: &[MassProperties]) -> Option<MassProperties> {
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
