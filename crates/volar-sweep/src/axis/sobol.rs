//! Sobol sequences [Joe & Kuo 2008], moved by a random digital shift.

use volar_math::random;

/// As many axes can share a sequence.
pub const DIMENSIONS: usize = 16;

/// Degree, coefficients and first direction numbers of the primitive polynomials, from the
/// second dimension on: the first lines of `new-joe-kuo-6`.
const POLYNOMIALS: [(u32, u32, &[u32]); DIMENSIONS - 1] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
    (5, 11, &[1, 1, 5, 1, 1]),
    (5, 13, &[1, 1, 1, 3, 11]),
    (5, 14, &[1, 3, 5, 5, 31]),
    (6, 1, &[1, 3, 3, 9, 7, 49]),
    (6, 13, &[1, 1, 1, 15, 21, 21]),
    (6, 16, &[1, 3, 1, 13, 27, 49]),
];

const BITS: usize = 32;

/// A coordinate of a point, from 0 to below 1.
pub fn point(seed: u64, dimension: usize, number: u64) -> f64 {
    let shift = random::bits(seed, "sobol", dimension as u64, 0) as u32;
    // The middle of the cell that 32 bits tell apart.
    (f64::from(digits(dimension, number) ^ shift) + 0.5) / (1_u64 << BITS) as f64
}

/// The first 32 binary digits of a coordinate, before the shift.
fn digits(dimension: usize, number: u64) -> u32 {
    let gray = number ^ (number >> 1);
    let directions = directions(dimension);
    let set = (0..BITS).filter(|bit| gray >> bit & 1 == 1);
    set.fold(0, |digits, bit| digits ^ directions[bit])
}

fn directions(dimension: usize) -> [u32; BITS] {
    let mut v = [0_u32; BITS];
    let Some((degree, coefficients, first)) =
        dimension.checked_sub(1).and_then(|d| POLYNOMIALS.get(d))
    else {
        // The first dimension: van der Corput's sequence.
        return std::array::from_fn(|bit| 1 << (BITS - 1 - bit));
    };
    let s = *degree as usize;
    for bit in 0..BITS {
        v[bit] = match first.get(bit) {
            Some(m) => m << (BITS - 1 - bit),
            None => {
                let terms = (1..s).filter(|k| coefficients >> (s - 1 - k) & 1 == 1);
                let start = v[bit - s] ^ (v[bit - s] >> s);
                terms.fold(start, |sum, k| sum ^ v[bit - k])
            }
        };
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of SciPy's `qmc.Sobol(d=16, scramble=False)`, which takes the same table.
    #[test]
    fn points_are_those_of_the_published_sequence() {
        let row = |number: u64| -> Vec<f64> {
            let digits = (0..DIMENSIONS).map(|d| digits(d, number));
            digits
                .map(|d| f64::from(d) / (1_u64 << BITS) as f64)
                .collect()
        };
        assert_eq!(row(0), vec![0.0; DIMENSIONS]);
        assert_eq!(row(1), vec![0.5; DIMENSIONS]);
        assert_eq!(row(2)[..4], [0.75, 0.25, 0.25, 0.25]);
        assert_eq!(row(3)[..4], [0.25, 0.75, 0.75, 0.75]);
        assert_eq!(row(1000), SCIPY_1000);
    }

    #[rustfmt::skip]
    const SCIPY_1000: [f64; DIMENSIONS] = [
        0.2197265625, 0.0966796875, 0.5185546875, 0.6767578125, 0.2802734375,
        0.9072265625, 0.0458984375, 0.8994140625, 0.5009765625, 0.0693359375,
        0.0849609375, 0.2548828125, 0.1611328125, 0.3837890625, 0.1435546875, 0.3701171875,
    ];

    /// Every dimension of a shifted sequence has one point in each of 2^k intervals.
    #[test]
    fn every_interval_has_its_point() {
        for dimension in 0..DIMENSIONS {
            let mut taken = [false; 256];
            for number in 0..256 {
                taken[(point(3, dimension, number) * 256.0) as usize] = true;
            }
            assert!(taken.iter().all(|taken| *taken), "{dimension}");
        }
    }
}
