//! Which shells lie inside which.
//!
//! A point's winding number counts how often a closed surface goes round it:
//! 1 in a solid, 0 outside and in its cavities. For a point p it is the
//! number of triangles above p that face up, minus those that face down. Above
//! is decided by the projection along z: the point is taken to be moved by
//! (ε², ε) in it, so that lines through vertices and edges count once.

use glam::DVec3;

use super::crossing::Surface;
use super::topology::Shells;
use crate::bvh::Aabb;

/// For each shell the other shells that go round it, and how often.
///
/// The numbers are exact if the shells do not meet (they may touch in vertices
/// and edges they share); otherwise they hold for one point of the shell.
pub fn surrounding_shells(surface: &Surface, shells: &Shells) -> Vec<Vec<(usize, i32)>> {
    let boxes: Vec<Aabb> = shells
        .triangles
        .iter()
        .map(|list| Aabb::around(list.iter().flat_map(|&t| surface.corners(t))))
        .collect();
    shells
        .triangles
        .iter()
        .enumerate()
        .map(|(shell, list)| {
            let p = surface.probe(list);
            (0..shells.triangles.len())
                .filter(|&other| other != shell && boxes[other].contains(p, 0.0))
                .map(|other| (other, surface.winding(&shells.triangles[other], p)))
                .filter(|&(_, winding)| winding != 0)
                .collect()
        })
        .collect()
}

/// How often all other shells together go round a shell, from its entry in
/// [`surrounding_shells`].
pub fn outer_winding(surrounding: &[(usize, i32)]) -> i32 {
    surrounding.iter().map(|&(_, winding)| winding).sum()
}

impl Surface<'_> {
    /// A point on a shell that shells touching it in vertices and edges do
    /// not reach: the middle of its largest triangle.
    fn probe(&self, triangles: &[u32]) -> DVec3 {
        let area = |t: u32| {
            let [a, b, c] = self.corners(t);
            (b - a).cross(c - a).length_squared()
        };
        let largest = triangles
            .iter()
            .copied()
            .reduce(|best, t| if area(t) > area(best) { t } else { best });
        let [a, b, c] = largest.map_or([DVec3::ZERO; 3], |t| self.corners(t));
        self.lattice.snap((a + b + c) / 3.0)
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
