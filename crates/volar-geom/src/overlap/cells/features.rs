//! The depth in a body that is not convex: the least distance from its faces
//! and valleys, each where it can be the nearest.
//!
//! Which face or valley answers where is the body's [`Layer`], fixed in the body
//! and made once. So the depth is a function of the place alone, and a force
//! from it does no work round a cycle. Here a facet is brought into the body's
//! frame and cut by the domains that reach it.
//!
//! A wide facet on a fine body meets many domains, and its outline has many
//! corners. It is halved until few domains reach each part, so that the work
//! grows with their number and hardly faster. Where the features found near a
//! part do not cover it, or tell more depth than the way looked, only that part
//! looks further.
//!
//! What is left open, pits, is cut up and gets the true distance.
//!
//! [`Layer`]: crate::mesh::layer::Layer

use glam::{DVec2, DVec3};

use super::partition::{Claim, Fragment, Moments, area};
use super::planes::Plane;
use super::{Affine, Cell, Cells, OPEN, SAME_AREA, Scene, Sheet, Task, cell, whole};
use crate::bvh::closest_on_triangle;

/// Features are sought first within so many times the depth of the centroid.
const NEAR: f64 = 2.0;

/// Planes through a valley tell up to 1.5 % less than it is far.
const VALLEY: f64 = 1.02;

/// Between domains there may be slits, so many times as wide as the rounding of the
/// mesh.
const SLIT: f64 = 2.0;

/// A part of a facet that no more domains reach than this is not halved any more.
const FEW: usize = 6;

/// More than this are many.
const MANY: f64 = 24.0;

/// A facet is halved at most so often.
const HALVINGS: u32 = 16;

/// Open parts are cut until they are this small against their depth, or so
/// often.
const SMALL: f64 = 0.3;
const CUTS: u32 = 5;

