//! New surfaces for old solids: the union and the convex hull.
//!
//! Both come from the `manifold-rust` crate. Its robust engine cuts all
//! triangles along their intersections in rational arithmetic and labels the
//! cells between them with winding numbers; the union is bounded by the walls
//! between a number of at least one and a lower one.

use std::collections::BTreeMap;

use glam::DVec3;
use manifold_rust::linalg::Vec3;
use manifold_rust::manifold::Manifold;
use manifold_rust::robust::cells::{VertTables, build_cells, extract, windings};
use manifold_rust::robust::intersection_graph::build_graph;
use manifold_rust::robust::pairing::plan_vertex_splits;
use manifold_rust::types::{Error, OpType, WindingRule};
use volar_geom::TriMesh;
use volar_geom::mesh::check::crossing::MAX_CROSSINGS;
use volar_geom::mesh::check::{Complaint, Defect};

use super::holes::missing_loops;
use super::{NoSolid, RepairStep, Work};

/// Rounding the exact vertices of a union can make thin triangles touch; a
/// second round nearly always settles that.
const MAX_ROUNDS: usize = 3;

impl Work {
    /// Rebuilds the surface of what is wound round at least once, if triangles
    /// intersect or share an edge by fours and more.
    pub(super) fn unite(&mut self) {
        for _ in 0..MAX_ROUNDS {
            let crossings = self.crossings();
            if crossings == 0 {
                return;
            }
            if crossings >= MAX_CROSSINGS {
                let reason = NoSolid::TooManyCrossings;
                self.steps.push(RepairStep::NotUnited { reason });
                return;
            }
            match union(&self.mesh) {
                Ok(mesh) => {
                    let triangles = mesh.triangles.len();
                    let step = RepairStep::United {
                        crossings,
                        triangles,
                    };
                    self.change(mesh, step);
                    self.flip_needles();
                }
                Err(reason) => {
                    self.steps.push(RepairStep::NotUnited { reason });
                    return;
                }
            }
        }
    }

    fn crossings(&self) -> usize {
        let count = |c: &Complaint| match c.defect {
            Defect::SelfIntersections | Defect::CrossingShells | Defect::CrowdedEdges => c.count,
            _ => 0,
        };
        self.report.complaints.iter().map(count).sum()
    }

    /// Replaces the mesh by its convex hull.
    pub(super) fn take_hull(&mut self) {
        match convex_hull(&self.mesh.vertices) {
            Ok(mesh) => {
                let triangles = mesh.triangles.len();
                self.change(mesh, RepairStep::Hull { triangles });
            }
            Err(reason) => self.steps.push(RepairStep::NoHull { reason }),
        }
    }
}

/// The convex hull of points.
pub fn convex_hull(points: &[DVec3]) -> Result<TriMesh, NoSolid> {
    let points: Vec<Vec3> = points.iter().map(|p| Vec3::new(p.x, p.y, p.z)).collect();
    to_mesh(&Manifold::hull(&points))
}

/// The surface of everything the mesh goes round at least once.
///
/// The engine's own assembly is left out: it merges nearly flat triangles,
/// and the merged ones may intersect again. Here every vertex is the exact
/// one, rounded once.
fn union(mesh: &TriMesh) -> Result<TriMesh, NoSolid> {
    if !missing_loops(&mesh.triangles).is_empty() {
        return Err(NoSolid::NotClosed);
    }
    let triangles: Vec<[Vec3; 3]> = (0..mesh.triangles.len())
        .map(|t| mesh.corners(t).map(|p| Vec3::new(p.x, p.y, p.z)))
        .collect();
    let graph = build_graph(&triangles, &[]);
    let cells = build_cells(&graph);
    let windings = windings(&graph, &cells, [&triangles, &[]]);
    let walls = extract(
        &graph,
        &cells,
        &windings,
        OpType::Add,
        WindingRule::Positive,
    );
    let walls: Vec<[u32; 3]> = walls.iter().map(|wall| wall.vi).collect();
    if walls.is_empty() {
        return Err(NoSolid::Empty);
    }
    // Where solids touch along an edge, each gets its own copy of it.
    let copies = plan_vertex_splits(&walls, VertTables::of(&graph))
        .unwrap_or_else(|| vec![0; 3 * walls.len()]);
    let mut vertices = Vec::new();
    let mut known = BTreeMap::new();
    let corner = |(&vertex, copy): (&u32, u32)| {
        *known.entry((vertex, copy)).or_insert_with(|| {
            let p = graph.verts_f64[vertex as usize];
            vertices.push(DVec3::new(p.x, p.y, p.z));
            vertices.len() as u32 - 1
        })
    };
    let corners: Vec<u32> = walls.iter().flatten().zip(copies).map(corner).collect();
    let triangles = corners
        .chunks_exact(3)
        .map(|t| [t[0], t[1], t[2]])
        .collect();
    Ok(TriMesh {
        vertices,
        triangles,
    })
}

fn to_mesh(solid: &Manifold) -> Result<TriMesh, NoSolid> {
    match solid.status() {
        Error::NoError if solid.is_empty() => return Err(NoSolid::Empty),
        Error::NoError => {}
        Error::NotClosed => return Err(NoSolid::NotClosed),
        Error::NotManifold => return Err(NoSolid::NotManifold),
        _ => return Err(NoSolid::Engine),
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
