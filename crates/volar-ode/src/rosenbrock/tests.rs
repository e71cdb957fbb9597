//! The order conditions, those for an arbitrary matrix included.

use super::*;

/// Coefficients have 16 or 17 digits; conditions are sums of a few products.
const ROUNDING: f64 = 4e-16;

const ONES: Row = [1.0; STAGES];

fn dot(a: Row, b: Row) -> f64 {
    a.iter().zip(&b).map(|(a, b)| a * b).sum()
}

/// A table times a column.
fn apply(table: Table, column: Row) -> Row {
    table.map(|row| dot(row, column))
}

fn square(column: Row) -> Row {
    column.map(|value| value * value)
}

fn holds(what: &str, value: f64, wanted: f64) {
    assert!(
        (value - wanted).abs() <= ROUNDING,
        "{what}: {value} instead of {wanted}"
    );
}

/// Order 2 for any J: the elementary differentials are f'f and J f.
fn order_two(weights: Row) {
    holds("f", dot(weights, ONES), 1.0);
    holds("f'f", dot(weights, apply(ALPHA, ONES)), 0.5);
    holds("J f", dot(weights, apply(GAMMAS, ONES)), 0.0);
}

#[test]
fn solution_is_of_order_three_for_any_matrix() {
    order_two(B);
    let alpha = apply(ALPHA, ONES);
    let gamma = apply(GAMMAS, ONES);
    holds("f''(f, f)", dot(B, square(alpha)), 1.0 / 3.0);
    holds("f'f'f", dot(B, apply(ALPHA, alpha)), 1.0 / 6.0);
    holds("f'J f", dot(B, apply(ALPHA, gamma)), 0.0);
    holds("J f'f", dot(B, apply(GAMMAS, alpha)), 0.0);
    holds("J J f", dot(B, apply(GAMMAS, gamma)), 0.0);
}

#[test]
fn embedded_solution_is_of_order_two_and_no_more() {
    order_two(B_HAT);
    let alpha = apply(ALPHA, ONES);
    // Were it of order 3 as well, the estimate would vanish with h⁴ and the
    // controller's exponents would be wrong.
    assert!((dot(B_HAT, square(alpha)) - 1.0 / 3.0).abs() > 0.01);
}

#[test]
fn method_is_stiffly_accurate() {
    for j in 0..STAGES {
        holds("b", ALPHA[3][j] + GAMMAS[3][j], B[j]);
        // In the unknowns u: x₁ is the argument of the last stage plus u₄.
        let last = if j == 3 { 1.0 } else { A[3][j] };
        assert!((M[j] - last).abs() < 4e-15, "m_{j}");
    }
    holds("time of the last stage", TIMES[3], 1.0);
}

#[test]
fn gamma_is_the_root_it_should_be() {
    let polynomial = GAMMA.powi(3) - 3.0 * GAMMA.powi(2) + 1.5 * GAMMA - 1.0 / 6.0;
    assert!(polynomial.abs() < ROUNDING, "{polynomial}");
}

/// R(z) = 1 + z bᵀ (I - z (α + Γ))⁻¹ 1 by forward substitution.
fn stability(weights: Row, z: f64) -> f64 {
    let mut k = [0.0; STAGES];
    for i in 0..STAGES {
        let before: f64 = (0..i).map(|j| (ALPHA[i][j] + GAMMAS[i][j]) * k[j]).sum();
        k[i] = z * (1.0 + before) / (1.0 - z * GAMMA);
    }
    1.0 + dot(weights, k)
}

#[test]
fn stability_function_vanishes_at_infinity() {
    assert!(stability(B, -1e12).abs() < 1e-11);
    // The embedded solution damps to -0.48 only: one reason more to carry on
    // the other.
    assert!((stability(B_HAT, -1e12) + 0.478_349_767).abs() < 1e-8);
    for exponent in -40..=40 {
        let z = -(10f64.powf(f64::from(exponent) / 4.0));
        assert!(stability(B, z).abs() <= 1.0, "z = {z}");
        assert!(stability(B_HAT, z).abs() <= 1.0, "z = {z}");
    }
}

/// |R(i y)|² with J = ϑ λ, by forward substitution in complex numbers.
fn growth_on_the_imaginary_axis(share: f64, y: f64) -> f64 {
    // Division by 1 - i y ϑ γ is multiplication by its conjugate over its square.
    let shift = y * share * GAMMA;
    let square = 1.0 + shift * shift;
    let mut k = [[0.0; 2]; STAGES];
    let mut end = [1.0, 0.0];
    for i in 0..STAGES {
        let mut sum = [1.0, 0.0];
        for j in 0..i {
            let weight = ALPHA[i][j] + share * GAMMAS[i][j];
            sum[0] += weight * k[j][0];
            sum[1] += weight * k[j][1];
        }
        let rotated = [-y * sum[1], y * sum[0]];
        k[i][0] = (rotated[0] - shift * rotated[1]) / square;
        k[i][1] = (rotated[1] + shift * rotated[0]) / square;
        end[0] += B[i] * k[i][0];
        end[1] += B[i] * k[i][1];
    }
    end[0] * end[0] + end[1] * end[1]
}

/// The pole is on the right, so what holds on the imaginary axis holds on
/// the whole left half-plane.
#[test]
fn method_is_stable_with_tangents_from_two_thirds_to_twice() {
    for share in [0.62, 0.7, 0.8, 1.0, 1.3, 2.0] {
        for exponent in -200..=800 {
            let y = 10f64.powf(f64::from(exponent) / 100.0);
            let growth = growth_on_the_imaginary_axis(share, y);
            assert!(growth <= 1.0 + 1e-12, "J times {share}, y = {y}: {growth}");
        }
    }
    assert!(growth_on_the_imaginary_axis(0.6, 1e6) > 1.5);
}

#[test]
fn inverse_is_the_inverse() {
    for i in 0..STAGES {
        let row = times(GAMMAS[i], INVERSE);
        for j in 0..STAGES {
            let wanted = if i == j { 1.0 } else { 0.0 };
            assert!((row[j] - wanted).abs() < 2e-15);
        }
    }
}
