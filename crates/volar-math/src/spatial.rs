//! Twists, wrenches and the linear maps from one to the other.
//!
//! Both belong to a point and to axes. To another point of the same rigid body
//! they are carried by one cross product; with one set of axes everywhere,
//! Featherstone's 6 × 6 transforms [RBDA §2.8] need not be formed:
//!
//! ```text
//! at Q = P + r:   twist  (ω, v + ω × r)      wrench  (τ − r × f, f)
//! ```

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use glam::{DMat3, DVec3};

use crate::matrix::cross_matrix;

/// A motion of a rigid body, angular part first: its velocity, and in the same
/// form its acceleration, a small displacement, or a joint axis.
///
/// A body that turns about z at 2 rad/s: a point 0.5 m away along x moves along y.
///
/// ```
/// use glam::DVec3;
/// use volar_math::Twist;
///
/// let at_origin = Twist::new(DVec3::new(0.0, 0.0, 2.0), DVec3::ZERO); // rad/s, m/s
/// let at_point = at_origin.at(DVec3::new(0.5, 0.0, 0.0)); // m
/// assert_eq!(at_point.linear, DVec3::new(0.0, 1.0, 0.0));
/// assert_eq!(at_point.angular, at_origin.angular);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Angular velocity, rad/s; or angular acceleration, or rotation vector.
    pub angular: DVec3,
    /// Velocity of the body's material point at the point of reference, m/s; or
    /// its acceleration or displacement.
    pub linear: DVec3,
}

/// A force and the torque it makes about the point of reference.
///
/// A force of 3 N along y that acts 0.5 m from the origin along x, and its power on a body
/// that turns about z:
///
/// ```
/// use glam::DVec3;
/// use volar_math::{Twist, Wrench};
///
/// let wrench = Wrench::from_force_at(DVec3::new(0.5, 0.0, 0.0), DVec3::new(0.0, 3.0, 0.0));
/// assert_eq!(wrench.torque, DVec3::new(0.0, 0.0, 1.5)); // N m about the origin
/// let twist = Twist::new(DVec3::new(0.0, 0.0, 2.0), DVec3::ZERO); // rad/s, m/s
/// assert_eq!(wrench.dot(twist), 3.0); // W
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// Torque about the point of reference, N m.
    pub torque: DVec3,
    /// Force, N.
    pub force: DVec3,
}

impl Twist {
    /// No motion.
    pub const ZERO: Twist = Twist {
        angular: DVec3::ZERO,
        linear: DVec3::ZERO,
    };

    /// From the angular and the linear part.
    #[inline]
    pub const fn new(angular: DVec3, linear: DVec3) -> Twist {
        Twist { angular, linear }
    }

    /// The same motion, taken at the point that lies at `r` from this one.
    #[inline]
    pub fn at(self, r: DVec3) -> Twist {
        Twist::new(self.angular, self.linear + self.angular.cross(r))
    }

    /// The same motion in axes rotated by `R`.
    #[inline]
    pub fn rotated(self, R: &DMat3) -> Twist {
        Twist::new(*R * self.angular, *R * self.linear)
    }

    /// How `other`, a motion that moves along with `self`, changes: the
    /// spatial cross product `self ×` [RBDA §2.9], both at one fixed point.
    #[inline]
    pub fn cross(self, other: Twist) -> Twist {
        Twist::new(
            self.angular.cross(other.angular),
            self.angular.cross(other.linear) + self.linear.cross(other.angular),
        )
    }

    /// The six components, angular part first.
    #[inline]
    pub fn to_array(self) -> [f64; 6] {
        let (w, v) = (self.angular, self.linear);
        [w.x, w.y, w.z, v.x, v.y, v.z]
    }
}

impl Wrench {
    /// No force and no torque.
    pub const ZERO: Wrench = Wrench {
        torque: DVec3::ZERO,
        force: DVec3::ZERO,
    };

    /// From torque and force.
    #[inline]
    pub const fn new(torque: DVec3, force: DVec3) -> Wrench {
        Wrench { torque, force }
    }

    /// A force acting at `r` from the point of reference.
    #[inline]
    pub fn from_force_at(r: DVec3, force: DVec3) -> Wrench {
        Wrench::new(r.cross(force), force)
    }

    /// Power on a body that moves with `twist`, W; or work on a displacement,
    /// or effort along a joint axis.
    #[inline]
    pub fn dot(self, twist: Twist) -> f64 {
        self.torque.dot(twist.angular) + self.force.dot(twist.linear)
    }

    /// The same wrench about the point that lies at `r` from this one.
    #[inline]
    pub fn about(self, r: DVec3) -> Wrench {
        Wrench::new(self.torque - r.cross(self.force), self.force)
    }

    /// The same wrench in axes rotated by `R`.
    #[inline]
    pub fn rotated(self, R: &DMat3) -> Wrench {
        Wrench::new(*R * self.torque, *R * self.force)
    }

