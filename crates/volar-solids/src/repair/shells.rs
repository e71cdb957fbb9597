//! Turning closed shells outward, and dropping those that add nothing.

use volar_geom::TriMesh;
use volar_geom::mesh::check::crossing::Surface;
use volar_geom::mesh::check::nesting::{outer_winding, surrounding_shells};
use volar_geom::mesh::check::topology::{Shells, find_shells, sorted_sides};
use volar_geom::mesh::check::{Defect, shell_volume};

use super::{RepairStep, Work, compacted};

impl Work {
    /// Turns inside-out solids over, each with everything inside it, so that
    /// the cavities of a solid that was drawn inside out stay cavities.
    pub(super) fn flip_shells(&mut self) {
        if !self.is_closed() || !self.has(|d| matches!(d, Defect::InsideOutShells)) {
            return;
        }
        let mut mesh = self.mesh.clone();
        let shells = shells_of(&mesh);
        let surrounding = surrounding_shells(&Surface::new(&mesh), &shells);
        let volumes: Vec<f64> = shells
            .triangles
            .iter()
            .map(|triangles| shell_volume(&mesh, triangles))
            .collect();
        // A file that is inside out as a whole is rotated as a whole; what is
        // then still inside out is rotated one by one.
        let all = volumes.iter().sum::<f64>() < 0.0;
        let inside_out: Vec<bool> = (0..volumes.len())
            .map(|shell| surrounding[shell].is_empty() && (volumes[shell] < 0.0) != all)
            .collect();
        let turn: Vec<bool> = (0..volumes.len())
            .map(|shell| {
                let own = inside_out[shell];
                let outer = surrounding[shell].iter().any(|&(s, _)| inside_out[s]);
                all != (own || outer)
            })
            .collect();
        for (triangle, &shell) in mesh.triangles.iter_mut().zip(&shells.of_triangle) {
            if turn[shell as usize] {
                triangle.swap(1, 2);
            }
        }
        let shells = turn.iter().filter(|&&t| t).count();
        if shells > 0 {
            self.change(mesh, RepairStep::FlippedShells { shells });
        }
    }

    /// Drops shells that lie inside the solid of another and meet nothing.
    pub(super) fn drop_shells(&mut self) {
        if !self.is_closed() || !self.has(|d| matches!(d, Defect::RedundantShells)) {
            return;
        }
        let mesh = &self.mesh;
        let shells = shells_of(mesh);
        let surface = Surface::new(mesh);
        let mut meets = vec![false; shells.triangles.len()];
        for faces in surface.crossings() {
            for face in faces {
                meets[shells.of_triangle[face as usize] as usize] = true;
            }
        }
        let surrounding = surrounding_shells(&surface, &shells);
        let redundant: Vec<bool> = (0..shells.triangles.len())
            .map(|shell| {
                let volume = shell_volume(mesh, &shells.triangles[shell]);
                let surrounded = if volume > 0.0 { 1 } else { 2 };
                outer_winding(&surrounding[shell]) >= surrounded && !meets[shell]
            })
            .collect();
        let dropped = redundant.iter().filter(|&&r| r).count();
        if dropped == 0 {
            return;
        }
        let kept: Vec<[u32; 3]> = mesh
            .triangles
            .iter()
            .zip(&shells.of_triangle)
            .filter(|&(_, &shell)| !redundant[shell as usize])
            .map(|(&triangle, _)| triangle)
            .collect();
        let step = RepairStep::DroppedShells {
            shells: dropped,
            triangles: mesh.triangles.len() - kept.len(),
        };
        let vertices = mesh.vertices.clone();
        self.change(
            compacted(TriMesh {
                vertices,
                triangles: kept,
            }),
            step,
        );
    }
}

fn shells_of(mesh: &TriMesh) -> Shells {
    find_shells(mesh.triangles.len(), &sorted_sides(&mesh.triangles))
}
