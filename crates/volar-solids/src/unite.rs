//! Several solids as one.

use thiserror::Error;
use volar_geom::TriMesh;

use crate::repair::{RepairOptions, repair};

/// Solids whose union is not a sound mesh, with what is wrong with it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct NotUnited(String);

/// The solid that several closed meshes make together: where they overlap it
/// counts once.
pub fn unite(meshes: &[TriMesh]) -> Result<TriMesh, NotUnited> {
    let mut all = TriMesh {
        vertices: Vec::new(),
        triangles: Vec::new(),
    };
    for mesh in meshes {
        let first = all.vertices.len() as u32;
        all.vertices.extend_from_slice(&mesh.vertices);
        let moved = mesh.triangles.iter().map(|t| t.map(|v| v + first));
        all.triangles.extend(moved);
    }
    let repaired = repair(all, &RepairOptions::default());
    if repaired.report.is_usable() {
        return Ok(repaired.mesh);
    }
    let wrong: Vec<String> = repaired
        .report
        .complaints
        .iter()
        .map(ToString::to_string)
        .collect();
    Err(NotUnited(wrong.join("; ")))
}
