//! Random numbers that depend on a seed, a name and a row alone, so that every order of the
//! rows and every share of them draws the same.

use crate::real;

/// A number from 0 to below 1.
pub fn uniform(seed: u64, name: &str, row: u64) -> f64 {
    unit(bits(seed, name, row, 0))
}

/// A standard normal deviate [Box & Muller 1958].
pub fn normal(seed: u64, name: &str, row: u64) -> f64 {
    // 1 − u is above zero.
    let radius = (-2.0 * ln(1.0 - unit(bits(seed, name, row, 0)))).sqrt();
    let angle = std::f64::consts::TAU * unit(bits(seed, name, row, 1));
    radius * real::cos(angle)
}

/// 64 random bits.
pub fn bits(seed: u64, name: &str, row: u64, number: u64) -> u64 {
    let name = name.bytes().fold(0, |h, byte| mixed(h ^ u64::from(byte)));
    mixed(mixed(mixed(seed ^ name) ^ row) ^ number)
}

fn unit(bits: u64) -> f64 {
    const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
    (bits >> 11) as f64 * STEP
}

fn ln(x: f64) -> f64 {
    real::log2(x) * std::f64::consts::LN_2
}

/// One step of SplitMix64 [Steele et al. 2014].
fn mixed(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_distributions() {
        let n = 100_000;
        let mean = |draw: &dyn Fn(u64) -> f64| (0..n).map(draw).sum::<f64>() / n as f64;
        let deviate = |row| normal(7, "mass", row);
        // Standard errors: 1/√(12 n), 1/√n, √(2/n).
        assert!((mean(&|row| uniform(7, "mass", row)) - 0.5).abs() < 4.0 * 9.2e-4);
        assert!(mean(&deviate).abs() < 4.0 * 3.2e-3);
        assert!((mean(&|row| deviate(row) * deviate(row)) - 1.0).abs() < 4.0 * 4.5e-3);
    }

    #[test]
    fn seeds_names_and_rows_draw_their_own() {
        let first = uniform(1, "a", 0);
        for other in [uniform(2, "a", 0), uniform(1, "b", 0), uniform(1, "a", 1)] {
            assert!((first - other).abs() > 0.0);
        }
    }
}
