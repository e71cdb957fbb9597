//! On which side of six points a seventh lies, exactly.
//!
//! Coordinates are integers of at most 40 bits, so differences have 41, minors of three rows
//! fit into 128 bits and the determinant of six rows, by Hadamard's bound below
//! `(√6 · 2⁴¹)⁶ < 2²⁵⁴`, into 256.

use std::cmp::Ordering;

use super::LatticePoint;

/// The greatest coordinate that [`orientation`] is exact for.
pub(super) const GREATEST: i64 = 1 << 40;

/// The sign of the determinant of `v₁ − p, …, v₆ − p`.
pub(super) fn orientation(vertices: [&LatticePoint; 6], p: &LatticePoint) -> Ordering {
    let rows: [[i128; 6]; 6] =
        vertices.map(|v| std::array::from_fn(|i| i128::from(v[i]) - i128::from(p[i])));
    let (upper, lower) = (minors(&rows[..3]), minors(&rows[3..]));
    // Laplace's expansion along the upper three rows. The triples stand in
    // lexicographic order, so the complement of the i-th is the i-th from the end.
    let mut sum = Wide::ZERO;
    for (i, triple) in TRIPLES.iter().enumerate() {
        let product = Wide::product(upper[i], lower[TRIPLES.len() - 1 - i]);
        let odd = (triple[0] + triple[1] + triple[2]) % 2 == 0;
        sum = if odd {
            sum.minus(product)
        } else {
            sum.plus(product)
        };
    }
    sum.sign()
}

/// Columns of the minors; with the columns 0, 1, 2 the sign is positive.
const TRIPLES: [[usize; 3]; 20] = triples();

const fn triples() -> [[usize; 3]; 20] {
    let mut all = [[0; 3]; 20];
    let mut count = 0;
    let mut a = 0;
    while a < 6 {
        let mut b = a + 1;
        while b < 6 {
            let mut c = b + 1;
            while c < 6 {
                all[count] = [a, b, c];
                count += 1;
                c += 1;
            }
            b += 1;
        }
        a += 1;
    }
    all
}

/// The 3 × 3 minors of three rows.
fn minors(rows: &[[i128; 6]]) -> [i128; 20] {
    let pair = |b: usize, c: usize| rows[1][b] * rows[2][c] - rows[1][c] * rows[2][b];
    TRIPLES.map(|[a, b, c]| {
        rows[0][a] * pair(b, c) - rows[0][b] * pair(a, c) + rows[0][c] * pair(a, b)
    })
}

/// 256 bits in two's complement.
#[derive(Clone, Copy)]
struct Wide {
    high: u128,
    low: u128,
}

impl Wide {
    const ZERO: Wide = Wide { high: 0, low: 0 };

    fn product(a: i128, b: i128) -> Wide {
        const HALF: u128 = u64::MAX as u128;
        let (x, y) = (a.unsigned_abs(), b.unsigned_abs());
        let (x1, x0, y1, y0) = (x >> 64, x & HALF, y >> 64, y & HALF);
        let low = x0 * y0;
        let middle = x1 * y0 + (low >> 64);
        let carried = x0 * y1 + (middle & HALF);
        let product = Wide {
            high: x1 * y1 + (middle >> 64) + (carried >> 64),
            low: (carried << 64) | (low & HALF),
        };
        if (a < 0) == (b < 0) {
            product
        } else {
            Wide::ZERO.minus(product)
        }
    }

    fn plus(self, other: Wide) -> Wide {
        let (low, carry) = self.low.overflowing_add(other.low);
        let high = self.high.wrapping_add(other.high);
        Wide {
            high: high.wrapping_add(u128::from(carry)),
            low,
        }
    }

    fn minus(self, other: Wide) -> Wide {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        let high = self.high.wrapping_sub(other.high);
        Wide {
            high: high.wrapping_sub(u128::from(borrow)),
            low,
        }
    }

    fn sign(self) -> Ordering {
        if self.high >> 127 == 1 {
            Ordering::Less
        } else if self.high == 0 && self.low == 0 {
            Ordering::Equal
        } else {
            Ordering::Greater
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(scale: i64) -> [LatticePoint; 6] {
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { scale } else { 0 }))
    }

    #[test]
    fn sees_one_unit_at_full_range() {
        // The plane x₁ + … + x₆ = GREATEST.
        let vertices = unit(GREATEST);
        let of = |p: LatticePoint| orientation(vertices.each_ref(), &p);
        assert_eq!(of([0; 6]), Ordering::Greater);
        let mut p = [GREATEST / 6; 6];
        p[5] = GREATEST - 5 * (GREATEST / 6);
        assert_eq!(of(p), Ordering::Equal);
        p[3] += 1;
        assert_eq!(of(p), Ordering::Less);
        p[3] -= 2;
        assert_eq!(of(p), Ordering::Greater);
        assert_eq!(of([GREATEST; 6]), Ordering::Less);
        assert_eq!(of([-GREATEST; 6]), Ordering::Greater);
    }

    #[test]
    fn changes_sign_when_two_points_change_places() {
        let mut vertices = unit(7);
        vertices[2][4] = -3;
        let p = [1, -2, 0, 0, 5, 1];
        let before = orientation(vertices.each_ref(), &p);
        vertices.swap(1, 4);
        assert_eq!(orientation(vertices.each_ref(), &p), before.reverse());
    }
}
