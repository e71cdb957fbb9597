//! Poses, velocities and Jacobians.
//!
//! From root to leaf, with P the parent (or base motion, or world), r = Bo − Po,
//! and (ω_r, v_r) = S v the joint's own motion, all in world axes:
//!
//! ```text
//! ω_B = ω_P + ω_r                  v_B = v_P + ω_P × r + v_r                   (1)
//! α_B = α_P + ω_P × ω_r + S_ω v̇
//! a_B = a_P + α_P × r + ω_P × (ω_P × r) + 2 ω_P × v_r + S_v v̇                 (2)
//! ```
//!
//! (2) is the time derivative of (1): the columns of S are fixed in P, so they
//! rotate with ω_P, and ṙ = ω_P × r + v_r. The terms with neither α_P, a_P nor v̇
//! are the `bias`.

use glam::DVec3;
use volar_math::{Pose, SpatialInertia, Twist, Wrench};

use crate::tree::Tree;

/// The prescribed motion of a base motion frame F.
///
/// A frame on a circle of 0.1 m about the world's z, at 2 rad/s, as it passes the x axis:
///
/// ```
/// use glam::DVec3;
/// use volar_dynamics::FrameMotion;
/// use volar_math::{Pose, Twist};
///
/// let (radius, rate) = (0.1, 2.0);
/// let motion = FrameMotion {
///     X_WF: Pose::from_translation(DVec3::new(radius, 0.0, 0.0)),
///     V_WF: Twist::new(DVec3::new(0.0, 0.0, rate), DVec3::new(0.0, radius * rate, 0.0)),
///     A_WF: Twist::new(DVec3::ZERO, DVec3::new(-radius * rate * rate, 0.0, 0.0)),
/// };
/// assert_eq!(FrameMotion::at_rest(motion.X_WF).V_WF, Twist::ZERO);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameMotion {
    /// Pose in the world.
    pub X_WF: Pose,
    /// Angular velocity, and velocity of Fo; world axes, rad/s and m/s.
    pub V_WF: Twist,
    /// Angular acceleration, and acceleration of Fo (the second derivative of
    /// its position); world axes, rad/s² and m/s².
    pub A_WF: Twist,
}

impl FrameMotion {
    /// A frame at rest.
    pub fn at_rest(X_WF: Pose) -> FrameMotion {
        FrameMotion {
            X_WF,
            V_WF: Twist::ZERO,
            A_WF: Twist::ZERO,
        }
    }
}

impl Default for FrameMotion {
    fn default() -> FrameMotion {
        FrameMotion::at_rest(Pose::IDENTITY)
    }
}

/// What follows from q and v alone; every field is written by
/// [`Kinematics::calc`].
#[derive(Clone, Debug, Default)]
pub struct Kinematics {
    /// Pose of each body in the world.
    pub X_WB: Vec<Pose>,
    /// Velocity of each body at its origin, world axes.
    pub V_WB: Vec<Twist>,
    /// For each dof the column of the motion subspace, at the origin of its
    /// own body, world axes.
    pub axes: Vec<Twist>,
    /// Bo − Po in world axes, m; P is the parent, the base motion or the world.
    pub p_PoBo_W: Vec<DVec3>,
    /// Bcm − Bo in world axes, m.
    pub p_BoBcm_W: Vec<DVec3>,
    /// Inertia of each body at its origin, world axes.
    pub M_BBo_W: Vec<SpatialInertia>,
    /// The part of (2) that depends on velocities only.
    pub(crate) bias: Vec<Twist>,
    /// Acceleration of what each root stands on; zero for other bodies.
    pub(crate) A_WF: Vec<Twist>,
}

