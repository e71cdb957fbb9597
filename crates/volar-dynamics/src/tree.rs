//! Bodies joined into trees, and the check that they can move.
//!
//! A [`Tree`] holds one or more trees of bodies, parents before children, each
//! rooted in the world or in a *base motion*: a frame with prescribed motion.

use std::collections::BTreeSet;
use std::ops::Range;

use glam::{DMat3, DVec3};
use thiserror::Error;
use volar_math::{BlockPattern, Pose, cholesky};

use crate::crba::Crba;
use crate::joint::Joint;
use crate::kinematics::{FrameMotion, Kinematics};

/// One rigid body and the joint that holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Name, unique in the tree.
    pub name: String,
    /// The body this one hangs on; None for a root.
    pub parent: Option<usize>,
    /// For a root: the base motion whose frame stands in for the parent's. None
    /// means the world.
    pub base_motion: Option<usize>,
    /// The joint frame J in the parent's frame.
    pub X_PJ: Pose,
    /// How B moves in J.
    pub joint: Joint,
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass in B, m.
    pub p_BoBcm_B: DVec3,
    /// Rotational inertia about the centre of mass in B's axes, kg m².
    pub inertia: DMat3,
}

/// Why bodies do not make a tree that can be simulated.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TreeError {
    /// Two bodies share a name.
    #[error("two bodies are named `{body}`; names tell bodies apart")]
    DuplicateName {
        /// The name that two bodies have.
        body: String,
    },
    /// A parent that does not come before its child.
    #[error("body `{body}` hangs on body number {parent}, which is not among those before it")]
    UnknownParent {
        /// The child.
        body: String,
        /// The number it gives.
        parent: usize,
    },
    /// Only roots stand on a base motion.
    #[error("body `{body}` has both a parent and a base motion; only a root can have one")]
    BaseMotionBelowRoot {
        /// Name of the body.
        body: String,
    },
    /// A value that is infinite or not a number.
    #[error("body `{body}`: its {what} is not finite")]
    NotFinite {
        /// Name of the body.
        body: String,
        /// Which value.
        what: &'static str,
    },
    /// A negative mass.
    #[error("body `{body}` has the negative mass {mass} kg")]
    NegativeMass {
        /// Name of the body.
        body: String,
        /// The mass.
        mass: f64,
    },
    /// An inertia that is not symmetric or has a negative principal moment.
    #[error(
        "body `{body}`: its inertia is not symmetric positive semidefinite; \
         check its units and the signs of the off-diagonal entries"
    )]
    IndefiniteInertia {
        /// Name of the body.
        body: String,
    },
    /// Principal moments no distribution of mass can have.
    #[error(
        "body `{body}`: its largest principal moment of inertia exceeds the sum of the others, \
         which no solid can have; is the inertia about the centre of mass?"
    )]
    ImpossibleInertia {
        /// Name of the body.
        body: String,
    },
    /// A joint axis without direction.
    #[error("body `{body}`: the axis of its joint is zero")]
    ZeroAxis {
        /// Name of the body.
        body: String,
    },
    /// A joint frame whose rotation is none.
    #[error("body `{body}`: the rotation of its joint frame is not a rotation")]
    BadRotation {
        /// Name of the body.
        body: String,
    },
    /// A quaternion without direction.
    #[error("body `{body}`: its quaternion is zero or not finite")]
    BadQuaternion {
        /// Name of the body.
        body: String,
    },
    /// A joint that nothing resists.
    #[error(
        "body `{body}` can move but neither it nor what hangs on it has inertia along its joint; \
         give it a mass and an inertia, or fix it"
    )]
    NoInertia {
        /// Name of the body.
        body: String,
    },
}

/// Collects bodies and checks them.
#[derive(Clone, Debug, Default)]
pub struct TreeBuilder {
    bodies: Vec<Body>,
}

impl TreeBuilder {
    /// No bodies yet.
    pub fn new() -> TreeBuilder {
        TreeBuilder::default()
    }

    /// Appends a body and returns its number, for its children's `parent`.
    pub fn add(&mut self, body: Body) -> usize {
        self.bodies.push(body);
        self.bodies.len() - 1
    }

    /// The checked tree.
    pub fn build(self) -> Result<Tree, TreeError> {
        self.build_with_armature(&[])
    }

    /// The checked tree, where rotor inertias (one per dof; empty for none)
    /// may stand in for the inertia of massless links.
    pub fn build_with_armature(mut self, armature: &[f64]) -> Result<Tree, TreeError> {
        self.check_names()?;
        for (number, body) in self.bodies.iter_mut().enumerate() {
            check_body(body, number)?;
        }
        let tree = Tree::indexed(self.bodies);
        tree.check_inertia(armature)?;
        Ok(tree)
    }

    fn check_names(&self) -> Result<(), TreeError> {
        let mut names = BTreeSet::new();
        let again = self.bodies.iter().find(|body| !names.insert(&body.name));
        again.map_or(Ok(()), |body| {
            let body = body.name.clone();
            Err(TreeError::DuplicateName { body })
        })
    }
}

