//! What does not change while bodies move: the bodies, their surfaces, the law.

use std::fmt::Debug;
use std::sync::Arc;

use volar_contact::ContactLaw;
use volar_dynamics::{Closures, FrameMotion, Tree};
use volar_geom::ClosedMesh;
use volar_geom::broadphase::PairFilter;
use volar_geom::mesh::mass::MassProperties;

use crate::controls::Controls;
use crate::ids::{BodyId, DofId, JointId, MotionId, PairId};
use crate::state::State;

/// A frame on a prescribed motion.
///
/// A table that moves along x at 0.1 m/s:
///
/// ```
/// use glam::DVec3;
/// use volar_dynamics::FrameMotion;
/// use volar_math::{Pose, Twist};
/// use volar_sim::{Body, ModelBuilder, Motion, Parent, Simulation};
/// # use std::sync::Arc;
/// # use volar_contact::Material;
/// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
/// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
/// # let rubber = Material::named("rubber").unwrap();
///
/// #[derive(Debug)]
/// struct Conveyor;
///
/// impl Motion for Conveyor {
///     fn at(&self, t: f64) -> FrameMotion {
///         let velocity = DVec3::new(0.1, 0.0, 0.0); // m/s, world axes
///         FrameMotion {
///             X_WF: Pose::from_translation(velocity * t),
///             V_WF: Twist::new(DVec3::ZERO, velocity),
///             A_WF: Twist::ZERO,
///         }
///     }
/// }
///
/// let mut builder = ModelBuilder::new();
/// let conveyor = builder.add_motion(Arc::new(Conveyor));
/// let table = Body::fixed("table", mesh, Pose::IDENTITY, rubber).on(Parent::BaseMotion(conveyor));
/// let table = builder.add(table);
/// let mut sim = Simulation::start(builder.build()?)?;
/// sim.advance_to(2.0)?;
/// assert!((sim.pose(table).p.x - 0.2).abs() < 1.0e-12); // m
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Motion: Debug + Send + Sync {
    /// Pose, velocity and acceleration at a time, s.
    fn at(&self, t: f64) -> FrameMotion;

    /// Whether it moves between a time and the next break, s.
    fn moves_after(&self, _t: f64) -> bool {
        true
    }

    /// Times at which the motion is not smooth; steps end there.
    fn breaks(&self) -> Vec<f64> {
        Vec::new()
    }
}

/// The surface of a body.
///
/// See the example of [`Model`].
#[derive(Clone, Debug)]
pub struct Surface {
    /// Closed mesh in the body's frame.
    pub mesh: Arc<ClosedMesh>,
    /// No point of it is farther from the body's origin, m.
    pub radius: f64,
    /// How thick the body is at its thin places, m.
    pub thickness: f64,
}

/// Bodies, surfaces and law; shared by all trials of a scene.
///
/// ```
/// use volar_sim::{Body, ModelBuilder};
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
///
/// let cube = model.body("cube").unwrap();
/// let surface = model.surface(cube).unwrap();
/// assert_eq!(surface.mesh.triangles().len(), 12);
/// assert!((surface.radius - 0.02 * 3.0_f64.sqrt()).abs() < 1.0e-12); // m
/// assert_eq!(model.mass(cube).mass, 0.1); // kg
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) tree: Tree,
    /// Closed chains, and their names by the order in which they were added.
    pub(crate) closures: Closures,
    pub(crate) closure_names: Vec<String>,
    /// Of each body; one without touches nothing.
    pub(crate) surfaces: Vec<Option<Surface>>,
    pub(crate) law: ContactLaw,
    /// Pairs that never touch.
    pub(crate) filter: PairFilter,
    pub(crate) motions: Vec<Arc<dyn Motion>>,
    /// Length that turns a dof's angle into a distance for tolerances, m; 1
    /// for a sliding dof.
    pub(crate) lever: Vec<f64>,
    /// Inertia that each dof moves, kg m² or kg, as a scale.
    pub(crate) inertia: Vec<f64>,
    /// What a simulation starts with.
    pub(crate) controls: Controls,
}

