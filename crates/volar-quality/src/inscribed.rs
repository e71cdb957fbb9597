//! The largest ball about the origin in a convex body that is known by its support
//! function h(u), the greatest `u · x` over the body.
//!
//! Its radius is the least h(u) over all unit vectors u. After [Zheng 2013]: a polytope
//! inside the body grows. Whatever u, h(u) is an upper bound; the
//! polytope's own radius is a lower one. Where a facet of it is nearer to the origin than the
//! upper bound, the body's farthest point along its normal is added, until there is no such
//! facet: then both bounds agree. For a body with finitely many corners this ends with
//! the exact radius, and only a part of the corners is ever needed.

use crate::QualityError;
use crate::hull::{Hull, Inconsistent};
use crate::vector6::{Vector6, add_scaled, dot, norm, scaled};

/// A convex body within the unit ball.
pub(crate) trait Support {
    /// A farthest point of the body along a direction; a corner if it has corners.
    fn farthest(&self, direction: &Vector6) -> Vector6;
}

/// A body thinner than this is flat: the origin is not inside.
const FLAT: f64 = 1.0e-9;
/// The bounds agree when they differ by less: what the hull moves points by.
const AGREE: f64 = 1.0e-10;
/// Times that the random motion of the hull is tried.
const TRIES: u64 = 8;

/// Radius of the ball; 0 if the origin is not inside, none if the polytope gets too large.
pub(crate) fn radius(body: &impl Support) -> Result<Option<f64>, QualityError> {
    let Some(corners) = corners(body) else {
        return Ok(Some(0.0));
    };
    with_hull(|seed| {
        let hull = Hull::simplex(corners, seed)?;
        Ok(grow(body, hull)?)
    })
}

/// Tries a computation with hulls of several random motions.
pub(crate) fn with_hull<T>(
    compute: impl Fn(u64) -> Result<T, QualityError>,
) -> Result<T, QualityError> {
    let mut last = QualityError::Degenerate;
    for seed in 0..TRIES {
        match compute(seed) {
            Err(error @ QualityError::Degenerate) => last = error,
            other => return other,
        }
    }
    Err(last)
}

impl From<Inconsistent> for QualityError {
    fn from(_: Inconsistent) -> QualityError {
        QualityError::Degenerate
    }
}

fn grow(body: &impl Support, mut hull: Hull) -> Result<Option<f64>, Inconsistent> {
    let mut upper = f64::INFINITY;
    while let Some((distance, facet)) = hull.nearest() {
        if distance >= upper - AGREE {
            break;
        }
        let u = hull.ask(facet);
        let farthest = body.farthest(&u);
        upper = upper.min(dot(&u, &farthest));
        if upper <= 0.0 {
            return Ok(Some(0.0));
        }
        if !hull.has(&farthest) {
            hull.insert(farthest)?;
        }
        if hull.is_too_large() {
            return Ok(None);
        }
    }
    Ok(Some(upper))
}

/// Seven points of the body that span all dimensions; none if it is flat.
pub(crate) fn corners(body: &impl Support) -> Option<[Vector6; 7]> {
    let mut first = [0.0; 6];
    first[0] = 1.0;
    let mut corners = [body.farthest(&first); 7];
    let mut basis: Vec<Vector6> = Vec::new();
    for k in 1..7 {
        let across = completed(&basis);
        let ends = [across, scaled(&across, -1.0)].map(|u| body.farthest(&u));
        let away = |end: &Vector6| {
            let mut r = add_scaled(end, -1.0, &corners[0]);
            for b in &basis {
                r = add_scaled(&r, -dot(&r, b), b);
            }
            r
        };
        let [a, b] = ends.each_ref().map(away);
        let (end, away) = if norm(&a) >= norm(&b) {
            (ends[0], a)
        } else {
            (ends[1], b)
        };
        if norm(&away) < FLAT {
            return None;
        }
        corners[k] = end;
        let mut unit = scaled(&away, 1.0 / norm(&away));
        for b in &basis {
            unit = add_scaled(&unit, -dot(&unit, b), b);
        }
        basis.push(scaled(&unit, 1.0 / norm(&unit)));
    }
    Some(corners)
}

/// A unit vector across those given, of which there are at most five.
fn completed(basis: &[Vector6]) -> Vector6 {
    let mut best = [0.0; 6];
    for axis in 0..6 {
        let mut unit = [0.0; 6];
        unit[axis] = 1.0;
        for _ in 0..2 {
            for b in basis {
                unit = add_scaled(&unit, -dot(&unit, b), b);
            }
        }
        if norm(&unit) > norm(&best) {
            best = unit;
        }
    }
    scaled(&best, 1.0 / norm(&best))
}
