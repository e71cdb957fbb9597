//! Building a model.

use std::sync::Arc;

use glam::DVec3;
use thiserror::Error;
use volar_contact::ContactLaw;
use volar_dynamics::{
    Actuator, ClosureError, Closures, Crba, DofParams, FrameMotion, JointForceError, JointForces,
    Kinematics, Tree, TreeBuilder, TreeError,
};
use volar_geom::MeshError;
use volar_geom::broadphase::PairFilter;
use volar_math::BlockPattern;

use crate::body::{Body, Parent};
use crate::closure::Closure;
use crate::controls::Controls;
use crate::ids::{ActuatorId, BodyId, DofId, MotionId};
use crate::model::{Model, Motion, Surface};
use crate::surfaces::SurfaceCache;

/// Why a model cannot be built.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The bodies do not make a tree.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// Properties of a joint make no sense.
    #[error(transparent)]
    Joint(#[from] JointForceError),
    /// A closed chain makes no sense.
    #[error("closed chain `{name}`: {source}")]
    Closure {
        /// Name of the chain.
        name: String,
        /// What is wrong with it.
        source: ClosureError,
    },
    /// A material makes no sense.
    #[error("body `{body}`: its material has a value that is negative, zero or not finite")]
    Material {
        /// Name of the body.
        body: String,
    },
    /// Shapes of one body that could not be united.
    #[error("body `{body}`: its {shapes} shapes cannot be united: {reason}")]
    Union {
        /// Name of the body.
        body: String,
        /// Number of its shapes.
        shapes: usize,
        /// What the union of the shapes failed at.
        reason: String,
    },
    /// The united mesh is not closed.
    #[error("body `{body}`: {source}")]
    Mesh {
        /// Name of the body.
        body: String,
        /// What is wrong with the mesh.
        source: MeshError,
    },
    /// An id that this builder did not give out.
    #[error("{what} number {index}, which does not exist; use the ids that this builder returned")]
    UnknownId {
        /// Who names it, and what it is.
        what: String,
        /// The number of the id.
        index: usize,
    },
    /// A degree of freedom that a joint does not have.
    #[error("the joint of body `{body}` has {count} degrees of freedom, not number {axis}")]
    UnknownDof {
        /// Name of the body that the joint moves.
        body: String,
        /// Number of degrees of freedom of the joint.
        count: usize,
        /// The one asked for, counted from 0.
        axis: usize,
    },
}

/// A linear relation of joint coordinates that is kept in a range: a mimic
/// joint (a range of one point) or a tendon with limits. The coupled value is
/// `s = Σ coefficient · q + offset`, in m or rad as the terms make it.
///
/// Two fingers that close together, though only one is driven:
///
/// ```
/// use volar_dynamics::Actuator;
/// use volar_sim::{Body, Coupling, ModelBuilder, Simulation};
/// # use std::sync::Arc;
/// # use glam::DVec3;
/// # use volar_contact::Material;
/// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
/// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
/// # let rubber = Material::named("rubber").unwrap();
///
/// let mut model = ModelBuilder::new();
/// let finger = Body::free("left", mesh.clone(), 0.1, rubber).with_damping(20.0);
/// let left = model.add(finger.at([-0.1, 0.0, 0.0]).on_slide([1.0, 0.0, 0.0]));
/// let finger = Body::free("right", mesh, 0.1, rubber).with_damping(20.0);
/// let right = model.add(finger.at([0.1, 0.0, 0.0]).on_slide([-1.0, 0.0, 0.0]));
/// model.couple(Coupling {
///     terms: vec![(left.joint().into(), 1.0), (right.joint().into(), -1.0)],
///     offset: 0.0,
///     range: [0.0, 0.0],  // m: the coordinates stay equal
///     stiffness: 1.0e5,   // N/m
///     damping: 100.0,     // N s/m
/// });
/// model.drive(left.joint(), Actuator::effort(2.0)); // N
///
/// let mut sim = Simulation::start(model.build()?)?;
/// sim.advance_to(0.5)?;
/// let [a, b] = [left, right].map(|body| sim.joint_position(body.joint()).unwrap());
/// assert!(a > 0.02 && (a - b).abs() < 1.0e-4); // m
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Coupling {
    /// Degrees of freedom with their coefficients.
    pub terms: Vec<(DofId, f64)>,
    /// Constant part of s, m or rad.
    pub offset: f64,
    /// Least and greatest s that nothing resists.
    pub range: [f64; 2],
    /// Effort of s per unit of s outside the range, N/m or N m/rad.
    pub stiffness: f64,
    /// Effort of s per unit of its rate outside the range, N s/m or N m s/rad.
    pub damping: f64,
}

