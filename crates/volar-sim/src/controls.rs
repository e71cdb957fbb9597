//! What a user may change while a simulation runs, and what changes by itself
//! with time.

use glam::{DMat3, DVec3};
use volar_contact::{Material, PairMaterial};
use volar_dynamics::{JointForces, Signal};
use volar_math::{Pose, Wrench};

/// Gravity, efforts, loads and materials.
#[derive(Clone, Debug)]
pub struct Controls {
    /// Free fall.
    pub gravity: Gravity,
    /// Actuators and passive properties of the joints.
    pub joints: JointForces,
    /// Forces and torques from outside.
    pub loads: Vec<Load>,
    /// Material of each body.
    pub materials: Vec<Material>,
}

/// Acceleration of free fall, m/s²; it may turn. While it does, the energy balance
/// do not close: nobody pays for what it gives.
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
            ref angle => DMat3::from_axis_angle(self.axis, angle.value(t)) * self.vector,
        }
    }

    pub(crate) fn is_valid(&self) -> bool {
        self.vector.is_finite() && self.axis.is_finite() && self.angle.is_valid()
    }
}

/// A force and a torque on a body, in directions fixed in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Number of the body.
    pub body: usize,
    /// Torque, N m, and force, N.
    pub wrench: Wrench,
    /// Where the force acts, in the body's frame, m.
    pub point: DVec3,
    /// Times this.
    pub scale: Signal,
}

impl Load {
    /// A constant load at the body's origin.
    pub fn new(body: usize, wrench: Wrench) -> Load {
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

    /// What the materials of two bodies make together.
    pub fn pair_material(&self, a: usize, b: usize) -> PairMaterial {
        PairMaterial::of(&self.materials[a], &self.materials[b])
    }
}
