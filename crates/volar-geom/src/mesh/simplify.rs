//! A similar solid with fewer triangles, within a stated distance.
//!
//! A scanned or finely tessellated finger has thousands of triangles where its shape
//! needs hundreds, and the overlap pays for each of them. Here edges are collapsed
//! one by one, the one that changes the surface least first, each onto one of its
//! ends: what is left is a subset of the vertices where they were.
//!
//! Every vertex that has gone and the centre of every triangle of the old surface are
//! followed: each belongs to a triangle of the new surface, and an edge is collapsed
//! only if all of them stay within the tolerance of theirs. What lies between these
//! points, and the way from the new surface to the old one, is measured at the end
//! ([`Simplified::deviation`]). Where the new surface passes through itself or is too far
//! off (`bad_places`), the old vertices stay, and all is done again. Where the old surface
//! passed through itself already, it stays as it is.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec3;

use super::bad_places::{Known, common_box, distances};
use super::check::check;
use super::check::crossing::Surface;
use super::{ClosedMesh, TriMesh};
use crate::bvh::{Aabb, closest_on_triangle};

/// A mesh with fewer triangles.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// The mesh.
    pub mesh: TriMesh,
    /// The greatest distance between the two surfaces, measured from the vertices and
    /// the centres of the triangles and edges of both, metres.
    pub deviation: f64,
}

/// The least ratio of width to length that a new triangle may have, unless those it
/// replaces are about as narrow.
const NARROW: f64 = 0.1;

/// A new triangle faces within 60° of where the one it replaces did.
const TURN: f64 = 0.5;

/// The measured distance may be this much more than the tolerance: it also looks between
/// the points that were followed.
const BETWEEN: f64 = 1.5;

/// How often all is done again because of places that did not come out well.
const TRIES: u32 = 10;

impl ClosedMesh {
    /// A mesh with fewer triangles whose surface is nowhere further away than about
    /// `tolerance`, metres. None when there is nothing to leave out. Convex bodies stay
    /// as they are: without some of its vertices a convex body may not be convex, and
    /// would cost more than it did.
    pub fn simplified(&self, tolerance: f64) -> Option<Simplified> {
        if self.is_convex() || tolerance.is_nan() || tolerance <= 0.0 {
            return None;
        }
        // What passes through itself as it is stays, and is no reason against the rest.
        let known = Known::of(self);
        let mut stays = vec![false; self.vertices().len()];
        for &vertex in known.triangles.iter().flatten() {
            stays[vertex as usize] = true;
        }
        for _ in 0..TRIES {
            let mesh = Collapse::new(self, tolerance, &stays).run()?;
            let crossings = Surface::new(&mesh).crossings();
            if crossings.is_empty() && !check(&mesh).is_usable() {
                return None;
            }
            let closed = ClosedMesh::new(mesh).ok()?;
            let crossings = crossings
                .into_iter()
                .map(|pair| pair.map(|t| closed.corners(t)));
            let new = crossings.filter(|pair| !pair.iter().all(|t| known.contains(t)));
            let mut bad: Vec<Aabb> = new.map(|[a, b]| common_box(a, b)).collect();
            let limit = BETWEEN * tolerance;
            let there = distances(self, &closed, limit, &mut bad);
            let back = distances(&closed, self, limit, &mut bad);
            if bad.is_empty() {
                return Some(Simplified {
                    mesh: closed.to_tri_mesh(),
                    deviation: there.max(back),
                });
            }
            let before = stays.clone();
            for place in &bad {
                self.keep_around(place, tolerance, &before, &mut stays);
            }
        }
        None
    }
}

/// A vertex and where it would go.
#[derive(Clone, Copy, Debug)]
struct Move {
    to: u32,
    /// How far what is followed would be from the surface, metres.
    distance: f64,
}

