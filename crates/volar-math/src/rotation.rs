//! Rotations: about an axis, by a rotation vector, from one direction to another.
//!
//! A rotation vector δ has the direction of the axis and the angle θ = |δ| as
//! length. While `R = exp([δ]) R₀` rotates with the angular velocity ω in the
//! axes on the left, `Ṙ = [ω] R` [Iserles 2000],
//!
//! ```text
//! δ̇ = dexp⁻¹(δ) ω,    dexp⁻¹(δ) = 1 − ½ [δ] + c(θ) [δ]²
//! c(θ) = (1 − (θ/2) cot(θ/2)) / θ² = 1/12 + θ²/720 + θ⁴/30240 + …
//! ```

use glam::{DMat3, DQuat, DVec3};

use crate::real;

/// The rotation by an angle in rad about a unit vector.
pub fn about(axis: DVec3, angle: f64) -> DMat3 {
    let (sin, cos) = real::sin_cos(angle);
    let along = axis * sin;
    let square = axis * axis;
    let rest = 1.0 - cos;
    let xy = axis.x * axis.y * rest;
    let xz = axis.x * axis.z * rest;
    let yz = axis.y * axis.z * rest;
    DMat3::from_cols(
        DVec3::new(square.x * rest + cos, xy + along.z, xz - along.y),
        DVec3::new(xy - along.z, square.y * rest + cos, yz + along.x),
        DVec3::new(xz + along.y, yz - along.x, square.z * rest + cos),
    )
}

/// The rotation by an angle in rad about x.
pub fn about_x(angle: f64) -> DMat3 {
    let (sin, cos) = real::sin_cos(angle);
    DMat3::from_cols(
        DVec3::X,
        DVec3::new(0.0, cos, sin),
        DVec3::new(0.0, -sin, cos),
    )
}

/// The rotation by an angle in rad about y.
pub fn about_y(angle: f64) -> DMat3 {
    let (sin, cos) = real::sin_cos(angle);
    DMat3::from_cols(
        DVec3::new(cos, 0.0, -sin),
        DVec3::Y,
        DVec3::new(sin, 0.0, cos),
    )
}

/// The rotation by an angle in rad about z.
pub fn about_z(angle: f64) -> DMat3 {
    let (sin, cos) = real::sin_cos(angle);
    DMat3::from_cols(
        DVec3::new(cos, sin, 0.0),
        DVec3::new(-sin, cos, 0.0),
        DVec3::Z,
    )
}

/// The shortest rotation that takes one unit vector to another; about any axis
/// across where they are opposite.
pub fn arc(from: DVec3, to: DVec3) -> DMat3 {
    const NEARLY_ONE: f64 = 1.0 - 2.0 * f64::EPSILON;
    let cosine = from.dot(to);
    if cosine > NEARLY_ONE {
        return DMat3::IDENTITY;
    }
    let q = if cosine < -NEARLY_ONE {
        DQuat::from_vec4(from.any_orthonormal_vector().extend(0.0))
    } else {
        let q = DQuat::from_vec4(from.cross(to).extend(1.0 + cosine));
        q * (1.0 / q.length())
    };
    DMat3::from_quat(q)
}

/// The angle of a rotation, 0 to π; to the last digits also where it is tiny.
pub fn angle(R: &DMat3) -> f64 {
    let (x, y, z) = (R.x_axis, R.y_axis, R.z_axis);
    let twice_sine = DVec3::new(y.z - z.y, z.x - x.z, x.y - y.x).length();
    real::atan2(twice_sine, x.x + y.y + z.z - 1.0)
}

/// The quaternion of a rotation vector.
pub fn exp(d: DVec3) -> DQuat {
    let half = 0.5 * d.length();
    // sin(x)/x, by its series where it would be 0/0; at 1e-4 the next term,
    // x⁴/120, is below 1e-18.
    let sinc = if half < 1e-4 {
        1.0 - half * half / 6.0
    } else {
        real::sin(half) / half
    };
    let v = d * (0.5 * sinc);
    DQuat::from_xyzw(v.x, v.y, v.z, real::cos(half))
}

/// The rotation vector of a quaternion, of length at most π.
pub fn log(q: DQuat) -> DVec3 {
    // q and −q are one rotation; the one with w ≥ 0 rotates by at most π.
    let q = if q.w < 0.0 { -q } else { q };
    let v = DVec3::new(q.x, q.y, q.z);
    let sin = v.length();
    // 2 atan2(s, w) / s; for small s, w ≈ 1 and the series of asin serves.
    let factor = if sin < 1e-4 {
        2.0 + sin * sin / 3.0
    } else {
        2.0 * real::atan2(sin, q.w) / sin
    };
    v * factor
}

/// The rate δ̇ = dexp⁻¹(δ) ω of a rotation vector, for |δ| < 2π.
pub fn dexp_inverse(d: DVec3, w: DVec3) -> DVec3 {
    let squared = d.length_squared();
    // The closed form subtracts nearly equal numbers near zero: at θ = 0.1 it
    // still has 13 digits, and the series' next term is below 1e-16.
    let c = if squared < 1e-2 {
        1.0 / 12.0 + squared * (1.0 / 720.0 + squared * (1.0 / 30240.0 + squared / 1_209_600.0))
    } else {
        let half = 0.5 * squared.sqrt();
        (1.0 - half / real::tan(half)) / squared
    };
    let rotated = d.cross(w);
    w - rotated * 0.5 + d.cross(rotated) * c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_rotations_keep_their_digits() {
        for expected in [1e-12, 1e-3, 1.0, 3.0] {
            let found = angle(&about_z(expected));
            assert!(
                (found / expected - 1.0).abs() < 1e-9,
                "{found} for {expected}"
            );
        }
    }

    #[test]
    fn dexp_inverse_undoes_dexp_on_both_sides_of_the_switch() {
        let axis = DVec3::new(0.48, -0.6, 0.64);
        let w = DVec3::new(0.3, 0.9, -0.2);
        for theta in [0.05, 0.0999, 0.1001, 0.5, 3.0, 6.0_f64] {
            let d = axis * theta;
            // dexp(δ) = 1 + (1 − cos θ)/θ² [δ] + (θ − sin θ)/θ³ [δ]²
            let rotated = d.cross(w);
            let first = 2.0 * real::sin(0.5 * theta).powi(2) / theta.powi(2);
            let second = (theta - real::sin(theta)) / theta.powi(3);
            let dexp = w + rotated * first + d.cross(rotated) * second;
            let error = (dexp_inverse(d, dexp) - w).length();
            assert!(error < 1e-14, "{error:e} at {theta}");
        }
    }
}
