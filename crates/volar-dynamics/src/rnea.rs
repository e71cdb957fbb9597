//! Inverse dynamics: the recursive Newton–Euler algorithm [RBDA §5.3].
//!
//! ```text
//! F_B = M_B (A_B − g) + gyroscopic − F_ext + Σ_children F_C about Bo
//! τ_i = S_i · F_B + armature_i v̇_i
//! ```
//!
//! Gravity enters as an acceleration of the world upwards [RBDA §5.3].

use crate::Loads;
use crate::kinematics::Kinematics;
use crate::tree::Tree;
use volar_math::{Twist, Wrench};

/// Inverse dynamics; holds scratch memory only.
#[derive(Clone, Debug, Default)]
pub struct Rnea {
    A_WB: Vec<Twist>,
    F_Bo_W: Vec<Wrench>,
}

impl Rnea {
    /// Fills `tau` with the joint efforts (N m or N) that give the
    /// accelerations `vdot` under the loads.
    pub fn calc(
        &mut self,
        tree: &Tree,
        kinematics: &Kinematics,
        loads: &Loads,
        vdot: &[f64],
        tau: &mut [f64],
    ) {
        loads.assert_fits(tree);
        assert_eq!(tau.len(), tree.nv(), "one value per dof");
        let bodies = tree.bodies();
        self.A_WB.resize(bodies.len(), Twist::ZERO);
        self.F_Bo_W.resize(bodies.len(), Wrench::ZERO);
        kinematics.calc_accelerations(tree, vdot, &mut self.A_WB);

        // What each body alone needs.
        for b in 0..bodies.len() {
            let mut A = self.A_WB[b];
            A.linear -= loads.gravity;
            self.F_Bo_W[b] =
                &kinematics.M_BBo_W[b] * A + kinematics.gyroscopic(tree, b) - loads.wrench(b);
        }
        // Each joint carries what hangs on it.
        for b in (0..bodies.len()).rev() {
            let F = self.F_Bo_W[b];
            for i in tree.v_range(b) {
                tau[i] = F.dot(kinematics.axes[i]) + loads.armature(i) * vdot[i];
            }
            if let Some(parent) = bodies[b].parent {
                self.F_Bo_W[parent] += F.about(-kinematics.p_PoBo_W[b]);
            }
        }
    }

    /// After [`Rnea::calc`]: the wrench that passes through each body's joint
    /// from its parent, about Bo in world axes; its part along the joint's axes
    /// is the effort without that for the armature.
    pub fn joint_wrenches(&self) -> &[Wrench] {
        &self.F_Bo_W
    }
}
