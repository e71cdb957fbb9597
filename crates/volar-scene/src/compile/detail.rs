//! Surfaces with as much detail as a scene asks for.

use volar_geom::ClosedMesh;
use volar_geom::mesh::MeshError;

/// A solid whose surface may be `detail` metres from the old one, with fewer triangles, and
/// what to say of it; none when it stays as it is.
pub(super) fn with_detail(
    mesh: &ClosedMesh,
    detail: f64,
) -> Result<Option<(ClosedMesh, String)>, MeshError> {
    let Some(lean) = mesh.simplified(detail) else {
        return Ok(None);
    };
    let (before, after) = (mesh.triangles().len(), lean.mesh.triangles.len());
    let off = 1e3 * lean.deviation;
    let said = format!("{after} triangles instead of {before}, at most {off:.3} mm off");
    Ok(Some((ClosedMesh::new(lean.mesh)?, said)))
}
