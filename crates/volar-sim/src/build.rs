//! Building a model.

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use thiserror::Error;
use volar_contact::{ContactLaw, Material};
use volar_dynamics::{
    Actuator, Body, Coupling, DofParams, FrameMotion, Joint, JointForceError, JointForces,
    Kinematics, Tree, TreeBuilder, TreeError,
};
use volar_geom::broadphase::PairFilter;
use volar_geom::mesh::mass::MassProperties;
use volar_geom::mesh::shapes::cuboid;
use volar_geom::{ClosedMesh, MeshError, Pose, TriMesh};

use crate::controls::Controls;
use crate::model::{Model, Motion, Surface};

/// What a body hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
    /// The fixed world.
    World,
    /// A frame on a prescribed motion, see [`ModelBuilder::add_motion`].
    BaseMotion(usize),
    /// Another body.
    Body(usize),
}

/// A body to be.
#[derive(Clone, Debug)]
pub struct BodySpec {
    /// Name, unique in the model.
    pub name: String,
    /// What it hangs on.
    pub parent: Parent,
    /// The joint frame in the parent's frame.
    pub X_PJ: Pose,
    /// Its joint.
    pub joint: Joint,
    /// Mass, centre of mass and inertia, in the body's frame.
    pub mass: MassProperties,
    /// Closed meshes in the body's frame; together they are its solid.
    pub shapes: Vec<Arc<ClosedMesh>>,
    /// What it is made of.
    pub material: Material,
    /// Properties of its joint, for every dof.
    pub dof: DofParams,
}

impl BodySpec {
    /// A free body with one shape, of a mass in kg; its frame is the mesh's.
    pub fn free(name: &str, mesh: Arc<ClosedMesh>, mass: f64, material: Material) -> BodySpec {
        let properties = mesh.moments().map_or(
            MassProperties {
                mass,
                centre_of_mass: DVec3::ZERO,
                inertia: DMat3::ZERO,
            },
            |moments| moments.with_mass(mass),
        );
        BodySpec {
            name: name.into(),
            parent: Parent::World,
            X_PJ: Pose::IDENTITY,
            joint: Joint::Free,
            mass: properties,
            shapes: vec![mesh],
            material,
            dof: DofParams::default(),
        }
    }

    /// Fixed ground: the half-space below a plane through `point` with normal
    /// `up`. It is a slab 20 m wide and 10 m thick, so exact anywhere within
    /// 10 m of the point.
    pub fn ground(name: &str, point: DVec3, up: DVec3, material: Material) -> Option<BodySpec> {
        let up = up.try_normalize()?;
        let R = DMat3::from_quat(DQuat::from_rotation_arc(DVec3::Z, up));
        let slab = cuboid(DVec3::new(20.0, 20.0, 10.0));
        let mesh = Arc::new(ClosedMesh::new(slab).ok()?);
        let pose = Pose {
            R,
            p: point - 5.0 * up,
        };
        Some(BodySpec::fixed(name, mesh, pose, material))
    }

    /// A body fixed in the world.
    pub fn fixed(name: &str, mesh: Arc<ClosedMesh>, X_WB: Pose, material: Material) -> BodySpec {
        BodySpec {
            joint: Joint::Fixed,
            X_PJ: X_WB,
            ..BodySpec::free(name, mesh, 1.0, material)
        }
    }
}

/// Why a model cannot be built.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The bodies do not make a tree.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// Properties of a joint make no sense.
    #[error(transparent)]
    Joint(#[from] JointForceError),
    /// A material makes no sense.
    #[error("body `{body}`: its material has a value that is negative, zero or not finite")]
    Material {
        /// The body.
        body: String,
    },
    /// Shapes of one body that could not be united.
    #[error("body `{body}`: its {shapes} shapes cannot be united: {reason}")]
    Union {
        /// The body.
        body: String,
        /// How many.
        shapes: usize,
        /// Why.
        reason: String,
    },
    /// The united mesh is not closed.
    #[error("body `{body}`: {source}")]
    Mesh {
        /// The body.
        body: String,
        /// Why.
        source: MeshError,
    },
    /// A base motion that does not exist.
    #[error("body `{body}` stands on motion number {base_motion}, which does not exist")]
    UnknownBaseMotion {
        /// The body.
        body: String,
        /// The number.
        base_motion: usize,
    },
}

/// Collects bodies, joints and pairs.
#[derive(Debug)]
pub struct ModelBuilder {
    bodies: Vec<BodySpec>,
    motions: Vec<Arc<dyn Motion>>,
    actuators: Vec<(usize, usize, Actuator)>,
    couplings: Vec<Coupling>,
    excluded: Vec<(u32, u32)>,
    /// The law of contact.
    pub law: ContactLaw,
    /// Acceleration of free fall, m/s².
    pub gravity: DVec3,
}

