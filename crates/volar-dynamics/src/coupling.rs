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
//! range is a point, and spring and damper work both ways: −k x − d ẋ. Which of
//! the two N is, is held during a step (see [`crate::switches`]): there the
//! formula above may be a little wrong, and its energy is still accounted for.

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

/// Where something that acts on one side only is held during a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Side {
    /// In its range, or leaving the end of it: no effort. A servo: not at its limit.
    #[default]
    Within,
    /// At its lower end.
    Below,
    /// At its upper end, or on a range that is a point.
    Above,
}

impl Side {
    /// The side that a spring and damper outside a range push on.
    pub fn at([low, high]: [f64; 2], stiffness: f64, damping: f64, s: f64, rate: f64) -> Side {
        if high <= low {
            return Side::Above;
        }
        let pushes = |x: f64, x_rate: f64| x > 0.0 && stiffness * x + damping * x_rate > 0.0;
        match () {
            () if pushes(s - high, rate) => Side::Above,
            () if pushes(low - s, -rate) => Side::Below,
            () => Side::Within,
        }
    }

    /// How far s is beyond the end of the range on this side; negative inside.
    pub fn beyond(self, [low, high]: [f64; 2], s: f64) -> f64 {
        match self {
            Side::Above => s - high,
            Side::Below => low - s,
            Side::Within => (s - high).max(low - s),
        }
    }

    /// A rate or an effort along s, seen outwards on this side.
    pub fn outwards(self, value: f64) -> f64 {
        match self {
            Side::Below => -value,
            Side::Above | Side::Within => value,
        }
    }
}

/// The spring and damper at s, ṡ, with its side held.
pub(crate) fn calc_range(
    range: [f64; 2],
    stiffness: f64,
    damping: f64,
    s: f64,
    rate: f64,
    held: Side,
) -> RangeEffort {
    // Where nothing pushes there may still be a spring that relaxes.
    let side = match held {
        Side::Within if s < range[0] => Side::Below,
        Side::Within => Side::Above,
        side => side,
    };
    let (x, x_rate) = (side.beyond(range, s), side.outwards(rate));
    let point = range[1] <= range[0];
    let stretched = if point { x } else { x.max(0.0) };
    let pushes = held != Side::Within;
    let N = if pushes {
        stiffness * x + damping * x_rate
    } else {
        0.0
    };
    let spring = stiffness * stretched;
    RangeEffort {
        effort: side.outwards(-N),
        d_s: if pushes { -stiffness } else { 0.0 },
        d_rate: if pushes { -damping } else { 0.0 },
        stored: 0.5 * spring * stretched,
        stored_rate: spring * x_rate,
        dissipated: (N - spring) * x_rate,
    }
}