/// A part of the facet and the bids that may reach it: a range of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    fragment: Fragment,
    bids: (u32, u32),
    halvings: u32,
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
        let sheet = Sheet::new(task.facet, task.origin);
        let facet = self.lay_out(&sheet, scene.frame.rounding());
        self.partition.fragments.clear();
        self.functions.clear();
        self.function_of.restart(mesh.faces().len());
        self.parts.clear();
        self.failed.clear();

        let (nearest, depth, deepest) =
            self.depth_of(scene, task, &sheet, &facet, task.origin.centroid);
        let task = &Task {
            guess: nearest,
            ..*task
        };
        // The greatest depth is far too much where many faces share a wide
        // flat facet. So look near first.
        let near = NEAR * depth;
        if near <= 0.7 * deepest {
            self.divide(scene, task, &sheet, facet, [near, near / VALLEY]);
        } else {
            self.failed.push(facet);
        }
        // Each look leaves the list as long as it was.
        for index in 0..self.failed.len() {
            let part = self.failed[index];
            self.look_further(scene, task, &sheet, part);
        }
        if let [only] = &self.partition.fragments[..]
            && only.function != OPEN
            && (only.start, only.end) == (facet.start, facet.end)
        {
            let function = only.function as usize;
            let value = self.functions.values[function];
            let depths = [
                value.at_origin,
                value.greatest(self.partition.corners(only)),
            ];
            cells.push(whole(task, depths, self.functions.ways[function]));
            return nearest;
        }
        self.open_far_ones(scene, task, &sheet, 2.0 * NEAR * depth);
        self.sum_up(mesh.face_tolerance());
        self.collect(cells, task, &sheet, scene.frame);
        self.fill_open(cells, scene, task, &sheet);
        nearest
    }

    /// The triangle nearest to a point of a part of the facet, the depth there, and a
    /// bound of the depth in the whole part.
    fn depth_of(
        &mut self,
        scene: &mut Scene,
        task: &Task,
        sheet: &Sheet,
        part: &Fragment,
        p: DVec3,
    ) -> (u32, f64, f64) {
        let (nearest, closest) = self.nearest(scene, task, p);
        let mesh = scene.bodies[task.field];
        let corners = scene
            .crossings
            .corners(mesh, task.field, scene.frame, nearest);
        // The distance from a triangle is greatest at a corner of the part,
        // and a step of any length changes the depth by that at most.
        let depth = closest.distance(p);
        let (mut deepest, mut radius) = (0.0_f64, 0.0_f64);
        for &corner in self.partition.corners(part) {
            let corner = sheet.lifted(corner);
            deepest = deepest.max(closest_on_triangle(corner, corners).distance(corner));
            radius = radius.max(corner.distance(p));
        }
        (nearest, depth, deepest.min(depth + radius))
    }

    /// Cuts a part of the facet that the features near it did not cover.
    fn look_further(&mut self, scene: &mut Scene, task: &Task, sheet: &Sheet, part: Fragment) {
        let middle = sheet.lifted(0.5 * (part.min + part.max));
        let (_, _, deepest) = self.depth_of(scene, task, sheet, &part, middle);
        let earlier = self.failed.len();
        let reach = deepest + scene.frame.margin;
        self.divide(scene, task, sheet, part, [reach, reach]);
        // What is left has open places, and needs more care.
        while self.failed.len() > earlier {
            let Some(open) = self.failed.pop() else { break };
            let first = self.partition.fragments.len();
            self.bid_list.clear();
            self.bid_list.extend(0..self.bids.len() as u32);
            let all = (0, self.bids.len() as u32);
            self.claim(&open, all);
            self.partition.fragments.push(Fragment {
                function: OPEN,
                ..open
            });
            for claim in &self.claims {
                self.partition.insert(claim, &self.functions.values, first);
            }
        }
    }

    /// Cuts a part of the facet by the features within `reach`; where they do not
    /// cover it, or tell more depth than `bound`, it goes to `failed`.
    fn divide(
        &mut self,
        scene: &mut Scene,
        task: &Task,
        sheet: &Sheet,
        part: Fragment,
        [reach, bound]: [f64; 2],
    ) {
        self.find_bids(scene, task, sheet, &part, [reach, bound]);
        self.bid_list.clear();
        self.bid_list.extend(0..self.bids.len() as u32);
        self.parts.push(Part {
            fragment: part,
            bids: (0, self.bids.len() as u32),
            halvings: 0,
        });
        while let Some(part) = self.parts.pop() {
            // The lists of the parts before this one come before its own.
            self.bid_list.truncate(part.bids.1 as usize);
            let count = (part.bids.1 - part.bids.0) as usize;
            if count <= FEW || part.halvings >= HALVINGS || !self.halve(&part) {
                self.finish(scene, task, &part);
            }
        }
    }

    /// Halves a part across its longer extent; false if that would not leave
    /// fewer bids to each half.
    fn halve(&mut self, part: &Part) -> bool {
        let (min, max) = (part.fragment.min, part.fragment.max);
        let extent = max - min;
        let slope = if extent.x > extent.y {
            DVec2::X
        } else {
            DVec2::Y
        };
        let line = Affine {
            at_origin: -slope.dot(0.5 * (min + max)),
            slope,
        };
        let (kept_points, kept_bids) = (self.partition.points.len(), self.bid_list.len());
        let halves = self.partition.halve(&part.fragment, &line);
        let mut parts = [*part; 2];
        for (half, fragment) in parts.iter_mut().zip(halves) {
            let first = self.bid_list.len() as u32;
            for index in part.bids.0..part.bids.1 {
                let bid = self.bid_list[index as usize];
                if self.bids[bid as usize].reaches(fragment.min, fragment.max) {
                    self.bid_list.push(bid);
                }
            }
            *half = Part {
                fragment,
                bids: (first, self.bid_list.len() as u32),
                halvings: part.halvings + 1,
            };
        }
        // All of many in one half is a step on the way to where they are. Few are
        // cut apart as soon as that helps no more.
        let count = |half: &Part| f64::from(half.bids.1 - half.bids.0);
        let (all, [first, second]) = (count(part), [count(&parts[0]), count(&parts[1])]);
        let is_worth_it = if all > MANY {
            first + second < 1.6 * all
        } else {
            first.max(second) < 0.85 * all
        };
        if !is_worth_it {
            self.partition.points.truncate(kept_points);
            self.bid_list.truncate(kept_bids);
            return false;
        }
        // The one whose list is the last first.
        self.parts.extend(parts);
        true
    }

    /// Gives each bid what it has won of a part, if they cover it.
    fn finish(&mut self, scene: &Scene, task: &Task, part: &Part) {
        let fragment = &part.fragment;
        let all = area(self.partition.corners(fragment));
        let first = self.partition.fragments.len();
        self.claim(fragment, part.bids);
        self.partition
            .settle(&mut self.claims, &self.functions.values);
        let fragments = self.partition.fragments[first..].iter();
        let won: f64 = fragments
            .map(|fragment| area(self.partition.corners(fragment)))
            .sum();
        let size = (fragment.max - fragment.min).length();
        let rounding = SAME_AREA * all.abs() + scene.frame.rounding() * size;
        let missing = (won - all).abs();
        if missing <= rounding {
            return;
        }
        self.partition.fragments.truncate(first);
        let width = SLIT * scene.bodies[task.field].face_tolerance();
        if missing > width * size || !self.close_slits(fragment, width) {
            self.partition.fragments.truncate(first);
            self.failed.push(*fragment);
        }
    }

    /// Cuts a part of the facet of which the claims leave only slits, and gives each of
    /// those to the claim beside it that tells the least depth. False if one is
    /// not beside any.
    ///
    /// Where three domains meet, the rounding of the mesh leaves slits between
    /// them. On its border a domain tells what its neighbours tell.
    fn close_slits(&mut self, part: &Fragment, width: f64) -> bool {
        let first = self.partition.fragments.len();
        self.partition.fragments.push(Fragment {
            function: OPEN,
            ..*part
        });
        for claim in &self.claims {
            self.partition.insert(claim, &self.functions.values, first);
        }
        for index in first..self.partition.fragments.len() {
            let fragment = self.partition.fragments[index];
            if fragment.function != OPEN {
                continue;
            }
            let mut moments = Moments::default();
            moments.add(self.partition.corners(&fragment));
            let (middle, _) = moments.finish();
            if !middle.is_finite() {
                continue; // no area: it stays open, and gets no cell
            }
            let beside = self.claims.iter().filter(|claim| {
                let mut domain = claim.domain[..claim.lines].iter();
                domain.all(|line| line.at(middle) >= -width)
            });
            let told = beside.map(|claim| {
                let function = claim.region.function;
                (
                    self.functions.values[function as usize].at(middle),
                    function,
                )
            });
            let Some((_, function)) = told
                .filter(|(depth, _)| *depth >= -width)
                .min_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)))
            else {
                return false;
            };
            self.partition.fragments[index].function = function;
        }
        true
    }

    /// Lists what the bids claim of a part of the facet.
    fn claim(&mut self, part: &Fragment, bids: (u32, u32)) {
        self.claims.clear();
        for index in bids.0..bids.1 {
            let bid = self.bids[self.bid_list[index as usize] as usize];
            let mut claim = Claim {
                domain: bid.domain,
                lines: 0,
                region: *part,
            };
            let mut is_empty = false;
            for k in 0..bid.lines {
                // Lines that the part is on the right side of cut nothing.
                let line = claim.domain[k];
                let Some(region) = self.partition.clipped(&claim.region, &[line]) else {
                    is_empty = true;
                    break;
                };
                if (region.start, region.end) != (claim.region.start, claim.region.end) {
                    claim.domain[claim.lines] = line;
                    claim.lines += 1;
                }
                claim.region = region;
            }
            if !is_empty {
                claim.region.function = bid.function;
                self.claims.push(claim);
            }
        }
    }

    /// Opens fragments that a face far away has won because no near one answers
    /// for them: a pit, or a slit of the width of a rounding between two
    /// domains. Only what is deeper than `doubtful` needs a look.
    fn open_far_ones(&mut self, scene: &mut Scene, task: &Task, sheet: &Sheet, doubtful: f64) {
        for index in 0..self.partition.fragments.len() {
            let fragment = self.partition.fragments[index];
            let Some(&value) = self.functions.values.get(fragment.function as usize) else {
                continue;
            };
            let mut moments = Moments::default();
            moments.add(self.partition.corners(&fragment));
            let (middle, _) = moments.finish();
            let told = value.at(middle);
            if told > doubtful {
                let p = sheet.lifted(middle);
                let (_, closest) = self.nearest(scene, task, p);
                if told > 1.05 * closest.distance(p) {
                    self.partition.fragments[index].function = OPEN;
                }
            }
        }
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
            let inwards = |&corner| depth - separation_direction.dot(sheet.lifted(corner) - p);
            let corners = self.partition.corners(&fragment).iter();
            let deepest = corners.map(inwards).fold(depth, f64::max);
            cells.extend(cell(
                task,
                sheet,
                scene.frame,
                &moments,
                |_| depth,
                deepest,
                separation_direction,
            ));
        }
    }
}