impl Default for ModelBuilder {
    fn default() -> ModelBuilder {
        ModelBuilder {
            bodies: Vec::new(),
            motions: Vec::new(),
            actuators: Vec::new(),
            couplings: Vec::new(),
            excluded: Vec::new(),
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

    /// Adds a body and returns its number.
    pub fn add(&mut self, body: BodySpec) -> usize {
        self.bodies.push(body);
        self.bodies.len() - 1
    }

    /// Adds a frame on a prescribed motion and returns its number.
    pub fn add_motion(&mut self, motion: Arc<dyn Motion>) -> usize {
        self.motions.push(motion);
        self.motions.len() - 1
    }

    /// Drives a dof of a body's joint.
    pub fn actuate(&mut self, body: usize, dof: usize, actuator: Actuator) {
        self.actuators.push((body, dof, actuator));
    }

    /// Couples joints; its dofs are counted over all bodies.
    pub fn couple(&mut self, coupling: Coupling) {
        self.couplings.push(coupling);
    }

    /// Two bodies that never touch.
    pub fn exclude(&mut self, a: usize, b: usize) {
        self.excluded.push((a as u32, b as u32));
    }

    /// Bodies that never touch each other, such as the links of a gripper.
    pub fn exclude_among(&mut self, bodies: &[usize]) {
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
            params.extend((0..body.joint.nv()).map(|_| body.dof));
            builder.add(self.tree_body(body)?);
        }
        let armature: Vec<f64> = params.iter().map(|dof: &DofParams| dof.armature).collect();
        let tree = builder.build_with_armature(&armature)?;
        let actuators = self
            .actuators
            .iter()
            .map(|(body, dof, actuator)| (tree.v_range(*body).start + dof, actuator.clone()));
        let joints = JointForces::new(&tree, params, actuators.collect(), self.couplings)?;
        let surfaces = self
            .bodies
            .iter()
            .map(surface)
            .collect::<Result<Vec<_>, _>>()?;
        let mut excluded = self.excluded;
        exclude_immobile(&tree, &surfaces, &mut excluded);
        let controls = Controls {
            gravity: self.gravity.into(),
            joints,
            loads: Vec::new(),
            materials: self.bodies.iter().map(|body| body.material).collect(),
        };
        Ok(Model {
            lever: levers(&tree, &surfaces, &self.motions),
            tree,
            surfaces,
            law: self.law,
            filter: PairFilter::excluding(excluded),
            motions: self.motions,
            controls,
        })
    }

    fn tree_body(&self, body: &BodySpec) -> Result<Body, ModelError> {
        let (parent, base_motion) = match body.parent {
            Parent::World => (None, None),
            Parent::BaseMotion(base_motion) if base_motion >= self.motions.len() => {
                let body = body.name.clone();
                return Err(ModelError::UnknownBaseMotion { body, base_motion });
            }
            Parent::BaseMotion(base_motion) => (None, Some(base_motion)),
            Parent::Body(parent) => (Some(parent), None),
        };
        Ok(Body {
            name: body.name.clone(),
            parent,
            base_motion,
            X_PJ: body.X_PJ,
            joint: body.joint,
            mass: body.mass.mass,
            p_BoBcm_B: body.mass.centre_of_mass,
            inertia: body.mass.inertia,
        })
    }
}

/// The surface of a body: its shapes as one solid, without vertices that do
/// not shape it.
fn surface(body: &BodySpec) -> Result<Option<Surface>, ModelError> {
    let mesh = match &body.shapes[..] {
        [] => return Ok(None),
        [one] => one.clone(),
        several => {
            let meshes: Vec<TriMesh> = several.iter().map(|mesh| mesh.to_tri_mesh()).collect();
            let united = volar_meshes::unite(&meshes).map_err(|reason| ModelError::Union {
                body: body.name.clone(),
                shapes: several.len(),
                reason: reason.to_string(),
            })?;
            Arc::new(ClosedMesh::new(united).map_err(|source| ModelError::Mesh {
                body: body.name.clone(),
                source,
            })?)
        }
    };
    let mesh = match mesh.merged() {
        Some(merged) => Arc::new(ClosedMesh::new(merged.mesh).map_err(|source| {
            let body = body.name.clone();
            ModelError::Mesh { body, source }
        })?),
        None => mesh,
    };
    let radius = mesh
        .vertices()
        .iter()
        .map(|p| p.length())
        .fold(0.0, f64::max);
    Ok(Some(Surface {
        radius,
        thickness: mesh.thickness(),
        mesh,
    }))
}

/// Bodies that cannot move against each other never touch: both fixed in the
/// world, or fixed to one another.
fn exclude_immobile(tree: &Tree, surfaces: &[Option<Surface>], excluded: &mut Vec<(u32, u32)>) {
    for a in 0..surfaces.len() {
        for b in a + 1..surfaces.len() {
            if tree.ancestor_dofs(a) == tree.ancestor_dofs(b) {
                excluded.push((a as u32, b as u32));
            }
        }
    }
}

/// For every dof that turns: how far from its axis the bodies reach that it
/// moves, so that angles count in tolerances by the distance they move.
fn levers(tree: &Tree, surfaces: &[Option<Surface>], motions: &[Arc<dyn Motion>]) -> Vec<f64> {
    let mut kinematics = Kinematics::default();
    let still: Vec<FrameMotion> = motions.iter().map(|motion| motion.at(0.0)).collect();
    kinematics.calc(tree, &tree.neutral_q(), &vec![0.0; tree.nv()], &still);
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
        let turns = kinematics.axes[dof].ang != DVec3::ZERO;
        if !turns {
            *lever = 1.0;
        } else if *lever <= 0.0 {
            *lever = 0.05; // a body without a surface: a finger's length
        }
    }
    levers
}
