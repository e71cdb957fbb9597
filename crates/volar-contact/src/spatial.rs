//! Twists, wrenches and the matrices between them, about one point.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use glam::{DMat3, DVec3};
use volar_geom::matrix::cross_matrix;

/// How a body moves relative to another: angular velocity, and velocity of the body's
/// material point at the point of reference. rad/s, m/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Angular velocity.
    pub angular_velocity: DVec3,
    /// Velocity at the point of reference.
    pub velocity: DVec3,
}

/// A force and the torque it makes about the point of reference. N m, N.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// Torque about the point of reference.
    pub torque: DVec3,
    /// Force.
    pub force: DVec3,
}

/// A linear map from twists (or small displacements) to wrenches, by blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix6 {
    /// Torque for a angular velocity (or rotation).
    pub torque_by_rotation: DMat3,
    /// Torque for a velocity (or translation).
    pub torque_by_translation: DMat3,
    /// Force for a angular velocity (or rotation).
    pub force_by_rotation: DMat3,
    /// Force for a velocity (or translation).
    pub force_by_translation: DMat3,
}

impl Twist {
    /// Velocity of the material point at `r` from the point of reference.
    pub fn at(&self, r: DVec3) -> DVec3 {
        self.velocity + self.angular_velocity.cross(r)
    }
}

impl Wrench {
    /// A force acting at `r` from the point of reference.
    pub fn at(r: DVec3, force: DVec3) -> Wrench {
        Wrench {
            torque: r.cross(force),
            force,
        }
    }

    /// Power of the wrench on a body that moves with `twist`.
    pub fn power(&self, twist: &Twist) -> f64 {
        self.torque.dot(twist.angular_velocity) + self.force.dot(twist.velocity)
    }

    /// The same wrench about a point that lies at `r` from this one.
    pub fn about(&self, r: DVec3) -> Wrench {
        Wrench {
            torque: self.torque - r.cross(self.force),
            force: self.force,
        }
    }

    /// The same wrench in axes rotated by `R`.
    pub fn rotated(&self, R: &DMat3) -> Wrench {
        Wrench {
            torque: *R * self.torque,
            force: *R * self.force,
        }
    }
}

impl Matrix6 {
    /// Nothing.
    pub const ZERO: Matrix6 = Matrix6 {
        torque_by_rotation: DMat3::ZERO,
        torque_by_translation: DMat3::ZERO,
        force_by_rotation: DMat3::ZERO,
        force_by_translation: DMat3::ZERO,
    };

    /// The wrench for a twist.
    pub fn of(&self, twist: &Twist) -> Wrench {
        Wrench {
            torque: self.torque_by_rotation * twist.angular_velocity
                + self.torque_by_translation * twist.velocity,
            force: self.force_by_rotation * twist.angular_velocity
                + self.force_by_translation * twist.velocity,
        }
    }

    /// What a wrench changes by when it is carried along with a displacement,
    /// rotated with it and moved with it: `δ ↦ δ ×* F` [RBDA §2.9].
    pub fn carrying(wrench: &Wrench) -> Matrix6 {
        Matrix6 {
            torque_by_rotation: -cross_matrix(wrench.torque),
            torque_by_translation: -cross_matrix(wrench.force),
            force_by_rotation: -cross_matrix(wrench.force),
            force_by_translation: DMat3::ZERO,
        }
    }

    /// The map for a force at `r` that answers the velocity at `r` by `m`.
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
    pub fn rotated(&self, R: &DMat3) -> Matrix6 {
        let turn = |m: &DMat3| *R * *m * R.transpose();
        Matrix6 {
            torque_by_rotation: turn(&self.torque_by_rotation),
            torque_by_translation: turn(&self.torque_by_translation),
            force_by_rotation: turn(&self.force_by_rotation),
            force_by_translation: turn(&self.force_by_translation),
        }
    }
}

impl AddAssign for Wrench {
    fn add_assign(&mut self, other: Wrench) {
        self.torque += other.torque;
        self.force += other.force;
    }
}

impl Add for Wrench {
    type Output = Wrench;
    fn add(mut self, other: Wrench) -> Wrench {
        self += other;
        self
    }
}

impl Neg for Wrench {
    type Output = Wrench;
    fn neg(self) -> Wrench {
        Wrench {
            torque: -self.torque,
            force: -self.force,
        }
    }
}

impl Sub for Twist {
    type Output = Twist;
    fn sub(self, other: Twist) -> Twist {
        Twist {
            angular_velocity: self.angular_velocity - other.angular_velocity,
            velocity: self.velocity - other.velocity,
        }
    }
}

impl AddAssign for Matrix6 {
    fn add_assign(&mut self, other: Matrix6) {
        self.torque_by_rotation += other.torque_by_rotation;
        self.torque_by_translation += other.torque_by_translation;
        self.force_by_rotation += other.force_by_rotation;
        self.force_by_translation += other.force_by_translation;
    }
}

impl Mul<Matrix6> for f64 {
    type Output = Matrix6;
    fn mul(self, m: Matrix6) -> Matrix6 {
        Matrix6 {
            torque_by_rotation: self * m.torque_by_rotation,
            torque_by_translation: self * m.torque_by_translation,
            force_by_rotation: self * m.force_by_rotation,
            force_by_translation: self * m.force_by_translation,
        }
    }
}