/// A mesh whose edges are being collapsed.
struct Collapse<'a> {
    mesh: &'a ClosedMesh,
    tolerance: f64,
    /// Vertices that may not go.
    stays: &'a [bool],
    triangles: Vec<[u32; 3]>,
    /// The triangles at each vertex.
    at: Vec<Vec<u32>>,
    /// The points of the old surface that belong to each triangle.
    followed: Vec<Vec<DVec3>>,
    /// Counts the changes round each vertex, so that old entries of the queue are known.
    changes: Vec<u32>,
    /// By distance; distances are not negative, so their bits are in order.
    queue: BinaryHeap<Reverse<(u64, u32, u32, u32)>>,
}

impl<'a> Collapse<'a> {
    fn new(mesh: &'a ClosedMesh, tolerance: f64, stays: &'a [bool]) -> Collapse<'a> {
        let mut at = vec![Vec::new(); mesh.vertices().len()];
        let mut followed = Vec::with_capacity(mesh.triangles().len());
        for (triangle, corners) in (0_u32..).zip(mesh.triangles()) {
            for &vertex in corners {
                at[vertex as usize].push(triangle);
            }
            let [a, b, c] = mesh.corners(triangle);
            followed.push(vec![(a + b + c) / 3.0]);
        }
        Collapse {
            mesh,
            tolerance,
            stays,
            triangles: mesh.triangles().to_vec(),
            changes: vec![0; at.len()],
            at,
            followed,
            queue: BinaryHeap::new(),
        }
    }

    /// Collapses what may be collapsed; none when that is nothing.
    fn run(mut self) -> Option<TriMesh> {
        for vertex in 0..self.at.len() as u32 {
            self.enqueue(vertex);
        }
        let mut removed = 0;
        while let Some(Reverse((_, vertex, to, changes))) = self.queue.pop() {
            if self.changes[vertex as usize] == changes {
                self.collapse(vertex, to);
                removed += 1;
            }
        }
        (removed > 0).then(|| self.finish())
    }

    fn position(&self, vertex: u32) -> DVec3 {
        self.mesh.vertices()[vertex as usize]
    }

    /// The other two corners of a triangle at a vertex, in order.
    fn others(&self, triangle: u32, vertex: u32) -> [u32; 2] {
        let corners = self.triangles[triangle as usize];
        let k = corners.iter().position(|&v| v == vertex).unwrap_or(0);
        [corners[(k + 1) % 3], corners[(k + 2) % 3]]
    }

    /// The vertices beside a vertex; none unless its triangles are one closed fan.
    fn neighbours(&self, vertex: u32) -> Option<Vec<u32>> {
        let triangles = &self.at[vertex as usize];
        let start = self.others(*triangles.first()?, vertex)[0];
        let mut ring = vec![start];
        loop {
            let last = ring[ring.len() - 1];
            let next = triangles
                .iter()
                .map(|&t| self.others(t, vertex))
                .find(|others| others[0] == last)?[1];
            if next == start {
                return (ring.len() == triangles.len()).then_some(ring);
            }
            if ring.len() >= triangles.len() {
                return None;
            }
            ring.push(next);
        }
    }

    /// Puts the best move of a vertex into the queue.
    fn enqueue(&mut self, vertex: u32) {
        if self.stays[vertex as usize] {
            return;
        }
        let Some(ring) = self.neighbours(vertex) else {
            return;
        };
        let mut best: Option<Move> = None;
        for &to in &ring {
            let limit = best.map_or(self.tolerance, |best| best.distance);
            let better = self.weigh(vertex, to, &ring, limit);
            best = better.or(best);
        }
        if let Some(best) = best {
            let changes = self.changes[vertex as usize];
            let key = (best.distance.to_bits(), vertex, best.to, changes);
            self.queue.push(Reverse(key));
        }
    }

    /// What moving a vertex to one beside it would do; none if that may not be, or is no
    /// better than `limit`, metres.
    fn weigh(&self, vertex: u32, to: u32, ring: &[u32], limit: f64) -> Option<Move> {
        // The edge and the two triangles at it must be all that both have in common.
        let beside = |other: u32| {
            let mut triangles = self.at[to as usize].iter();
            triangles.any(|&t| self.triangles[t as usize].contains(&other))
        };
        if ring.iter().filter(|&&o| o != to && beside(o)).count() != 2 {
            return None;
        }
        let mut fan = Vec::with_capacity(ring.len());
        let (mut narrowest_before, mut narrowest) = (f64::INFINITY, f64::INFINITY);
        for &triangle in &self.at[vertex as usize] {
            let others = self.others(triangle, vertex);
            let [b, c] = others.map(|v| self.position(v));
            let (normal, shape) = shape([self.position(vertex), b, c]);
            narrowest_before = narrowest_before.min(shape);
            if others.contains(&to) {
                continue;
            }
            let corners = [self.position(to), b, c];
            let (new_normal, shape) = self::shape(corners);
            if new_normal.dot(normal) < TURN {
                return None;
            }
            narrowest = narrowest.min(shape);
            fan.push(corners);
        }
        if narrowest < NARROW.min(narrowest_before) {
            return None;
        }
        let gone = std::iter::once(self.position(vertex));
        let old = self.at[vertex as usize].iter();
        let followed = old.flat_map(|&t| self.followed[t as usize].iter().copied());
        let mut distance = 0.0_f64;
        for p in gone.chain(followed) {
            distance = distance.max(distance_beyond(distance, &fan, p));
            if distance >= limit {
                return None;
            }
        }
        Some(Move { to, distance })
    }

    fn collapse(&mut self, vertex: u32, to: u32) {
        let mut points = vec![self.position(vertex)];
        let mut fan = Vec::new();
        for triangle in std::mem::take(&mut self.at[vertex as usize]) {
            points.append(&mut self.followed[triangle as usize]);
            let corners = self.triangles[triangle as usize];
            if corners.contains(&to) {
                for v in corners.into_iter().filter(|&v| v != vertex) {
                    self.at[v as usize].retain(|&t| t != triangle);
                }
                self.triangles[triangle as usize] = [u32::MAX; 3];
            } else {
                self.triangles[triangle as usize] =
                    corners.map(|v| if v == vertex { to } else { v });
                self.at[to as usize].push(triangle);
                fan.push(triangle);
            }
        }
        let solid: Vec<[DVec3; 3]> = fan
            .iter()
            .map(|&t| self.triangles[t as usize].map(|v| self.position(v)))
            .collect();
        for p in points {
            if let Some(k) = nearest_of(&solid, p) {
                self.followed[fan[k] as usize].push(p);
            }
        }
        self.changes[vertex as usize] += 1;
        // Whoever has one of the new triangles, or followed points in one, is weighed anew.
        let mut touched: Vec<u32> = fan
            .iter()
            .chain(&self.at[to as usize])
            .flat_map(|&t| self.triangles[t as usize])
            .collect();
        touched.sort_unstable();
        touched.dedup();
        for vertex in touched {
            self.changes[vertex as usize] += 1;
            self.enqueue(vertex);
        }
    }

    fn finish(self) -> TriMesh {
        let mut numbers = vec![u32::MAX; self.at.len()];
        let mut vertices = Vec::new();
        for (vertex, triangles) in self.at.iter().enumerate() {
            if !triangles.is_empty() {
                numbers[vertex] = vertices.len() as u32;
                vertices.push(self.mesh.vertices()[vertex]);
            }
        }
        let alive = self.triangles.iter().filter(|t| t[0] != u32::MAX);
        TriMesh {
            triangles: alive.map(|t| t.map(|v| numbers[v as usize])).collect(),
            vertices,
        }
    }
}

