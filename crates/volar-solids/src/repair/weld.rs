//! Welding vertices on open edges.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
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
        let target = weld_targets(&self.mesh, tolerance, extent);
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
fn weld_targets(mesh: &TriMesh, tolerance: f64, extent: f64) -> Vec<u32> {
    let open: BTreeSet<u32> = edges(&sorted_sides(&mesh.triangles))
        .filter(|edge| edge.len() == 1)
        .flat_map(|edge| edge[0].edge)
        .collect();
    // Cells at least as wide as the tolerance: near vertices are in the same
    // cell or in neighbouring ones.
    let width = tolerance.max(f64::EPSILON * extent);
    let cell = |p: DVec3| (p / width).floor().to_array().map(|x| x as i64);
    let mut kept: BTreeMap<[i64; 3], Vec<u32>> = BTreeMap::new();
    let mut target: Vec<u32> = (0..mesh.vertices.len() as u32).collect();
    for v in open {
        let p = mesh.vertices[v as usize];
        let [x, y, z] = cell(p);
        let nearby = |d: i64| [x + d / 9 - 1, y + d / 3 % 3 - 1, z + d % 3 - 1];
        // Only vertices that stay may be welded to, so nothing drifts along a
        // chain of near neighbours.
        let near = (0..27)
            .filter_map(|d| kept.get(&nearby(d)))
            .flatten()
            .find(|&&w| p.distance(mesh.vertices[w as usize]) <= tolerance);
        match near {
            Some(&w) => target[v as usize] = w,
            None => kept.entry([x, y, z]).or_default().push(v),
        }
    }
    target
}
