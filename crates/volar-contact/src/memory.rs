//! What patches remember.
//!
//! Between evaluations a patch keeps a few numbers. How many there are and what they mean
//! belongs to the laws: a friction model and a normal law each say through
//! [`Memory`] how many they need, what a new patch takes over from old ones and
//! how exactly they must be integrated; their rates and tangents come with the
//! forces, as [`StateRates`].

use crate::material::PairMaterial;
use crate::patch::Patch;
use crate::piece::Piece;

/// The most states that friction and normal law together keep per patch.
pub const MAX_STATES: usize = 6;

/// The states of one patch: friction's, then the normal law's; the rest is zero.
pub type PatchState = [f64; MAX_STATES];

/// The memory of a law. One without needs nothing but an empty implementation.
pub trait Memory {
    /// Number of states per patch.
    fn states(&self) -> usize {
        0
    }

    /// Writes the states of a new patch, whose sums are `piece`. Ancestors are
    /// the old patches its parts belonged to; none when bodies have just
    /// touched.
    fn inherit(
        &self,
        _ancestors: &[Ancestor],
        _piece: &Piece,
        _pair_material: &PairMaterial,
        _state: &mut [f64],
    ) {
    }

    /// Amends the states that the new patches of a pair have inherited, one by one, to
    /// what they must be together. `old` are all patches before, each with share 1;
    /// `pieces` and `states` belong to the new ones.
    fn reconcile(
        &self,
        _old: &[Ancestor],
        _pieces: &[&Piece],
        _pair_material: &PairMaterial,
        _states: &mut [&mut [f64]],
    ) {
    }

    /// Writes by how much each state may err in a step.
    fn error_scales(&self, _now: &PatchNow, _scales: &mut [f64]) {}
}

/// An old patch, a part of which goes on in a new one.
#[derive(Clone, Copy)]
pub struct Ancestor<'a> {
    /// The patch.
    pub patch: &'a Patch,
    /// What presses in all of it now.
    pub piece: &'a Piece,
    /// The law's states of it.
    pub state: &'a [f64],
    /// The part that goes on in the new one, 0 to 1.
    pub share: f64,
}

/// A patch in the present evaluation.
#[derive(Clone, Copy)]
pub struct PatchNow<'a> {
    /// The patch.
    pub patch: &'a Patch,
    /// What presses in it.
    pub piece: &'a Piece,
    /// Friction limit μN, N.
    pub limit: f64,
    /// Volume of the pair's overlap, m³.
    pub volume: f64,
    /// By how much positions may err, m.
    pub position: f64,
}

/// Rates of the states that one law keeps for a patch, and what they change.
/// Displacements, twists and wrenches: angular parts first, A relative to B, in A's
/// frame about the point of reference.
#[derive(Clone, Copy, Debug)]
pub struct StateRates {
    /// Rate of each state.
    pub rate: PatchState,
    /// Change of the wrench on A (rows) per state (columns).
    pub wrench_by_state: [[f64; MAX_STATES]; 6],
    /// Change of the rates per state.
    pub rate_by_state: [[f64; MAX_STATES]; MAX_STATES],
    /// Change of the rates per twist.
    pub rate_by_twist: [[f64; 6]; MAX_STATES],
    /// Change of the rates per displacement.
    pub rate_by_displacement: [[f64; 6]; MAX_STATES],
}

impl StateRates {
    /// Nothing changes.
    pub const NONE: StateRates = StateRates {
        rate: [0.0; MAX_STATES],
        wrench_by_state: [[0.0; MAX_STATES]; 6],
        rate_by_state: [[0.0; MAX_STATES]; MAX_STATES],
        rate_by_twist: [[0.0; 6]; MAX_STATES],
        rate_by_displacement: [[0.0; 6]; MAX_STATES],
    };
}
