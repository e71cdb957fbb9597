//! What changes: time, coordinates, velocities, and what contacts remember.

use glam::{DQuat, DVec3};
use volar_contact::track::Tracked;
use volar_dynamics::Joint;
use volar_geom::Pose;

use crate::energy_balance::EnergyBalance;
use crate::ids::{BodyId, DofId};
use crate::model::Model;
use crate::start::Release;

/// The state of a scene. Cheap to clone: a few hundred numbers.
///
/// ```
/// use volar_math::{Pose, rotation};
/// use volar_sim::{Body, ModelBuilder, Settings, Simulation, State};
/// # use std::sync::Arc;
/// # use glam::DVec3;
/// # use volar_contact::Material;
/// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
/// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
/// # let rubber = Material::named("rubber").unwrap();
///
/// let mut builder = ModelBuilder::new();
/// let cube = builder.add(Body::free("cube", mesh, 0.1, rubber));
/// let model = builder.build()?;
///
/// let mut state = State::neutral(&model);
/// let pose = Pose { R: rotation::about(DVec3::Z, 0.3), p: DVec3::new(0.0, 0.0, 1.0) }; // rad, m
/// assert!(state.set_pose(&model, cube, &pose));
/// state.set_velocity(&model, cube, DVec3::X, DVec3::ZERO); // m/s and rad/s
/// let mut sim = Simulation::new(Arc::new(model), state, Settings::default())?;
/// sim.advance_to(0.1)?;
/// assert!((sim.pose(cube).p.x - 0.1).abs() < 1.0e-9); // m, in the world
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// Pairs that started in overlap and are still being released.
    #[serde(default)]
    pub releases: Vec<Release>,
    /// Energies that are integrated along.
    pub balance: EnergyBalance,
}

/// What the contact of a pair remembers.
///
/// ```
/// use volar_sim::{Body, ModelBuilder, Simulation};
/// # use std::sync::Arc;
/// # use glam::DVec3;
/// # use volar_contact::Material;
/// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
/// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
/// # let rubber = Material::named("rubber").unwrap();
/// # let mut builder = ModelBuilder::new();
/// # let floor = builder.add(Body::ground("floor", DVec3::ZERO, DVec3::Z, rubber).unwrap());
/// # let cube = builder.add(Body::free("cube", mesh, 0.1, rubber).at([0.0, 0.0, 0.02]));
/// # let model = builder.build()?;
/// # let mut sim = Simulation::start(model)?;
/// sim.advance_to(0.5)?;
/// let pair = &sim.state().patches[0];
/// assert_eq!(pair.bodies, (floor.index() as u32, cube.index() as u32));
/// assert_eq!(pair.tracked.len(), sim.contacts().len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
            releases: Vec::new(),
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