/// Relative slack for inertias that were printed with a few digits.
const INERTIA_SLACK: f64 = 1e-6;

/// Checks the body with a number.
fn check_body(body: &mut Body, number: usize) -> Result<(), TreeError> {
    let name = || body.name.clone();
    if let Some(parent) = body.parent {
        if parent >= number {
            return Err(TreeError::UnknownParent {
                body: name(),
                parent,
            });
        }
        if body.base_motion.is_some() {
            return Err(TreeError::BaseMotionBelowRoot { body: name() });
        }
    }
    let finite = [
        ("mass", body.mass.is_finite()),
        ("centre of mass", body.p_BoBcm_B.is_finite()),
        ("inertia", body.inertia.is_finite()),
        ("joint frame", body.X_PJ.is_finite()),
    ];
    if let Some((what, _)) = finite.into_iter().find(|(_, finite)| !finite) {
        return Err(TreeError::NotFinite { body: name(), what });
    }
    if body.mass < 0.0 {
        let mass = body.mass;
        return Err(TreeError::NegativeMass { body: name(), mass });
    }
    check_inertia(body)?;
    let residual = body.X_PJ.R.transpose() * body.X_PJ.R - DMat3::IDENTITY;
    if largest_entry(residual) > 1e-9 || body.X_PJ.R.determinant() < 0.0 {
        return Err(TreeError::BadRotation { body: name() });
    }
    if let Joint::Revolute { axis } | Joint::Prismatic { axis } = &mut body.joint {
        if !axis.is_finite() {
            let (body, what) = (body.name.clone(), "joint axis");
            return Err(TreeError::NotFinite { body, what });
        }
        let unit = axis.try_normalize();
        *axis = unit.ok_or(TreeError::ZeroAxis {
            body: body.name.clone(),
        })?;
    }
    Ok(())
}

/// Positive semidefinite, and no principal moment above the sum of the others.
/// With `C = ½ tr(I) 1 − I`, the second moment of mass, both say that I and C
/// are positive semidefinite.
fn check_inertia(body: &Body) -> Result<(), TreeError> {
    let I = body.inertia;
    let size = largest_entry(I);
    let slack = DMat3::from_diagonal(DVec3::splat(INERTIA_SLACK * size));
    let symmetric = largest_entry(I - I.transpose()) <= INERTIA_SLACK * size;
    let body = || body.name.clone();
    if !symmetric || !is_semidefinite(I + slack) {
        return Err(TreeError::IndefiniteInertia { body: body() });
    }
    let half_trace = 0.5 * (I.x_axis.x + I.y_axis.y + I.z_axis.z);
    let second_moment = DMat3::from_diagonal(DVec3::splat(half_trace)) - I;
    if !is_semidefinite(second_moment + slack) {
        return Err(TreeError::ImpossibleInertia { body: body() });
    }
    Ok(())
}

fn largest_entry(m: DMat3) -> f64 {
    m.abs().to_cols_array().into_iter().fold(0.0, f64::max)
}

/// Whether all principal minors are at least zero. The zero matrix is; the
/// others carry the slack, so that a factorisation decides.
fn is_semidefinite(m: DMat3) -> bool {
    let mut entries = m.to_cols_array();
    largest_entry(m) <= 0.0 || cholesky::factor(&mut entries, 3, 3, |_| 0.0).is_ok()
}

/// Trees of rigid bodies: what stays the same while they move.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    bodies: Vec<Body>,
    base_motions: usize,
    /// Start of each body's coordinates and velocities, and the totals.
    q_start: Vec<usize>,
    v_start: Vec<usize>,
    dof_body: Vec<usize>,
    dof_groups: Vec<usize>,
    /// The dofs that move each body, ascending: `ancestors[ancestors_start[b]..]`.
    ancestors: Vec<usize>,
    ancestors_start: Vec<usize>,
    /// The base motion that carries each body.
    carried_by: Vec<Option<usize>>,
}

impl Tree {
    /// The bodies, parents before children.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Number of base motions the roots refer to: the motions to hand in.
    pub fn base_motions(&self) -> usize {
        self.base_motions
    }

    /// The base motion that carries a body: its root's. Bodies with the same one, or
    /// none, stay where they are to each other while only time goes on.
    pub fn carried_by(&self, body: usize) -> Option<usize> {
        self.carried_by[body]
    }

    /// Number of coordinates q.
    pub fn nq(&self) -> usize {
        self.q_start[self.bodies.len()]
    }

    /// Number of degrees of freedom: of velocities v.
    pub fn nv(&self) -> usize {
        self.v_start[self.bodies.len()]
    }

    /// Where the coordinates of a body's joint are in q.
    pub fn q_range(&self, body: usize) -> Range<usize> {
        self.q_start[body]..self.q_start[body + 1]
    }

    /// Where the velocities of a body's joint are in v.
    pub fn v_range(&self, body: usize) -> Range<usize> {
        self.v_start[body]..self.v_start[body + 1]
    }

    /// The body whose joint a dof belongs to.
    pub fn dof_body(&self, dof: usize) -> usize {
        self.dof_body[dof]
    }

