//! The depth in a convex body: the least of the distances from its planes.

use glam::DVec3;

use super::{Cell, Cells, NONE, Scene, Sheet, Task, turn, whole};
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

    /// True when one of some points is less deep below it than below another plane.
    fn is_nearer(&self, other: &Plane, points: &[DVec3]) -> bool {
        points.iter().any(|&p| self.depth(p) < other.depth(p))
    }

    /// False only if all points of a box are deeper below it than below another plane.
    fn may_be_nearer(&self, other: &Plane, bounds: &Aabb) -> bool {
        let middle = bounds.centre();
        let turn = (other.normal - self.normal).abs();
        self.depth(middle) - other.depth(middle) <= turn.dot(0.5 * bounds.size())
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
        let Some(nearest) = nearest_of(&self.planes, task.origin.centroid) else {
            return;
        };
        self.kept.clear();
        let planes = self.planes.iter();
        let near = planes.filter(|plane| plane.may_be_nearer(&nearest, bounds));
        self.kept.extend(near);
        self.collect_corners(scene, task);
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
        let nearest_plane = Plane::of_face(scene, task.field, face_of(nearest));
        // No point of the facet is deeper than below this one plane, so no
        // face further away can be the nearest.
        let depths = self.corners.iter().map(|&p| nearest_plane.depth(p));
        let limit = depths.fold(0.0, f64::max);
        let corners = self.corners.iter();
        let around = Aabb::around(corners.map(|&p| scene.frame.point_in_body(task.field, p)));
        self.find_candidates(scene, task, &around, limit);
        self.function_of.restart(mesh.faces().len());
        self.kept.clear();
        for &triangle in &self.candidates {
            let face = face_of(triangle);
            if self.function_of.get(face).is_some() {
                continue;
            }
            self.function_of.set(face, NONE);
            let plane = Plane::of_face(scene, task.field, face);
            let bounds = &task.origin.bounds;
            if plane.normal != DVec3::ZERO && plane.may_be_nearer(&nearest_plane, bounds) {
                self.kept.push(plane);
            }
        }
        self.cut_by_kept(cells, scene, task);
        nearest
    }

    /// Cuts a facet, whose corners have been collected, by the planes that may be
    /// nearest.
    fn cut_by_kept(&mut self, cells: &mut Vec<Cell>, scene: &Scene, task: &Task) {
        let centroid = task.origin.centroid;
        let Some(nearest) = nearest_of(&self.kept, centroid) else {
            return;
        };
        let corners = &self.corners;
        self.kept.retain(|plane| plane.is_nearer(&nearest, corners));
        if self.kept.is_empty() {
            let depths = corners.iter().map(|&p| nearest.depth(p));
            let deepest = depths.fold(f64::NEG_INFINITY, f64::max);
            let depths = [nearest.depth(centroid), deepest];
            cells.push(whole(task, depths, nearest.normal));
            return;
        }
        let sheet = Sheet::new(task.facet, task.origin);
        self.lay_out(&sheet, scene.frame.rounding());
        self.functions.clear();
        let base = self.functions.push(&sheet, &nearest);
        self.partition.fragments[0].function = base;
        self.waiting.clear();
        for plane in &self.kept {
            let function = self.functions.push(&sheet, plane);
            self.waiting.push(function);
        }
        self.partition
            .lower(&mut self.waiting, &self.functions.values);
        self.sum_up(0.0);
        self.collect(cells, task, &sheet, scene.frame);
    }
}

/// The plane below which a point is least deep; the first of several.
fn nearest_of(planes: &[Plane], p: DVec3) -> Option<Plane> {
    let by_depth = |x: &&Plane, y: &&Plane| x.depth(p).total_cmp(&y.depth(p));
    planes.iter().min_by(by_depth).copied()
}
