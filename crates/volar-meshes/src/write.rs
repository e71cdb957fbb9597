//! Writing meshes.

use std::fmt::Write as _;
use std::path::Path;

use volar_geom::TriMesh;

use crate::FileError;

/// A mesh as the text of an OBJ file. Coordinates are written in full: reading
/// it gives the same numbers.
pub fn to_obj(mesh: &TriMesh) -> String {
    let mut text = String::with_capacity(64 * mesh.vertices.len() + 24 * mesh.triangles.len());
    for p in &mesh.vertices {
        // Rust prints the shortest digits that read back as the same f64.
        let _ = writeln!(text, "v {} {} {}", p.x, p.y, p.z);
    }
    for [a, b, c] in mesh.triangles.iter().map(|t| t.map(|v| u64::from(v) + 1)) {
        let _ = writeln!(text, "f {a} {b} {c}");
    }
    text
}

/// Writes a mesh as an OBJ file; see [`to_obj`].
pub fn write_obj(path: &Path, mesh: &TriMesh) -> Result<(), FileError> {
    std::fs::write(path, to_obj(mesh)).map_err(|source| FileError::Write {
        file: path.display().to_string(),
        source,
    })
}
