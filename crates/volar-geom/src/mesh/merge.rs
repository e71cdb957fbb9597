//! The same solid with fewer triangles: planar faces without the vertices that
//! do not shape them.
//!
//! A vertex inside a planar face, or on a straight edge between two of them,
//! says nothing about the shape. It goes: one of its edges is collapsed, so the
//! triangles round it become those of another vertex. What is left is a subset
//! of the vertices where they were, so every triangle of a face stays within the
//! mesh's own rounding ([`ClosedMesh::face_tolerance`]) of the face's plane, and
//! no two points of the surfaces before and after are further apart than twice
//! the largest distance of a vertex from its plane: [`Merged::deviation`].
//!
//! An edge between two faces may bend as far as that rounding; what it has
//! been bent by already is counted, so that a round edge does not become
//! straight in many small steps.

use std::collections::BTreeMap;

use glam::DVec3;

use super::{ClosedMesh, TriMesh};

/// A mesh whose planar faces were merged.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The merged mesh.
    pub mesh: TriMesh,
    /// How far its surface may be from the one before, metres.
    pub deviation: f64,
}

/// A triangle is a needle when it is no wider than this part of its length.
const NEEDLE: f64 = 1e-3;

/// How often all vertices are gone through: what cannot go at first may go
/// when its neighbours have.
const PASSES: usize = 8;

impl ClosedMesh {
    /// The mesh without the vertices that do not shape it; none when there are
    /// no such vertices.
    pub fn merged(&self) -> Option<Merged> {
        let mut work = Work::new(self);
        for _ in 0..PASSES {
            let before = work.removed;
            for vertex in 0..self.vertices().len() as u32 {
                work.remove(vertex);
            }
            if work.removed == before {
                break;
            }
        }
        (work.removed > 0).then(|| work.finish())
    }
}

/// A mesh from which vertices are being removed.
struct Work<'a> {
    mesh: &'a ClosedMesh,
    triangles: Vec<[u32; 3]>,
    /// The triangles at each vertex; those that are gone have been taken out.
    at: Vec<Vec<u32>>,
    /// How far an edge between two faces has been straightened, metres.
    bent: BTreeMap<[u32; 2], f64>,
    removed: usize,
    /// The neighbours of the vertex at hand and, for each, the faces of the
    /// two triangles at the edge to it.
    around: Vec<(u32, [u32; 2])>,
}

impl<'a> Work<'a> {
    fn new(mesh: &'a ClosedMesh) -> Work<'a> {
        let mut at = vec![Vec::new(); mesh.vertices().len()];
        for (triangle, corners) in (0_u32..).zip(mesh.triangles()) {
            for &vertex in corners {
                at[vertex as usize].push(triangle);
            }
        }
        Work {
            mesh,
            triangles: mesh.triangles().to_vec(),
            at,
            bent: BTreeMap::new(),
            removed: 0,
            around: Vec::new(),
        }
    }

    fn face(&self, triangle: u32) -> u32 {
        self.mesh.triangle_faces()[triangle as usize]
    }

    fn position(&self, vertex: u32) -> DVec3 {
        self.mesh.vertices()[vertex as usize]
    }

    /// Removes a vertex if it shapes nothing.
    fn remove(&mut self, vertex: u32) {
        if !self.look_around(vertex) {
            return;
        }
        let is_crease = |&&(_, [f, g]): &&(u32, [u32; 2])| f != g;
        let creases: Vec<u32> = self
            .around
            .iter()
            .filter(is_crease)
            .map(|&(to, _)| to)
            .collect();
        let (candidates, bend) = match creases[..] {
            [] => (self.around.iter().map(|&(to, _)| to).collect(), 0.0),
            [u, w] => {
                let Some(bend) = self.straightened(vertex, u, w) else {
                    return;
                };
                (vec![u, w], bend)
            }
            _ => return,
        };
        let mut best = (0.0, None);
        for to in candidates {
            let quality = self.quality_after(vertex, to);
            if quality > best.0 {
                best = (quality, Some(to));
            }
        }
        if let (_, Some(to)) = best {
            if let [u, w] = creases[..] {
                self.bent.insert([u.min(w), u.max(w)], bend);
            }
            self.collapse(vertex, to);
        }
    }

    /// Lists the neighbours of a vertex; false when its triangles are not one
    /// fan, or it is gone already.
    fn look_around(&mut self, vertex: u32) -> bool {
        self.around.clear();
        for &triangle in &self.at[vertex as usize] {
            let face = self.mesh.triangle_faces()[triangle as usize];
            let corners = self.triangles[triangle as usize];
            let k = corners.iter().position(|&v| v == vertex).unwrap_or(0);
            // Each edge is met twice, once from either side.
            for (side, to) in [corners[(k + 1) % 3], corners[(k + 2) % 3]]
                .into_iter()
                .enumerate()
            {
                match self.around.iter_mut().find(|entry| entry.0 == to) {
                    Some(entry) => entry.1[side] = face,
                    None => {
                        let mut faces = [u32::MAX; 2];
                        faces[side] = face;
                        self.around.push((to, faces));
                    }
                }
            }
        }
        let complete = |&(_, faces): &(u32, [u32; 2])| !faces.contains(&u32::MAX);
        !self.around.is_empty()
            && self.around.len() == self.at[vertex as usize].len()
            && self.around.iter().all(complete)
            && self.is_one_fan(vertex)
    }

    /// True when one can walk from triangle to triangle all round a vertex.
    fn is_one_fan(&self, vertex: u32) -> bool {
        let triangles = &self.at[vertex as usize];
        let ends = |triangle: u32| {
            let corners = self.triangles[triangle as usize];
            let k = corners.iter().position(|&v| v == vertex).unwrap_or(0);
            [corners[(k + 1) % 3], corners[(k + 2) % 3]]
        };
        let [start, mut end] = ends(triangles[0]);
        let mut walked = 1;
        while end != start && walked < triangles.len() {
            let Some(next) = triangles.iter().map(|&t| ends(t)).find(|e| e[0] == end) else {
                return false;
            };
            end = next[1];
            walked += 1;
        }
        end == start && walked == triangles.len()
    }

    /// How far the edge from u over the vertex to w has been bent when it is
    /// straight; none if that is too far.
    fn straightened(&self, vertex: u32, u: u32, w: u32) -> Option<f64> {
        let (p, from, to) = (self.position(vertex), self.position(u), self.position(w));
        let along = (to - from).try_normalize()?;
        let distance = (p - from).reject_from_normalized(along).length();
        let before = |end: u32| {
            let edge = [vertex.min(end), vertex.max(end)];
            self.bent.get(&edge).copied().unwrap_or(0.0)
        };
        let bend = before(u).max(before(w)) + distance;
        let between = (p - from).dot(along) > 0.0 && (to - p).dot(along) > 0.0;
        (between && bend <= 2.0 * self.mesh.face_tolerance()).then_some(bend)
    }

    /// The least ratio of width to length of the triangles round a vertex when
    /// it has been moved to `to`; zero when that cannot be.
    fn quality_after(&self, vertex: u32, to: u32) -> f64 {
        // The edge and the two triangles at it must be all both have in common.
        let mut shared = 0;
        for &(other, _) in &self.around {
            let joins = |t: &&u32| self.triangles[**t as usize].contains(&other);
            if other != to && self.at[to as usize].iter().any(|t| joins(&t)) {
                shared += 1;
            }
        }
        if shared != 2 {
            return 0.0;
        }
        let mut least = f64::INFINITY;
        for &triangle in &self.at[vertex as usize] {
            let corners = self.triangles[triangle as usize];
            if corners.contains(&to) {
                continue;
            }
            let [a, b, c] = corners.map(|v| self.position(if v == vertex { to } else { v }));
            let normal = self.mesh.faces()[self.face(triangle) as usize].normal;
            let twice_area = (b - a).cross(c - a).dot(normal);
            let longest = (b - a)
                .length_squared()
                .max((c - b).length_squared())
                .max((a - c).length_squared());
            let width = twice_area / longest.sqrt();
            if width <= 10.0 * self.mesh.face_tolerance() {
                return 0.0;
            }
            least = least.min(twice_area / longest);
        }
        if least > NEEDLE { least } else { 0.0 }
    }

    fn collapse(&mut self, vertex: u32, to: u32) {
        for triangle in std::mem::take(&mut self.at[vertex as usize]) {
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
            }
        }
        self.removed += 1;
    }

