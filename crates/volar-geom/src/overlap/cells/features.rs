//! The depth in a body that is not convex: the least distance from its faces
//! and valleys, each where it can be the nearest.
//!
//! Which face or valley answers where is the body's [`Layer`], fixed in the body
//! and made once. So the depth is a function of the place alone, and a force
//! from it does no work round a cycle. Here a facet is brought into the body's
//! frame and cut by the domains that reach it.
//!
//! What is left open, pits, is cut up and gets the true distance.
//!
//! [`Layer`]: crate::mesh::layer::Layer

use glam::DVec3;

use super::partition::{Claim, Fragment, Moments};
use super::planes::Plane;
use super::{Affine, Cell, Cells, OPEN, Scene, Sheet, Task, cell, turn, whole};
use crate::ClosedMesh;
use crate::bvh::{Aabb, closest_on_triangle};
use crate::mesh::PlanarFace;
use crate::mesh::layer::{HalfSpace, Wedge};

/// Features are sought first within so many times the depth of the centroid,
/// and if that is not enough, then within so many times.
const NEAR: [f64; 2] = [2.0, 8.0];

/// Open parts are cut until they are this small against their depth, or so
/// often.
const SMALL: f64 = 0.3;
const CUTS: u32 = 5;

/// The facet at hand in its plane, and how far from it features are sought.
///
/// All of it in the frame of the body that has the depth.
struct Ground {
    sheet: Sheet,
    bounds: Aabb,
    whole: Fragment,
    reach: f64,
    /// A point this far above a face is still below it.
    slack: f64,
}

impl Ground {
    /// True when some point of the box is on the positive side.
    fn reaches(&self, side: &HalfSpace) -> bool {
        let direction = side.direction;
        direction.dot(self.bounds.centre()) - side.offset
            + direction.abs().dot(0.5 * self.bounds.size())
            >= 0.0
    }

    /// True when a point of the box may be below a plane and near to it.
    fn is_below(&self, plane: &Plane) -> bool {
        let [low, high] = plane.depths(&self.bounds);
        low <= self.reach && high >= -self.slack
    }
}

impl Cells {
    /// Cuts a facet in the depth of any body; returns the triangle nearest to
    /// its centroid.
    pub(super) fn cut_by_features(
        &mut self,
        cells: &mut Vec<Cell>,
        scene: &mut Scene,
        task: &Task,
    ) -> u32 {
        self.collect_corners(scene, task);
        let mesh = scene.bodies[task.field];
        let centroid = task.origin.centroid;
        let (nearest, closest) = self.nearest(scene, task, centroid);
        let corners = scene
            .crossings
            .corners(mesh, task.field, scene.frame, nearest);
        // The distance from a triangle is greatest at a corner of the facet,
        // and a step of any length changes the depth by that at most.
        let depth = closest.distance(centroid);
        let (mut deepest, mut radius) = (0.0_f64, 0.0_f64);
        for &p in &self.corners {
            deepest = deepest.max(closest_on_triangle(p, corners).distance(p));
            radius = radius.max(p.distance(centroid));
        }
        deepest = deepest.min(depth + radius);
        let task = &Task {
            guess: nearest,
            ..*task
        };
        // That is far too much where many faces share a wide flat facet. So
        // look near first; if what is found there covers the facet and tells
        // less depth than the way looked, it is all.
        let sheet = Sheet::new(task.facet, task.origin);
        for factor in NEAR {
            let reach = factor * depth;
            if reach > 0.7 * deepest {
                break;
            }
            if self.claim_within(scene, task, reach) && self.settle(task, scene.frame) {
                // Planes through a valley tell a little less than it is far.
                let greatest = 1.02 * self.greatest();
                if greatest <= reach {
                    self.collect(cells, task, &sheet, scene.frame);
                    return nearest;
                }
                // Nothing is deeper, so this is far enough.
                deepest = deepest.min(1.01 * greatest);
                break;
            }
        }
        self.claim_within(scene, task, deepest + scene.frame.margin);
        if let [only] = &self.claims[..]
            && only.lines == 0
        {
            let function = only.region.function as usize;
            let depth = self.functions.values[function].at_origin;
            cells.push(whole(task, depth, self.functions.ways[function]));
            return nearest;
        }
        if self.settle(task, scene.frame) {
            self.collect(cells, task, &sheet, scene.frame);
        } else {
            self.settle_slowly(OPEN);
            self.collect(cells, task, &sheet, scene.frame);
            self.fill_open(cells, scene, task, &sheet);
        }
        nearest
    }

    /// Lists what the faces and valleys within `reach` claim of the facet;
    /// false if that is nothing.
    fn claim_within(&mut self, scene: &mut Scene, task: &Task, reach: f64) -> bool {
        let mesh = scene.bodies[task.field];
        let layer = mesh.layer();
        let bounds = self.find_candidates(scene, task, reach);
        let sheet = Sheet::new(task.facet, task.origin);
        let ground = Ground {
            whole: self.lay_out(&sheet, scene.frame.rounding()),
            sheet: sheet.in_body(scene.frame, task.field),
            bounds,
            reach,
            slack: 2.0 * mesh.face_tolerance(),
        };
        self.functions.clear();
        self.claims.clear();
        self.function_of.restart(mesh.faces().len());
        for index in 0..self.candidates.len() {
            let triangle = self.candidates[index] as usize;
            self.add_prism(mesh, &ground, triangle, &layer.prisms[triangle]);
            for (start, end) in layer.wedges_of[triangle] {
                for wedge in &layer.wedges[start as usize..end as usize] {
                    self.add_wedge(&ground, wedge);
                }
            }
        }
        // They were told in the body's frame.
        let to_L = turn(scene.frame, task.field);
        for way in &mut self.functions.ways {
            *way = to_L * *way;
        }
        !self.claims.is_empty()
    }

