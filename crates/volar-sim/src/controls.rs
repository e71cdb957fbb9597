//! What a user may change while a simulation runs, and what changes by itself
//! with time.

use glam::DVec3;
use volar_contact::{Material, PairMaterial};
use volar_dynamics::{Actuator, DofParams, JointForceError, JointForces, Signal};
use volar_math::{Pose, Wrench, rotation};

use crate::ids::{ActuatorId, BodyId, PairId};

/// Gravity, efforts, loads and materials.
#[derive(Clone, Debug)]
pub struct Controls {
    /// Free fall.
    pub gravity: Gravity,
    /// Actuators and passive properties of the joints.
    pub(crate) joints: JointForces,
    /// External forces and torques.
    pub loads: Vec<Load>,
    /// By number of the body.
    pub(crate) materials: Vec<Material>,
}

/// Acceleration of free fall, m/s²; it may turn. While it does, the energy
/// balance does not close: the work of turning it is not counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Gravity {
    /// Before it turns, world axes.
    pub vector: DVec3,
    /// About this axis (a unit vector) ...
    pub axis: DVec3,
    /// ... by this angle, rad.
    pub angle: Signal,
}

impl From<DVec3> for Gravity {
    fn from(vector: DVec3) -> Gravity {
        Gravity {
            vector,
            axis: DVec3::Z,
            angle: Signal::Constant(0.0),
        }
    }
}

impl Gravity {
    /// At a time, world axes, m/s².
    pub fn at(&self, t: f64) -> DVec3 {
        match self.angle {
            Signal::Constant(0.0) => self.vector,
            ref angle => rotation::about(self.axis, angle.value(t)) * self.vector,
        }
    }

    pub(crate) fn is_valid(&self) -> bool {
        self.vector.is_finite() && self.axis.is_finite() && self.angle.is_valid()
    }
}

/// A force and a torque on a body, in directions fixed in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// The body it acts on.
    pub body: BodyId,
    /// Torque, N m, and force, N.
    pub wrench: Wrench,
    /// Where the force acts, in the body's frame, m.
    pub point: DVec3,
    /// Times this.
    pub scale: Signal,
}

impl Load {
    /// A constant load at the body's origin.
    pub fn new(body: BodyId, wrench: Wrench) -> Load {
        Load {
            body,
            wrench,
            point: DVec3::ZERO,
            scale: Signal::Constant(1.0),
        }
    }

    /// The wrench at a time, about the point where the force acts.
    pub fn at(&self, t: f64) -> Wrench {
        self.wrench * self.scale.value(t)
    }

    /// From the body's origin to where the force acts, world axes.
    pub(crate) fn arm(&self, X_WB: &Pose) -> DVec3 {
        X_WB.R * self.point
    }

    pub(crate) fn is_valid(&self) -> bool {
        self.wrench.is_finite() && self.point.is_finite() && self.scale.is_valid()
    }
}

impl Controls {
    fn signals(&self) -> impl Iterator<Item = &Signal> {
        let actuators = self.joints.actuators().iter().map(|(_, a)| a.command());
        let loads = self.loads.iter().map(|load| &load.scale);
        actuators.chain(loads).chain([&self.gravity.angle])
    }

    /// Times at which an effort, a target, a load or gravity has a corner, s.
    pub fn corners(&self) -> Vec<f64> {
        self.signals().flat_map(Signal::corners).collect()
    }

    /// Whether anything changes by itself between a time and the next corner.
    pub(crate) fn vary_after(&self, t: f64) -> bool {
        self.signals().any(|signal| signal.varies_after(t))
    }

    /// All actuators, in the order in which they were added.
    pub fn actuators(&self) -> impl ExactSizeIterator<Item = &Actuator> {
        self.joints.actuators().iter().map(|(_, actuator)| actuator)
    }

    /// An actuator as it is.
    pub fn actuator(&self, id: ActuatorId) -> Option<&Actuator> {
        let entry = self.joints.actuators().get(id.index())?;
        Some(&entry.1)
    }

    /// Replaces an actuator: another effort, target or gain.
    pub fn set_actuator(
        &mut self,
        id: ActuatorId,
        actuator: Actuator,
    ) -> Result<(), JointForceError> {
        self.joints.set_actuator(id.index(), actuator)
    }

    /// Limits, damping, armature, friction and spring by number of the degree
    /// of freedom.
    pub fn joint_params(&self) -> &[DofParams] {
        self.joints.params()
    }

    /// What a body is made of.
    pub fn material(&self, body: BodyId) -> &Material {
        &self.materials[body.index()]
    }

    /// The same, to be changed.
    pub fn material_mut(&mut self, body: BodyId) -> &mut Material {
        &mut self.materials[body.index()]
    }

    /// What the materials of two bodies make together.
    pub fn pair_material(&self, pair: PairId) -> PairMaterial {
        self.pair_material_at(pair.a().index(), pair.b().index())
    }

    pub(crate) fn pair_material_at(&self, a: usize, b: usize) -> PairMaterial {
        PairMaterial::of(&self.materials[a], &self.materials[b])
    }
}
