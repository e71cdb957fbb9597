//! Joints: how a body may move in the joint frame J of its parent.
//!
//! The pose `X_JB(q)` and the motion subspace. Every axis is fixed in J, and
//! the velocity of Bo is a column of its own, so the columns at Bo are
//!
//! ```text
//! Revolute   (axis, 0)          Ball    (e_k, 0)                k = x, y, z
//! Prismatic  (0, axis)          Planar  (0, e_x) (0, e_y) (e_z, 0)
//!                               Free    (0, e_k), then (e_k, 0)
//! ```
//!
//! in J's axes. [RBDA §4.4] measures ball and free joints along the body's
//! axes; along J's axes the columns of a joint do not depend on its own
//! coordinates.

use glam::{DMat3, DQuat, DVec3};
use volar_math::{Pose, Twist, rotation};

/// The kinds of joint, with their coordinates q and velocities v.
///
/// ```
/// use glam::DVec3;
/// use volar_dynamics::Joint;
///
/// let slide = Joint::Prismatic { axis: DVec3::X };
/// assert_eq!(slide.pose(&[0.03]).p, DVec3::new(0.03, 0.0, 0.0)); // m, in J
/// assert_eq!((Joint::Free.nq(), Joint::Free.nv()), (7, 6));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Joint {
    /// Welded: no freedom.
    Fixed,
    /// Turns about an axis through Jo: q is the angle in rad.
    Revolute {
        /// Unit vector in J.
        axis: DVec3,
    },
    /// Slides along an axis: q is the distance in m.
    Prismatic {
        /// Unit vector in J.
        axis: DVec3,
    },
    /// Turns about Jo: q is a quaternion (w, x, y, z), v the angular velocity
    /// in J.
    Ball,
    /// Slides in the plane x, y of J and turns about its z: q and v in this
    /// order.
    Planar,
    /// Moves freely: q is the position of Bo in J, then a quaternion (w, x, y,
    /// z); v is the velocity of Bo in J, then the angular velocity in J.
    Free,
}

impl Joint {
    /// Number of coordinates.
    pub fn nq(&self) -> usize {
        match self {
            Joint::Fixed => 0,
            Joint::Revolute { .. } | Joint::Prismatic { .. } => 1,
            Joint::Planar => 3,
            Joint::Ball => 4,
            Joint::Free => 7,
        }
    }

    /// Number of degrees of freedom: of velocities.
    pub fn nv(&self) -> usize {
        match self {
            Joint::Fixed => 0,
            Joint::Revolute { .. } | Joint::Prismatic { .. } => 1,
            Joint::Planar | Joint::Ball => 3,
            Joint::Free => 6,
        }
    }

    /// Where in q the quaternion starts, and where in v the angular velocity,
    /// for the joints that have one.
    pub(crate) fn rotation_at(&self) -> Option<(usize, usize)> {
        match self {
            Joint::Ball => Some((0, 0)),
            Joint::Free => Some((3, 3)),
            _ => None,
        }
    }

    /// Whether the dof's coordinate is an angle or a distance rather than a
    /// part of a quaternion.
    pub(crate) fn has_plain_coordinate(&self, dof: usize) -> bool {
        match self.rotation_at() {
            Some((_, first)) => dof < first,
            None => true,
        }
    }

    /// The coordinates at which B coincides with J.
    pub fn write_neutral(&self, q: &mut [f64]) {
        q.fill(0.0);
        if let Some((at, _)) = self.rotation_at() {
            q[at] = 1.0;
        }
    }

    /// The pose `X_JB` at coordinates q. A quaternion of any length but zero
    /// is taken for its direction.
    pub fn pose(&self, q: &[f64]) -> Pose {
        match *self {
            Joint::Fixed => Pose::IDENTITY,
            Joint::Revolute { axis } => Pose {
                R: rotation::about(axis, q[0]),
                p: DVec3::ZERO,
            },
            Joint::Prismatic { axis } => Pose::from_translation(axis * q[0]),
            Joint::Ball => Pose {
                R: DMat3::from_quat(quaternion(q)),
                p: DVec3::ZERO,
            },
            Joint::Planar => Pose {
                R: rotation::about_z(q[2]),
                p: DVec3::new(q[0], q[1], 0.0),
            },
            Joint::Free => Pose {
                R: DMat3::from_quat(quaternion(&q[3..7])),
                p: DVec3::new(q[0], q[1], q[2]),
            },
        }
    }

    /// The motion subspace: one column per dof at Bo, in the axes in which
    /// `R_WJ` gives J.
    pub fn write_axes(&self, R_WJ: &DMat3, columns: &mut [Twist]) {
        let rotate = |axis| Twist::new(axis, DVec3::ZERO);
        let slide = |axis| Twist::new(DVec3::ZERO, axis);
        match *self {
            Joint::Fixed => {}
            Joint::Revolute { axis } => columns[0] = rotate(*R_WJ * axis),
            Joint::Prismatic { axis } => columns[0] = slide(*R_WJ * axis),
            Joint::Ball => (0..3).for_each(|k| columns[k] = rotate(R_WJ.col(k))),
            Joint::Planar => {
                columns[0] = slide(R_WJ.x_axis);
                columns[1] = slide(R_WJ.y_axis);
                columns[2] = rotate(R_WJ.z_axis);
            }
            Joint::Free => {
                (0..3).for_each(|k| columns[k] = slide(R_WJ.col(k)));
                (0..3).for_each(|k| columns[3 + k] = rotate(R_WJ.col(k)));
            }
        }
    }
}

/// A quaternion (w, x, y, z) at unit length.
pub(crate) fn quaternion(wxyz: &[f64]) -> DQuat {
    let q = DQuat::from_xyzw(wxyz[1], wxyz[2], wxyz[3], wxyz[0]);
    q * (1.0 / q.length())
}

pub(crate) fn write_quaternion(q: DQuat, wxyz: &mut [f64]) {
    let q = q * (1.0 / q.length());
    wxyz[..4].copy_from_slice(&[q.w, q.x, q.y, q.z]);
}
