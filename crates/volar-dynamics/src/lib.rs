//! Trees of rigid bodies in generalised coordinates.
//!
//! A [`Tree`] is what does not change: bodies, joints, masses. From joint
//! coordinates q and velocities v, [`Kinematics`] gives poses and velocities;
//! [`Aba`], [`Rnea`] and [`Crba`] answer the equation of motion
//!
//! ```text
//! M(q) v̇ + c(q, v) = τ + Σ_b J_bᵀ F_b + gravity
//! ```
//!
//! for v̇, for τ and for M. [`JointForces`] gives τ: actuators, damping, limits,
//! springs, couplings, friction. [`Closures`] close chains that the tree leaves
//! open. The crate knows no mesh and no contact: a
//! contact is an external wrench F_b here.
//!
//! # Conventions
//!
//! - SI units; frames as in `docs/notation.md`. W is the world, P a body's
//!   parent, J the joint frame fixed in P, B the body's frame, Bo its origin,
//!   Bcm its centre of mass. At zero coordinates B coincides with J.
//! - Twists and wrenches have their angular part first. All of a body's spatial
//!   quantities are **taken at Bo, in world axes**: `V_WB = (ω, velocity of
//!   Bo)`, `A_WB = (ω̇, acceleration of Bo)`, `F_Bo_W = (torque about Bo,
//!   force)`. Taken at the world's origin they would lose digits far away
//!   from it.
//! - Velocities of a joint are measured along the axes of J, also for
//!   [`Joint::Ball`], [`Joint::Planar`] and [`Joint::Free`]. So each axis is
//!   fixed in the parent, and no joint has a bias of its own.
//! - Functions called at every evaluation fill buffers handed in and allocate
//!   nothing once these have their size. Slices of a wrong length are a
//!   mistake of the caller and panic.
//!
//! # Example
//!
//! A pendulum of 2 kg, 0.5 m long, let go at 0.3 rad:
//!
//! ```
//! use glam::{DMat3, DVec3};
//! use volar_dynamics::{Aba, Body, Joint, Kinematics, Loads, TreeBuilder};
//! use volar_math::Pose;
//!
//! let mut builder = TreeBuilder::new();
//! builder.add(Body {
//!     name: "pendulum".into(),
//!     parent: None,
//!     base_motion: None,
//!     X_PJ: Pose::IDENTITY,
//!     joint: Joint::Revolute { axis: DVec3::Y },
//!     mass: 2.0,
//!     p_BoBcm_B: DVec3::new(0.0, 0.0, -0.5),
//!     inertia: DMat3::ZERO,
//! });
//! let tree = builder.build()?;
//!
//! let mut kinematics = Kinematics::default();
//! kinematics.calc(&tree, &[0.3], &[0.0], &[]);
//! let loads = Loads {
//!     gravity: DVec3::new(0.0, 0.0, -9.81),
//!     ..Loads::default()
//! };
//! let mut vdot = [0.0];
//! Aba::default().calc(&tree, &kinematics, &loads, &[0.0], &mut vdot)?;
//! assert!((vdot[0] + 9.81 / 0.5 * 0.3_f64.sin()).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(test, allow(clippy::disallowed_methods))] // the bits of tests do not matter
#![allow(non_snake_case)] // frame notation: X_WB, V_WB

pub mod aba;
pub mod bristle;
pub mod chart;
pub mod closure;
pub mod coupling;
pub mod crba;
pub mod energy;
pub mod joint;
pub mod joint_forces;
pub mod joint_params;
pub mod kinematics;
pub mod rnea;
pub mod servo;
mod signal;
pub mod stiffness;
pub mod switches;
pub mod tree;

pub use aba::{Aba, Singular};
pub use bristle::{Bristle, BristleEffort};
pub use closure::{Closed, Closure, ClosureError, ClosureSolver, Closures, End, JointRelation};
pub use coupling::Coupling;
pub use crba::Crba;
pub use joint::Joint;
pub use joint_forces::{JointEfforts, JointForces};
pub use joint_params::{DofParams, JointForceError, Spring};
pub use kinematics::{FrameMotion, Kinematics};
pub use rnea::Rnea;
pub use servo::Actuator;
pub use signal::{Lines, Signal, smooth_step};
pub use stiffness::GeometricStiffness;
pub use switches::{Late, Switches};
pub use tree::{Body, Tree, TreeBuilder, TreeError};

use glam::DVec3;
use volar_math::Wrench;

/// What acts on a tree besides the joints' efforts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loads<'a> {
    /// Acceleration of free fall, in world axes, m/s².
    pub gravity: DVec3,
    /// External wrench on each body about its origin, in world axes, N m and
    /// N; gravity not included. Empty means none.
    pub F_Bo_W: &'a [Wrench],
    /// Rotor inertia of each dof as felt at the joint, kg m² or kg: it resists
    /// the joint's own acceleration only. Empty means none.
    pub armature: &'a [f64],
}

impl Loads<'_> {
    fn wrench(&self, body: usize) -> Wrench {
        self.F_Bo_W.get(body).copied().unwrap_or_default()
    }

    fn armature(&self, dof: usize) -> f64 {
        self.armature.get(dof).copied().unwrap_or_default()
    }

    fn assert_fits(&self, tree: &Tree) {
        let (wrenches, armature) = (self.F_Bo_W.len(), self.armature.len());
        assert!(
            wrenches == 0 || wrenches == tree.bodies().len(),
            "one wrench per body"
        );
        assert!(
            armature == 0 || armature == tree.nv(),
            "one armature per dof"
        );
    }
}
