//! Mesh files: reading and writing.
//!
//! [`read`] turns an OBJ, STL, PLY, glTF/GLB or COLLADA file into a
//! [`TriMesh`]: the triangles as the file has them, good or bad. Whether they
//! bound a solid is the question of [`volar_geom::mesh::check`]; the repair is
//! in `volar-solids`. Files come from disk or any other
//! [`AssetSource`]; a [`MeshLibrary`] reads each of them once.

mod collada;
mod error;
mod format;
mod gltf;
mod library;
mod obj;
mod placed;
mod ply;
mod stl;
mod weld;
mod write;

use std::borrow::Cow;
use std::path::Path;

use volar_assets::{AssetError, AssetSource, Disk};
use volar_geom::{Pose, TriMesh};

pub use error::{FileError, Place, Problem};
pub use format::Format;
pub use library::MeshLibrary;
pub use write::{to_obj, write_obj};

use error::Flaw;

/// How the coordinates in a file become metres in the body's frame.
///
/// A file in millimetres:
///
/// ```
/// use std::path::Path;
/// use volar_assets::Memory;
/// use volar_meshes::{ReadOptions, read_from};
///
/// let text = "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
/// let files = Memory::new().with("corner.obj", text.as_bytes());
/// let options = ReadOptions { scale: 0.001, ..ReadOptions::default() };
/// let mesh = read_from(&files, Path::new("corner.obj"), &options)?;
/// assert_eq!(mesh.vertices[1].x, 0.01); // m
/// # Ok::<(), volar_meshes::FileError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadOptions {
    /// Metres per unit of the file: 0.001 for a file in millimetres.
    pub scale: f64,
    /// Pose of the file's frame in the body's frame, applied after the scale.
    pub transform: Pose,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            scale: 1.0,
            transform: Pose::IDENTITY,
        }
    }
}

/// Reads the triangles of a mesh file on disk; see [`read_from`].
pub fn read(path: &Path, options: &ReadOptions) -> Result<TriMesh, FileError> {
    read_from(&Disk::default(), path, options)
}

/// Reads the triangles of a mesh file.
///
/// The extension decides the format; when it says nothing, the first bytes
/// do. Polygons become triangles: fans where they are convex, ears cut off
/// one by one where not. Formats whose vertices are not shared between
/// triangles (STL) or are split at seams (glTF) get vertices with equal
/// coordinates merged; all others keep their vertices as they are.
///
/// Coordinates keep the precision of the file: text is read as f64.
pub fn read_from(
    source: &dyn AssetSource,
    path: &Path,
    options: &ReadOptions,
) -> Result<TriMesh, FileError> {
    if !(options.scale.is_finite() && options.scale > 0.0) {
        return Err(FileError::Scale {
            scale: options.scale,
        });
    }
    if !options.transform.is_finite() {
        return Err(FileError::Transform);
    }
    let bytes = source.read(path)?;
    let file = || source.name_of(path);
    let format =
        Format::of(path, &bytes).ok_or_else(|| FileError::UnknownFormat { file: file() })?;
    let beside = Beside {
        source,
        folder: path.parent().unwrap_or(Path::new("")),
    };
    parse(&bytes, format, &beside)
        .map(|mesh| mesh.transformed(options.scale, &options.transform))
        .map_err(|Flaw { place, problem }| FileError::Malformed {
            file: file(),
            format,
            place,
            problem,
        })
}

/// Where a file finds others that belong to it, such as the buffers of glTF.
pub(crate) struct Beside<'a> {
    source: &'a dyn AssetSource,
    folder: &'a Path,
}

impl<'a> Beside<'a> {
    pub fn read(&self, name: &str) -> Result<Cow<'a, [u8]>, AssetError> {
        self.source.read(&self.folder.join(name))
    }
}

fn parse(bytes: &[u8], format: Format, beside: &Beside) -> Result<TriMesh, Flaw> {
    if bytes.is_empty() {
        return Err(Problem::Empty.into());
    }
    let mesh = format.parse(bytes, beside)?;
    if mesh.triangles.is_empty() {
        return Err(Problem::NoTriangles.into());
    }
    Ok(mesh)
}

#[cfg(test)]
#[allow(non_snake_case)] // frame notation
mod tests;
