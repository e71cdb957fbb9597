//! Exact signs of small determinants.
//!
//! Every decision of the overlap kernel and of the mesh check is the sign of
//! one determinant, `(u × v)·w`, of differences of input points. Points are
//! first snapped to a [`Lattice`] about 2⁻⁶⁰ of the scene's size wide, finer
//! than the rounding of the coordinates that matter. On it, coordinates are
//! 61-bit integers and the determinant fits in 192 bits, so when the
//! floating-point value is too close to zero the exact one costs about a
//! dozen integer multiplications. Flush faces make that the common case, and
//! it must not be slow.

use glam::DVec3;
use volar_math::real;

/// A uniform grid on which determinants are computed exactly.
#[derive(Clone, Copy, Debug)]
pub struct Lattice {
    /// Integer units per metre, a power of two.
    per_metre: f64,
    /// Metres per unit, its reciprocal.
    unit: f64,
    /// Adding and subtracting this rounds small numbers to the grid.
    rounder: f64,
    /// Numbers at or above this are on the grid by their own spacing.
    coarse: f64,
}

/// Rounding of `(u × v)·w` evaluated in floating point, as a multiple of
/// `|u|∞ |v|∞ |w|∞`. Differences, products and sums add up to less than
/// 48·2⁻⁵³; 64 leaves room for the second order.
const DETERMINANT_ROUNDING: f64 = 64.0 * f64::EPSILON / 2.0;

/// The same as a multiple of the sum of all products' sizes.
const PRODUCT_ROUNDING: f64 = 8.0 * f64::EPSILON / 2.0;

impl Lattice {
    /// A lattice for points whose coordinates are below `extent` in size.
    pub fn covering(extent: f64) -> Lattice {
        // extent < 2^exponent, so |coordinate| < 2^60 units.
        let exponent =
            (real::log2(extent.max(f64::MIN_POSITIVE)).floor() as i32 + 1).clamp(-900, 900);
        let unit = real::power_of_two(exponent - 60);
        // A sum near 1.5·2^52 grid steps has a spacing of one grid step; the
        // step is two units because a number of 2^51 steps and more still
        // carries half a step.
        let step = 2.0 * unit;
        Lattice {
            per_metre: 1.0 / unit,
            unit,
            rounder: 1.5 * (1_u64 << 52) as f64 * step,
            coarse: (1_u64 << 51) as f64 * step,
        }
    }

    /// Bound on the rounding of `(u × v)·w` in floating point per unit of
    /// `|w|∞`, and of each component of `u × v`, where `u` and `v` are rounded
    /// differences of points.
    pub fn rounding(u: DVec3, v: DVec3) -> f64 {
        DETERMINANT_ROUNDING * size(u) * size(v)
    }

    /// Moves a point to the nearest lattice point.
    pub fn snap(&self, p: DVec3) -> DVec3 {
        DVec3::new(self.round(p.x), self.round(p.y), self.round(p.z))
    }

    /// Six times the signed volume of the tetrahedron `(a, b, c, p)`:
    /// positive when `p` lies on the side to which the normal of the triangle
    /// `(a, b, c)` points; zero only for coplanar points.
    ///
    /// For points on the lattice the sign is exact; the value is rounded.
    #[inline]
    pub fn side(&self, a: DVec3, b: DVec3, c: DVec3, p: DVec3) -> f64 {
        determinant(b - a, c - a, p - a)
            .unwrap_or_else(|| self.determinant_in_integers([a, b], [a, c], [a, p]))
    }

    /// `((q − p) × (b − a))·(a − p)`: how the line from `p` to `q` passes the
    /// line from `a` to `b`; zero only when the four points are coplanar.
    ///
    /// For points on the lattice the sign is exact; the value is rounded.
    #[inline]
    pub fn passing(&self, p: DVec3, q: DVec3, a: DVec3, b: DVec3) -> f64 {
        determinant(q - p, b - a, a - p)
            .unwrap_or_else(|| self.determinant_in_integers([p, q], [a, b], [p, a]))
    }

