//! The coefficients of the Rosenbrock-W method ROS34PW2.
//!
//! Symbols: α_ij arguments of the stages, γ_ij weights of the Jacobian,
//! γ = γ_ii, b_i weights of the solution, b̂_i of the embedded one.
//!
//! One step from (t, x₀) with the length h and a matrix J:
//!
//! ```text
//! k_i = h f(t + α_i h, x₀ + Σ_{j<i} α_ij k_j) + h J Σ_{j≤i} γ_ij k_j,   i = 1 … 4
//! x₁  = x₀ + Σ_i b_i k_i            order 3
//! x̂₁  = x₀ + Σ_i b̂_i k_i            order 2
//! α_i = Σ_j α_ij
//! ```
//!
//! [Rang & Angermann 2005, ROS34PW2]. The order conditions
//! hold for every J (a W-method), which is why t may be taken as a component
//! of x whose column of J is nought. Where f follows a given motion with a fast
//! part, order is not enough: then ∂f/∂t is taken along as that column, which
//! adds `h² γ_i ∂f/∂t`, `γ_i = Σ_j γ_ij`, to k_i.
//! With the exact J the method is L-stable and stiffly accurate: row 4 of
//! α + γ is b, so x₁ solves the stiff part of the last stage.
//!
//! Order does not need a good J, stability does. For x' = λ x and J = ϑ λ the
//! method is stable for all λ with a negative real part if ϑ is between 0.62
//! and 2. A long step then multiplies x by 1 - bᵀ (α + ϑ Γ)⁻¹ 1: 0 for ϑ = 1,
//! 0.05 for 0.7, -0.46 for 1.3, but -1.3 for 0.6 and -6.5 for 0.5. So a
//! tangent should rather be too stiff than too soft.
//!
//! No product with J is needed in the unknowns u_i = Σ_{j≤i} γ_ij k_j
//! [HW §IV.7, Eq. 7.24 and 7.25]. With Γ = (γ_ij), k = Γ⁻¹ u, and
//! Γ⁻¹ = 1/γ - (c_ij) with c strictly lower, the stage reads
//!
//! ```text
//! u_i / γ - Σ_{j<i} c_ij u_j = h f(t + α_i h, x₀ + Σ_j a_ij u_j) + h J u_i
//! ```
//!
//! and multiplied by γ
//!
//! ```text
//! (I - γ h J) u_i = γ (h f(t + α_i h, x₀ + Σ_j a_ij u_j) + Σ_{j<i} c_ij u_j)
//! x₁ = x₀ + Σ_i m_i u_i,   x₁ - x̂₁ = Σ_i e_i u_i
//! a = α Γ⁻¹,   c = 1/γ - Γ⁻¹,   m = b Γ⁻¹,   e = (b - b̂) Γ⁻¹
//! ```
//!
//! The tables below hold the published digits; those in the unknowns u are
//! derived from them at compile time, so that there is nothing to mistype.
#![allow(clippy::excessive_precision)] // the digits as published

/// The number of stages.
pub const STAGES: usize = 4;

type Row = [f64; STAGES];
type Table = [Row; STAGES];

/// γ, the root 0.4358… of γ³ - 3 γ² + 3/2 γ - 1/6 that makes the method L-stable.
pub const GAMMA: f64 = 0.435_866_521_508_459;

/// α_ij.
const ALPHA: Table = [
    [0.0, 0.0, 0.0, 0.0],
    [8.717_330_430_169_180_1e-1, 0.0, 0.0, 0.0],
    [
        8.445_706_001_536_942_3e-1,
        -1.129_906_423_648_418_5e-1,
        0.0,
        0.0,
    ],
    [0.0, 0.0, 1.0, 0.0],
];

/// γ_ij, the diagonal included.
const GAMMAS: Table = [
    [GAMMA, 0.0, 0.0, 0.0],
    [-8.717_330_430_169_180_1e-1, GAMMA, 0.0, 0.0],
    [
        -9.033_805_701_304_408_2e-1,
        5.418_067_238_809_532_6e-2,
        GAMMA,
        0.0,
    ],
    [
        2.421_238_070_609_534_6e-1,
        -1.223_250_583_904_514_7,
        5.452_602_553_351_021_4e-1,
        GAMMA,
    ],
];

/// b, the weights of the solution of order 3.
const B: Row = [
    2.421_238_070_609_534_6e-1,
    -1.223_250_583_904_514_7,
    1.545_260_255_335_102_0,
    GAMMA,
];

/// b̂, the weights of the embedded solution of order 2.
const B_HAT: Row = [
    3.781_090_314_581_936_9e-1,
    -9.604_229_221_242_317_8e-2,
    0.5,
    2.179_332_607_542_295e-1,
];

/// α_i, the times of the stages.
pub const TIMES: Row = [row_sum(0), row_sum(1), row_sum(2), row_sum(3)];

/// γ_i, the weights of ∂f/∂t.
pub const ROW_GAMMA: Row = [
    GAMMAS[0][0],
    GAMMAS[1][0] + GAMMAS[1][1],
    GAMMAS[2][0] + GAMMAS[2][1] + GAMMAS[2][2],
    GAMMAS[3][0] + GAMMAS[3][1] + GAMMAS[3][2] + GAMMAS[3][3],
];

const INVERSE: Table = inverse(GAMMAS);

/// a = α Γ⁻¹, the arguments of the stages in the unknowns u.
pub const A: Table = [
    times(ALPHA[0], INVERSE),
    times(ALPHA[1], INVERSE),
    times(ALPHA[2], INVERSE),
    times(ALPHA[3], INVERSE),
];

/// γ c, what the stages before add to a right-hand side.
pub const GAMMA_C: Table = gamma_c();

/// m = b Γ⁻¹, the weights of the solution in the unknowns u.
pub const M: Row = times(B, INVERSE);

/// e = (b - b̂) Γ⁻¹, the weights of the error estimate in the unknowns u.
pub const E: Row = times(
    [
        B[0] - B_HAT[0],
        B[1] - B_HAT[1],
        B[2] - B_HAT[2],
        B[3] - B_HAT[3],
    ],
    INVERSE,
);

const fn row_sum(i: usize) -> f64 {
    ALPHA[i][0] + ALPHA[i][1] + ALPHA[i][2] + ALPHA[i][3]
}

/// The inverse of a lower triangular table, by columns forward.
const fn inverse(lower: Table) -> Table {
    let mut result = [[0.0; STAGES]; STAGES];
    let mut column = 0;
    while column < STAGES {
        result[column][column] = 1.0 / lower[column][column];
        let mut i = column + 1;
        while i < STAGES {
            let mut sum = 0.0;
            let mut j = column;
            while j < i {
                sum += lower[i][j] * result[j][column];
                j += 1;
            }
            result[i][column] = -sum / lower[i][i];
            i += 1;
        }
        column += 1;
    }
    result
}

/// A row times a table.
const fn times(row: Row, table: Table) -> Row {
    let mut result = [0.0; STAGES];
    let mut column = 0;
    while column < STAGES {
        let mut j = 0;
        while j < STAGES {
            result[column] += row[j] * table[j][column];
            j += 1;
        }
        column += 1;
    }
    result
}

/// γ (1/γ - Γ⁻¹): minus γ times what is below the diagonal of Γ⁻¹.
const fn gamma_c() -> Table {
    let mut result = [[0.0; STAGES]; STAGES];
    let mut i = 0;
    while i < STAGES {
        let mut j = 0;
        while j < i {
            result[i][j] = -GAMMA * INVERSE[i][j];
            j += 1;
        }
        i += 1;
    }
    result
}

#[cfg(test)]
mod tests;