/// Collects bodies, joints and pairs.
///
/// ```
/// use volar_dynamics::Actuator;
/// use volar_sim::{Body, ModelBuilder};
/// # use std::sync::Arc;
/// # use glam::DVec3;
/// # use volar_contact::Material;
/// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
/// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
/// # let rubber = Material::named("rubber").unwrap();
///
/// let mut builder = ModelBuilder::new();
/// let floor = builder.add(Body::ground("floor", DVec3::ZERO, DVec3::Z, rubber).unwrap());
/// let pusher = Body::free("pusher", mesh, 0.1, rubber)
///     .at([-0.2, 0.0, 0.03])
///     .on_slide([1.0, 0.0, 0.0]);
/// let pusher = builder.add(pusher);
/// builder.drive(pusher.joint(), Actuator::effort(3.0)); // N along the slide
/// builder.exclude(floor, pusher); // these two never touch
/// let model = builder.build()?;
/// assert_eq!(model.name(pusher), "pusher");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ModelBuilder {
    bodies: Vec<Body>,
    motions: Vec<Arc<dyn Motion>>,
    actuators: Vec<(Vec<(DofId, f64)>, Actuator)>,
    couplings: Vec<Coupling>,
    closures: Vec<(String, Closure)>,
    excluded: Vec<(u32, u32)>,
    surfaces: Arc<SurfaceCache>,
    /// The law of contact for all pairs; materials give its parameters.
    pub law: ContactLaw,
    /// Acceleration of free fall, m/s², world axes.
    pub gravity: DVec3,
}

impl Default for ModelBuilder {
    fn default() -> ModelBuilder {
        ModelBuilder {
            bodies: Vec::new(),
            motions: Vec::new(),
            actuators: Vec::new(),
            couplings: Vec::new(),
            closures: Vec::new(),
            excluded: Vec::new(),
            surfaces: Arc::default(),
            law: ContactLaw::default(),
            gravity: DVec3::new(0.0, 0.0, -9.81),
        }
    }
}

impl ModelBuilder {
    /// An empty scene under gravity, with the foundation law.
    pub fn new() -> ModelBuilder {
        ModelBuilder::default()
    }

    /// An empty scene whose surfaces are shared with other models.
    pub fn sharing(surfaces: Arc<SurfaceCache>) -> ModelBuilder {
        ModelBuilder {
            surfaces,
            ..ModelBuilder::default()
        }
    }

    /// Adds a body.
    pub fn add(&mut self, body: Body) -> BodyId {
        self.bodies.push(body);
        BodyId::new(self.bodies.len() - 1)
    }

    /// Adds a frame on a prescribed motion, for bodies to stand on.
    pub fn add_motion(&mut self, motion: Arc<dyn Motion>) -> MotionId {
        self.motions.push(motion);
        MotionId::new(self.motions.len() - 1)
    }

    /// Drives a joint, or one degree of freedom of it, see
    /// [`JointId::axis`](crate::JointId::axis).
    pub fn drive(&mut self, joint: impl Into<DofId>, actuator: Actuator) -> ActuatorId {
        self.drive_sum(vec![(joint.into(), 1.0)], actuator)
    }

    /// Drives a tendon: the actuator acts on `s = Σ coefficient · q`, and its effort
    /// reaches every degree of freedom by its coefficient.
    pub fn drive_sum(&mut self, terms: Vec<(DofId, f64)>, actuator: Actuator) -> ActuatorId {
        self.actuators.push((terms, actuator));
        ActuatorId::new(self.actuators.len() - 1)
    }

