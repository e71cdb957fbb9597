//! Ferrari and Canny's measure [Ferrari & Canny 1992]: the radius of the largest ball
//! about the origin in the set of wrenches that the contacts can make, or how large a wrench they
//! resist whatever its direction.
//!
//! The set depends on what is limited to 1: the sum of all normal forces (L1), or each of
//! them (L∞). With pyramids in place of cones it is a polytope, the hull of all edges or
//! the sum over the contacts of the hulls of their edges and the origin.

use crate::QualityError;
use crate::inscribed::{self, Support};
use crate::vector6::{Vector6, add_scaled, dot, norm, scaled};

/// L1: the hull of all edges.
pub(crate) struct OneNorm {
    edges: Vec<Vector6>,
    /// What the edges were divided by.
    pub scale: f64,
}

impl OneNorm {
    pub fn new(edges_by_contact: &[Vec<Vector6>]) -> OneNorm {
        let edges = || edges_by_contact.iter().flatten();
        let scale = edges().map(norm).fold(0.0, f64::max);
        OneNorm {
            edges: edges().map(|edge| scaled(edge, 1.0 / scale)).collect(),
            scale,
        }
    }

    pub fn edges(&self) -> &[Vector6] {
        &self.edges
    }
}

impl Support for OneNorm {
    fn farthest(&self, direction: &Vector6) -> Vector6 {
        farthest_of(&self.edges, direction).map_or([0.0; 6], |(_, edge)| *edge)
    }
}

/// L∞: contact by contact, nothing or one of its edges.
struct MaxNorm {
    contacts: Vec<Vec<Vector6>>,
    scale: f64,
}

impl MaxNorm {
    fn new(edges_by_contact: &[Vec<Vector6>]) -> MaxNorm {
        let largest = |edges: &Vec<Vector6>| edges.iter().map(norm).fold(0.0, f64::max);
        let scale: f64 = edges_by_contact.iter().map(largest).sum();
        let smaller = |edges: &Vec<Vector6>| {
            let edges = edges.iter();
            edges.map(|edge| scaled(edge, 1.0 / scale)).collect()
        };
        MaxNorm {
            contacts: edges_by_contact.iter().map(smaller).collect(),
            scale,
        }
    }
}

impl Support for MaxNorm {
    fn farthest(&self, direction: &Vector6) -> Vector6 {
        let mut sum = [0.0; 6];
        for edges in &self.contacts {
            if let Some((height, edge)) = farthest_of(edges, direction)
                && height > 0.0
            {
                sum = add_scaled(&sum, 1.0, edge);
            }
        }
        sum
    }
}

fn farthest_of<'a>(edges: &'a [Vector6], direction: &Vector6) -> Option<(f64, &'a Vector6)> {
    let mut best: Option<(f64, &Vector6)> = None;
    for edge in edges {
        let height = dot(edge, direction);
        if best.is_none_or(|(most, _)| height > most) {
            best = Some((height, edge));
        }
    }
    best
}

/// With the sum of the normal forces limited to 1.
pub(crate) fn l1(edges_by_contact: &[Vec<Vector6>]) -> Result<Option<f64>, QualityError> {
    let body = OneNorm::new(edges_by_contact);
    Ok(inscribed::radius(&body)?.map(|radius| body.scale * radius))
}

/// With every normal force limited to 1.
pub(crate) fn l_infinity(edges_by_contact: &[Vec<Vector6>]) -> Result<Option<f64>, QualityError> {
    let body = MaxNorm::new(edges_by_contact);
    Ok(inscribed::radius(&body)?.map(|radius| body.scale * radius))
}
