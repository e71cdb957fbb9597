//! Orienting neighbouring triangles the same way.

use volar_geom::mesh::check::Defect;
use volar_geom::mesh::check::topology::{edges, sorted_sides};

use super::{RepairStep, Work};

impl Work {
    /// Turns over as few triangles as it takes for neighbours to agree, shell
    /// by shell. A surface with one side only, like a Möbius strip, stays as
    /// it is where it disagrees with itself.
    pub(super) fn orient_faces(&mut self) {
        if !self.has(|d| matches!(d, Defect::FlippedNeighbours)) {
            return;
        }
        let mut mesh = self.mesh.clone();
        let rotated = triangles_to_flip(&mesh.triangles);
        let triangles = rotated.iter().filter(|&&t| t).count();
        for (triangle, turn) in mesh.triangles.iter_mut().zip(rotated) {
            if turn {
                triangle.swap(1, 2);
            }
        }
        self.change(mesh, RepairStep::OrientedFaces { triangles });
    }
}

fn triangles_to_flip(triangles: &[[u32; 3]]) -> Vec<bool> {
    // Neighbours over edges of two triangles, with whether they disagree.
    let mut neighbours: Vec<Vec<(u32, bool)>> = vec![Vec::new(); triangles.len()];
    for edge in edges(&sorted_sides(triangles)) {
        if let [x, y] = edge {
            let disagree = x.against == y.against;
            neighbours[x.triangle as usize].push((y.triangle, disagree));
            neighbours[y.triangle as usize].push((x.triangle, disagree));
        }
    }
    let mut turn: Vec<Option<bool>> = vec![None; triangles.len()];
    for seed in 0..triangles.len() {
        if turn[seed].is_some() {
            continue;
        }
        turn[seed] = Some(false);
        let mut reached = vec![seed];
        let mut next = 0;
        while let Some(&triangle) = reached.get(next) {
            next += 1;
            let own = turn[triangle] == Some(true);
            for &(other, disagree) in &neighbours[triangle] {
                let slot = &mut turn[other as usize];
                if slot.is_none() {
                    *slot = Some(own != disagree);
                    reached.push(other as usize);
                }
            }
        }
        // The majority keeps its side.
        let rotated = reached.iter().filter(|&&t| turn[t] == Some(true)).count();
        if 2 * rotated > reached.len() {
            for &triangle in &reached {
                turn[triangle] = turn[triangle].map(|t| !t);
            }
        }
    }
    turn.into_iter().map(|t| t == Some(true)).collect()
}
