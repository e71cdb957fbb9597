//! Transcendental functions, the same bits on every machine.
//!
//! The standard library's come from the platform and differ in the last digit
//! between platforms, and so would trajectories. These are the `libm` crate's,
//! in Rust; a lint (`clippy.toml`) keeps the others out. What IEEE 754 rounds
//! correctly (`sqrt`, `mul_add`) is the same everywhere and needs no wrapper.

/// Sine of an angle in radians.
#[inline]
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Cosine of an angle in radians.
#[inline]
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Sine and cosine of an angle in radians.
#[inline]
pub fn sin_cos(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

/// Tangent of an angle in radians.
#[inline]
pub fn tan(x: f64) -> f64 {
    libm::tan(x)
}

/// The angle of the vector (x, y), −π to π.
#[inline]
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// e to the power x.
#[inline]
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Hyperbolic tangent.
#[inline]
pub fn tanh(x: f64) -> f64 {
    libm::tanh(x)
}

/// x to the power y.
#[inline]
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// Logarithm to base 2.
#[inline]
pub fn log2(x: f64) -> f64 {
    libm::log2(x)
}

/// 2 to the power n, exactly.
#[inline]
pub fn power_of_two(n: i32) -> f64 {
    libm::ldexp(1.0, n)
}
