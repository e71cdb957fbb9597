//! Springs that act outside a range: joint limits and couplings of joints.
//!
//! For a length s with rate ṡ and a range [lo, hi], outside it by
//! `x = s − hi > 0` (or `x = lo − s > 0`, with ẋ = −ṡ):
//!
//! ```text
//! N = max(0, k x + d ẋ)      towards the range; never away from it
//! stored ½ k x²,  lost (N − k x) ẋ ≥ 0
//! ```
//!
//! What is lost while N = 0 is the spring relaxing on its own. For lo = hi the
//! range is a point, and spring and damper work both ways: −k x − d ẋ.

/// A linear relation of joint coordinates that is kept in a range: a mimic
/// joint (`lo = hi`) or a tendon with limits. The coupled value is
/// `s = Σ coefficient · q + offset`.
#[derive(Clone, Debug, PartialEq)]
pub struct Coupling {
    /// Pairs of dof and coefficient; s in m or rad as they make it.
    pub terms: Vec<(usize, f64)>,
    /// Added to the sum.
    pub offset: f64,
    /// Least and greatest s that nothing resists.
    pub range: [f64; 2],
    /// k, effort of s per unit of s outside the range.
    pub stiffness: f64,
    /// d, effort of s per unit of ṡ.
    pub damping: f64,
}

/// Effort and energy of a spring outside a range.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RangeEffort {
    pub effort: f64,
    pub d_s: f64,
    pub d_rate: f64,
    pub stored: f64,
    pub stored_rate: f64,
    pub dissipated: f64,
}

/// The spring and damper at s, ṡ.
pub(crate) fn calc_range(
    [low, high]: [f64; 2],
    stiffness: f64,
    damping: f64,
    s: f64,
    rate: f64,
) -> RangeEffort {
    let point = high <= low;
    // sign: which way the effort pushes.
    let (x, sign) = if s > high || point {
        (s - high, -1.0)
    } else if s < low {
        (low - s, 1.0)
    } else {
        return RangeEffort::default();
    };
    let x_rate = -sign * rate;
    let spring = stiffness * x;
    let full = spring + damping * x_rate;
    let pushes = point || full > 0.0;
    let N = if pushes { full } else { 0.0 };
    RangeEffort {
        effort: sign * N,
        d_s: if pushes { -stiffness } else { 0.0 },
        d_rate: if pushes { -damping } else { 0.0 },
        stored: 0.5 * spring * x,
        stored_rate: spring * x_rate,
        dissipated: (N - spring) * x_rate,
    }
}
