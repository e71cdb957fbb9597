//! Filling holes.
//!
//! An edge is balanced when as many triangles run along it as against. The
//! missing sides of all unbalanced edges form closed loops (the boundary of a
//! boundary is empty); a cover over each loop makes every edge balanced, and
//! with that the winding number of every point definite, also where more than
//! two triangles meet.

use std::collections::BTreeMap;

use glam::DVec3;
use volar_geom::TriMesh;
use volar_geom::mesh::check::topology::{edges, sorted_sides};

use super::{RepairStep, Work, compacted};
use crate::polygon;

impl Work {
    /// Covers every loop of missing sides that is short enough with triangles
    /// between its own vertices.
    pub(super) fn fill_holes(&mut self, longest: usize) {
        let (short, long): (Vec<_>, Vec<_>) = missing_loops(&self.mesh.triangles)
            .into_iter()
            .partition(|hole| hole.len() <= longest);
        if !short.is_empty() {
            let mut mesh = self.mesh.clone();
            let (added, removed) = cover(&mut mesh, &short);
            let step = RepairStep::FilledHoles {
                holes: short.len(),
                added,
                removed,
            };
            self.change(compacted(mesh), step);
        }
        if let Some(longest) = long.iter().map(Vec::len).max() {
            self.steps.push(RepairStep::LeftHoles {
                holes: long.len(),
                longest,
            });
        }
    }
}

/// Adds the covers of some holes; gives how many triangles came and went.
///
/// A cover that would lie on the back of a triangle, as for one that hangs
/// loose, takes that triangle away instead.
fn cover(mesh: &mut TriMesh, holes: &[Vec<u32>]) -> (usize, usize) {
    let before = mesh.triangles.len();
    let mut by_corners: BTreeMap<[u32; 3], Vec<usize>> = BTreeMap::new();
    for (index, &triangle) in mesh.triangles.iter().enumerate() {
        by_corners.entry(rotated(triangle)).or_default().push(index);
    }
    let mut removed = vec![false; before];
    for hole in holes {
        let corners: Vec<DVec3> = hole.iter().map(|&v| mesh.vertices[v as usize]).collect();
        for triangle in polygon::triangulate(&corners) {
            let [a, b, c] = triangle.map(|i| hole[i]);
            match by_corners.get_mut(&rotated([a, c, b])).and_then(Vec::pop) {
                Some(back) => removed[back] = true,
                None => mesh.triangles.push([a, b, c]),
            }
        }
    }
    let added = mesh.triangles.len() - before;
    let mut index = 0;
    mesh.triangles.retain(|_| {
        index += 1;
        !removed.get(index - 1).is_some_and(|&r| r)
    });
    (added, removed.iter().filter(|&&r| r).count())
}

/// The triangle begun at its lowest corner, in the same sense of rotation.
fn rotated([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a <= b && a <= c {
        [a, b, c]
    } else if b <= a && b <= c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

/// Loops of missing sides in the direction in which they are missing. Where
/// loops touch in a vertex they are taken apart there.
pub(super) fn missing_loops(triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
    // Where the missing sides from each vertex lead to, lowest vertex last.
    let mut leads: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for edge in edges(&sorted_sides(triangles)) {
        let [low, high] = edge[0].edge;
        let against = edge.iter().filter(|side| side.against).count();
        let along = edge.len() - against;
        let (from, to) = if along < against {
            (low, high)
        } else {
            (high, low)
        };
        let missing = along.abs_diff(against);
        if missing > 0 {
            leads.entry(from).or_default().extend(vec![to; missing]);
        }
    }
    for targets in leads.values_mut() {
        targets.sort_unstable_by(|a, b| b.cmp(a));
    }
    let starts: Vec<u32> = leads.keys().copied().collect();
    let mut loops = Vec::new();
    for start in starts {
        // As many sides come to a vertex as leave it, so a walk only ends
        // where it began; every vertex it meets twice closes a loop.
        let mut path = vec![start];
        while let Some(&last) = path.last() {
            let Some(next) = leads.get_mut(&last).and_then(Vec::pop) else {
                break;
            };
            match path.iter().position(|&v| v == next) {
                Some(first) => {
                    loops.push(path[first..].to_vec());
                    path.truncate(first + 1);
                }
                None => path.push(next),
            }
        }
    }
    loops
}
