//! How deep each facet lies in the other body.

use super::Depth;
use super::Overlap;
use crate::bvh::{Nearest, closest_on_triangle};
use crate::{ClosedMesh, Pose};

/// Fills the depths of all facets, measured at their centroids.
pub(super) fn find(
    overlap: &mut Overlap,
    bodies: [&ClosedMesh; 2],
    X_AB: &Pose,
    stack: &mut Vec<(f64, u32)>,
) {
    let X_BA = X_AB.inverse();
    for body in 0..2 {
        let other = bodies[1 - body];
        // Neighbouring facets follow one another, so the face nearest to the
        // last one is a good first guess for the next.
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
            overlap.depths[body].push(Depth {
                distance: found.distance_squared.sqrt(),
                triangle: found.triangle,
            });
        }
    }
}
