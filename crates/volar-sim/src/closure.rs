//! Closed chains of a model: what holds bodies or joints together besides the tree.

use volar_dynamics::{End, JointRelation, Tree};
use volar_math::Pose;

use crate::build::{ModelError, numbered};
use crate::ids::{BodyId, DofId};

/// A frame on a body, or in the world.
///
/// See the example of [`Closure`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The body; none for the world.
    pub body: Option<BodyId>,
    /// The frame in the body's, or in the world's.
    pub frame: Pose,
}

/// A relation that holds exactly: it closes a chain of bodies or ties joints to each
/// other. Steps do not get shorter by it; see `docs/dynamics.md`.
///
/// Two bars on hinges, joined at their ends by a third one, a parallelogram:
///
/// ```
/// use glam::DVec3;
/// use volar_geom::mesh::shapes::cuboid;
/// use volar_math::Pose;
/// use volar_sim::{Anchor, Body, Closure, ModelBuilder, Parent, Simulation};
/// # use std::sync::Arc;
/// # use volar_contact::Material;
/// # use volar_geom::ClosedMesh;
/// # let rubber = Material::named("rubber").unwrap();
/// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::new(0.01, 0.01, 0.1)))?);
///
/// let mut model = ModelBuilder::new();
/// model.gravity = DVec3::new(1.0, 0.0, -9.81); // m/s²: it topples
/// let bar = |name| Body::free(name, mesh.clone(), 0.1, rubber).on_hinge([0.0, 1.0, 0.0]);
/// let left = model.add(bar("left").at([0.0, 0.0, 0.0]));
/// let right = model.add(bar("right").at([0.2, 0.0, 0.0]));
/// let bridge = model.add(bar("bridge").on(Parent::Body(left)).at([0.0, 0.0, 0.1]));
/// model.exclude_among(&[left, right, bridge]);
/// let end = |body, p| Anchor { body: Some(body), frame: Pose::from_translation(p) };
/// model.close(Closure::Connect([
///     end(bridge, DVec3::new(0.2, 0.0, 0.0)),
///     end(right, DVec3::new(0.0, 0.0, 0.1)),
/// ]));
///
/// let mut sim = Simulation::start(model.build()?)?;
/// sim.advance_to(0.2)?;
/// let [a, b] = [left, right].map(|body| sim.joint_position(body.joint()).unwrap());
/// assert!(a.abs() > 1.0e-3 && (a - b).abs() < 1.0e-9); // rad
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Closure {
    /// The origins of two frames stay one point, as in a ball joint.
    Connect([Anchor; 2]),
    /// Two frames stay one.
    Weld([Anchor; 2]),
    /// `y − y₀ = p(x − x₀)`: sums of joint coordinates follow each other.
    Joints {
        /// Degrees of freedom of y with their coefficients.
        follower: Vec<(DofId, f64)>,
        /// Those of x; none if y is held still.
        leader: Vec<(DofId, f64)>,
        /// y₀ and x₀.
        reference: [f64; 2],
        /// Coefficients of p, the constant first.
        polynomial: [f64; 5],
    },
}

impl Closure {
    /// With the numbers of the tree.
    pub(crate) fn numbered(&self, tree: &Tree) -> Result<volar_dynamics::Closure, ModelError> {
        let ends = |anchors: &[Anchor; 2]| {
            anchors.map(|anchor| End {
                body: anchor.body.map(BodyId::index),
                X_BE: anchor.frame,
            })
        };
        let terms =
            |terms: &[(DofId, f64)]| numbered(tree, terms, "a closure names a joint of body");
        Ok(match self {
            Closure::Connect(anchors) => volar_dynamics::Closure::Connect(ends(anchors)),
            Closure::Weld(anchors) => volar_dynamics::Closure::Weld(ends(anchors)),
            Closure::Joints {
                follower,
                leader,
                reference,
                polynomial,
            } => volar_dynamics::Closure::Joints(JointRelation {
                follower: terms(follower)?,
                leader: terms(leader)?,
                reference: *reference,
                polynomial: *polynomial,
            }),
        })
    }
}