/// The unit normal of a triangle, and its width over its length.
fn shape([a, b, c]: [DVec3; 3]) -> (DVec3, f64) {
    let cross = (b - a).cross(c - a);
    let longest = (b - a)
        .length_squared()
        .max((c - b).length_squared())
        .max((a - c).length_squared());
    (cross.normalize_or_zero(), cross.length() / longest)
}

/// The distance of a point from the nearest of some triangles, where it is more than
/// `known`; otherwise anything up to that.
fn distance_beyond(known: f64, triangles: &[[DVec3; 3]], p: DVec3) -> f64 {
    let mut least = f64::INFINITY;
    for &corners in triangles {
        least = least.min(closest_on_triangle(p, corners).distance(p));
        if least <= known {
            break;
        }
    }
    least
}

/// Which of some triangles is nearest to a point.
fn nearest_of(triangles: &[[DVec3; 3]], p: DVec3) -> Option<usize> {
    let distance = |&k: &usize| closest_on_triangle(p, triangles[k]).distance_squared(p);
    (0..triangles.len()).min_by(|i, j| distance(i).total_cmp(&distance(j)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::shapes::{cuboid, icosphere, subdivide};

    /// A ball with a dent, which is not convex.
    fn dented(levels: u32) -> ClosedMesh {
        let mut mesh = icosphere(0.03, levels);
        for p in &mut mesh.vertices {
            let off = p.distance(DVec3::new(0.0, 0.0, 0.03));
            *p *= 1.0 - 0.2 * (-off * off / 1e-4).exp();
        }
        ClosedMesh::new(mesh).unwrap()
    }

    /// Fewer triangles the more is allowed, never further off than that allows, and a
    /// sound solid.
    #[test]
    fn fewer_triangles_within_the_tolerance() {
        let fine = dented(5);
        let mut last = fine.triangles().len();
        for tolerance in [3e-5, 1e-4, 3e-4] {
            let lean = fine.simplified(tolerance).unwrap();
            let count = lean.mesh.triangles.len();
            assert!(lean.deviation <= BETWEEN * tolerance, "{lean:?}");
            assert!(lean.deviation > 0.0);
            assert!(2 * count < last, "{count} of {last} at {tolerance:e} m");
            last = count;
            let solid = ClosedMesh::checked(lean.mesh).unwrap();
            let area = 4.0 * std::f64::consts::PI * 0.03 * 0.03;
            let change = (solid.volume() - fine.volume()).abs();
            assert!(change <= area * lean.deviation, "{change:e} m³");
        }
    }

    /// A notch deeper than the tolerance stays, with its corners where they were.
    #[test]
    fn corners_stay() {
        let mut block = subdivide(&subdivide(&cuboid(DVec3::splat(0.04))));
        for p in &mut block.vertices {
            if p.x.abs() < 0.011 && p.z > 0.019 {
                p.z -= 0.005;
            }
        }
        let block = ClosedMesh::new(block).unwrap();
        let lean = block.simplified(1e-4).unwrap();
        assert!(lean.mesh.triangles.len() < block.triangles().len());
        let solid = ClosedMesh::checked(lean.mesh).unwrap();
        let off = (solid.volume() - block.volume()).abs();
        assert!(off < 1e-3 * block.volume(), "{off:e} m³");
    }

    /// Convex bodies, and those without anything to leave out, stay as they are.
    #[test]
    fn what_needs_its_triangles_keeps_them() {
        let ball = ClosedMesh::new(icosphere(0.03, 4)).unwrap();
        assert!(ball.simplified(1e-3).is_none());
        assert!(dented(3).simplified(1e-9).is_none());
        assert!(dented(3).simplified(f64::NAN).is_none());
    }

    /// Shells that pass through each other do so afterwards, and no more; all else is
    /// simplified.
    #[test]
    fn what_crosses_already_does_not_keep_the_rest() {
        let mut mesh = dented(5).to_tri_mesh();
        let stud = cuboid(DVec3::splat(0.004));
        let first = mesh.vertices.len() as u32;
        let out = DVec3::new(0.0301, 0.0003, 0.0002);
        mesh.vertices.extend(stud.vertices.iter().map(|&p| p + out));
        let moved = stud.triangles.iter().map(|t| t.map(|v| v + first));
        mesh.triangles.extend(moved);
        let crossings = |mesh: &TriMesh| Surface::new(mesh).crossings().len();
        let before = crossings(&mesh);
        assert!(before > 0);
        let both = ClosedMesh::new(mesh).unwrap();
        let lean = both.simplified(1e-4).unwrap();
        assert!(2 * lean.mesh.triangles.len() < both.triangles().len());
        assert_eq!(crossings(&lean.mesh), before);
    }
}
