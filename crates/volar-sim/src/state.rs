//! What changes: time, coordinates, velocities, and what contacts remember.

use volar_contact::track::Tracked;

use crate::energy_balance::EnergyBalance;
use crate::model::Model;

/// The state of a scene. Cheap to clone: a few hundred numbers.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct State {
    /// Time, s.
    pub time: f64,
    /// Joint coordinates.
    pub q: Vec<f64>,
    /// Joint velocities.
    pub v: Vec<f64>,
    /// States of dry joint friction.
    pub joint_friction: Vec<f64>,
    /// Patches of every pair that touches, sorted by pair.
    pub patches: Vec<PairPatches>,
    /// Energies that are integrated along.
    pub balance: EnergyBalance,
}

/// What the contact of a pair remembers.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PairPatches {
    /// The bodies A < B.
    pub bodies: (u32, u32),
    /// Its patches, in A's frame.
    pub tracked: Vec<Tracked>,
}

impl State {
    /// Everything at rest at its neutral coordinates.
    pub fn neutral(model: &Model) -> State {
        State {
            time: 0.0,
            q: model.tree.neutral_q(),
            v: vec![0.0; model.tree.nv()],
            joint_friction: vec![0.0; model.controls.joints.friction_dofs().len()],
            patches: Vec::new(),
            balance: EnergyBalance::default(),
        }
    }
}
