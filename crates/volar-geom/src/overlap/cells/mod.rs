//! Cells: the parts of each skin on which the depth in the other body is linear.

use glam::DVec3;

use super::Overlap;
use crate::bvh::{Nearest, closest_on_triangle};
use crate::{ClosedMesh, Pose};

/// A part of one body's skin inside the other over which the depth is linear:
/// one face of the other body is nearest there.
///
/// The depth at a point x of it is `depth − way_out · (x − centroid)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The triangle it was cut from.
    pub triangle: u32,
    /// The component of the overlap it bounds.
    pub component: u32,
    /// Unit normal, out of the body that owns the triangle.
    pub normal: DVec3,
    /// Area, m².
    pub area: f64,
    /// Centroid of the area.
    pub centroid: DVec3,
    /// `∫ (x − c)(x − c)ᵀ dA` about the centroid: xx, yy, zz, xy, xz, yz, m⁴.
    pub second_moment: [f64; 6],
    /// Depth of the centroid in the other body, metres.
    pub depth: f64,
    /// Unit vector along which the depth falls fastest: the way out of the
    /// other body.
    pub way_out: DVec3,
}

/// Whose depth is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// The depth in A, over B's skin: `cells[1]`.
    pub of_a: bool,
    /// The depth in B, over A's skin: `cells[0]`.
    pub of_b: bool,
}

impl Fields {
    /// Both.
    pub const BOTH: Fields = Fields {
        of_a: true,
        of_b: true,
    };
}

/// Fills the cells from the facets.
pub(super) fn find(
    overlap: &mut Overlap,
    bodies: [&ClosedMesh; 2],
    X_AB: &Pose,
    fields: Fields,
    stack: &mut Vec<(f64, u32)>,
) {
    let X_BA = X_AB.inverse();
    for body in 0..2 {
        if ![fields.of_b, fields.of_a][body] {
            continue;
        }
        let other = bodies[1 - body];
        let mut guess = overlap.facets[1 - body]
            .first()
            .map_or(0, |facet| facet.triangle);
        for facet in &overlap.facets[body] {
            let p = if body == 0 {
                X_BA.point(facet.centroid)
            } else {
                facet.centroid
            };
            let closest = closest_on_triangle(p, other.corners(guess));
            let start = Nearest {
                distance_squared: (closest - p).length_squared(),
                triangle: guess,
            };
            let found = other
                .bvh()
                .nearest(p, start, |triangle| other.corners(triangle), stack);
            guess = found.triangle;
            let corners = other.corners(found.triangle);
            let outward = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            let out = (closest_on_triangle(p, corners) - p)
                .try_normalize()
                .unwrap_or_else(|| outward.normalize_or_zero());
            let way_out = if body == 0 { X_AB.vector(out) } else { out };
            overlap.cells[body].push(Cell {
                triangle: facet.triangle,
                component: facet.component,
                normal: facet.normal,
                area: facet.area,
                centroid: facet.centroid,
                second_moment: facet.second_moment,
                depth: found.distance_squared.sqrt(),
                way_out,
            });
        }
    }
}
