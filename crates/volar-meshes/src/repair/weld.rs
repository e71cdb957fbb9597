//! Welding vertices on open edges.

use std::collections::BTreeSet;

use volar_geom::TriMesh;
use volar_geom::mesh::check::topology::{edges, sorted_sides};

use super::{RepairStep, Work, compacted};

impl Work {
    /// Merges vertices on open edges that are within a tolerance of each
    /// other, relative to the mesh's largest extent. Sound edges keep their
    /// vertices, however close: only gaps are closed.
    pub(super) fn weld(&mut self, relative: f64) {
        if !self.has_open_edges() {
            return;
        }
        let extent = self.report.bounds.map_or(0.0, |b| b.size().max_element());
        let tolerance = relative.max(0.0) * extent;
        let target = weld_targets(&self.mesh, tolerance);
        let vertices = (0_u32..).zip(&target).filter(|&(v, &t)| v != t).count();
        if vertices == 0 {
            return;
        }
        let mut mesh = self.mesh.clone();
        for vertex in mesh.triangles.iter_mut().flatten() {
            *vertex = target[*vertex as usize];
        }
        // A triangle within the tolerance has become a line or a point; its
        // gap is closed, so it is no longer needed.
        mesh.triangles
            .retain(|&[a, b, c]| a != b && b != c && c != a);
        self.change(
            compacted(mesh),
            RepairStep::Welded {
                vertices,
                tolerance,
            },
        );
    }
}

/// For each vertex the one it becomes.
fn weld_targets(mesh: &TriMesh, tolerance: f64) -> Vec<u32> {
    let open: BTreeSet<u32> = edges(&sorted_sides(&mesh.triangles))
        .filter(|edge| edge.len() == 1)
        .flat_map(|edge| edge[0].edge)
        .collect();
    let position = |v: u32| mesh.vertices[v as usize];
    let mut sorted: Vec<u32> = open.into_iter().collect();
    sorted.sort_by(|&v, &w| position(v).x.total_cmp(&position(w).x).then(v.cmp(&w)));
    let mut target: Vec<u32> = (0..mesh.vertices.len() as u32).collect();
    for (i, &v) in sorted.iter().enumerate() {
        // Only vertices that stay may be welded to, so nothing drifts along a
        // chain of near neighbours.
        let near = sorted[..i]
            .iter()
            .rev()
            .take_while(|&&w| position(v).x - position(w).x <= tolerance)
            .filter(|&&w| target[w as usize] == w)
            .find(|&&w| position(v).distance(position(w)) <= tolerance);
        if let Some(&w) = near {
            target[v as usize] = w;
        }
    }
    target
}