impl Model {
    /// The ids of all bodies, in the order in which they were added.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = BodyId> + use<> {
        (0..self.surfaces.len()).map(BodyId::new)
    }

    /// The body with a name.
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.bodies().find(|body| self.name(*body) == name)
    }

    /// The joint that moves the body with a name.
    pub fn joint(&self, body: &str) -> Option<JointId> {
        self.body(body).map(BodyId::joint)
    }

    /// Name of a body.
    pub fn name(&self, body: BodyId) -> &str {
        &self.tree.bodies()[body.index()].name
    }

    /// Mass, centre of mass and inertia of a body, in its frame.
    pub fn mass(&self, body: BodyId) -> MassProperties {
        let body = &self.tree.bodies()[body.index()];
        MassProperties {
            mass: body.mass,
            centre_of_mass: body.p_BoBcm_B,
            inertia: body.inertia,
        }
    }

    /// The solid of a body; none if it has no shape, so that it touches nothing.
    pub fn surface(&self, body: BodyId) -> Option<&Surface> {
        self.surfaces[body.index()].as_ref()
    }

    /// Bodies and joints as the equations of motion see them.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The law of contact.
    pub fn law(&self) -> &ContactLaw {
        &self.law
    }

    /// Whether two bodies may touch: neither excluded, nor welded to each other.
    pub fn may_touch(&self, pair: PairId) -> bool {
        let [a, b] = [pair.a(), pair.b()].map(|body| body.index() as u32);
        self.filter.allows(a, b)
    }

    /// A prescribed motion.
    pub fn motion(&self, motion: MotionId) -> Option<&dyn Motion> {
        self.motions.get(motion.index()).map(|motion| &**motion)
    }

    /// What a simulation of this model starts with.
    pub fn controls(&self) -> &Controls {
        &self.controls
    }

    /// Number of a degree of freedom in velocities and efforts; none if the
    /// joint does not have it.
    pub(crate) fn dof(&self, dof: DofId) -> Option<usize> {
        self.tree.v_range(dof.joint.body().index()).nth(dof.axis)
    }

    /// Mass that a push on a body meets; none for one that cannot move.
    pub(crate) fn movable_mass(&self, body: usize) -> Option<f64> {
        let moves = !self.tree.ancestor_dofs(body).is_empty();
        moves.then(|| self.tree.bodies()[body].mass)
    }

    /// What is wrong with a state or controls from outside, if anything.
    pub(crate) fn misfit(&self, state: &State, controls: &Controls) -> Option<String> {
        let bodies = self.surfaces.len();
        for (what, given, needed) in [
            ("joint coordinates", state.q.len(), self.tree.nq()),
            ("joint velocities", state.v.len(), self.tree.nv()),
            (
                "states of joint friction",
                state.joint_friction.len(),
                controls.joints.friction_dofs().len(),
            ),
            (
                "degrees of freedom with joint properties",
                controls.joints.params().len(),
                self.tree.nv(),
            ),
            ("materials", controls.materials.len(), bodies),
        ] {
            if given != needed {
                return Some(format!("number of {what} is {given} instead of {needed}"));
            }
        }
        if let Err(error) = self.tree.check_q(&state.q) {
            return Some(format!("joint coordinates are wrong: {error}"));
        }
        if state.v.iter().any(|v| !v.is_finite()) || !state.time.is_finite() {
            return Some("time or a joint velocity is not finite".into());
        }
        if !controls.gravity.is_valid() {
            return Some("gravity is not finite".into());
        }
        for load in &controls.loads {
            if load.body.index() >= bodies {
                return Some(format!(
                    "load acts on body {}, which does not exist",
                    load.body.index()
                ));
            }
            if !load.is_valid() {
                return Some(format!("load on `{}` is not finite", self.name(load.body)));
            }
        }
        let invalid = controls.materials.iter().position(|m| !m.is_valid());
        invalid.map(|body| format!("material of `{}` makes no sense", self.name_at(body)))
    }

    /// Name of the closed chain with a number.
    pub(crate) fn closure_name(&self, number: usize) -> String {
        let name = self.closure_names.get(number);
        name.cloned().unwrap_or_else(|| number.to_string())
    }

    /// Name of the body with a number.
    pub(crate) fn name_at(&self, body: usize) -> &str {
        self.name(BodyId::new(body))
    }
}