    /// Couples joints, as a mimic joint or a tendon does.
    pub fn couple(&mut self, coupling: Coupling) {
        self.couplings.push(coupling);
    }

    /// Closes a chain of bodies, or ties joints to each other without play.
    pub fn close(&mut self, closure: Closure) {
        let name = format!("number {}", self.closures.len() + 1);
        self.close_named(name, closure);
    }

    /// The same, with a name for messages.
    pub fn close_named(&mut self, name: impl Into<String>, closure: Closure) {
        self.closures.push((name.into(), closure));
    }

    /// Two bodies that never touch.
    pub fn exclude(&mut self, a: BodyId, b: BodyId) {
        self.excluded.push((a.index() as u32, b.index() as u32));
    }

    /// Bodies that never touch each other, such as the links of a gripper.
    pub fn exclude_among(&mut self, bodies: &[BodyId]) {
        for (i, &a) in bodies.iter().enumerate() {
            for &b in &bodies[i + 1..] {
                self.exclude(a, b);
            }
        }
    }

    /// The checked model.
    pub fn build(self) -> Result<Model, ModelError> {
        let mut builder = TreeBuilder::new();
        let mut params = Vec::new();
        for body in &self.bodies {
            if !body.material.is_valid() {
                return Err(ModelError::Material {
                    body: body.name.clone(),
                });
            }
            params.extend((0..body.joint.nv()).map(|_| body.joint_params));
            builder.add(self.tree_body(body)?);
        }
        let armature: Vec<f64> = params.iter().map(|dof: &DofParams| dof.armature).collect();
        let tree = builder.build_with_armature(&armature)?;
        let couplings = self.couplings.iter().map(|coupling| {
            Ok(volar_dynamics::Coupling {
                terms: numbered(&tree, &coupling.terms, "a coupling names a joint of body")?,
                offset: coupling.offset,
                range: coupling.range,
                stiffness: coupling.stiffness,
                damping: coupling.damping,
            })
        });
        let couplings = couplings.collect::<Result<Vec<_>, ModelError>>()?;
        let mut joints = JointForces::new(&tree, params, Vec::new(), couplings)?;
        for (terms, actuator) in &self.actuators {
            let terms = numbered(&tree, terms, "an actuator drives a joint of body")?;
            joints.add_actuator(terms, actuator.clone())?;
        }
        let closures = self.closures(&tree)?;
        let surfaces = self.surfaces.of_bodies(&self.bodies)?;
        let filter = PairFilter::excluding(self.excluded).with_groups(immobile_groups(&tree));
        let controls = Controls {
            gravity: self.gravity.into(),
            joints,
            loads: Vec::new(),
            materials: self.bodies.iter().map(|body| body.material).collect(),
        };
        Ok(Model {
            lever: levers(&tree, &surfaces, &self.motions),
            inertia: inertias(&tree, &armature, &self.motions),
            tree,
            closures,
            closure_names: self.closures.into_iter().map(|(name, _)| name).collect(),
            surfaces,
            law: self.law,
            filter,
            motions: self.motions,
            controls,
        })
    }

    fn closures(&self, tree: &Tree) -> Result<Closures, ModelError> {
        let numbered = self.closures.iter().map(|(_, one)| one.numbered(tree));
        let numbered = numbered.collect::<Result<Vec<_>, _>>()?;
        Closures::new(tree, numbered).map_err(|source| {
            let (name, _) = &self.closures[source.closure()];
            let name = name.clone();
            ModelError::Closure { name, source }
        })
    }

