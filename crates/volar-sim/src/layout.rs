//! Where everything is in the vector the integrators see.
//!
//! ```text
//! x = ( δ | v | joint friction | patches | slip | balance )
//!      nv  nv       nf            ns np     np      9
//! ```
//!
//! ns is up to the law of contact. δ are coordinates in the chart at the start of the step: rotations stay on
//! their manifold, and the integrators see plain numbers.

use std::ops::Range;

/// Number of energies that are integrated along, see [`crate::energy_balance::EnergyBalance`].
pub const BALANCE: usize = 9;
/// Which of them is that of closed chains.
pub const CLOSURES_ENTRY: usize = 8;

/// Sizes of the parts of x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Degrees of freedom.
    pub nv: usize,
    /// States of dry joint friction.
    pub joints: usize,
    /// Patches.
    pub patches: usize,
    /// States per patch.
    pub patch_size: usize,
}

impl Layout {
    /// Length of x.
    pub fn dim(&self) -> usize {
        self.balance().end
    }

    /// Coordinates in the step's chart.
    pub fn chart(&self) -> Range<usize> {
        0..self.nv
    }

    /// Velocities.
    pub fn velocity(&self) -> Range<usize> {
        self.nv..2 * self.nv
    }

    /// States of dry joint friction.
    pub fn joint_friction(&self) -> Range<usize> {
        let start = 2 * self.nv;
        start..start + self.joints
    }

    /// States of the patches.
    pub fn patch_states(&self) -> Range<usize> {
        let start = self.joint_friction().end;
        start..start + self.patch_size * self.patches
    }

    /// State of one patch.
    pub fn patch(&self, patch: usize) -> Range<usize> {
        let start = self.joint_friction().end + self.patch_size * patch;
        start..start + self.patch_size
    }

    /// Plastic slip of each patch.
    pub fn slips(&self) -> Range<usize> {
        let start = self.patch_states().end;
        start..start + self.patches
    }

    /// Energies.
    pub fn balance(&self) -> Range<usize> {
        let start = self.slips().end;
        start..start + BALANCE
    }
}
