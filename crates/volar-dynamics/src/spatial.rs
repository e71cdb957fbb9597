//! Spatial vectors and inertias, angular part first.
//!
//! A motion (twist, acceleration) or a wrench belongs to a point; `shift_*`
//! carries it to another point of the same rigid body. Featherstone's 6 × 6
//! transforms are not formed: with world axes everywhere, only the point
//! changes, and a shift is one cross product.
//!
//! ```text
//! at Q = P + r:   motion  (ω, v + ω × r)      wrench  (τ − r × f, f)
//! ```

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use glam::{DMat3, DVec3};
use volar_geom::matrix::{cross_matrix, outer};

/// A motion or a wrench at some point, in some axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpatialVec {
    /// Angular part: angular velocity rad/s, angular acceleration rad/s², or
    /// torque N m.
    pub ang: DVec3,
    /// Linear part: velocity of the point m/s, its acceleration m/s², or force
    /// N.
    pub lin: DVec3,
}

impl SpatialVec {
    /// No motion, no wrench.
    pub const ZERO: SpatialVec = SpatialVec {
        ang: DVec3::ZERO,
        lin: DVec3::ZERO,
    };

    /// From the angular and the linear part.
    pub const fn new(ang: DVec3, lin: DVec3) -> SpatialVec {
        SpatialVec { ang, lin }
    }

    /// A motion at a point, taken at the point `r` away from it.
    pub fn translate_motion(self, r: DVec3) -> SpatialVec {
        SpatialVec::new(self.ang, self.lin + self.ang.cross(r))
    }

    /// A wrench about a point, taken about the point `r` away from it.
    pub fn translate_wrench(self, r: DVec3) -> SpatialVec {
        SpatialVec::new(self.ang - r.cross(self.lin), self.lin)
    }

    /// Power of a wrench on a motion, both at one point: N m/s.
    pub fn dot(self, other: SpatialVec) -> f64 {
        self.ang.dot(other.ang) + self.lin.dot(other.lin)
    }

    /// How `other`, a motion that moves along with `self`, changes: the
    /// spatial cross product `self ×` [RBDA §2.9], both at one fixed point.
    pub fn cross_motion(self, other: SpatialVec) -> SpatialVec {
        SpatialVec::new(
            self.ang.cross(other.ang),
            self.ang.cross(other.lin) + self.lin.cross(other.ang),
        )
    }

    /// True when every entry is finite.
    pub fn is_finite(self) -> bool {
        self.ang.is_finite() && self.lin.is_finite()
    }
}

impl Add for SpatialVec {
    type Output = SpatialVec;
    fn add(self, other: SpatialVec) -> SpatialVec {
        SpatialVec::new(self.ang + other.ang, self.lin + other.lin)
    }
}

impl Sub for SpatialVec {
    type Output = SpatialVec;
    fn sub(self, other: SpatialVec) -> SpatialVec {
        SpatialVec::new(self.ang - other.ang, self.lin - other.lin)
    }
}

impl Neg for SpatialVec {
    type Output = SpatialVec;
    fn neg(self) -> SpatialVec {
        SpatialVec::new(-self.ang, -self.lin)
    }
}

impl Mul<f64> for SpatialVec {
    type Output = SpatialVec;
    fn mul(self, factor: f64) -> SpatialVec {
        SpatialVec::new(self.ang * factor, self.lin * factor)
    }
}

impl AddAssign for SpatialVec {
    fn add_assign(&mut self, other: SpatialVec) {
        *self = *self + other;
    }
}

impl SubAssign for SpatialVec {
    fn sub_assign(&mut self, other: SpatialVec) {
        *self = *self - other;
    }
}

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

    /// The inertia seen from a point Po, where this one belongs to
    /// `Po + p_PoBo` [RBDA §2.13].
    pub fn shift(&self, p_PoBo: DVec3) -> SpatialInertia {
        let p = cross_matrix(p_PoBo);
        let H = self.H + p * self.M;
        SpatialInertia {
            J: self.J - self.H * p + p * H.transpose(),
            H,
            M: self.M,
        }
    }

    /// Subtracts `y yᵀ`.
    pub(crate) fn subtract_square(&mut self, y: SpatialVec) {
        self.J -= outer(y.ang, y.ang);
        self.H -= outer(y.ang, y.lin);
        self.M -= outer(y.lin, y.lin);
    }
}

impl Mul<SpatialVec> for &SpatialInertia {
    type Output = SpatialVec;
    fn mul(self, a: SpatialVec) -> SpatialVec {
        SpatialVec::new(
            self.J * a.ang + self.H * a.lin,
            self.H.transpose() * a.ang + self.M * a.lin,
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
