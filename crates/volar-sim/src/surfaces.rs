//! Surfaces of bodies: their shapes as one solid, without the vertices that do not
//! shape it.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use volar_geom::{ClosedMesh, TriMesh};

use crate::body::Body;
use crate::build::ModelError;
use crate::model::Surface;

/// Surfaces by the meshes they are made of, each computed once: for bodies of one
/// model, and for models that are built with the same cache, as those of a sweep.
/// A surface is forgotten with its meshes.
///
/// ```
/// use std::sync::Arc;
/// use volar_sim::{Body, ModelBuilder, SurfaceCache};
/// # use glam::DVec3;
/// # use volar_contact::Material;
/// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
/// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
/// # let rubber = Material::named("rubber").unwrap();
///
/// let surfaces = Arc::new(SurfaceCache::default());
/// let model = |mass: f64| {
///     let mut builder = ModelBuilder::sharing(surfaces.clone());
///     let body = builder.add(Body::free("block", mesh.clone(), mass, rubber));
///     builder.build().map(|model| model.surface(body).unwrap().mesh.clone())
/// };
/// assert!(Arc::ptr_eq(&model(0.1)?, &model(0.2)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct SurfaceCache {
    known: Mutex<Vec<Known>>,
}

#[derive(Debug)]
struct Known {
    shapes: Vec<Weak<ClosedMesh>>,
    surface: Surface,
}

impl Known {
    fn is_of(&self, shapes: &[Arc<ClosedMesh>]) -> bool {
        let same = |(a, b): (&Weak<ClosedMesh>, &Arc<ClosedMesh>)| a.as_ptr() == Arc::as_ptr(b);
        self.shapes.len() == shapes.len() && self.shapes.iter().zip(shapes).all(same)
    }
}

impl SurfaceCache {
    pub(crate) fn of_bodies(&self, bodies: &[Body]) -> Result<Vec<Option<Surface>>, ModelError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // The address of a mesh that is gone may be another's by now.
        known.retain(|entry| entry.shapes.iter().all(|mesh| mesh.strong_count() > 0));
        let surfaces = bodies.iter().map(|body| {
            if body.shapes.is_empty() {
                return Ok(None);
            }
            if let Some(entry) = known.iter().find(|entry| entry.is_of(&body.shapes)) {
                return Ok(Some(entry.surface.clone()));
            }
            let surface = surface(body)?;
            known.push(Known {
                shapes: body.shapes.iter().map(Arc::downgrade).collect(),
                surface: surface.clone(),
            });
            Ok(Some(surface))
        });
        surfaces.collect()
    }
}

fn surface(body: &Body) -> Result<Surface, ModelError> {
    let mesh = match &body.shapes[..] {
        [one] => one.clone(),
        several => {
            let meshes: Vec<TriMesh> = several.iter().map(|mesh| mesh.to_tri_mesh()).collect();
            let united = volar_solids::unite(&meshes).map_err(|reason| ModelError::Union {
                body: body.name.clone(),
                shapes: several.len(),
                reason: reason.to_string(),
            })?;
            Arc::new(ClosedMesh::new(united).map_err(|source| ModelError::Mesh {
                body: body.name.clone(),
                source,
            })?)
        }
    };
    let mesh = match mesh.merged() {
        Some(merged) => Arc::new(ClosedMesh::new(merged.mesh).map_err(|source| {
            let body = body.name.clone();
            ModelError::Mesh { body, source }
        })?),
        None => mesh,
    };
    let radius = mesh
        .vertices()
        .iter()
        .map(|p| p.length())
        .fold(0.0, f64::max);
    Ok(Surface {
        radius,
        thickness: mesh.thickness(),
        mesh,
    })
}
