//! What a user may change while a simulation runs, and what changes by itself
//! with time.

use glam::DVec3;
use volar_contact::{Material, PairMaterial};
use volar_dynamics::{Actuator, DofParams, JointForceError, JointForces, Signal};
use volar_math::{Pose, Wrench, rotation};

use crate::ids::{ActuatorId, BodyId, DofId, PairId};
use crate::model::Model;

/// Gravity, efforts, loads and materials.
///
/// They are changed between steps, with [`Simulation::change`](crate::Simulation::change):
///
/// ```
/// use volar_dynamics::Actuator;
/// use volar_sim::{Body, ModelBuilder, Simulation};
/// # use std::sync::Arc;
/// # use glam::DVec3;
/// # use volar_contact::Material;
/// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
/// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
/// # let rubber = Material::named("rubber").unwrap();
///
/// let mut builder = ModelBuilder::new();
/// let pad = builder.add(Body::free("pad", mesh, 0.1, rubber).on_slide([1.0, 0.0, 0.0]));
/// let motor = builder.drive(pad.joint(), Actuator::effort(2.0)); // N
/// let mut sim = Simulation::start(builder.build()?)?;
///
/// sim.advance_to(0.1)?;
/// sim.change(|controls| {
///     controls.material_mut(pad).friction = 0.3;
///     controls.set_actuator(motor, Actuator::effort(-2.0)).unwrap(); // N
/// })?;
/// sim.advance_to(0.2)?;
/// // 0.1 s forward and 0.1 s back with the same force: at rest again.
/// assert!(sim.joint_velocity(pad.joint()).unwrap().abs() < 1.0e-6); // m/s
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Controls {
    /// Acceleration of free fall, m/s²; constant or turning.
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
///
/// Gravity that points down and is turned by half a turn about x from 1 s to 2 s:
///
/// ```
/// use glam::DVec3;
/// use volar_dynamics::Signal;
/// use volar_sim::Gravity;
///
/// let gravity = Gravity {
///     vector: DVec3::new(0.0, 0.0, -9.81), // m/s², world axes
///     axis: DVec3::X,
///     angle: Signal::Smooth { start: 1.0, duration: 1.0, from: 0.0, to: std::f64::consts::PI },
/// };
/// assert_eq!(gravity.at(0.5), DVec3::new(0.0, 0.0, -9.81));
/// assert!((gravity.at(3.0) - DVec3::new(0.0, 0.0, 9.81)).length() < 1.0e-12);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Gravity {
    /// Before it turns, m/s², world axes.
    pub vector: DVec3,
    /// Axis that it turns about: a unit vector, world axes.
    pub axis: DVec3,
    /// Angle that it has turned by, rad.
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
///
/// A cube of 0.1 kg in free space, pushed with 0.2 N for a second:
///
/// ```
/// use volar_math::Wrench;
/// use volar_sim::{Body, Load, ModelBuilder, Simulation};
/// # use std::sync::Arc;
/// # use glam::DVec3;
/// # use volar_contact::Material;
/// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
/// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
/// # let rubber = Material::named("rubber").unwrap();
///
/// let mut builder = ModelBuilder::new();
/// builder.gravity = DVec3::ZERO;
/// let cube = builder.add(Body::free("cube", mesh, 0.1, rubber));
/// let mut sim = Simulation::start(builder.build()?)?;
///
/// let push = Wrench::new(DVec3::ZERO, DVec3::new(0.2, 0.0, 0.0)); // N m and N, world axes
/// sim.change(|controls| controls.loads.push(Load::new(cube, push)))?;
/// sim.advance_to(1.0)?;
/// assert!((sim.velocity(cube).linear.x - 2.0).abs() < 1.0e-9); // m/s
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// The body it acts on.
    pub body: BodyId,
    /// Torque, N m, about the point where the force acts, and force, N; world axes.
    pub wrench: Wrench,
    /// Where the force acts, in the body's frame, m.
    pub point: DVec3,
    /// Factor on the wrench over time; no unit.
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

    /// One more actuator on a joint of the model, on top of those it has; none
    /// if the joint does not have that degree of freedom.
    ///
    /// ```
    /// use volar_dynamics::Actuator;
    /// use volar_sim::{Body, ModelBuilder, Simulation};
    /// # use std::sync::Arc;
    /// # use glam::DVec3;
    /// # use volar_contact::Material;
    /// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
    /// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
    /// # let rubber = Material::named("rubber").unwrap();
    ///
    /// let mut builder = ModelBuilder::new();
    /// let pad = builder.add(Body::free("pad", mesh, 0.1, rubber).on_slide([1.0, 0.0, 0.0]));
    /// let mut sim = Simulation::start(builder.build()?)?;
    /// let model = sim.model().clone();
    /// sim.change(|controls| {
    ///     let push = Actuator::effort(0.2); // N
    ///     controls.drive(&model, pad.joint(), push).unwrap().unwrap();
    /// })?;
    /// sim.advance_to(1.0)?;
    /// assert!((sim.joint_velocity(pad.joint()).unwrap() - 2.0).abs() < 1.0e-9); // m/s
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drive(
        &mut self,
        model: &Model,
        joint: impl Into<DofId>,
        actuator: Actuator,
    ) -> Result<Option<ActuatorId>, JointForceError> {
        let Some(dof) = model.dof(joint.into()) else {
            return Ok(None);
        };
        self.joints.add_actuator(vec![(dof, 1.0)], actuator)?;
        Ok(Some(ActuatorId::new(self.joints.actuators().len() - 1)))
    }

    /// Replaces an actuator: another effort, target or gain.
    pub fn set_actuator(
        &mut self,
        id: ActuatorId,
        actuator: Actuator,
    ) -> Result<(), JointForceError> {
        self.joints.set_actuator(id.index(), actuator)
    }

    /// All that acts in the joints: actuators with the sums of coordinates they act
    /// on, and passive properties.
    pub fn joint_forces(&self) -> &JointForces {
        &self.joints
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
