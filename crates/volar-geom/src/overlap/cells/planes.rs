//! The depth in a convex body: the least of the distances from its planes.

use glam::DVec3;

use super::partition::EVERYWHERE;
use super::{Cell, Cells, Scene, Sheet, Task, turn, whole};
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
    pub fn of_face(scene: &mut Scene, body: usize, face: u32) -> Plane {
        let mesh = scene.bodies[body];
        let face = &mesh.faces()[face as usize];
        Plane {
            normal: turn(scene.frame, body) * face.normal,
            through: scene.crossings.vertex(mesh, body, scene.frame, face.vertex),
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
        let lowest = |planes: &[Plane]| {
            let tops = planes.iter().map(|plane| plane.depths(bounds)[1]);
            tops.fold(f64::INFINITY, f64::min)
        };
        let limit = lowest(&self.planes);
        self.kept.clear();
        let near = |plane: &&Plane| plane.depths(bounds)[0] <= limit;
        self.kept.extend(self.planes.iter().filter(near));
        if self.kept.len() > 1 {
            self.collect_corners(scene, task);
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
        let [_, limit] = plane.depths_of(&self.corners);
        self.find_candidates(scene, task, limit);
        self.function_of.restart(mesh.faces().len());
        self.kept.clear();
        for &triangle in &self.candidates {
            let face = face_of(triangle);
            if self.function_of.get(face).is_some() {
                continue;
            }
            self.function_of.set(face, 0);
            let plane = Plane::of_face(scene, task.field, face);
            if plane.depths(&task.origin.bounds)[0] <= limit && plane.normal != DVec3::ZERO {
                self.kept.push(plane);
            }
        }
        self.cut_by_kept(cells, scene, task);
        nearest
    }

    /// Cuts a facet by the planes that may be nearest; with more than one,
    /// the corners must have been collected.
    fn cut_by_kept(&mut self, cells: &mut Vec<Cell>, scene: &Scene, task: &Task) {
        let centroid = task.origin.centroid;
        if self.kept.len() > 1 {
            let mut limit = f64::INFINITY;
            for plane in &self.kept {
                limit = limit.min(plane.depths_of(&self.corners)[1]);
            }
            let corners = &self.corners;
            self.kept
                .retain(|plane| plane.depths_of(corners)[0] <= limit);
        }
        let nearest = (0..self.kept.len()).min_by(|&i, &j| {
            let depth = |k: usize| self.kept[k].depth(centroid);
            depth(i).total_cmp(&depth(j)).then(i.cmp(&j))
        });
        let Some(nearest) = nearest else {
            return;
        };
        if self.kept.len() == 1 {
            let plane = &self.kept[nearest];
            cells.push(whole(task, plane.depth(centroid), plane.normal));
            return;
        }
        // The plane nearest to the middle gets all, then the others take
        // from it and from one another.
        self.kept.swap(0, nearest);
        let sheet = Sheet::new(task.facet, task.origin);
        self.lay_out(&sheet, 0, scene.frame.rounding());
        self.functions.clear();
        for plane in &self.kept {
            self.functions.push(&sheet, plane);
        }
        for function in 1..self.kept.len() as u32 {
            self.partition
                .insert(function, &self.functions.values, &[], EVERYWHERE);
        }
        self.collect(cells, task, &sheet, scene.frame);
    }
}