    /// True when every entry is finite.
    pub fn is_finite(self) -> bool {
        self.torque.is_finite() && self.force.is_finite()
    }
}

macro_rules! vector_space {
    ($name:ident, $first:ident, $second:ident) => {
        impl Add for $name {
            type Output = $name;
            #[inline]
            fn add(self, other: $name) -> $name {
                $name::new(self.$first + other.$first, self.$second + other.$second)
            }
        }

        impl Sub for $name {
            type Output = $name;
            #[inline]
            fn sub(self, other: $name) -> $name {
                $name::new(self.$first - other.$first, self.$second - other.$second)
            }
        }

        impl Neg for $name {
            type Output = $name;
            #[inline]
            fn neg(self) -> $name {
                $name::new(-self.$first, -self.$second)
            }
        }

        impl Mul<f64> for $name {
            type Output = $name;
            #[inline]
            fn mul(self, factor: f64) -> $name {
                $name::new(self.$first * factor, self.$second * factor)
            }
        }

        impl AddAssign for $name {
            #[inline]
            fn add_assign(&mut self, other: $name) {
                *self = *self + other;
            }
        }

        impl SubAssign for $name {
            #[inline]
            fn sub_assign(&mut self, other: $name) {
                *self = *self - other;
            }
        }
    };
}

vector_space!(Twist, angular, linear);
vector_space!(Wrench, torque, force);

/// A linear map from twists (or small displacements) to wrenches, by blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix6 {
    /// Torque for an angular velocity (or rotation).
    pub torque_by_rotation: DMat3,
    /// Torque for a velocity (or translation).
    pub torque_by_translation: DMat3,
    /// Force for an angular velocity (or rotation).
    pub force_by_rotation: DMat3,
    /// Force for a velocity (or translation).
    pub force_by_translation: DMat3,
}

impl Matrix6 {
    /// The map of every twist to no wrench.
    pub const ZERO: Matrix6 = Matrix6 {
        torque_by_rotation: DMat3::ZERO,
        torque_by_translation: DMat3::ZERO,
        force_by_rotation: DMat3::ZERO,
        force_by_translation: DMat3::ZERO,
    };

    /// How a wrench that is fixed to a body changes with the body's
    /// displacement δ, rotated and moved along: `δ ↦ δ ×* F` [RBDA §2.9].
    #[inline]
    pub fn carrying(wrench: Wrench) -> Matrix6 {
        Matrix6 {
            torque_by_rotation: -cross_matrix(wrench.torque),
            torque_by_translation: -cross_matrix(wrench.force),
            force_by_rotation: -cross_matrix(wrench.force),
            force_by_translation: DMat3::ZERO,
        }
    }

    /// The map for a force at `r` that answers the velocity at `r` by `m`.
    #[inline]
    pub fn at(r: DVec3, m: DMat3) -> Matrix6 {
        let lever = cross_matrix(r);
        Matrix6 {
            torque_by_rotation: lever * m * lever.transpose(),
            torque_by_translation: lever * m,
            force_by_rotation: m * lever.transpose(),
            force_by_translation: m,
        }
    }

    /// The same map in axes rotated by `R`.
    #[inline]
    pub fn rotated(&self, R: &DMat3) -> Matrix6 {
        let rotated = |m: &DMat3| *R * *m * R.transpose();
        Matrix6 {
            torque_by_rotation: rotated(&self.torque_by_rotation),
            torque_by_translation: rotated(&self.torque_by_translation),
            force_by_rotation: rotated(&self.force_by_rotation),
            force_by_translation: rotated(&self.force_by_translation),
        }
    }
}

impl Mul<Twist> for &Matrix6 {
    type Output = Wrench;
    #[inline]
    fn mul(self, twist: Twist) -> Wrench {
        Wrench::new(
            self.torque_by_rotation * twist.angular + self.torque_by_translation * twist.linear,
            self.force_by_rotation * twist.angular + self.force_by_translation * twist.linear,
        )
    }
}

impl AddAssign for Matrix6 {
    #[inline]
    fn add_assign(&mut self, other: Matrix6) {
        self.torque_by_rotation += other.torque_by_rotation;
        self.torque_by_translation += other.torque_by_translation;
        self.force_by_rotation += other.force_by_rotation;
        self.force_by_translation += other.force_by_translation;
    }
}

impl Mul<Matrix6> for f64 {
    type Output = Matrix6;
    #[inline]
    fn mul(self, m: Matrix6) -> Matrix6 {
        Matrix6 {
            torque_by_rotation: self * m.torque_by_rotation,
            torque_by_translation: self * m.torque_by_translation,
            force_by_rotation: self * m.force_by_rotation,
            force_by_translation: self * m.force_by_translation,
        }
    }
}
