//! The depth in a convex body: the least of the distances from its planes.

use glam::DVec3;

use super::partition::{Claim, DOMAIN};
use super::{Affine, Cell, Cells, NONE, Scene, Sheet, Task, turn, whole};
use crate::bvh::Aabb;

/// All planes of a body are asked if it has no more than this.
pub(super) const FEW: usize = 32;

/// A plane in L.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    /// Unit normal, out of the body.
    pub normal: DVec3,
    /// A point on it.
    pub through: DVec3,
}

/// A plane that may be the nearest one somewhere on the facet at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    plane: Plane,
    face: u32,
    /// The least depth of a point of the facet below it.
    least: f64,
}

impl Plane {
    /// The plane of a face of a body.
    pub fn of_face(scene: &Scene, body: usize, face: u32) -> Plane {
        let face = &scene.bodies[body].faces()[face as usize];
        Plane {
            normal: turn(scene.frame, body) * face.normal,
            through: scene.frame.point_in_L(body, face.point),
        }
    }

    pub fn depth(&self, p: DVec3) -> f64 {
        self.normal.dot(self.through - p)
    }

    /// The least and the greatest depth of the points of a box.
    pub fn depths(&self, bounds: &Aabb) -> [f64; 2] {
        let middle = self.depth(bounds.centre());
        let half = self.normal.abs().dot(0.5 * bounds.size());
        [middle - half, middle + half]
    }

    /// The least and the greatest depth of some points.
    fn depths_of(&self, points: &[DVec3]) -> [f64; 2] {
        points
            .iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &p| {
                let depth = self.depth(p);
                [low.min(depth), high.max(depth)]
            })
    }
}

impl Cells {
    /// Moves all planes of a body into L.
    pub(super) fn place_planes(&mut self, scene: &mut Scene, field: usize) {
        self.planes.clear();
        for face in 0..scene.bodies[field].faces().len() as u32 {
            let plane = Plane::of_face(scene, field, face);
            if plane.normal != DVec3::ZERO {
                self.planes.push(plane);
            }
        }
    }

    /// Cuts a facet in the depth of a body with few planes, which have been
    /// placed. Most facets are so small that the box around them tells which
    /// plane is nearest.
    pub(super) fn cut_by_few(&mut self, cells: &mut Vec<Cell>, scene: &mut Scene, task: &Task) {
        let bounds = &task.origin.bounds;
        let mut limit = f64::INFINITY;
        self.kept.clear();
        for &plane in &self.planes {
            let [least, greatest] = plane.depths(bounds);
            limit = limit.min(greatest);
            self.kept.push(Near {
                plane,
                face: NONE,
                least,
            });
        }
        self.kept.retain(|near| near.least <= limit);
        self.collect_corners(scene, task);
        if self.kept.len() > 1 {
            let mut limit = f64::INFINITY;
            for near in &mut self.kept {
                let [least, greatest] = near.plane.depths_of(&self.corners);
                limit = limit.min(greatest);
                near.least = least;
            }
            self.kept.retain(|near| near.least <= limit);
        }
        self.cut_by_kept(cells, scene, task);
    }

    /// Cuts a facet in the depth of a convex body with many planes; returns
    /// the triangle nearest to its centroid.
    pub(super) fn cut_by_planes(
        &mut self,
        cells: &mut Vec<Cell>,
        scene: &mut Scene,
        task: &Task,
    ) -> u32 {
        self.collect_corners(scene, task);
        let mesh = scene.bodies[task.field];
        let face_of = |triangle: u32| mesh.triangle_faces()[triangle as usize];
        let (nearest, _) = self.nearest(scene, task, task.origin.centroid);
        let plane = Plane::of_face(scene, task.field, face_of(nearest));
        // No point of the facet is deeper than below this one plane, so no
        // face further away can be the nearest.
        let [_, mut limit] = plane.depths_of(&self.corners);
        let corners = self.corners.iter();
        let bounds = Aabb::around(corners.map(|&p| scene.frame.point_in_body(task.field, p)));
        self.find_candidates(scene, task, &bounds, limit);
        self.function_of.restart(mesh.faces().len());
        self.kept.clear();
        for &triangle in &self.candidates {
            let face = face_of(triangle);
            if self.function_of.get(face).is_some() {
                continue;
            }
            self.function_of.set(face, NONE);
            let plane = Plane::of_face(scene, task.field, face);
            if plane.normal == DVec3::ZERO || plane.depths(&task.origin.bounds)[0] > limit {
                continue;
            }
            let [least, greatest] = plane.depths_of(&self.corners);
            limit = limit.min(greatest);
            self.kept.push(Near { plane, face, least });
        }
        self.kept.retain(|near| near.least <= limit);
        self.cut_by_kept(cells, scene, task);
        nearest
    }

    /// Cuts a facet, whose corners have been collected, by the planes that may be
    /// nearest.
    fn cut_by_kept(&mut self, cells: &mut Vec<Cell>, scene: &Scene, task: &Task) {
        let centroid = task.origin.centroid;
        let depth = |near: &Near| near.plane.depth(centroid);
        let nearest = (0..self.kept.len())
            .min_by(|&i, &j| depth(&self.kept[i]).total_cmp(&depth(&self.kept[j])));
        let Some(nearest) = nearest else {
            return;
        };
        if self.kept.len() == 1 {
            let plane = &self.kept[nearest].plane;
            let [_, deepest] = plane.depths_of(&self.corners);
            cells.push(whole(task, [plane.depth(centroid), deepest], plane.normal));
            return;
        }
        let sheet = Sheet::new(task.facet, task.origin);
        let region = self.lay_out(&sheet, scene.frame.rounding());
        self.functions.clear();
        self.claims.clear();
        for (function, near) in (0..).zip(&self.kept) {
            self.functions.push(&sheet, &near.plane);
            self.claims.push(Claim {
                domain: [Affine::ZERO; DOMAIN],
                lines: 0,
                region: super::Fragment { function, ..region },
            });
            if near.face != NONE {
                self.function_of.set(near.face, function);
            }
        }
        if self.kept.len() > 4 && self.kept[0].face != NONE {
            self.limit_by_neighbours(scene, task);
        }
        if !self.settle(task, scene.frame) {
            self.settle_slowly(nearest as u32);
        }
        self.collect(cells, task, &sheet, scene.frame);
    }

    /// Limits the claim of each face to where it is nearer than the faces
    /// beside it. That leaves small regions, and most pairs of them apart.
    fn limit_by_neighbours(&mut self, scene: &Scene, task: &Task) {
        let mesh = scene.bodies[task.field];
        let face_of = |triangle: u32| mesh.triangle_faces()[triangle as usize];
        let values = &self.functions.values;
        for &triangle in &self.candidates {
            let Some(function) = self.function_of.get(face_of(triangle)) else {
                continue;
            };
            let Some(claim) = self.claims.get_mut(function as usize) else {
                continue;
            };
            for k in 0..3 {
                let beside = self.function_of.get(face_of(mesh.neighbour(triangle, k)));
                let Some(beside) = beside.filter(|&beside| beside != function) else {
                    continue;
                };
                if let Some(other) = values.get(beside as usize) {
                    let line = other.minus(&values[function as usize]);
                    claim.region =
                        self.partition
                            .clipped(&claim.region, &[line])
                            .unwrap_or(super::Fragment {
                                function,
                                ..super::Fragment::NOTHING
                            });
                }
            }
        }
        self.claims
            .retain(|claim| claim.region.start < claim.region.end);
    }
}
