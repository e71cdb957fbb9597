//! Rigid transforms.

use glam::{DMat3, DQuat, DVec3};

/// The pose `X_AB` of a frame B in a frame A: `p_A = R_AB p_B + p_AB`.
///
/// The rotation is kept as a matrix because the overlap kernel applies it to
/// thousands of points per pose. Positions in metres.
///
/// ```
/// use glam::DVec3;
/// use volar_math::{Pose, rotation};
///
/// // The hand H in the world W, and an object O in the hand.
/// let X_WH = Pose { R: rotation::about(DVec3::Z, std::f64::consts::FRAC_PI_2), p: DVec3::X };
/// let X_HO = Pose::from_translation(DVec3::new(0.1, 0.0, 0.0)); // m
/// let X_WO = X_WH.compose(&X_HO);
/// assert!((X_WO.p - DVec3::new(1.0, 0.1, 0.0)).length() < 1.0e-15);
///
/// let X_HW = X_WH.inverse();
/// assert!((X_HW.point(X_WO.p) - X_HO.p).length() < 1.0e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Orientation of B in A; its columns are B's axes seen from A.
    pub R: DMat3,
    /// Position of B's origin in A.
    pub p: DVec3,
}

impl Pose {
    /// The pose of a frame in itself.
    pub const IDENTITY: Pose = Pose {
        R: DMat3::IDENTITY,
        p: DVec3::ZERO,
    };

    /// A pose without rotation.
    #[inline]
    pub fn from_translation(p: DVec3) -> Pose {
        Pose {
            R: DMat3::IDENTITY,
            p,
        }
    }

    /// From a position and a quaternion `(w, x, y, z)` of any non-zero length.
    ///
    /// `None` when a value is not finite or the quaternion is zero.
    pub fn from_wxyz(p: [f64; 3], wxyz: [f64; 4]) -> Option<Pose> {
        let [w, x, y, z] = wxyz;
        // Scale by the largest entry first, so that tiny and huge quaternions
        // neither underflow nor overflow in the squared length.
        let largest = wxyz.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let p = DVec3::from_array(p);
        if !(largest > 0.0 && largest.is_finite() && p.is_finite())
            || wxyz.iter().any(|v| v.is_nan())
        {
            return None;
        }
        let q = DQuat::from_xyzw(x / largest, y / largest, z / largest, w / largest);
        let q = q * (1.0 / q.length());
        Some(Pose {
            R: DMat3::from_quat(q),
            p,
        })
    }

    /// The pose of A in B, given this pose of B in A.
    #[inline]
    pub fn inverse(&self) -> Pose {
        let R_BA = self.R.transpose();
        Pose {
            R: R_BA,
            p: -(R_BA * self.p),
        }
    }

    /// `X_AC = X_AB · X_BC`.
    #[inline]
    pub fn compose(&self, X_BC: &Pose) -> Pose {
        Pose {
            R: self.R * X_BC.R,
            p: self.R * X_BC.p + self.p,
        }
    }

    /// `X_AB` from the world poses of A and B.
    ///
    /// The two positions are subtracted before anything is rotated, so bodies
    /// that sit together far from the world's origin lose no digits beyond
    /// those their positions never had.
    #[inline]
    pub fn relative(X_WA: &Pose, X_WB: &Pose) -> Pose {
        let R_AW = X_WA.R.transpose();
        Pose {
            R: R_AW * X_WB.R,
            p: R_AW * (X_WB.p - X_WA.p),
        }
    }

    /// A point given in B, seen from A.
    #[inline]
    pub fn point(&self, p_B: DVec3) -> DVec3 {
        self.R * p_B + self.p
    }

    /// A free vector given in B, seen from A.
    #[inline]
    pub fn vector(&self, v_B: DVec3) -> DVec3 {
        self.R * v_B
    }

    /// True when every entry is finite.
    pub fn is_finite(&self) -> bool {
        self.R.is_finite() && self.p.is_finite()
    }
}
