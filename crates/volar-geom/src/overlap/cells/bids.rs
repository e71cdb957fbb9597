//! Which faces and valleys of a body may be nearest to a part of a facet, and
//! where on it.

use glam::{DMat3, DVec2, DVec3};

use super::partition::{DOMAIN, Domain, Fragment};
use super::planes::Plane;
use super::{Affine, Cells, Scene, Sheet, Task, turn};
use crate::ClosedMesh;
use crate::bvh::Aabb;
use crate::mesh::PlanarFace;
use crate::mesh::layer::{HalfSpace, Wedge};

/// The facet at hand in the frame of the body that has the depth.
struct Ground {
    sheet: Sheet,
    /// From the body's frame to L.
    to_L: DMat3,
    /// The box around the part at hand, in space and in the facet's plane.
    bounds: Aabb,
    min: DVec2,
    max: DVec2,
    /// How far from it features are sought.
    reach: f64,
    /// What is deeper than this below a feature does not belong to it.
    bound: f64,
    /// A point this far above a face is still below it.
    slack: f64,
}

/// A function, the lines on the positive side of which it counts, the first
/// `lines` of `domain`, and the box around what of the facet that can be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bid {
    pub domain: Domain,
    pub lines: usize,
    pub function: u32,
    min: DVec2,
    max: DVec2,
}

impl Bid {
    /// True when it may count somewhere in a box.
    pub fn reaches(&self, min: DVec2, max: DVec2) -> bool {
        if self.max.cmple(min).any() || max.cmple(self.min).any() {
            return false;
        }
        // The box around a long narrow domain tells little; its sides do.
        let (middle, half) = (0.5 * (min + max), 0.5 * (max - min));
        self.domain[..self.lines]
            .iter()
            .all(|line| line.at(middle) + line.slope.abs().dot(half) >= 0.0)
    }
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
    /// Lists the faces and valleys within `reach` of a part of the facet, each with
    /// what of the part is no deeper below it than `bound`. Without that bound
    /// the wedge of a tiny valley would reach across the whole part, and
    /// compete everywhere with what is nearer.
    pub(super) fn find_bids(
        &mut self,
        scene: &mut Scene,
        task: &Task,
        sheet: &Sheet,
        part: &Fragment,
        [reach, bound]: [f64; 2],
    ) {
        let mesh = scene.bodies[task.field];
        let layer = mesh.layer();
        let sheet = sheet.in_body(scene.frame, task.field);
        let corners = self.partition.corners(part).iter();
        let bounds = Aabb::around(corners.map(|&p| sheet.lifted(p)));
        self.find_candidates(scene, task, &bounds, reach);
        let ground = Ground {
            sheet,
            to_L: turn(scene.frame, task.field),
            bounds,
            min: part.min,
            max: part.max,
            reach,
            bound,
            slack: 2.0 * mesh.face_tolerance(),
        };
        self.bids.clear();
        for index in 0..self.candidates.len() {
            let triangle = self.candidates[index] as usize;
            self.add_prism(mesh, &ground, triangle, &layer.prisms[triangle]);
            for (start, end) in layer.wedges_of[triangle] {
                for wedge in &layer.wedges[start as usize..end as usize] {
                    self.add_wedge(&ground, wedge);
                }
            }
        }
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
        self.add_bid(ground, [a, b, c, below], &plane, Some(face));
    }

    /// Adds one of the planes of a valley.
    fn add_wedge(&mut self, ground: &Ground, wedge: &Wedge) {
        let plane = Plane {
            normal: wedge.normal,
            through: wedge.through,
        };
        if ground.is_below(&plane) && wedge.sides.iter().all(|side| ground.reaches(side)) {
            let domain = wedge.sides.map(|side| ground.sheet.beyond(&side));
            self.add_bid(ground, domain, &plane, wedge.face);
        }
    }

    /// Adds a plane where the facet is on the positive side of all of `sides`;
    /// the plane of a face shares its function with all others of that face.
    fn add_bid(&mut self, ground: &Ground, sides: [Affine; 4], plane: &Plane, face: Option<u32>) {
        let depth = ground.sheet.depth_below(plane);
        let near_enough = Affine {
            at_origin: ground.bound - depth.at_origin,
            slope: -depth.slope,
        };
        let [a, b, c, d] = sides;
        let mut domain = [a, b, c, d, near_enough];
        let (min, max) = (ground.min, ground.max);
        let Some((lines, min, max)) = trim(&mut domain, min, max, self.partition.slack) else {
            return;
        };
        let known = face.and_then(|face| self.function_of.get(face));
        let function = known.unwrap_or_else(|| {
            let function = self.functions.push(&ground.sheet, plane);
            self.functions.ways[function as usize] = ground.to_L * plane.normal;
            if let Some(face) = face {
                self.function_of.set(face, function);
            }
            function
        });
        self.bids.push(Bid {
            domain,
            lines,
            function,
            min,
            max,
        });
    }
}

/// The part of a rectangle where all functions are positive: how many of them
/// cut it, which are moved to the front, and the box around it. None when there
/// is no such part.
fn trim(domain: &mut Domain, min: DVec2, max: DVec2, slack: f64) -> Option<(usize, DVec2, DVec2)> {
    // Each line adds one corner at most.
    let mut polygon = [DVec2::ZERO; 4 + DOMAIN];
    let mut heights = [0.0; 4 + DOMAIN];
    let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
    polygon[..4].copy_from_slice(&corners);
    let (mut count, mut lines) = (4, 0);
    for k in 0..DOMAIN {
        let line = domain[k];
        let mut least = f64::INFINITY;
        for (height, &p) in heights.iter_mut().zip(&polygon[..count]) {
            *height = line.at(p) + slack;
            least = least.min(*height);
        }
        if least >= 0.0 {
            continue;
        }
        domain.swap(lines, k);
        lines += 1;
        let before = polygon;
        let mut left = 0;
        let mut p = before[count - 1];
        let mut at_p = heights[count - 1];
        for (&q, &at_q) in before[..count].iter().zip(&heights) {
            if at_p * at_q < 0.0 && left < polygon.len() {
                polygon[left] = p + (q - p) * (at_p / (at_p - at_q));
                left += 1;
            }
            if at_q >= 0.0 && left < polygon.len() {
                polygon[left] = q;
                left += 1;
            }
            (p, at_p) = (q, at_q);
        }
        count = left;
        if count == 0 {
            return None;
        }
    }
    let (min, max) = polygon[..count]
        .iter()
        .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(min, max), &p| {
            (min.min(p), max.max(p))
        });
    Some((lines, min, max))
}
