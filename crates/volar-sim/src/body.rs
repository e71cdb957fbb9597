//! A body as it is described to a [`ModelBuilder`](crate::ModelBuilder).

use std::sync::Arc;

use glam::{DMat3, DVec3};
use volar_contact::Material;
use volar_dynamics::{DofParams, Joint};
use volar_geom::mesh::mass::MassProperties;
use volar_geom::{ClosedMesh, Pose};
use volar_math::rotation;

use crate::ids::{BodyId, MotionId};

/// What a body hangs on.
///
/// A palm on a hinge, and a finger that slides in it:
///
/// ```
/// use volar_sim::{Body, ModelBuilder, Parent, Simulation};
/// # use std::sync::Arc;
/// # use glam::DVec3;
/// # use volar_contact::Material;
/// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
/// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
/// # let rubber = Material::named("rubber").unwrap();
///
/// let mut model = ModelBuilder::new();
/// let palm = model.add(Body::free("palm", mesh.clone(), 0.5, rubber).on_hinge([0.0, 0.0, 1.0]));
/// let finger = Body::free("finger", mesh, 0.1, rubber)
///     .on(Parent::Body(palm))
///     .at([0.05, 0.0, 0.0]) // m, in the frame of the palm
///     .on_slide([-1.0, 0.0, 0.0]);
/// let finger = model.add(finger);
/// let sim = Simulation::start(model.build()?)?;
/// assert_eq!(sim.pose(finger).p, DVec3::new(0.05, 0.0, 0.0)); // m, in the world
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
    /// The fixed world.
    World,
    /// A frame on a prescribed motion, see
    /// [`ModelBuilder::add_motion`](crate::ModelBuilder::add_motion).
    BaseMotion(MotionId),
    /// Another body, added before.
    Body(BodyId),
}

/// A rigid body: what it is made of, and the joint it hangs on.
///
/// ```
/// use std::sync::Arc;
/// use glam::DVec3;
/// use volar_contact::Material;
/// use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
/// use volar_sim::Body;
///
/// let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::new(0.02, 0.02, 0.06)))?);
/// let rubber = Material::named("rubber").unwrap();
/// let pad = Body::free("pad", mesh, 0.1, rubber)
///     .at([0.045, 0.0, 0.0])
///     .on_slide([-1.0, 0.0, 0.0])
///     .with_damping(20.0);
/// # Ok::<(), volar_geom::MeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Body {
    /// Name, unique in the model.
    pub name: String,
    /// What it hangs on.
    pub parent: Parent,
    /// Pose of the joint's frame in the parent's frame: where the body is when
    /// its joint is at zero.
    pub placement: Pose,
    /// How it can move there.
    pub joint: Joint,
    /// Mass, centre of mass and inertia, in the body's frame.
    pub mass: MassProperties,
    /// Closed meshes in the body's frame; together they are its solid.
    pub shapes: Vec<Arc<ClosedMesh>>,
    /// What its surface is made of.
    pub material: Material,
    /// Limits, damping, armature, spring and dry friction, the same for every
    /// degree of freedom of its joint.
    pub joint_params: DofParams,
}

impl Body {
    /// A free body with one shape, of a mass in kg spread evenly over it; its
    /// frame is the mesh's.
    pub fn free(name: &str, mesh: Arc<ClosedMesh>, mass: f64, material: Material) -> Body {
        let properties = mesh.moments().map_or(
            MassProperties {
                mass,
                centre_of_mass: DVec3::ZERO,
                inertia: DMat3::ZERO,
            },
            |moments| moments.with_mass(mass),
        );
        Body {
            name: name.into(),
            parent: Parent::World,
            placement: Pose::IDENTITY,
            joint: Joint::Free,
            mass: properties,
            shapes: vec![mesh],
            material,
            joint_params: DofParams::default(),
        }
    }

    /// A body that does not move, at a pose in the world.
    pub fn fixed(name: &str, mesh: Arc<ClosedMesh>, pose: Pose, material: Material) -> Body {
        Body {
            joint: Joint::Fixed,
            placement: pose,
            ..Body::free(name, mesh, 1.0, material)
        }
    }

    /// Fixed ground: the half-space below a plane through `point` with normal
    /// `up`. It is a slab 20 m wide and 10 m thick, so exact anywhere within
    /// 10 m of the point. None if `up` is zero.
    pub fn ground(name: &str, point: DVec3, up: DVec3, material: Material) -> Option<Body> {
        let up = up.try_normalize()?;
        let R = rotation::arc(DVec3::Z, up);
        let slab = volar_solids::Shape::Ground {}.tessellate()?;
        let mesh = Arc::new(ClosedMesh::new(slab).ok()?);
        let pose = Pose { R, p: point };
        Some(Body::fixed(name, mesh, pose, material))
    }

    /// Placed at a position in the parent's frame, m. For a free body this is
    /// where its coordinates are zero.
    #[must_use]
    pub fn at(mut self, position: impl Into<DVec3>) -> Body {
        self.placement.p = position.into();
        self
    }

    /// On a hinge through the body's origin; the axis (a unit vector) is in
    /// the parent's frame as placed.
    #[must_use]
    pub fn on_hinge(mut self, axis: impl Into<DVec3>) -> Body {
        self.joint = Joint::Revolute { axis: axis.into() };
        self
    }

    /// On a slide along an axis, a unit vector.
    #[must_use]
    pub fn on_slide(mut self, axis: impl Into<DVec3>) -> Body {
        self.joint = Joint::Prismatic { axis: axis.into() };
        self
    }

    /// Hanging on another body or on a prescribed motion.
    #[must_use]
    pub fn on(mut self, parent: Parent) -> Body {
        self.parent = parent;
        self
    }

    /// With viscous damping of its joint, N s/m or N m s/rad.
    #[must_use]
    pub fn with_damping(mut self, damping: f64) -> Body {
        self.joint_params.damping = damping;
        self
    }
}
