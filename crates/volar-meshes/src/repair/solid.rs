//! New skins for old solids: the union and the convex hull.
//!
//! Both come from the `manifold-rust` crate. Its robust engine cuts all
//! triangles along their exact intersections and keeps the walls between
//! winding numbers below and above one half, which is the union this project
//! means by a mesh of several shells.

use glam::DVec3;
use manifold_rust::linalg::Vec3;
use manifold_rust::manifold::Manifold;
use manifold_rust::types::{Error, MeshGL64, WindingRule};
use volar_geom::TriMesh;
use volar_geom::mesh::check::{Complaint, Defect};

use super::{RepairStep, Work};

impl Work {
    /// Rebuilds the skin of what is wound round at least once, if triangles
    /// intersect or share an edge by fours and more.
    pub(super) fn unite(&mut self) {
        let crossings = |c: &Complaint| match c.defect {
            Defect::SelfIntersections | Defect::CrossingShells | Defect::CrowdedEdges => c.count,
            _ => 0,
        };
        let crossings: usize = self.report.complaints.iter().map(crossings).sum();
        if crossings == 0 {
            return;
        }
        match union(&self.mesh) {
            Ok(mesh) => {
                let triangles = mesh.triangles.len();
                self.change(
                    mesh,
                    RepairStep::United {
                        crossings,
                        triangles,
                    },
                );
            }
            Err(reason) => self.steps.push(RepairStep::NotUnited { reason }),
        }
    }

    pub(super) fn take_hull(&mut self) {
        let points: Vec<Vec3> = self
            .mesh
            .vertices
            .iter()
            .map(|p| Vec3::new(p.x, p.y, p.z))
            .collect();
        if let Ok(mesh) = to_mesh(&Manifold::hull(&points)) {
            let triangles = mesh.triangles.len();
            self.change(mesh, RepairStep::Hull { triangles });
        }
    }
}

fn union(mesh: &TriMesh) -> Result<TriMesh, &'static str> {
    let soup = MeshGL64 {
        num_prop: 3,
        vert_properties: mesh.vertices.iter().flat_map(|p| p.to_array()).collect(),
        tri_verts: mesh
            .triangles
            .iter()
            .flatten()
            .map(|&v| u64::from(v))
            .collect(),
        ..MeshGL64::default()
    };
    let solid = Manifold::from_mesh_gl64_robust(&soup);
    let solid = match solid.status() {
        Error::NoError => solid.rebuild_solid(WindingRule::Positive),
        _ => solid,
    };
    to_mesh(&solid)
}

fn to_mesh(solid: &Manifold) -> Result<TriMesh, &'static str> {
    match solid.status() {
        Error::NoError if solid.is_empty() => return Err("nothing is wound round"),
        Error::NoError => {}
        Error::NotClosed => return Err("the skin is not closed"),
        Error::NotManifold => return Err("the skin does not hang together"),
        _ => return Err("the boolean engine failed"),
    }
    let out = solid.get_mesh_gl64(-1);
    let stride = out.num_prop as usize;
    let vertices: Vec<DVec3> = out
        .vert_properties
        .chunks_exact(stride)
        .map(|p| DVec3::new(p[0], p[1], p[2]))
        .collect();
    // Vertices are split where properties differ; these pairs are one.
    let mut target: Vec<u32> = (0..vertices.len() as u32).collect();
    for (&from, &to) in out.merge_from_vert.iter().zip(&out.merge_to_vert) {
        target[from as usize] = to as u32;
    }
    let triangles = out
        .tri_verts
        .chunks_exact(3)
        .map(|t| [t[0], t[1], t[2]].map(|v| target[v as usize]))
        .collect();
    Ok(super::compacted(TriMesh {
        vertices,
        triangles,
    }))
}