    /// The exact signs of the components of `(b − a) × (d − c)`.
    #[inline]
    pub fn cross_signs(&self, a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> [i32; 3] {
        let (u, v) = (b - a, d - c);
        let (value, magnitude) = (u.cross(v), sum_of_products(u, v));
        let certain =
            value.abs().cmpgt(PRODUCT_ROUNDING * magnitude) | magnitude.cmple(DVec3::ZERO);
        if certain.all() {
            value
                .to_array()
                .map(|x| i32::from(x > 0.0) - i32::from(x < 0.0))
        } else {
            cross(self.difference([a, b]), self.difference([c, d])).map(|x| x.signum() as i32)
        }
    }

    #[cold]
    fn determinant_in_integers(&self, u: [DVec3; 2], v: [DVec3; 2], w: [DVec3; 2]) -> f64 {
        let n = cross(self.difference(u), self.difference(v));
        let w = self.difference(w);
        // n·w in 192 bits, as high·2⁶⁴ + low: |n| < 2¹²³ and |w| < 2⁶¹, so no
        // sum of three products below overflows.
        let mut high = 0_i128;
        let mut low = 0_i128;
        for (n, w) in n.into_iter().zip(w) {
            high += (n >> 64) * i128::from(w);
            low += i128::from(n as u64) * i128::from(w);
        }
        high += low >> 64;
        let mut low = low as u64;
        // Round the magnitude: rounding `high` and `low` of a negative number
        // apart could cancel to zero and lose the sign.
        let negative = high < 0;
        if negative {
            low = low.wrapping_neg();
            high = !high + i128::from(low == 0);
        }
        let magnitude =
            (high as f64 * (1_u128 << 64) as f64 + low as f64) * self.unit * self.unit * self.unit;
        if negative { -magnitude } else { magnitude }
    }

    fn difference(&self, [from, to]: [DVec3; 2]) -> [i64; 3] {
        let from = (from * self.per_metre).to_array();
        let to = (to * self.per_metre).to_array();
        [0, 1, 2].map(|i| to[i] as i64 - from[i] as i64)
    }

    fn round(&self, x: f64) -> f64 {
        let rounded = (x + self.rounder) - self.rounder;
        if x.abs() < self.coarse { rounded } else { x }
    }
}

/// `(u × v)·w`, unless rounding could have changed its sign.
#[inline]
fn determinant(u: DVec3, v: DVec3, w: DVec3) -> Option<f64> {
    let value = u.cross(v).dot(w);
    // The same sum with every product taken positive bounds the rounding
    // [Shewchuk 1997, §4.3]. If it is zero, so is every product.
    let magnitude = sum_of_products(u, v).dot(w.abs());
    (value.abs() > PRODUCT_ROUNDING * magnitude || magnitude <= 0.0).then_some(value)
}

/// `u × v` for rounded differences of points, and the weights with which
/// `|w|` bounds the rounding of `(u × v)·w`, `w` being such a difference too.
#[inline]
pub fn cross_with_rounding(u: DVec3, v: DVec3) -> (DVec3, DVec3) {
    (u.cross(v), PRODUCT_ROUNDING * sum_of_products(u, v))
}

/// The components of `u × v` with every product taken positive.
#[inline]
fn sum_of_products(u: DVec3, v: DVec3) -> DVec3 {
    let (u, v) = (u.abs(), v.abs());
    DVec3::new(
        u.y * v.z + u.z * v.y,
        u.z * v.x + u.x * v.z,
        u.x * v.y + u.y * v.x,
    )
}

/// The largest coordinate of a vector, `|v|∞`.
#[inline]
pub fn size(v: DVec3) -> f64 {
    // Not `f64::max`: its care for NaN costs more than the comparison.
    let larger = |x: f64, y: f64| if x > y { x } else { y };
    larger(larger(v.x.abs(), v.y.abs()), v.z.abs())
}

fn cross(u: [i64; 3], v: [i64; 3]) -> [i128; 3] {
    let minor = |i: usize, j: usize| {
        i128::from(u[i]) * i128::from(v[j]) - i128::from(u[j]) * i128::from(v[i])
    };
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}
