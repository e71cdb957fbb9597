//! Volume of the grasp wrench space [Miller & Allen 1999]: that of the hull of all edges, the
//! sum of normal forces being 1. Six dimensions: forces in N, torques over the length.

use crate::QualityError;
use crate::epsilon::OneNorm;
use crate::hull::Hull;
use crate::inscribed::{corners, with_hull};
use crate::vector6::Vector6;

/// The volume; 0 if all wrenches lie in fewer dimensions, none if their hull is too large.
pub(crate) fn l1(edges_by_contact: &[Vec<Vector6>]) -> Result<Option<f64>, QualityError> {
    let body = OneNorm::new(edges_by_contact);
    let edges = body.edges();
    let Some(corners) = corners(&body) else {
        return Ok(Some(0.0));
    };
    let volume = with_hull(|seed| {
        let mut hull = Hull::simplex(corners, seed)?;
        for edge in edges {
            if !hull.has(edge) {
                hull.insert(*edge)?;
            }
            if hull.is_too_large() {
                return Ok(None);
            }
        }
        Ok(Some(hull.volume()))
    })?;
    let square = body.scale * body.scale;
    Ok(volume.map(|volume| volume * square * square * square))
}
