//! Which shells lie inside which.
//!
//! A point's winding number counts how often a closed surface goes round it:
//! 1 in a solid, 0 outside and in its cavities. For a point p it is the
//! number of triangles above p that face up, minus those that face down. Above
//! is decided by the projection along z: the point is taken to be moved by
//! (ε², ε) in it, so that lines through vertices and edges count once.

use std::ops::ControlFlow;

use glam::DVec3;

use super::contact::Contact;
use super::crossing::Surface;
use super::topology::Shells;
use crate::bvh::{Aabb, Bvh};

/// Corners of a shell that are tried as a probe before giving up on corners:
/// only a shell that touches another all over has so many on its surface.
const MAX_PROBES: usize = 32;

/// For each shell the other shells that go round it, and how often.
///
/// The numbers are exact if the shells do not intersect; otherwise they hold
/// for one point of the shell.
pub fn surrounding_shells(surface: &Surface, shells: &Shells) -> Vec<Vec<(usize, i32)>> {
    let boxes: Vec<Aabb> = shells
        .triangles
        .iter()
        .map(|list| Aabb::around(list.iter().flat_map(|&t| surface.corners(t))))
        .collect();
    let mut surrounding = vec![Vec::new(); boxes.len()];
    let margin = surface.margin();
    let grown: Vec<Aabb> = boxes.iter().map(|b| b.grown(margin)).collect();
    Bvh::build(&grown).self_pairs(|i, j| {
        for [shell, other] in [[i, j], [j, i]].map(|pair| pair.map(|s| s as usize)) {
            let [own, around] = [shell, other].map(|s| shells.triangles[s].as_slice());
            if boxes[other].overlaps(&boxes[shell]) {
                let winding = surface.winding_about(own, around);
                if winding != 0 {
                    surrounding[shell].push((other, winding));
                }
            }
        }
        ControlFlow::Continue(())
    });
    for others in &mut surrounding {
        others.sort_unstable();
    }
    surrounding
}

/// How often all other shells together go round a shell, from its entry in
/// [`surrounding_shells`].
pub fn outer_winding(surrounding: &[(usize, i32)]) -> i32 {
    surrounding.iter().map(|&(_, winding)| winding).sum()
}

impl Surface<'_> {
    /// How often the shell `around` goes round the shell `own`.
    fn winding_about(&self, own: &[u32], around: &[u32]) -> i32 {
        // A corner is exact, but may lie on the other surface; the middle of a
        // triangle is rounded.
        let [a, b, c] = own.first().map_or([DVec3::ZERO; 3], |&t| self.corners(t));
        let middle = self.lattice.snap((a + b + c) / 3.0);
        own.iter()
            .flat_map(|&t| self.corners(t))
            .take(MAX_PROBES)
            .chain([middle])
            .find(|&p| !self.is_on(around, p))
            .map_or(0, |p| self.winding(around, p))
    }

    fn is_on(&self, triangles: &[u32], p: DVec3) -> bool {
        let contact = Contact(&self.lattice);
        triangles
            .iter()
            .map(|&t| self.corners(t))
            .any(|corners| Aabb::around(corners).contains(p, 0.0) && contact.contains(corners, p))
    }

    /// How often some triangles, closed together, go round a point that is not
    /// on them.
    fn winding(&self, triangles: &[u32], p: DVec3) -> i32 {
        triangles
            .iter()
            .map(|&t| {
                let corners = self.corners(t);
                let turns = self.turns_in_projection(corners, p);
                let [a, b, c] = corners;
                // Facing up it is above p if p is behind it.
                let above = turns != 0 && f64::from(turns) * self.lattice.side(a, b, c, p) < 0.0;
                if above { turns } else { 0 }
            })
            .sum()
    }

    /// +1 when the triangle, seen from above, goes round p counter-clockwise,
    /// −1 clockwise, 0 not at all [Sunday 2001].
    fn turns_in_projection(&self, [a, b, c]: [DVec3; 3], p: DVec3) -> i32 {
        let crossing = |u: DVec3, v: DVec3| {
            let (from, to) = (u.y <= p.y, v.y <= p.y);
            if from == to {
                return 0;
            }
            let left = self.lattice.cross_signs(u, v, u, p)[2];
            match (from, left) {
                (true, 1) => 1,
                (false, -1) => -1,
                _ => 0,
            }
        };
        crossing(a, b) + crossing(b, c) + crossing(c, a)
    }
}