    fn finish(self) -> Merged {
        let mut highest = 0.0_f64;
        for (triangle, &face) in (0..).zip(self.mesh.triangle_faces()) {
            let plane = &self.mesh.faces()[face as usize];
            for p in self.mesh.corners(triangle) {
                highest = highest.max(plane.height(p).abs());
            }
        }
        let mut numbers = vec![u32::MAX; self.at.len()];
        let mut vertices = Vec::new();
        for (vertex, triangles) in self.at.iter().enumerate() {
            if !triangles.is_empty() {
                numbers[vertex] = vertices.len() as u32;
                vertices.push(self.mesh.vertices()[vertex]);
            }
        }
        let alive = self.triangles.iter().filter(|t| t[0] != u32::MAX);
        Merged {
            mesh: TriMesh {
                triangles: alive.map(|t| t.map(|v| numbers[v as usize])).collect(),
                vertices,
            },
            deviation: 2.0 * highest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose;
    use crate::mesh::check::check;
    use crate::mesh::shapes::{cuboid, icosphere, subdivide};
    use glam::DMat3;

    fn rounded(mut mesh: TriMesh) -> ClosedMesh {
        for p in &mut mesh.vertices {
            *p = p.as_vec3().as_dvec3();
        }
        ClosedMesh::new(mesh).unwrap()
    }

    /// However fine, rotated and rounded: twelve triangles again.
    #[test]
    fn a_fine_box_becomes_a_box() {
        let X = Pose {
            R: DMat3::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 1.0),
            p: DVec3::new(0.01, -0.02, 0.05),
        };
        let mut mesh = cuboid(DVec3::splat(0.06));
        assert!(rounded(mesh.clone()).merged().is_none());
        for _ in 0..5 {
            mesh = subdivide(&mesh);
            for solid in [mesh.clone(), mesh.clone().transformed(1.0, &X)] {
                let solid = rounded(solid);
                let merged = solid.merged().unwrap();
                assert_eq!(merged.mesh.triangles.len(), 12);
                assert!(merged.deviation <= 4.0 * solid.face_tolerance());
                let volume = ClosedMesh::new(merged.mesh).unwrap().volume();
                // The sum of thousands of tetrahedra rounds, too.
                let rounding = solid.triangles().len() as f64 * f64::EPSILON * solid.volume();
                let change = (volume - solid.volume()).abs();
                let allowed = 0.0216 * merged.deviation + rounding;
                assert!(change <= allowed, "{change:e} m³, {allowed:e} allowed");
            }
        }
    }

    /// What is round stays as it is; what is flat but for a fine net on it
    /// gets its old triangles, and stays a sound solid.
    #[test]
    fn round_things_keep_their_triangles() {
        let sphere = icosphere(0.03, 3);
        assert!(rounded(sphere.clone()).merged().is_none());
        let fine = rounded(subdivide(&subdivide(&sphere)));
        let merged = fine.merged().unwrap();
        assert_eq!(merged.mesh.triangles.len(), sphere.triangles.len());
        assert!(check(&merged.mesh).is_usable());
    }
}
