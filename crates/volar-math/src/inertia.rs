//! Inertias of rigid and articulated bodies.

use std::ops::{AddAssign, Mul};

use glam::{DMat3, DVec3};

use crate::matrix::{cross_matrix, outer};
use crate::spatial::{Twist, Wrench};

/// A symmetric 6 × 6 inertia at a point, `wrench = M · acceleration`:
///
/// ```text
/// | J   H |      rigid body with mass m, c = Bcm − Bo:
/// | Hᵀ  M |      J = I_cm − m [c][c],  H = m [c],  M = m 1
/// ```
///
/// Articulated inertias [RBDA §7.1] have the same symmetry but a full M, so
/// one type serves both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpatialInertia {
    /// Angular block, kg m².
    pub J: DMat3,
    /// Upper right block, kg m.
    pub H: DMat3,
    /// Linear block, kg.
    pub M: DMat3,
}

impl SpatialInertia {
    /// No inertia.
    pub const ZERO: SpatialInertia = SpatialInertia {
        J: DMat3::ZERO,
        H: DMat3::ZERO,
        M: DMat3::ZERO,
    };

    /// Of a rigid body about a point Bo: its mass in kg, where its centre of
    /// mass is from Bo, and its rotational inertia about the centre of mass in
    /// the same axes.
    pub fn rigid(mass: f64, p_BoBcm: DVec3, I_Bcm: DMat3) -> SpatialInertia {
        let c = cross_matrix(p_BoBcm);
        SpatialInertia {
            J: I_Bcm - c * c * mass,
            H: c * mass,
            M: DMat3::from_diagonal(DVec3::splat(mass)),
        }
    }

    /// The same inertia about the point that lies at `r` from this one
    /// [RBDA §2.13].
    pub fn about(&self, r: DVec3) -> SpatialInertia {
        let p = cross_matrix(-r);
        let H = self.H + p * self.M;
        SpatialInertia {
            J: self.J - self.H * p + p * H.transpose(),
            H,
            M: self.M,
        }
    }

    /// Subtracts `F Fᵀ`.
    pub fn subtract_square(&mut self, F: Wrench) {
        self.J -= outer(F.torque, F.torque);
        self.H -= outer(F.torque, F.force);
        self.M -= outer(F.force, F.force);
    }
}

impl Mul<Twist> for &SpatialInertia {
    type Output = Wrench;
    fn mul(self, a: Twist) -> Wrench {
        Wrench::new(
            self.J * a.angular + self.H * a.linear,
            self.H.transpose() * a.angular + self.M * a.linear,
        )
    }
}

impl AddAssign for SpatialInertia {
    fn add_assign(&mut self, other: SpatialInertia) {
        self.J += other.J;
        self.H += other.H;
        self.M += other.M;
    }
}