    /// Of each dof the highest one above it, or itself: dofs with the same one move
    /// bodies in common or are moved by it, others know nothing of each other.
    pub fn dof_groups(&self) -> &[usize] {
        &self.dof_groups
    }

    /// The dofs that move a body, from the root down to its own joint,
    /// ascending.
    pub fn ancestor_dofs(&self, body: usize) -> &[usize] {
        &self.ancestors[self.ancestors_start[body]..self.ancestors_start[body + 1]]
    }

    /// The index in q of a dof's coordinate, where it has one of its own: an
    /// angle or a distance. None for rotations kept as quaternions.
    pub fn coordinate(&self, dof: usize) -> Option<usize> {
        let body = self.dof_body[dof];
        let within = dof - self.v_start[body];
        let joint = &self.bodies[body].joint;
        joint
            .has_plain_coordinate(within)
            .then(|| self.q_start[body] + within)
    }

    /// The number of the body with a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|body| body.name == name)
    }

    /// The coordinates at which each body coincides with its joint frame.
    pub fn neutral_q(&self) -> Vec<f64> {
        let mut q = vec![0.0; self.nq()];
        for (number, body) in self.bodies.iter().enumerate() {
            body.joint.write_neutral(&mut q[self.q_range(number)]);
        }
        q
    }

    /// Checks coordinates that come from outside: finite, no zero quaternion.
    pub fn check_q(&self, q: &[f64]) -> Result<(), TreeError> {
        assert_eq!(q.len(), self.nq(), "one value per coordinate");
        for (number, body) in self.bodies.iter().enumerate() {
            let q = &q[self.q_range(number)];
            let name = || body.name.clone();
            if let Some((at, _)) = body.joint.rotation_at() {
                let squared: f64 = q[at..at + 4].iter().map(|x| x * x).sum();
                if !(squared.is_normal()) {
                    return Err(TreeError::BadQuaternion { body: name() });
                }
            }
            if q.iter().any(|x| !x.is_finite()) {
                let what = "joint coordinate";
                return Err(TreeError::NotFinite { body: name(), what });
            }
        }
        Ok(())
    }

    fn indexed(bodies: Vec<Body>) -> Tree {
        let mut tree = Tree {
            base_motions: bodies
                .iter()
                .filter_map(|body| body.base_motion)
                .max()
                .map_or(0, |last| last + 1),
            q_start: vec![0],
            v_start: vec![0],
            dof_body: Vec::new(),
            dof_groups: Vec::new(),
            ancestors: Vec::new(),
            ancestors_start: vec![0],
            carried_by: Vec::new(),
            bodies,
        };
        for number in 0..tree.bodies.len() {
            let Body {
                joint,
                parent,
                base_motion,
                ..
            } = tree.bodies[number];
            let carried_by = parent.map_or(base_motion, |parent| tree.carried_by[parent]);
            tree.carried_by.push(carried_by);
            let (q, v) = (tree.q_start[number], tree.v_start[number]);
            tree.q_start.push(q + joint.nq());
            tree.v_start.push(v + joint.nv());
            tree.dof_body.extend((0..joint.nv()).map(|_| number));
            if let Some(parent) = parent {
                let range = tree.ancestors_start[parent]..tree.ancestors_start[parent + 1];
                tree.ancestors.extend_from_within(range);
            }
            tree.ancestors.extend(v..v + joint.nv());
            let highest = tree.ancestors.get(tree.ancestors_start[number]);
            let group = highest.copied().unwrap_or(v);
            tree.dof_groups.extend((0..joint.nv()).map(|_| group));
            tree.ancestors_start.push(tree.ancestors.len());
        }
        tree
    }

    /// Every joint must meet inertia: the mass matrix is positive definite.
    ///
    /// Asked at the neutral coordinates, and from the leaves up as the
    /// articulated-body algorithm does, so that the name given is that of the
    /// joint that would divide by zero.
    fn check_inertia(&self, armature: &[f64]) -> Result<(), TreeError> {
        let mut kinematics = Kinematics::default();
        let still = vec![FrameMotion::default(); self.base_motions];
        kinematics.calc(self, &self.neutral_q(), &vec![0.0; self.nv()], &still);
        let pattern = BlockPattern::of_groups(&self.dof_groups);
        let mut M = vec![0.0; pattern.diagonal_len()];
        Crba::default().calc(self, &kinematics, armature, &pattern, &mut M);
        let failed = (0..pattern.blocks()).filter_map(|block| {
            let (dofs, M) = (pattern.members(block), &mut M[pattern.diagonal(block)]);
            let n = dofs.len();
            M.reverse();
            let diagonal: Vec<f64> = (0..n).map(|i| M[i * n + i]).collect();
            // Rounding leaves about n ulp of the diagonal where exact arithmetic
            // leaves zero; true mass ratios within one chain stay far above.
            let floor = |i: usize| 1e-13 * diagonal[i];
            let row = cholesky::factor(M, n, n, floor).err()?;
            Some(dofs[n - 1 - row])
        });
        failed.max().map_or(Ok(()), |dof| {
            let body = self.bodies[self.dof_body[dof]].name.clone();
            Err(TreeError::NoInertia { body })
        })
    }
}
