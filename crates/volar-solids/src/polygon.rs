//! Polygons into triangles.
//!
//! A polygon is seen along its area vector, `½ Σ pᵢ × pᵢ₊₁`, which also gives
//! skew polygons a plane to be flat in. In that view a convex polygon becomes
//! a fan about its first corner, or is halved again and again; any other loses one ear after the other, the
//! best-shaped first. The view is in floating point: a bad choice there costs
//! a worse triangulation, which the mesh check would report, never a hole.

use glam::{DVec2, DVec3};

/// Convex polygons of more corners are halved instead.
const LARGEST_FAN: usize = 64;

/// Splits the polygon with these corners into `corners.len() − 2` triangles,
/// given as indices into `corners`, in the same sense of rotation.
pub fn triangulate(corners: &[DVec3]) -> Vec<[usize; 3]> {
    if corners.len() < 3 {
        return Vec::new();
    }
    let flat = flatten(corners);
    match corners.len() == 3 || is_convex(&flat) {
        true if corners.len() <= LARGEST_FAN => {
            (1..corners.len() - 1).map(|i| [0, i, i + 1]).collect()
        }
        true => halved(corners.len()),
        false => cut_ears(&flat),
    }
}

/// A convex polygon of many corners, halved again and again: the triangles of a fan would
/// all meet in one corner, and their boxes overlap each other.
fn halved(corners: usize) -> Vec<[usize; 3]> {
    let mut triangles = Vec::with_capacity(corners - 2);
    let mut parts = vec![(0, corners - 1)];
    while let Some((first, last)) = parts.pop() {
        if last - first < 2 {
            continue;
        }
        let middle = first.midpoint(last);
        triangles.push([first, middle, last]);
        parts.extend([(first, middle), (middle, last)]);
    }
    triangles
}

/// The corners in the plane perpendicular to the polygon's area vector,
/// counter-clockwise.
fn flatten(corners: &[DVec3]) -> Vec<DVec2> {
    let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
    let area: DVec3 = (0..corners.len())
        .map(|i| {
            let next = corners[(i + 1) % corners.len()];
            (corners[i] - middle).cross(next - middle)
        })
        .sum();
    let normal = area.try_normalize().unwrap_or(DVec3::Z);
    let (u, v) = normal.any_orthonormal_pair();
    corners
        .iter()
        .map(|&p| DVec2::new(u.dot(p - middle), v.dot(p - middle)))
        .collect()
}

/// True when every turn is to the left and the turns add up to one round.
fn is_convex(flat: &[DVec2]) -> bool {
    let n = flat.len();
    let mut rotated = 0.0;
    for i in 0..n {
        let (a, b, c) = (flat[i], flat[(i + 1) % n], flat[(i + 2) % n]);
        let turn = (b - a).angle_to(c - b);
        if turn.is_nan() || turn < 0.0 {
            return false;
        }
        rotated += turn;
    }
    // A star turns left everywhere as well, but goes round twice.
    rotated < 3.0 * std::f64::consts::PI
}

fn cut_ears(flat: &[DVec2]) -> Vec<[usize; 3]> {
    let mut ring: Vec<usize> = (0..flat.len()).collect();
    let mut quality: Vec<f64> = (0..ring.len()).map(|i| ear(flat, &ring, i)).collect();
    let mut triangles = Vec::with_capacity(flat.len() - 2);
    while ring.len() > 3 {
        // The best ear; of equal ones the first, so that the answer is one.
        let best = (1..ring.len()).fold(
            0,
            |best, i| {
                if quality[i] > quality[best] { i } else { best }
            },
        );
        let n = ring.len();
        triangles.push([ring[(best + n - 1) % n], ring[best], ring[(best + 1) % n]]);
        ring.remove(best);
        quality.remove(best);
        // Only its two neighbours see a different polygon now.
        let n = ring.len();
        for i in [(best + n - 1) % n, best % n] {
            quality[i] = ear(flat, &ring, i);
        }
    }
    triangles.push([ring[0], ring[1], ring[2]]);
    triangles
}

/// How good an ear corner `i` of the ring is: the height of its triangle over
/// the longest side relative to that side, below zero when it is no ear.
fn ear(flat: &[DVec2], ring: &[usize], i: usize) -> f64 {
    let n = ring.len();
    let (before, tip, after) = (ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]);
    let (a, b, c) = (flat[before], flat[tip], flat[after]);
    let doubled_area = (b - a).perp_dot(c - b);
    let longest = (b - a)
        .length_squared()
        .max((c - b).length_squared())
        .max((a - c).length_squared());
    if doubled_area <= 0.0 || longest <= 0.0 {
        return -1.0;
    }
    let inside = |p: DVec2| {
        (b - a).perp_dot(p - a) >= 0.0
            && (c - b).perp_dot(p - b) >= 0.0
            && (a - c).perp_dot(p - c) >= 0.0
    };
    let blocked = ring
        .iter()
        .filter(|&&k| k != before && k != tip && k != after)
        // A polygon may visit one point twice; that does not block the ear.
        .any(|&k| inside(flat[k]) && flat[k] != a && flat[k] != b && flat[k] != c);
    if blocked {
        return -0.5;
    }
    doubled_area / longest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(corners: &[DVec3], triangles: &[[usize; 3]]) -> f64 {
        triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|i| corners[i]);
                0.5 * (b - a).cross(c - a).z
            })
            .sum()
    }

    #[test]
    fn a_convex_polygon_becomes_a_fan() {
        let square = [DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
        assert_eq!(triangulate(&square), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn a_concave_polygon_is_covered_once() {
        // An arrow whose notch a fan about the first corner would fold over.
        let arrow =
            [(2.0, 0.0), (0.0, 1.0), (0.5, 0.0), (0.0, -1.0)].map(|(x, y)| DVec3::new(x, y, 0.0));
        let comb = [
            (0.0, 0.0),
            (5.0, 0.0),
            (5.0, 2.0),
            (4.0, 0.5),
            (3.0, 2.0),
            (2.0, 0.5),
            (1.0, 2.0),
            (0.5, 0.5),
            (0.0, 2.0),
        ]
        .map(|(x, y)| DVec3::new(x, y, 0.0));
        for corners in [arrow.as_slice(), comb.as_slice()] {
            let triangles = triangulate(corners);
            assert_eq!(triangles.len(), corners.len() - 2);
            for t in &triangles {
                assert!(
                    area(corners, std::slice::from_ref(t)) > 0.0,
                    "{t:?} folds over"
                );
            }
        }
        assert!((area(&arrow, &triangulate(&arrow)) - 1.5).abs() < 1e-15);
    }

    #[test]
    fn degenerate_polygons_still_get_all_their_triangles() {
        let line: Vec<DVec3> = (0..6).map(|i| DVec3::X * f64::from(i)).collect();
        assert_eq!(triangulate(&line).len(), 4);
        assert_eq!(triangulate(&[DVec3::ZERO; 5]).len(), 3);
        assert!(triangulate(&line[..2]).is_empty());
    }
}
