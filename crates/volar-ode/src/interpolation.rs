//! The solution between the ends of a step.

/// The cubic polynomial with the states and rates of both ends of a step of
/// length `h`, at the fraction `theta` of it (0 to 1).
///
/// Its own error falls with h⁴, so it costs the implicit method no accuracy.
///
/// ```text
/// x(θ) = x₀ + θ Δ + θ (1 - θ) ((1 - θ) (h f₀ - Δ) - θ (h f₁ - Δ)),   Δ = x₁ - x₀
/// ```
///
/// [HNW §II.6, Eq. 6.7]
pub fn hermite(
    theta: f64,
    h: f64,
    x0: &[f64],
    rate0: &[f64],
    x1: &[f64],
    rate1: &[f64],
    out: &mut [f64],
) {
    let rest = 1.0 - theta;
    for i in 0..out.len() {
        let delta = x1[i] - x0[i];
        let start = h * rate0[i] - delta;
        let end = h * rate1[i] - delta;
        out[i] = x0[i] + theta * (delta + rest * (rest * start - theta * end));
    }
}
