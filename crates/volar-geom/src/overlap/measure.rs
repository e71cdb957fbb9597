//! The integrals over an overlap, summed from its pieces of skin.
//!
//! With apex o, a piece of skin is the base of a pyramid of volume
//! `(r − o)·S/3`, where r is a point of the piece and S its area vector; over
//! a closed surface the pyramids add up to the solid. Each component has its
//! own o, a point on it, so that a thin overlap far from everything keeps its
//! digits.

use glam::{DMat3, DVec3};

use super::components::Components;
use super::crossings::NONE;
use super::frame::Frame;
use super::pieces::{Piece, Pieces};
use super::{Facet, Measure, Overlap, Skin};
use crate::bvh::Aabb;
use crate::predicates::size;

/// The integrals over one component about a point on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    /// The point, in L.
    pub origin: DVec3,
    pub volume: f64,
    first_moment: DVec3,
    skins: [SkinSums; 2],
    /// The box around it, in L.
    bounds: Aabb,
}

#[derive(Clone, Copy, Debug)]
struct SkinSums {
    area: f64,
    area_vector: DVec3,
    /// `∫ x × n dA`.
    moment_vector: DVec3,
    /// `∫ n nᵀ dA`, `∫ n (x×n)ᵀ dA` and `∫ (x×n)(x×n)ᵀ dA`.
    nn: DMat3,
    nm: DMat3,
    mm: DMat3,
}

impl Sums {
    fn new(origin: DVec3) -> Sums {
        let skin = SkinSums {
            area: 0.0,
            area_vector: DVec3::ZERO,
            moment_vector: DVec3::ZERO,
            nn: DMat3::ZERO,
            nm: DMat3::ZERO,
            mm: DMat3::ZERO,
        };
        Sums {
            origin,
            volume: 0.0,
            first_moment: DVec3::ZERO,
            skins: [skin; 2],
            bounds: Aabb::EMPTY,
        }
    }

    fn add(&mut self, piece: &Piece) {
        let (n, r) = (piece.normal, piece.reference - self.origin);
        let volume = r.dot(piece.area_vector) / 3.0;
        self.volume += volume;
        self.first_moment += 0.75 * volume * r + 0.25 * r.dot(n) * piece.first;

        self.bounds = self.bounds.union(&piece.bounds);

        let skin = &mut self.skins[piece.body];
        let first = piece.area * r + piece.first;
        let moment = first.cross(n);
        skin.area += piece.area;
        skin.area_vector += piece.area_vector;
        skin.moment_vector += moment;
        skin.nn += outer(piece.area * n, n);
        skin.nm += outer(n, moment);
        // ∫ x xᵀ about the origin, then x × n = −[n]x on both sides.
        let [xx, yy, zz, xy, xz, yz] = piece.second;
        let second = DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz])
            + outer(piece.first, r)
            + outer(r, first);
        let cross = cross_matrix(n);
        skin.mm += cross * second * cross.transpose();
    }

    /// Adds the sums of a component that turned out to be part of this one.
    pub fn absorb(&mut self, other: &Sums) {
        let moved = other.about(self.origin);
        self.volume += moved.volume;
        self.first_moment += moved.first_moment;
        self.bounds = self.bounds.union(&moved.bounds);
        for (skin, other) in self.skins.iter_mut().zip(moved.skins) {
            skin.area += other.area;
            skin.area_vector += other.area_vector;
            skin.moment_vector += other.moment_vector;
            skin.nn += other.nn;
            skin.nm += other.nm;
            skin.mm += other.mm;
        }
    }

    /// The same integrals about another point of L.
    fn about(&self, origin: DVec3) -> Sums {
        let d = self.origin - origin;
        let cross = cross_matrix(d);
        let mut moved = *self;
        moved.origin = origin;
        moved.first_moment += self.volume * d;
        for skin in &mut moved.skins {
            skin.moment_vector += d.cross(skin.area_vector);
            let shifted = cross * skin.nm;
            skin.mm += shifted + shifted.transpose() + cross * skin.nn * cross.transpose();
            skin.nm += skin.nn * cross.transpose();
        }
        moved
    }

    /// True when the component is no thicker than rounding: faces that touch
    /// but do not overlap, up to the last digit of their coordinates.
    pub fn is_rounding(&self, frame: &Frame) -> bool {
        let length = frame.rounding();
        let area = self.skins[0].area + self.skins[1].area;
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
            skins: sums.skins.map(|skin| Skin {
                area: skin.area,
                area_vector: skin.area_vector,
                moment_vector: skin.moment_vector,
                spread: skin.spread(),
            }),
        }
    }
}

impl SkinSums {
    fn spread(&self) -> [[f64; 6]; 6] {
        let mut spread = [[0.0; 6]; 6];
        for i in 0..3 {
            for j in 0..3 {
                spread[i][j] = self.nn.col(j)[i];
                spread[i][j + 3] = self.nm.col(j)[i];
                spread[j + 3][i] = self.nm.col(j)[i];
                spread[i + 3][j + 3] = self.mm.col(j)[i];
            }
        }
        spread
    }
}

/// Sums the pieces of each component.
#[inline(never)]
pub(super) fn sum_components(sums: &mut Vec<Sums>, pieces: &Pieces, components: &Components) {
    sums.clear();
    sums.resize(components.count, Sums::new(DVec3::NAN));
    for piece in &pieces.pieces {
        let sums = &mut sums[components.component_of[piece.element as usize] as usize];
        if sums.origin.is_nan() {
            sums.origin = piece.reference;
        }
        sums.add(piece);
    }
}

/// Drops components that are but rounding, and their sums.
pub(super) fn drop_rounding(sums: &mut Vec<Sums>, components: &mut Components, frame: &Frame) {
    if sums.iter().any(|sums| sums.is_rounding(frame)) {
        components.retain(|component| !sums[component as usize].is_rounding(frame));
        sums.retain(|sums| !sums.is_rounding(frame));
    }
}

/// Writes the figures and the facets of an overlap.
#[inline(never)]
pub(super) fn write(
    overlap: &mut Overlap,
    sums: &[Sums],
    pieces: &Pieces,
    components: &Components,
    frame: &Frame,
    largest: f64,
) {
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
    for piece in &pieces.pieces {
        let component = components.component_of[piece.element as usize];
        // Ties make pieces without area, up to rounding; they bound nothing.
        let no_area = frame.rounding() * size(piece.bounds.size());
        if component != NONE && piece.area > no_area {
            overlap.facets[piece.body].push(facet(piece, component, frame));
        }
    }
}

fn facet(piece: &Piece, component: u32, frame: &Frame) -> Facet {
    let mean = piece.first / piece.area;
    let shift = |i: usize, j: usize| piece.area * mean[i] * mean[j];
    let [xx, yy, zz, xy, xz, yz] = piece.second;
    Facet {
        triangle: piece.triangle,
        component,
        normal: piece.normal,
        area: piece.area,
        centroid: piece.reference + mean + frame.p_AL,
        second_moment: [
            (xx - shift(0, 0)).max(0.0),
            (yy - shift(1, 1)).max(0.0),
            (zz - shift(2, 2)).max(0.0),
            xy - shift(0, 1),
            xz - shift(0, 2),
            yz - shift(1, 2),
        ],
    }
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The matrix of `x ↦ v × x`.
fn cross_matrix(v: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, v.z, -v.y),
        DVec3::new(-v.z, 0.0, v.x),
        DVec3::new(v.y, -v.x, 0.0),
    )
}
