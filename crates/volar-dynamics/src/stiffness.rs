//! Geometric stiffness: how joint efforts of given wrenches change because the
//! joint axes move.
//!
//! The efforts are τ_i = S_i · F_i, F_i the sum of all wrenches below joint i.
//! Let every wrench keep its line of action in the world. Then only S_i
//! changes, and along with what carries joint i:
//!
//! ```text
//! ∂τ_i/∂δ_j = (S_j × S_i) · F_i      j on the path from joint i to the root   (1)
//! ```
//!
//! Within a joint the axes are fixed in J. But those of a rotation go through
//! Bo, which the joint's own translations move, so (1) holds there too, for i
//! a rotation and j a translation; other pairs of one joint give nothing.
//!
//! Gravity is fixed to the centre of mass, so it adds the torque
//! (displacement of Bcm) × m g. For i and j on one path to the root let d be
//! the lower one, with mass m_d and centre of mass C_d of all that hangs on it:
//!
//! ```text
//! ∂τ_i/∂δ_j += ω_i · (v_j(C_d) × m_d g)                                       (2)
//! ```
//!
//! δ are the coordinates of the chart at δ = 0. The matrix is not symmetric:
//! torques that keep their direction have no potential, and rotations do not
//! commute.

use glam::DVec3;

use crate::Loads;
use crate::kinematics::Kinematics;
use crate::tree::Tree;
use volar_math::{BlockPattern, Twist, Wrench};

/// Geometric stiffness; holds scratch memory only.
#[derive(Clone, Debug, Default)]
pub struct GeometricStiffness {
    /// Wrench on each body and all below it, about its own origin.
    wrench: Vec<Wrench>,
    /// Mass of each body and all below it, kg, and its first moment about the
    /// body's origin, kg m.
    mass: Vec<f64>,
    moment: Vec<DVec3>,
}

impl GeometricStiffness {
    /// Adds ∂τ/∂δ of the loads' wrenches and gravity to `K` (entries of a pattern of
    /// the dofs; N/m, N or N m per row and column). Wrenches keep their line of
    /// action in the world; how they themselves change is for those who know
    /// them.
    pub fn add(
        &mut self,
        tree: &Tree,
        kinematics: &Kinematics,
        loads: &Loads,
        pattern: &BlockPattern,
        K: &mut [f64],
    ) {
        assert_eq!(pattern.indices(), tree.nv(), "one index per dof");
        assert!(K.len() >= pattern.diagonal_len(), "as the pattern says");
        loads.assert_fits(tree);
        self.gather(tree, kinematics, loads);
        for b in 0..tree.bodies().len() {
            let (own, F) = (tree.v_range(b), self.wrench[b]);
            let p_WBo = kinematics.X_WB[b].p;
            for &j in tree.ancestor_dofs(b) {
                let S_j = kinematics.axis_at(tree, j, p_WBo);
                let from_above = j < own.start;

                // (1), all about Bo.
                let slides = S_j.angular == DVec3::ZERO;
                for i in own.clone() {
                    let S_i = kinematics.axes[i];
                    let turns = S_i.angular != DVec3::ZERO;
                    if from_above || (slides && turns) {
                        K[pattern.index(i, j)] += F.dot(S_j.cross(S_i));
                    }
                }

                // (2): b is the lower one; above it, the roles swap too.
                let gravity = |S: Twist| {
                    let moved = S.linear * self.mass[b] + S.angular.cross(self.moment[b]);
                    moved.cross(loads.gravity)
                };
                for i in own.clone() {
                    let S_i = kinematics.axes[i];
                    K[pattern.index(i, j)] += S_i.angular.dot(gravity(S_j));
                    if from_above {
                        K[pattern.index(j, i)] += S_j.angular.dot(gravity(S_i));
                    }
                }
            }
        }
    }

    /// Sums wrenches, masses and their moments from the leaves up.
    fn gather(&mut self, tree: &Tree, kinematics: &Kinematics, loads: &Loads) {
        let bodies = tree.bodies();
        self.wrench.clear();
        self.mass.clear();
        self.moment.clear();
        for (b, body) in bodies.iter().enumerate() {
            let moment = kinematics.p_BoBcm_W[b] * body.mass;
            let weight = Wrench::new(moment.cross(loads.gravity), loads.gravity * body.mass);
            self.wrench.push(loads.wrench(b) + weight);
            self.mass.push(body.mass);
            self.moment.push(moment);
        }
        for b in (0..bodies.len()).rev() {
            if let Some(parent) = bodies[b].parent {
                let r = kinematics.p_PoBo_W[b];
                let (F, mass, moment) = (self.wrench[b], self.mass[b], self.moment[b]);
                self.wrench[parent] += F.about(-r);
                self.mass[parent] += mass;
                self.moment[parent] += moment + r * mass;
            }
        }
    }
}
