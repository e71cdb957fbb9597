//! Forward dynamics: the articulated-body algorithm [RBDA §7.3].
//!
//! A joint passes on to its parent the inertia that it cannot give way to:
//!
//! ```text
//! from the leaves    D  = Sᵀ I S + armature = L Lᵀ
//!                    Y  = L⁻¹ Sᵀ I           y = L⁻¹ (τ − Sᵀ p)
//!                    Iᵃ = I − Yᵀ Y           pᵃ = p + Iᵃ bias + Yᵀ y
//!                    both taken about Po and added to the parent's
//! from the roots     A' = A_P at Bo + bias
//!                    v̇  = L⁻ᵀ (y − Y A')     A  = A' + S v̇
//! ```
//!
//! which is [RBDA §7.3] with U D⁻¹ Uᵀ written as Yᵀ Y, so that Iᵃ stays
//! symmetric to the last bit. Gravity enters as an acceleration of the
//! world upwards.

use thiserror::Error;

use crate::Loads;
use crate::kinematics::Kinematics;
use crate::tree::Tree;
use volar_math::cholesky;
use volar_math::{SpatialInertia, Twist, Wrench};

/// A joint met no inertia: its acceleration has no answer.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("body number {body} has no inertia along its joint in this pose, or a value is not finite")]
pub struct Singular {
    /// Number of the body in the tree.
    pub body: usize,
}

const MAX_DOFS: usize = 6;

/// Forward dynamics; holds scratch memory only.
#[derive(Clone, Debug, Default)]
pub struct Aba {
    /// Articulated inertia and bias wrench, at Bo.
    inertia: Vec<SpatialInertia>,
    wrench: Vec<Wrench>,
    /// Per body the factor L of D, row-major.
    factor: Vec<[f64; MAX_DOFS * MAX_DOFS]>,
    /// Per dof the row of Y, and y.
    Y: Vec<Wrench>,
    y: Vec<f64>,
    /// Acceleration of each body less gravity.
    A: Vec<Twist>,
}

impl Aba {
    /// Fills `vdot` with the accelerations (rad/s² or m/s²) under the joint
    /// efforts `tau` and the loads.
    pub fn calc(
        &mut self,
        tree: &Tree,
        kinematics: &Kinematics,
        loads: &Loads,
        tau: &[f64],
        vdot: &mut [f64],
    ) -> Result<(), Singular> {
        loads.assert_fits(tree);
        assert_eq!(tau.len(), tree.nv(), "one value per dof");
        assert_eq!(vdot.len(), tree.nv(), "one value per dof");
        self.resize(tree);
        for b in 0..tree.bodies().len() {
            self.inertia[b] = kinematics.M_BBo_W[b];
            self.wrench[b] = kinematics.gyroscopic(tree, b) - loads.wrench(b);
        }
        for b in (0..tree.bodies().len()).rev() {
            self.eliminate(tree, kinematics, loads, tau, b)?;
        }
        for b in 0..tree.bodies().len() {
            self.accelerate(tree, kinematics, loads, vdot, b);
        }
        Ok(())
    }

    /// Solves a body's joint for its accelerations and hands the rest of its
    /// inertia and wrench to its parent.
    fn eliminate(
        &mut self,
        tree: &Tree,
        kinematics: &Kinematics,
        loads: &Loads,
        tau: &[f64],
        b: usize,
    ) -> Result<(), Singular> {
        let (dofs, n) = (tree.v_range(b), tree.v_range(b).len());
        let (first, axes) = (dofs.start, &kinematics.axes);
        let mut inertia = self.inertia[b];

        // Y starts as Sᵀ I.
        let L = &mut self.factor[b];
        for (row, i) in dofs.clone().enumerate() {
            let U = &inertia * axes[i];
            self.Y[i] = U;
            self.y[i] = tau[i] - self.wrench[b].dot(axes[i]);
            for col in 0..=row {
                L[row * MAX_DOFS + col] = U.dot(axes[first + col]);
            }
            L[row * MAX_DOFS + row] += loads.armature(i);
        }
        cholesky::factor(L, n, MAX_DOFS, |_| 0.0).map_err(|_| Singular { body: b })?;
        for row in 0..n {
            let i = first + row;
            for col in 0..row {
                let factor = L[row * MAX_DOFS + col];
                let (Y, y) = (self.Y[first + col], self.y[first + col]);
                self.Y[i] -= Y * factor;
                self.y[i] -= y * factor;
            }
            let pivot = 1.0 / L[row * MAX_DOFS + row];
            self.Y[i] = self.Y[i] * pivot;
            self.y[i] *= pivot;
        }

        if let Some(parent) = tree.bodies()[b].parent {
            let mut wrench = self.wrench[b];
            for i in dofs {
                inertia.subtract_square(self.Y[i]);
                wrench += self.Y[i] * self.y[i];
            }
            wrench += &inertia * kinematics.bias[b];
            let r = kinematics.p_PoBo_W[b];
            self.inertia[parent] += inertia.about(-r);
            self.wrench[parent] += wrench.about(-r);
        }
        Ok(())
    }

    /// The joint's accelerations, once the parent's is known.
    fn accelerate(
        &mut self,
        tree: &Tree,
        kinematics: &Kinematics,
        loads: &Loads,
        vdot: &mut [f64],
        b: usize,
    ) {
        let A_WP = match tree.bodies()[b].parent {
            Some(parent) => self.A[parent],
            None => {
                let A_WF = kinematics.A_WF[b];
                Twist::new(A_WF.angular, A_WF.linear - loads.gravity)
            }
        };
        let mut A = A_WP.at(kinematics.p_PoBo_W[b]) + kinematics.bias[b];
        let (dofs, n) = (tree.v_range(b), tree.v_range(b).len());
        let (first, L) = (dofs.start, &self.factor[b]);
        for i in dofs.clone() {
            vdot[i] = self.y[i] - self.Y[i].dot(A);
        }
        for row in (0..n).rev() {
            for below in row + 1..n {
                vdot[first + row] -= L[below * MAX_DOFS + row] * vdot[first + below];
            }
            vdot[first + row] /= L[row * MAX_DOFS + row];
        }
        for i in dofs {
            A += kinematics.axes[i] * vdot[i];
        }
        self.A[b] = A;
    }

    fn resize(&mut self, tree: &Tree) {
        let bodies = tree.bodies().len();
        self.inertia.resize(bodies, SpatialInertia::ZERO);
        self.wrench.resize(bodies, Wrench::ZERO);
        self.factor.resize(bodies, [0.0; MAX_DOFS * MAX_DOFS]);
        self.Y.resize(tree.nv(), Wrench::ZERO);
        self.y.resize(tree.nv(), 0.0);
        self.A.resize(bodies, Twist::ZERO);
    }
}
