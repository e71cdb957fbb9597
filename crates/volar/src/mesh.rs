//! Closed meshes: shapes, files, check and repair.
//!
//! Every body of a simulation is bounded by closed meshes. Those made here are
//! checked: closed, without self-intersections, facing outward.

use std::path::Path;
use std::sync::Arc;

pub use volar_geom::mesh::check::{CheckReport, check};
pub use volar_geom::mesh::mass::MassProperties;
pub use volar_geom::{ClosedMesh, MeshError, TriMesh};
pub use volar_meshes::{FileError, ReadOptions, write_obj};
pub use volar_solids::{RepairOptions, Repaired, Shape, repair};

/// A closed mesh with its edges and its tree of boxes, shared by all bodies of
/// this shape.
///
/// ```
/// use volar::mesh::{self, Mesh};
///
/// let cube: Mesh = mesh::cuboid([0.06, 0.06, 0.06])?;
/// let litres = 1e3 * cube.moments().map_or(0.0, |moments| moments.volume);
/// assert!((litres - 0.216).abs() < 1e-12);
/// # Ok::<(), volar::mesh::MeshError>(())
/// ```
pub type Mesh = Arc<ClosedMesh>;

/// A box with edges along x, y, z, centred on its origin, m.
pub fn cuboid(size: [f64; 3]) -> Result<Mesh, MeshError> {
    of_shape(&Shape::Box(size))
}

/// A ball of 1280 triangles, centred on its origin, m.
pub fn sphere(radius: f64) -> Result<Mesh, MeshError> {
    of_shape(&Shape::sphere(radius))
}

/// A cylinder along z, centred on its origin, m.
pub fn cylinder(radius: f64, length: f64) -> Result<Mesh, MeshError> {
    of_shape(&Shape::Cylinder { radius, length })
}

/// A cylinder along z with a half ball on each end, centred on its origin; the
/// length is that of the cylinder, m.
pub fn capsule(radius: f64, length: f64) -> Result<Mesh, MeshError> {
    of_shape(&Shape::Capsule { radius, length })
}

/// A mesh from vertices in metres and triangles of vertex numbers, outward by
/// the right-hand rule.
///
/// ```
/// use volar::mesh;
///
/// let vertices = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let tetrahedron = mesh::from_triangles(vertices, triangles)?;
/// # Ok::<(), volar::mesh::MeshError>(())
/// ```
pub fn from_triangles(
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
) -> Result<Mesh, MeshError> {
    let mesh = TriMesh {
        vertices: vertices.into_iter().map(Into::into).collect(),
        triangles,
    };
    Ok(Arc::new(ClosedMesh::checked(mesh)?))
}

/// Reads a mesh file (OBJ, STL, PLY, glTF, COLLADA); `scale` is metres per unit
/// of the file, 0.001 for millimetres. With `repair`, small defects are mended
/// as `volar check --repair` does; what remains is an error.
pub fn read(path: &Path, scale: f64, repair: bool) -> Result<Mesh, ReadError> {
    let options = ReadOptions {
        scale,
        ..ReadOptions::default()
    };
    let mut mesh = volar_meshes::read(path, &options)?;
    if repair {
        mesh = volar_solids::repair(mesh, &RepairOptions::DEFAULT).mesh;
    }
    let closed = ClosedMesh::checked(mesh).map_err(|source| ReadError::Mesh {
        file: path.display().to_string(),
        source,
    })?;
    Ok(Arc::new(closed))
}

/// Why a mesh file gives no closed mesh.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It can, but what it holds does not bound a solid.
    #[error("{file}: {source}; `volar check --repair` may help")]
    Mesh {
        /// Path of the mesh file.
        file: String,
        /// What is wrong with the mesh.
        source: MeshError,
    },
}

fn of_shape(shape: &Shape) -> Result<Mesh, MeshError> {
    // Only mesh files have no tessellation; an empty mesh is refused by name.
    let mesh = shape.tessellate().unwrap_or_default();
    Ok(Arc::new(ClosedMesh::checked(mesh)?))
}