    fn tree_body(&self, body: &Body) -> Result<volar_dynamics::Body, ModelError> {
        let (parent, base_motion) = match body.parent {
            Parent::World => (None, None),
            Parent::BaseMotion(motion) if motion.index() >= self.motions.len() => {
                return Err(ModelError::UnknownId {
                    what: format!("body `{}` stands on motion", body.name),
                    index: motion.index(),
                });
            }
            Parent::BaseMotion(motion) => (None, Some(motion.index())),
            Parent::Body(parent) => (Some(parent.index()), None),
        };
        Ok(volar_dynamics::Body {
            name: body.name.clone(),
            parent,
            base_motion,
            X_PJ: body.placement,
            joint: body.joint,
            mass: body.mass.mass,
            p_BoBcm_B: body.mass.centre_of_mass,
            inertia: body.mass.inertia,
        })
    }
}

/// Terms of a sum with the numbers of the tree; `who` begins the error.
pub(crate) fn numbered(
    tree: &Tree,
    terms: &[(DofId, f64)],
    who: &str,
) -> Result<Vec<(usize, f64)>, ModelError> {
    let terms = terms.iter();
    terms
        .map(|(dof, c)| Ok((dof_number(tree, *dof, who)?, *c)))
        .collect()
}

/// Number of a degree of freedom in the tree; `who` begins the error.
fn dof_number(tree: &Tree, dof: DofId, who: &str) -> Result<usize, ModelError> {
    let body = dof.joint.body().index();
    let Some(name) = tree.bodies().get(body).map(|body| &body.name) else {
        return Err(ModelError::UnknownId {
            what: who.into(),
            index: body,
        });
    };
    let range = tree.v_range(body);
    if dof.axis >= range.len() {
        return Err(ModelError::UnknownDof {
            body: name.clone(),
            count: range.len(),
            axis: dof.axis,
        });
    }
    Ok(range.start + dof.axis)
}

/// Groups of bodies that cannot move against each other: fixed in the world, or to one
/// another. What moves a body is known by the last dof above it.
fn immobile_groups(tree: &Tree) -> Vec<u32> {
    let bodies = 0..tree.bodies().len();
    let last = bodies.map(|body| tree.ancestor_dofs(body).last());
    last.map(|dof| dof.map_or(0, |dof| *dof as u32 + 1))
        .collect()
}

/// Inertia that each dof moves when nothing else moves, at neutral coordinates.
fn inertias(tree: &Tree, armature: &[f64], motions: &[Arc<dyn Motion>]) -> Vec<f64> {
    let kinematics = neutral(tree, motions);
    let pattern = BlockPattern::of_groups(tree.dof_groups());
    let mut mass = vec![0.0; pattern.diagonal_len()];
    Crba::default().calc(tree, &kinematics, armature, &pattern, &mut mass);
    let dofs = 0..tree.nv();
    dofs.map(|i| mass[pattern.index(i, i)]).collect()
}

/// All joints at zero, at rest.
fn neutral(tree: &Tree, motions: &[Arc<dyn Motion>]) -> Kinematics {
    let mut kinematics = Kinematics::default();
    let still: Vec<FrameMotion> = motions.iter().map(|motion| motion.at(0.0)).collect();
    kinematics.calc(tree, &tree.neutral_q(), &vec![0.0; tree.nv()], &still);
    kinematics
}

/// For every dof that turns: how far from its axis the bodies reach that it
/// moves, so that angles count in tolerances by the distance they move.
fn levers(tree: &Tree, surfaces: &[Option<Surface>], motions: &[Arc<dyn Motion>]) -> Vec<f64> {
    let kinematics = neutral(tree, motions);
    let mut levers = vec![0.0_f64; tree.nv()];
    for (body, surface) in surfaces.iter().enumerate() {
        let radius = surface.as_ref().map_or(0.0, |surface| surface.radius);
        for &dof in tree.ancestor_dofs(body) {
            let hinge = kinematics.X_WB[tree.dof_body(dof)].p;
            let reach = (kinematics.X_WB[body].p - hinge).length() + radius;
            levers[dof] = levers[dof].max(reach);
        }
    }
    for (dof, lever) in levers.iter_mut().enumerate() {
        let turns = kinematics.axes[dof].angular != DVec3::ZERO;
        if !turns {
            *lever = 1.0;
        } else if *lever <= 0.0 {
            *lever = 0.05; // a body without a surface: a finger's length
        }
    }
    levers
}
