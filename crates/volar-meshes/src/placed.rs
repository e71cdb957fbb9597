//! Parts of a scene, moved into place and put together.

use glam::DMat4;
use volar_geom::TriMesh;

use crate::error::Problem;

/// Adds a part at its place in the scene. `X_SN` takes the part's
/// coordinates to the scene's; it may scale and mirror.
#[allow(non_snake_case)] // frame notation: scene S, node N
pub(crate) fn append(mesh: &mut TriMesh, part: TriMesh, X_SN: &DMat4) -> Result<(), Problem> {
    let total = mesh.vertices.len() + part.vertices.len();
    if u32::try_from(total).is_err() {
        return Err(Problem::TooManyVertices);
    }
    let offset = mesh.vertices.len() as u32;
    for p in part.vertices {
        let p = X_SN.transform_point3(p);
        if let Some(&value) = p.to_array().iter().find(|c| !c.is_finite()) {
            return Err(Problem::NotFinite { value });
        }
        mesh.vertices.push(p);
    }
    // A mirror image has its triangles turned over.
    let mirrored = X_SN.determinant() < 0.0;
    mesh.triangles.extend(part.triangles.into_iter().map(|t| {
        let [a, b, c] = t.map(|v| v + offset);
        if mirrored { [a, c, b] } else { [a, b, c] }
    }));
    Ok(())
}