    /// The greatest value of any function where it has won.
    fn greatest(&self) -> f64 {
        let mut greatest = 0.0_f64;
        for fragment in &self.partition.fragments {
            if let Some(value) = self.functions.values.get(fragment.function as usize) {
                for &p in self.partition.corners(fragment) {
                    greatest = greatest.max(value.at(p));
                }
            }
        }
        greatest
    }

    /// Adds the prism below a triangle.
    fn add_prism(
        &mut self,
        mesh: &ClosedMesh,
        ground: &Ground,
        triangle: usize,
        prism: &[HalfSpace; 3],
    ) {
        let face = mesh.triangle_faces()[triangle];
        let PlanarFace { normal, point } = mesh.faces()[face as usize];
        let plane = Plane {
            normal,
            through: point,
        };
        if normal == DVec3::ZERO
            || !ground.is_below(&plane)
            || !prism.iter().all(|side| ground.reaches(side))
        {
            return;
        }
        let [a, b, c] = prism.map(|side| ground.sheet.beyond(&side));
        // Below the plane, not above it: behind another wall.
        let mut below = ground.sheet.depth_below(&plane);
        below.at_origin += ground.slack;
        self.add_claim(ground, &[a, b, c, below], &plane, Some(face));
    }

    /// Adds one of the planes of a valley.
    fn add_wedge(&mut self, ground: &Ground, wedge: &Wedge) {
        let plane = Plane {
            normal: wedge.normal,
            through: wedge.through,
        };
        if ground.is_below(&plane) && wedge.sides.iter().all(|side| ground.reaches(side)) {
            let domain = wedge.sides.map(|side| ground.sheet.beyond(&side));
            self.add_claim(ground, &domain, &plane, wedge.face);
        }
    }

    /// Adds a plane where the facet is on the positive side of all of `domain`;
    /// the plane of a face shares its function with all others of that face.
    fn add_claim(
        &mut self,
        ground: &Ground,
        domain: &[Affine; 4],
        plane: &Plane,
        face: Option<u32>,
    ) {
        let mut claim = Claim {
            domain: *domain,
            lines: 0,
            region: ground.whole,
        };
        for k in 0..4 {
            // Lines that the facet is on the right side of cut nothing.
            let line = claim.domain[k];
            let Some(region) = self.partition.clipped(&claim.region, &[line]) else {
                return;
            };
            if (region.start, region.end) != (claim.region.start, claim.region.end) {
                claim.domain[claim.lines] = line;
                claim.lines += 1;
            }
            claim.region = region;
        }
        claim.region.function = match face.map(|face| (face, self.function_of.get(face))) {
            Some((_, Some(function))) => function,
            Some((face, None)) => {
                let function = self.functions.push(&ground.sheet, plane);
                self.function_of.set(face, function);
                function
            }
            None => self.functions.push(&ground.sheet, plane),
        };
        self.claims.push(claim);
    }

    /// Cuts up what no feature answers for; each part gets the true distance
    /// of its middle.
    fn fill_open(&mut self, cells: &mut Vec<Cell>, scene: &mut Scene, task: &Task, sheet: &Sheet) {
        self.partition
            .fragments
            .retain(|fragment| fragment.function == OPEN);
        for fragment in &mut self.partition.fragments {
            // From here on it counts the cuts.
            fragment.function = 0;
        }
        while let Some(fragment) = self.partition.fragments.pop() {
            let mut moments = Moments::default();
            moments.add(self.partition.corners(&fragment));
            let area = moments.area.abs();
            if area.is_nan() || area <= super::NO_AREA * task.facet.area {
                continue;
            }
            let (middle, _) = moments.finish();
            let p = sheet.lifted(middle);
            let (triangle, closest) = self.nearest(scene, task, p);
            let depth = closest.distance(p);
            let cuts = fragment.function;
            let extent = fragment.max - fragment.min;
            if cuts < CUTS && extent.max_element() > SMALL * depth {
                let slope = if extent.x > extent.y {
                    glam::DVec2::X
                } else {
                    glam::DVec2::Y
                };
                let line = Affine {
                    at_origin: -slope.dot(middle),
                    slope,
                };
                for mut part in self.partition.halve(&fragment, &line) {
                    part.function = cuts + 1;
                    self.partition.fragments.push(part);
                }
                continue;
            }
            let face = scene.bodies[task.field].triangle_faces()[triangle as usize];
            let outward = Plane::of_face(scene, task.field, face).normal;
            let separation_direction = (closest - p).try_normalize().unwrap_or(outward);
            cells.extend(cell(
                task,
                sheet,
                scene.frame,
                &moments,
                |_| depth,
                separation_direction,
            ));
        }
    }
}