impl Kinematics {
    /// Computes everything from coordinates q, velocities v and the motions of
    /// the base motions, one for each.
    pub fn calc(&mut self, tree: &Tree, q: &[f64], v: &[f64], base_motions: &[FrameMotion]) {
        assert_eq!(q.len(), tree.nq(), "one value per coordinate");
        assert_eq!(v.len(), tree.nv(), "one value per dof");
        assert!(
            base_motions.len() >= tree.base_motions(),
            "one motion per moving base"
        );
        self.resize(tree);
        for (b, body) in tree.bodies().iter().enumerate() {
            // What the body hangs on.
            let on = match (body.parent, body.base_motion) {
                (Some(parent), _) => FrameMotion {
                    X_WF: self.X_WB[parent],
                    V_WF: self.V_WB[parent],
                    A_WF: Twist::ZERO,
                },
                (None, Some(base_motion)) => base_motions[base_motion],
                (None, None) => FrameMotion::default(),
            };
            self.A_WF[b] = on.A_WF;

            // The offset is summed in the small before it is added to a
            // position that may be far from the world's origin.
            let X_JB = body.joint.pose(&q[tree.q_range(b)]);
            let R_WJ = on.X_WF.R * body.X_PJ.R;
            let r = on.X_WF.R * body.X_PJ.p + R_WJ * X_JB.p;
            let X_WB = Pose {
                R: R_WJ * X_JB.R,
                p: on.X_WF.p + r,
            };
            self.X_WB[b] = X_WB;
            self.p_PoBo_W[b] = r;

            // (1) and the bias of (2).
            let dofs = tree.v_range(b);
            body.joint.write_axes(&R_WJ, &mut self.axes[dofs.clone()]);
            let joint_motion = dofs.fold(Twist::ZERO, |sum, i| sum + self.axes[i] * v[i]);
            self.V_WB[b] = on.V_WF.at(r) + joint_motion;
            let w_P = on.V_WF.angular;
            self.bias[b] = Twist::new(
                w_P.cross(joint_motion.angular),
                w_P.cross(w_P.cross(r) + 2.0 * joint_motion.linear),
            );

            // Inertia in world axes.
            let c = X_WB.vector(body.p_BoBcm_B);
            let I_Bcm_W = X_WB.R * body.inertia * X_WB.R.transpose();
            self.p_BoBcm_W[b] = c;
            self.M_BBo_W[b] = SpatialInertia::rigid(body.mass, c, I_Bcm_W);
        }
    }

    /// Fills `A_WB`, the acceleration of each body at its origin, from the
    /// joints' accelerations v̇, by (2).
    pub fn calc_accelerations(&self, tree: &Tree, vdot: &[f64], A_WB: &mut [Twist]) {
        assert_eq!(vdot.len(), tree.nv(), "one value per dof");
        assert_eq!(A_WB.len(), tree.bodies().len(), "one slot per body");
        for (b, body) in tree.bodies().iter().enumerate() {
            let A_WP = body.parent.map_or(self.A_WF[b], |parent| A_WB[parent]);
            let mut A = A_WP.at(self.p_PoBo_W[b]) + self.bias[b];
            for i in tree.v_range(b) {
                A += self.axes[i] * vdot[i];
            }
            A_WB[b] = A;
        }
    }

    /// Velocity of the point of a body that is at `p_WC` now, m/s.
    pub fn velocity_at(&self, body: usize, p_WC: DVec3) -> DVec3 {
        self.V_WB[body].at(p_WC - self.X_WB[body].p).linear
    }

    /// The column of a dof, taken at a world point C: how the bodies below its
    /// joint move at C per unit of velocity.
    pub fn axis_at(&self, tree: &Tree, dof: usize, p_WC: DVec3) -> Twist {
        self.axes[dof].at(p_WC - self.X_WB[tree.dof_body(dof)].p)
    }

    /// The Jacobian of a body at a world point C: `out[i]` is the motion of
    /// the body at C per unit of v_i; zero where dof i does not move it.
    pub fn jacobian_at(&self, tree: &Tree, body: usize, p_WC: DVec3, out: &mut [Twist]) {
        assert_eq!(out.len(), tree.nv(), "one column per dof");
        out.fill(Twist::ZERO);
        for &dof in tree.ancestor_dofs(body) {
            out[dof] = self.axis_at(tree, dof, p_WC);
        }
    }

    /// Adds `Jᵀ F`, the joint efforts of a wrench on a body about the world
    /// point C (world axes), to `tau`.
    pub fn add_efforts_of(
        &self,
        tree: &Tree,
        body: usize,
        p_WC: DVec3,
        F_C_W: Wrench,
        tau: &mut [f64],
    ) {
        assert_eq!(tau.len(), tree.nv(), "one value per dof");
        for &dof in tree.ancestor_dofs(body) {
            tau[dof] += F_C_W.dot(self.axis_at(tree, dof, p_WC));
        }
    }

    fn resize(&mut self, tree: &Tree) {
        let bodies = tree.bodies().len();
        self.X_WB.resize(bodies, Pose::IDENTITY);
        self.V_WB.resize(bodies, Twist::ZERO);
        self.axes.resize(tree.nv(), Twist::ZERO);
        self.p_PoBo_W.resize(bodies, DVec3::ZERO);
        self.p_BoBcm_W.resize(bodies, DVec3::ZERO);
        self.M_BBo_W.resize(bodies, SpatialInertia::ZERO);
        self.bias.resize(bodies, Twist::ZERO);
        self.A_WF.resize(bodies, Twist::ZERO);
    }

    /// The wrench at Bo that a body's rotation asks for without acceleration:
    /// `(ω × I_Bo ω, m ω × (ω × c))` [RBDA §2.14].
    pub(crate) fn gyroscopic(&self, tree: &Tree, body: usize) -> Wrench {
        let w = self.V_WB[body].angular;
        let mass = tree.bodies()[body].mass;
        Wrench::new(
            w.cross(self.M_BBo_W[body].J * w),
            w.cross(w.cross(self.p_BoBcm_W[body])) * mass,
        )
    }
}
