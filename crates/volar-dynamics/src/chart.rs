//! A chart of the coordinates around some q₀: `q = q₀ ⊕ δ` with nv numbers δ.
//!
//! An integrator's increments live here, so that it needs to know nothing of
//! quaternions. Angles and distances add; a rotation vector δ turns on the
//! left, along J's axes as the velocities do:
//!
//! ```text
//! R = exp([δ]) R₀,    δ̇ = dexp⁻¹(δ) ω
//! dexp⁻¹(δ) = 1 − ½ [δ] + c(θ) [δ]²,    θ = |δ|
//! c(θ) = (1 − (θ/2) cot(θ/2)) / θ² = 1/12 + θ²/720 + θ⁴/30240 + …
//! ```
//!
//! [Iserles 2000], where ω is the velocity on the left, `Ṙ = [ω] R`. The
//! chart is good for |δ| < 2π.

use glam::{DQuat, DVec3};

use crate::joint::{quaternion, write_quaternion};
use crate::tree::Tree;

impl Tree {
    /// `q = q₀ ⊕ δ`; quaternions come out at unit length.
    pub fn plus(&self, q0: &[f64], delta: &[f64], q: &mut [f64]) {
        assert_eq!(q0.len(), self.nq(), "one value per coordinate");
        assert_eq!(delta.len(), self.nv(), "one value per dof");
        assert_eq!(q.len(), self.nq(), "one slot per coordinate");
        for (b, body) in self.bodies().iter().enumerate() {
            let (at, dof) = (self.q_range(b).start, self.v_range(b).start);
            for k in 0..plain(self, b) {
                q[at + k] = q0[at + k] + delta[dof + k];
            }
            if let Some((wxyz, turn)) = body.joint.rotation_at() {
                let rotated = exp(vector(&delta[dof + turn..])) * quaternion(&q0[at + wxyz..]);
                write_quaternion(rotated, &mut q[at + wxyz..]);
            }
        }
    }

    /// The inverse of [`Tree::plus`]: δ with `q₁ = q₀ ⊕ δ`, each rotation by
    /// at most π.
    pub fn minus(&self, q1: &[f64], q0: &[f64], delta: &mut [f64]) {
        assert_eq!(q1.len(), self.nq(), "one value per coordinate");
        assert_eq!(q0.len(), self.nq(), "one value per coordinate");
        assert_eq!(delta.len(), self.nv(), "one slot per dof");
        for (b, body) in self.bodies().iter().enumerate() {
            let (at, dof) = (self.q_range(b).start, self.v_range(b).start);
            for k in 0..plain(self, b) {
                delta[dof + k] = q1[at + k] - q0[at + k];
            }
            if let Some((wxyz, turn)) = body.joint.rotation_at() {
                let between =
                    quaternion(&q1[at + wxyz..]) * quaternion(&q0[at + wxyz..]).conjugate();
                write_vector(log(between), &mut delta[dof + turn..]);
            }
        }
    }

    /// δ̇ at δ, for velocities v.
    pub fn chart_rate(&self, delta: &[f64], v: &[f64], rate: &mut [f64]) {
        assert_eq!(delta.len(), self.nv(), "one value per dof");
        rate.copy_from_slice(v);
        for (b, body) in self.bodies().iter().enumerate() {
            if let Some((_, turn)) = body.joint.rotation_at() {
                let dof = self.v_range(b).start + turn;
                let rotated = dexp_inverse(vector(&delta[dof..]), vector(&v[dof..]));
                write_vector(rotated, &mut rate[dof..]);
            }
        }
    }
}

/// How many of a body's dofs simply add.
fn plain(tree: &Tree, body: usize) -> usize {
    let joint = &tree.bodies()[body].joint;
    joint.rotation_at().map_or(joint.nv(), |(_, turn)| turn)
}

fn vector(x: &[f64]) -> DVec3 {
    DVec3::new(x[0], x[1], x[2])
}

fn write_vector(x: DVec3, out: &mut [f64]) {
    out[..3].copy_from_slice(&x.to_array());
}

/// The quaternion of a rotation vector.
fn exp(d: DVec3) -> DQuat {
    let half = 0.5 * d.length();
    // sin(x)/x, by its series where it would be 0/0; at 1e-4 the next term,
    // x⁴/120, is below 1e-18.
    let sinc = if half < 1e-4 {
        1.0 - half * half / 6.0
    } else {
        half.sin() / half
    };
    let v = d * (0.5 * sinc);
    DQuat::from_xyzw(v.x, v.y, v.z, half.cos())
}

/// The rotation vector of a quaternion, of length at most π.
fn log(q: DQuat) -> DVec3 {
    // q and −q are one rotation; the one with w ≥ 0 turns by at most π.
    let q = if q.w < 0.0 { -q } else { q };
    let v = DVec3::new(q.x, q.y, q.z);
    let sin = v.length();
    // 2 atan2(s, w) / s; for small s, w ≈ 1 and the series of asin serves.
    let factor = if sin < 1e-4 {
        2.0 + sin * sin / 3.0
    } else {
        2.0 * sin.atan2(q.w) / sin
    };
    v * factor
}

/// dexp⁻¹(δ) ω.
fn dexp_inverse(d: DVec3, w: DVec3) -> DVec3 {
    let squared = d.length_squared();
    // The closed form subtracts nearly equal numbers near zero: at θ = 0.1 it
    // still has 13 digits, and the series' next term is below 1e-16.
    let c = if squared < 1e-2 {
        1.0 / 12.0 + squared * (1.0 / 720.0 + squared * (1.0 / 30240.0 + squared / 1_209_600.0))
    } else {
        let half = 0.5 * squared.sqrt();
        (1.0 - half / half.tan()) / squared
    };
    let rotated = d.cross(w);
    w - rotated * 0.5 + d.cross(rotated) * c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dexp_inverse_undoes_dexp_on_both_sides_of_the_switch() {
        let axis = DVec3::new(0.48, -0.6, 0.64);
        let w = DVec3::new(0.3, 0.9, -0.2);
        for theta in [0.05, 0.0999, 0.1001, 0.5, 3.0, 6.0_f64] {
            let d = axis * theta;
            // dexp(δ) = 1 + (1 − cos θ)/θ² [δ] + (θ − sin θ)/θ³ [δ]²
            let rotated = d.cross(w);
            let first = 2.0 * (0.5 * theta).sin().powi(2) / theta.powi(2);
            let second = (theta - theta.sin()) / theta.powi(3);
            let dexp = w + rotated * first + d.cross(rotated) * second;
            let error = (dexp_inverse(d, dexp) - w).length();
            assert!(error < 1e-14, "{error:e} at {theta}");
        }
    }
}
