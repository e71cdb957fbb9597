//! Several solids as one.

use thiserror::Error;
use volar_geom::TriMesh;
use volar_geom::mesh::check::Complaint;

use crate::repair::{RepairOptions, repair};

/// Solids whose union is not a usable mesh.
#[derive(Clone, Debug, Error)]
#[error("{}", texts(complaints))]
pub struct NotUnited {
    /// What is wrong with the union.
    pub complaints: Vec<Complaint>,
}

fn texts(complaints: &[Complaint]) -> String {
    let texts: Vec<String> = complaints.iter().map(ToString::to_string).collect();
    texts.join("; ")
}

/// The solid that several closed meshes make together: where they overlap it
/// counts once.
pub fn unite(meshes: &[TriMesh]) -> Result<TriMesh, NotUnited> {
    let repaired = repair(side_by_side(meshes), &RepairOptions::default());
    if repaired.report.is_usable() {
        return Ok(repaired.mesh);
    }
    Err(NotUnited {
        complaints: repaired.report.complaints,
    })
}

/// Several meshes in one, each as it is: a point in two of them is wound round
/// twice.
pub fn side_by_side(meshes: &[TriMesh]) -> TriMesh {
    let mut all = TriMesh::default();
    for mesh in meshes {
        let first = all.vertices.len() as u32;
        all.vertices.extend_from_slice(&mesh.vertices);
        let moved = mesh.triangles.iter().map(|t| t.map(|v| v + first));
        all.triangles.extend(moved);
    }
    all
}
