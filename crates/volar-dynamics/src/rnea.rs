//! Inverse dynamics: the recursive Newton–Euler algorithm [RBDA §5.3].
//!
//! ```text
//! F_B = M_B (A_B − g) + gyroscopic − F_ext + Σ_children shift(F_C)
//! τ_i = S_i · F_B + armature_i v̇_i
//! ```
//!
//! Gravity enters as an acceleration of the world upwards [RBDA §5.3].

use crate::Loads;
use crate::kinematics::Kinematics;
use crate::spatial::SpatialVec;
use crate::tree::Tree;

/// Inverse dynamics; holds scratch memory only.
#[derive(Clone, Debug, Default)]
pub struct Rnea {
    A_WB: Vec<SpatialVec>,
    F_Bo_W: Vec<SpatialVec>,
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
        self.A_WB.resize(bodies.len(), SpatialVec::ZERO);
        self.F_Bo_W.resize(bodies.len(), SpatialVec::ZERO);
        kinematics.calc_accelerations(tree, vdot, &mut self.A_WB);

        // What each body alone needs.
        for b in 0..bodies.len() {
            let mut A = self.A_WB[b];
            A.lin -= loads.gravity;
            self.F_Bo_W[b] =
                &kinematics.M_BBo_W[b] * A + kinematics.gyroscopic(tree, b) - loads.wrench(b);
        }
        // Each joint carries what hangs on it.
        for b in (0..bodies.len()).rev() {
            let F = self.F_Bo_W[b];
            for i in tree.v_range(b) {
                tau[i] = kinematics.axes[i].dot(F) + loads.armature(i) * vdot[i];
            }
            if let Some(parent) = bodies[b].parent {
                self.F_Bo_W[parent] += F.translate_wrench(-kinematics.p_PoBo_W[b]);
            }
        }
    }

    /// After [`Rnea::calc`]: the wrench that passes through each body's joint
    /// from its parent, about Bo in world axes; its part along the joint's axes
    /// is the effort without that for the armature.
    pub fn joint_wrenches(&self) -> &[SpatialVec] {
        &self.F_Bo_W
    }
}
