//! The triangle nearest to a point.

use glam::DVec3;

use super::{Bvh, Cuboid};

/// The nearest triangle and how far it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Squared distance, m².
    pub distance_squared: f64,
    /// The triangle; the lowest index among equally near ones.
    pub triangle: u32,
}

impl Nearest {
    /// Takes another triangle if it is nearer, or as near with a lower index.
    pub fn offer(&mut self, distance_squared: f64, triangle: u32) {
        let nearer = distance_squared < self.distance_squared;
        if nearer || (distance_squared <= self.distance_squared && triangle < self.triangle) {
            *self = Nearest {
                distance_squared,
                triangle,
            };
        }
    }
}

impl Bvh {
    /// The triangle nearest to `p`, starting from a `guess` whose distance is
    /// right; a good guess saves most of the search but never changes the
    /// answer. `corners` gives a triangle, `stack` is working memory.
    pub fn nearest(
        &self,
        p: DVec3,
        guess: Nearest,
        corners: impl Fn(u32) -> [DVec3; 3],
        stack: &mut Vec<(f64, u32)>,
    ) -> Nearest {
        let mut best = guess;
        stack.clear();
        stack.extend(self.nodes.first().map(|_| (0.0, 0)));
        while let Some((bound, i)) = stack.pop() {
            if bound > best.distance_squared {
                continue;
            }
            let node = &self.nodes[i as usize];
            for item in self.leaf_items(node) {
                if item.cuboid.distance_squared(p) <= best.distance_squared {
                    let closest = closest_on_triangle(p, corners(item.triangle));
                    best.offer((closest - p).length_squared(), item.triangle);
                }
            }
            if !node.is_leaf() {
                let [left, right] = [node.first, node.first + 1]
                    .map(|i| (self.nodes[i as usize].cuboid.distance_squared(p), i));
                // The nearer child is searched first.
                stack.extend(if left.0 < right.0 {
                    [right, left]
                } else {
                    [left, right]
                });
            }
        }
        best
    }
}

impl Cuboid {
    fn distance_squared(&self, p: DVec3) -> f64 {
        ((p - self.centre).abs() - self.half)
            .max(DVec3::ZERO)
            .length_squared()
    }
}

/// The point of a triangle closest to `p` [Ericson 2005, §5.1.5].
pub fn closest_on_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * ratio(d1, d1 - d3);
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * ratio(d2, d2 - d6);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return b + (c - b) * ratio(d4 - d3, (d4 - d3) + (d5 - d6));
    }
    let sum = va + vb + vc;
    a + ab * ratio(vb, sum) + ac * ratio(vc, sum)
}

/// A quotient of a triangle without extent must not become NaN.
fn ratio(numerator: f64, denominator: f64) -> f64 {
    if denominator > 0.0 {
        numerator / denominator
    } else {
        0.0
    }
}
