//! The coefficients of Dormand and Prince's pair of orders 5 and 4.
//!
//! Symbols: c_i times of the stages, a_ij their arguments, b_i weights of the
//! solution, e_i weights of the error estimate.
//!
//! One step from (t, x₀) with the length h:
//!
//! ```text
//! k_i = f(t + c_i h, x₀ + h Σ_j a_ij k_j),   i = 1 … 7
//! x₁  = x₀ + h Σ_i b_i k_i                    order 5
//! x̂₁  = x₀ + h Σ_i b̂_i k_i                    order 4
//!
//!   0   |
//!  1/5  | 1/5
//!  3/10 | 3/40        9/40
//!  4/5  | 44/45      -56/15       32/9
//!  8/9  | 19372/6561 -25360/2187  64448/6561 -212/729
//!   1   | 9017/3168  -355/33      46732/5247  49/176  -5103/18656
//!   1   | 35/384      0           500/1113    125/192 -2187/6784    11/84
//! ------+--------------------------------------------------------------------------
//!   b   | 35/384      0           500/1113    125/192 -2187/6784    11/84    0
//!   b̂   | 5179/57600  0           7571/16695  393/640 -92097/339200 187/2100 1/40
//! ```
//!
//! [HNW §II.5, Table 5.2, p. 178]. The last row of a is b, so k₇ is the rate
//! at the end of the step and the first stage of the next (first same as last).

/// The number of stages, the last being the first of the next step.
pub const STAGES: usize = 7;

/// c, the times of the stages.
pub const C: [f64; STAGES] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];

/// a, the arguments of the stages.
pub const A: [[f64; STAGES]; STAGES] = [
    [0.0; STAGES],
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0, 0.0],
    [
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
        0.0,
        0.0,
        0.0,
    ],
    [
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
        0.0,
        0.0,
    ],
    [
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
        0.0,
    ],
];

/// e = b - b̂, the weights of the error estimate.
pub const E: [f64; STAGES] = [
    35.0 / 384.0 - 5179.0 / 57600.0,
    0.0,
    500.0 / 1113.0 - 7571.0 / 16695.0,
    125.0 / 192.0 - 393.0 / 640.0,
    -2187.0 / 6784.0 + 92097.0 / 339200.0,
    11.0 / 84.0 - 187.0 / 2100.0,
    -1.0 / 40.0,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(what: &str, value: f64, wanted: f64) {
        assert!((value - wanted).abs() < 2e-15, "{what}: {value}");
    }

    #[test]
    fn stages_are_where_their_times_say() {
        for i in 0..STAGES {
            holds("c", A[i].iter().sum(), C[i]);
        }
    }

    /// The conditions on quadrature, which every entry of b, b̂ and c enters.
    #[test]
    fn weights_integrate_powers() {
        let b = A[STAGES - 1];
        for power in 0..5 {
            let moment = |weights: [f64; STAGES]| -> f64 {
                (0..STAGES).map(|i| weights[i] * C[i].powi(power)).sum()
            };
            let wanted = 1.0 / (f64::from(power) + 1.0);
            holds("b", moment(b), wanted);
            if power < 4 {
                holds("e", moment(E), 0.0);
            } else {
                assert!(moment(E).abs() > 1e-4, "the estimate would vanish");
            }
        }
    }
}
