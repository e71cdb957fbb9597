//! Mesh files: reading and writing.
//!
//! [`read`] turns an OBJ, STL, PLY, glTF/GLB or COLLADA file into a
//! [`TriMesh`]: the triangles as the file has them, good or bad. Whether they
//! bound a solid is the question of [`volar_geom::mesh::check`]; the repair is
//! in `volar-solids`.

mod collada;
mod error;
mod format;
mod gltf;
mod obj;
mod placed;
mod ply;
mod stl;
mod weld;
mod write;

use std::path::Path;

use volar_geom::{Pose, TriMesh};

pub use error::{FileError, Place, Problem};
pub use format::Format;
pub use write::write_obj;

use error::Flaw;

/// How the coordinates in a file become metres in the body's frame.
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

/// Reads the triangles of a mesh file.
///
/// The extension decides the format; when it says nothing, the first bytes
/// do. Polygons become triangles: fans where they are convex, ears cut off
/// one by one where not. Formats whose vertices are not shared between
/// triangles (STL) or are split at seams (glTF) get vertices with equal
/// coordinates merged; all others keep their vertices as they are.
///
/// Coordinates keep the precision of the file: text is read as f64.
pub fn read(path: &Path, options: &ReadOptions) -> Result<TriMesh, FileError> {
    let io_error = |source| FileError::Io {
        path: path.to_owned(),
        source,
    };
    let metadata = std::fs::metadata(path).map_err(io_error)?;
    if !metadata.is_file() {
        return Err(FileError::NotAFile {
            path: path.to_owned(),
        });
    }
    let bytes = std::fs::read(path).map_err(io_error)?;
    let format = Format::of(path, &bytes).ok_or_else(|| FileError::UnknownFormat {
        path: path.to_owned(),
    })?;
    parse_and_place(&bytes, format, path, options)
}

/// As [`read`] for a file that is in memory. Errors call it `<memory>`; a glTF
/// file must hold its own buffers.
pub fn read_bytes(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
) -> Result<TriMesh, FileError> {
    parse_and_place(bytes, format, Path::new("<memory>"), options)
}

fn parse_and_place(
    bytes: &[u8],
    format: Format,
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
    parse(bytes, format, path.parent())
        .map(|mesh| mesh.transformed(options.scale, &options.transform))
        .map_err(|Flaw { place, problem }| FileError::Malformed {
            path: path.to_owned(),
            format,
            place,
            problem,
        })
}

/// Reads the bytes of a mesh file; `folder` is where a glTF file finds its
/// buffers.
fn parse(bytes: &[u8], format: Format, folder: Option<&Path>) -> Result<TriMesh, Flaw> {
    if bytes.is_empty() {
        return Err(Problem::Empty.into());
    }
    let mesh = match format {
        Format::Obj => obj::parse(bytes),
        Format::Stl => stl::parse(bytes),
        Format::Ply => ply::parse(bytes),
        Format::Gltf => gltf::parse(bytes, folder),
        Format::Collada => collada::parse(bytes),
    }?;
    if mesh.triangles.is_empty() {
        return Err(Problem::NoTriangles.into());
    }
    Ok(mesh)
}

#[cfg(test)]
#[allow(non_snake_case)] // frame notation
mod tests;
