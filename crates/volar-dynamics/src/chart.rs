//! A chart of the coordinates around some q₀: `q = q₀ ⊕ δ` with nv numbers δ.
//!
//! An integrator's increments live here, so that it needs to know nothing of
//! quaternions. Angles and distances add; a rotation vector δ rotates from
//! the left, along J's axes as the velocities do:
//!
//! ```text
//! R = exp([δ]) R₀,    δ̇ = dexp⁻¹(δ) ω
//! ```
//!
//! with the functions of [`volar_math::rotation`]. The chart is good for
//! |δ| < 2π.

use glam::DVec3;
use volar_math::rotation::{dexp_inverse, exp, log};

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
