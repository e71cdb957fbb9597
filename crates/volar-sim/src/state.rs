//! What changes: time, coordinates, velocities, and what contacts remember.

use glam::{DQuat, DVec3};
use volar_contact::track::Tracked;
use volar_dynamics::Joint;
use volar_geom::Pose;

use crate::energy_balance::EnergyBalance;
use crate::ids::{BodyId, DofId};
use crate::model::Model;

/// The state of a scene. Cheap to clone: a few hundred numbers.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct State {
    /// Time, s.
    pub time: f64,
    /// Joint coordinates, body by body; see [`Joint`] for their meaning.
    pub q: Vec<f64>,
    /// Joint velocities, body by body.
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

    /// Places a free body: its pose in the frame it moves in, which is the
    /// world unless it was added with a placement or on a parent. A body on
    /// another joint stays where it is, and false comes back.
    pub fn set_pose(&mut self, model: &Model, body: BodyId, pose: &Pose) -> bool {
        let range = model.tree.q_range(body.index());
        let free = model.tree.bodies()[body.index()].joint == Joint::Free;
        if free && let Some(q) = self.q.get_mut(range) {
            let rotation = DQuat::from_mat3(&pose.R);
            q[..3].copy_from_slice(&pose.p.to_array());
            q[3..].copy_from_slice(&[rotation.w, rotation.x, rotation.y, rotation.z]);
        }
        free
    }

    /// Gives a free body a velocity of its origin, m/s, and an angular
    /// velocity, rad/s, in the axes of the frame it moves in. As for
    /// [`set_pose`](Self::set_pose), false comes back for a body on another
    /// joint.
    pub fn set_velocity(
        &mut self,
        model: &Model,
        body: BodyId,
        velocity: DVec3,
        angular_velocity: DVec3,
    ) -> bool {
        let range = model.tree.v_range(body.index());
        let free = model.tree.bodies()[body.index()].joint == Joint::Free;
        if free && let Some(v) = self.v.get_mut(range) {
            v[..3].copy_from_slice(&velocity.to_array());
            v[3..].copy_from_slice(&angular_velocity.to_array());
        }
        free
    }

    /// Sets the coordinate of a joint, m or rad. False for a degree of freedom
    /// that does not exist or is part of a rotation in space.
    pub fn set_joint(&mut self, model: &Model, joint: impl Into<DofId>, value: f64) -> bool {
        let at = model
            .dof(joint.into())
            .and_then(|dof| model.tree.coordinate(dof));
        let slot = at.and_then(|at| self.q.get_mut(at));
        slot.map(|slot| *slot = value).is_some()
    }
}
