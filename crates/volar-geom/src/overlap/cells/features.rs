//! The depth in a body that is not convex: the least distance from its faces
//! and valleys, each where it can be the nearest.
//!
//! From a point inside, the nearest point of the surface is the foot on a face,
//! or it is on a valley (a reflex edge) or in a pit (a vertex in whose normal
//! cone there is room). A face answers for the prism below it; at a ridge and
//! at a shallow valley the prism ends at the plane that bisects the edge. A
//! deep valley answers for the wedge between the prisms of its faces. There
//! the depth is the distance from a line, which is replaced by the greatest of
//! a few planes through the edge, no more than [`STEP`] apart: at most 1.5 %
//! less, and equal to the depth below the faces where it joins them. Prisms
//! and wedges are fixed in the body, so the depth is a function of the place
//! alone, and a force from it does no work round a cycle.
//!
//! What is left open, pits, is cut up and gets the true distance.

use glam::DVec3;
use volar_math::real;

use super::partition::{Claim, Fragment, Moments};
use super::planes::Plane;
use super::{Affine, Cell, Cells, OPEN, Scene, Sheet, Task, cell, whole};
use crate::bvh::{Aabb, closest_on_triangle};
use crate::mesh::Bend;

/// The largest angle between two planes through a valley, radians. Valleys
/// flatter than this need no planes but those of their faces.
const STEP: f64 = 0.35;

/// Features are sought first within so many times the depth of the centroid,
/// and if that is not enough, then within so many times.
const NEAR: [f64; 2] = [2.0, 8.0];

/// Open parts are cut until they are this small against their depth, or so
/// often.
const SMALL: f64 = 0.3;
const CUTS: u32 = 5;

/// The facet at hand in its plane, and how far from it features are sought.
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
    fn reaches(&self, direction: DVec3, through: DVec3) -> bool {
        direction.dot(self.bounds.centre() - through)
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
        self.find_candidates(scene, task, reach);
        let sheet = Sheet::new(task.facet, task.origin);
        let ground = Ground {
            sheet,
            bounds: task.origin.bounds,
            whole: self.lay_out(&sheet, scene.frame.rounding()),
            reach,
            slack: 2e-9 * mesh.bounds().size().length(),
        };
        self.functions.clear();
        self.claims.clear();
        self.function_of.restart(mesh.faces().len());
        for index in 0..self.candidates.len() {
            let triangle = self.candidates[index];
            self.add_prism(scene, task, &ground, triangle);
            for code in mesh.triangle_edges()[triangle as usize] {
                // Each edge once; both of its triangles are candidates.
                if code % 2 == 0 && mesh.bends()[code as usize / 2] == Bend::Reflex {
                    self.add_wedge(scene, task, &ground, code / 2);
                }
            }
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
    fn add_prism(&mut self, scene: &mut Scene, task: &Task, ground: &Ground, triangle: u32) {
        let mesh = scene.bodies[task.field];
        let face = mesh.triangle_faces()[triangle as usize];
        let plane = Plane::of_face(scene, task.field, face);
        if plane.normal == DVec3::ZERO || !ground.is_below(&plane) {
            return;
        }
        let corners = scene
            .crossings
            .corners(mesh, task.field, scene.frame, triangle);
        let mut sides = [(DVec3::ZERO, DVec3::ZERO); 4];
        for k in 0..3 {
            let along = corners[(k + 1) % 3] - corners[k];
            let mut inward = plane.normal.cross(along).normalize_or_zero();
            let edge = mesh.triangle_edges()[triangle as usize][k] / 2;
            let bend = mesh.bends()[edge as usize];
            if bend != Bend::Flat {
                let other = mesh.triangle_faces()[mesh.neighbour(triangle, k) as usize];
                let other = Plane::of_face(scene, task.field, other).normal;
                if bend == Bend::Convex {
                    inward = plane.normal - other;
                } else if is_shallow(plane.normal, inward, other) {
                    // Up to the plane that bisects the valley.
                    inward = half_way(plane.normal, inward, other);
                }
            }
            if !ground.reaches(inward, corners[k]) {
                return;
            }
            sides[k] = (inward, corners[k]);
        }
        // Below the plane, not above it: behind another wall.
        sides[3] = (-plane.normal, plane.through + ground.slack * plane.normal);
        self.add_claim(ground, &sides, &plane, Some(face));
    }

    /// Adds the wedge at a valley.
    fn add_wedge(&mut self, scene: &mut Scene, task: &Task, ground: &Ground, edge: u32) {
        let mesh = scene.bodies[task.field];
        let edge = &mesh.edges()[edge as usize];
        let [from, to] = edge
            .vertices
            .map(|v| scene.crossings.vertex(mesh, task.field, scene.frame, v));
        let faces = edge.triangles.map(|t| mesh.triangle_faces()[t as usize]);
        let Some(along) = (to - from).try_normalize() else {
            return;
        };
        if !ground.reaches(along, from) || !ground.reaches(-along, to) {
            return;
        }
        let [n, m] = faces.map(|face| Plane::of_face(scene, task.field, face).normal);
        // Into the two faces, away from the edge.
        let (inward, other_inward) = (n.cross(along), along.cross(m));
        if is_shallow(n, inward, m)
            || !ground.reaches(-inward, from)
            || !ground.reaches(-other_inward, from)
        {
            return;
        }
        let angle = real::atan2(m.dot(inward), n.dot(m));
        let steps = (angle / STEP).ceil().max(1.0);
        let step = angle / steps;
        for i in 0..=steps as u32 {
            let middle = f64::from(i) * step;
            let normal = match i {
                0 => n,
                _ if f64::from(i) >= steps => m,
                _ => n * real::cos(middle) + inward * real::sin(middle),
            };
            let plane = Plane {
                normal,
                through: from,
            };
            let across = |angle: f64| inward * real::cos(angle) - n * real::sin(angle);
            let sides = [
                (-across((middle - 0.5 * step).max(0.0)), from),
                (across((middle + 0.5 * step).min(angle)), from),
                (along, from),
                (-along, to),
            ];
            let reaches =
                |&(direction, through): &(DVec3, DVec3)| ground.reaches(direction, through);
            if ground.is_below(&plane) && sides.iter().all(reaches) {
                let face = match i {
                    0 => Some(faces[0]),
                    _ if f64::from(i) >= steps => Some(faces[1]),
                    _ => None,
                };
                self.add_claim(ground, &sides, &plane, face);
            }
        }
    }

    /// Adds a plane where the facet is on the positive side of all `sides`;
    /// the plane of a face shares its function with all others of that face.
    fn add_claim(
        &mut self,
        ground: &Ground,
        sides: &[(DVec3, DVec3); 4],
        plane: &Plane,
        face: Option<u32>,
    ) {
        let mut claim = Claim {
            domain: sides.map(|(direction, through)| ground.sheet.height(direction, through)),
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

/// True when the angle between two faces at a valley, seen from the one with
/// `normal` and the direction `inward` from the valley, needs no more planes.
fn is_shallow(normal: DVec3, inward: DVec3, other: DVec3) -> bool {
    other.dot(inward) < real::sin(STEP) && other.dot(normal) > 0.0
}

/// The direction into a face from a valley, leaning half way towards the face
/// on the other side, which has the normal `other`.
fn half_way(normal: DVec3, inward: DVec3, other: DVec3) -> DVec3 {
    let angle = 0.5 * real::atan2(other.dot(inward), other.dot(normal));
    inward * real::cos(angle) - normal * real::sin(angle)
}
