//! The integrals over an overlap, summed from its pieces of surface.
//!
//! With apex o, a piece of surface is the base of a pyramid of volume
//! `(r − o)·S/3`, where r is a point of the piece and S its area vector; over
//! a closed surface the pyramids add up to the solid. Each component has its
//! own o, a point on it, so that a thin overlap far from everything keeps its
//! digits.

use glam::DVec3;

use super::classify::Insides;
use super::components::Components;
use super::crossings::Crossings;
use super::frame::Frame;
use super::pieces::{Piece, Pieces};
use super::{Measure, Overlap, Surface};
use crate::ClosedMesh;
use crate::bvh::Aabb;

/// The integrals over one component about a point on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    /// The point, in L.
    pub origin: DVec3,
    pub volume: f64,
    first_moment: DVec3,
    surfaces: [SurfaceSums; 2],
    /// The box around it, in L.
    bounds: Aabb,
}

#[derive(Clone, Copy, Debug)]
struct SurfaceSums {
    area: f64,
    area_vector: DVec3,
    /// `∫ x × n dA`.
    moment_vector: DVec3,
}

impl Sums {
    fn new(origin: DVec3) -> Sums {
        let surface = SurfaceSums {
            area: 0.0,
            area_vector: DVec3::ZERO,
            moment_vector: DVec3::ZERO,
        };
        Sums {
            origin,
            volume: 0.0,
            first_moment: DVec3::ZERO,
            surfaces: [surface; 2],
            bounds: Aabb::EMPTY,
        }
    }

    fn add(&mut self, piece: &Piece) {
        let (n, r) = (piece.normal, piece.reference - self.origin);
        let volume = r.dot(piece.area_vector) / 3.0;
        self.volume += volume;
        self.first_moment += 0.75 * volume * r + 0.25 * r.dot(n) * piece.first;

        self.bounds = self.bounds.union(&piece.bounds);

        let surface = &mut self.surfaces[piece.body];
        let first = piece.area * r + piece.first;
        surface.area += piece.area;
        surface.area_vector += piece.area_vector;
        surface.moment_vector += first.cross(n);
    }

    /// Adds a whole triangle, which counts `winding` times. The same as adding
    /// its piece, but without a normal: for a triangle, first moment and area
    /// vector tell all.
    fn add_triangle(&mut self, body: usize, winding: f64, [a, b, c]: [DVec3; 3]) {
        let (r, u, v) = (a - self.origin, b - a, c - a);
        let area_vector = (0.5 * winding) * u.cross(v);
        let third = (u + v) / 3.0;
        let height = r.dot(area_vector);
        self.volume += height / 3.0;
        self.first_moment += (0.25 * height) * (r + third);
        self.bounds = self.bounds.including(a).including(b).including(c);

        let surface = &mut self.surfaces[body];
        surface.area += winding.signum() * area_vector.length();
        surface.area_vector += area_vector;
        surface.moment_vector += (r + third).cross(area_vector);
    }

    /// Adds the sums of a component that turned out to be part of this one.
    pub fn absorb(&mut self, other: &Sums) {
        let moved = other.about(self.origin);
        self.volume += moved.volume;
        self.first_moment += moved.first_moment;
        self.bounds = self.bounds.union(&moved.bounds);
        for (surface, other) in self.surfaces.iter_mut().zip(moved.surfaces) {
            surface.area += other.area;
            surface.area_vector += other.area_vector;
            surface.moment_vector += other.moment_vector;
        }
    }

    /// The same integrals about another point of L.
    fn about(&self, origin: DVec3) -> Sums {
        let d = self.origin - origin;
        let mut moved = *self;
        moved.origin = origin;
        moved.first_moment += self.volume * d;
        for surface in &mut moved.surfaces {
            surface.moment_vector += d.cross(surface.area_vector);
        }
        moved
    }

    /// True when the component is no thicker than rounding: faces that touch
    /// but do not overlap, up to the last digit of their coordinates.
    pub fn is_rounding(&self, frame: &Frame) -> bool {
        let length = frame.rounding();
        let area = self.surfaces[0].area + self.surfaces[1].area;
        self.volume.abs() <= length * area.abs().max(length * length)
    }

    /// The finished figures in A's frame, whose origin is at `p_LA` in L.
    fn finish(&self, p_LA: DVec3, largest: f64) -> Measure {
        let volume = self.volume.clamp(0.0, largest);
        // A sliver's centroid may round out of it.
        let middle = self.first_moment / self.volume + self.origin;
        let centroid = middle.clamp(self.bounds.min, self.bounds.max) - p_LA;
        let sums = self.about(p_LA);
        Measure {
            volume,
            first_moment: volume * centroid,
            centroid: (volume > 0.0).then_some(centroid),
            surfaces: sums.surfaces.map(|surface| Surface {
                area: surface.area,
                area_vector: surface.area_vector,
                moment_vector: surface.moment_vector,
            }),
        }
    }
}

/// Sums the pieces and the inside triangles of each component.
#[inline(never)]
pub(super) fn sum_components(
    sums: &mut Vec<Sums>,
    bodies: [&ClosedMesh; 2],
    frame: &Frame,
    crossings: &mut Crossings,
    insides: &Insides,
    pieces: &Pieces,
    components: &Components,
) {
    sums.clear();
    sums.resize(components.count, Sums::new(DVec3::NAN));
    for piece in &pieces.pieces {
        let sums = &mut sums[components.component_of[piece.element as usize] as usize];
        if sums.origin.is_nan() {
            sums.origin = piece.reference;
        }
        sums.add(piece);
    }
    for body in 0..2 {
        for inside in &insides.triangles[body] {
            let corners = crossings.corners(bodies[body], body, frame, inside.triangle);
            let winding = insides.patches[inside.patch as usize].winding;
            let element = pieces.element_of_patch(inside.patch);
            let sums = &mut sums[components.component_of[element as usize] as usize];
            if sums.origin.is_nan() {
                sums.origin = corners[0];
            }
            sums.add_triangle(body, f64::from(winding), corners);
        }
    }
}

/// Drops components that are but rounding, or have no volume: cavities have
/// been joined to what is around them, so that, too, comes from rounding.
pub(super) fn drop_rounding(sums: &mut Vec<Sums>, components: &mut Components, frame: &Frame) {
    let is_none = |sums: &Sums| sums.volume <= 0.0 || sums.is_rounding(frame);
    if sums.iter().any(is_none) {
        components.retain(|component| !is_none(&sums[component as usize]));
        sums.retain(|sums| !is_none(sums));
    }
}

/// Writes the figures of the components and of the whole.
pub(super) fn write(overlap: &mut Overlap, sums: &[Sums], frame: &Frame, largest: f64) {
    let p_LA = -frame.p_AL;
    let Some((first, rest)) = sums.split_first() else {
        return;
    };
    overlap
        .components
        .extend(sums.iter().map(|sums| sums.finish(p_LA, largest)));
    overlap.total = if rest.is_empty() {
        overlap.components[0]
    } else {
        let mut total = *first;
        rest.iter().for_each(|sums| total.absorb(sums));
        total.finish(p_LA, largest)
    };
}
