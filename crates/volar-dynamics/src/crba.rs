//! Mass matrix: the composite-rigid-body algorithm [RBDA §6.2].
//!
//! ```text
//! M_ij = S_j · I^c_i S_i      for j on the path from i to the root
//! ```
//!
//! with `I^c_i` the inertia of all that hangs below dof i, as if welded.

use crate::kinematics::Kinematics;
use crate::tree::Tree;
use volar_math::{BlockPattern, SpatialInertia};

/// Mass matrix; holds scratch memory only.
#[derive(Clone, Debug, Default)]
pub struct Crba {
    composite: Vec<SpatialInertia>,
}

impl Crba {
    /// Fills `M` (the diagonal blocks of a pattern of the dofs) with the mass matrix,
    /// `armature` (one per dof; empty for none) added on its diagonal. kg, kg m or
    /// kg m² as the dofs demand.
    pub fn calc(
        &mut self,
        tree: &Tree,
        kinematics: &Kinematics,
        armature: &[f64],
        pattern: &BlockPattern,
        M: &mut [f64],
    ) {
        let (bodies, nv) = (tree.bodies(), tree.nv());
        assert_eq!(pattern.indices(), nv, "one index per dof");
        assert_eq!(M.len(), pattern.diagonal_len(), "as the pattern says");
        assert!(armature.is_empty() || armature.len() == nv, "one per dof");
        self.composite.clear();
        self.composite.extend_from_slice(&kinematics.M_BBo_W);
        M.fill(0.0);
        for b in (0..bodies.len()).rev() {
            if let Some(parent) = bodies[b].parent {
                let about_parent = self.composite[b].about(-kinematics.p_PoBo_W[b]);
                self.composite[parent] += about_parent;
            }
            for i in tree.v_range(b) {
                // The wrench that accelerates all below, carried to the root.
                let mut F = &self.composite[b] * kinematics.axes[i];
                let mut at = b;
                loop {
                    for j in tree.v_range(at) {
                        let entry = F.dot(kinematics.axes[j]);
                        M[pattern.index(i, j)] = entry;
                        M[pattern.index(j, i)] = entry;
                    }
                    let Some(parent) = bodies[at].parent else {
                        break;
                    };
                    F = F.about(-kinematics.p_PoBo_W[at]);
                    at = parent;
                }
            }
        }
        for (i, inertia) in armature.iter().enumerate() {
            M[pattern.index(i, i)] += inertia;
        }
    }
}
