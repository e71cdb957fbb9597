//! Passive parameters of joints, and the checks of all that acts in them.

use thiserror::Error;

use crate::bristle::BREAKAWAY;
use crate::joint_forces::JointForces;
use crate::servo::Actuator;

/// A spring between a joint's two sides.
///
/// See the example of [`DofParams`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// N m/rad or N/m; not negative.
    pub stiffness: f64,
    /// Coordinate without effort, rad or m.
    pub rest: f64,
}

/// Passive properties of one dof. Rotations of ball and free joints, which
/// have no coordinate of their own, can have damping, armature and friction
/// only.
///
/// A hinge with stops at ±90°, a return spring, damping and dry friction:
///
/// ```
/// use std::f64::consts::FRAC_PI_2;
/// use volar_dynamics::{DofParams, Spring};
///
/// let hinge = DofParams {
///     limits: Some([-FRAC_PI_2, FRAC_PI_2]), // rad
///     limit_stiffness: 100.0,                // N m/rad
///     limit_damping: 0.1,                    // N m s/rad
///     damping: 0.01,                         // N m s/rad
///     friction: 0.02,                        // N m
///     spring: Some(Spring { stiffness: 0.05, rest: 0.0 }), // N m/rad, rad
///     ..DofParams::default()
/// };
/// assert_eq!(hinge.armature, 0.0); // kg m²
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DofParams {
    /// Least and greatest coordinate, rad or m.
    pub limits: Option<[f64; 2]>,
    /// Spring outside the limits, N m/rad or N/m; positive where there are
    /// limits.
    pub limit_stiffness: f64,
    /// Damper outside the limits, N m s/rad or N s/m.
    pub limit_damping: f64,
    /// Greatest speed, rad/s or m/s: beyond it a damper acts, whoever drives.
    pub speed_limit: Option<f64>,
    /// That damper, N m s/rad or N s/m; positive where there is a limit.
    pub speed_damping: f64,
    /// Viscous damping, N m s/rad or N s/m.
    pub damping: f64,
    /// Rotor inertia felt at the joint, kg m² or kg.
    pub armature: f64,
    /// Dry friction, N m or N.
    pub friction: f64,
    /// Deflection at which dry friction breaks away, rad or m.
    pub breakaway: f64,
    /// A spring.
    pub spring: Option<Spring>,
}

impl Default for DofParams {
    /// A joint that moves freely.
    fn default() -> DofParams {
        DofParams {
            limits: None,
            limit_stiffness: 0.0,
            limit_damping: 0.0,
            speed_limit: None,
            speed_damping: 0.0,
            damping: 0.0,
            armature: 0.0,
            friction: 0.0,
            breakaway: BREAKAWAY,
            spring: None,
        }
    }
}

/// Why parameters of joints make no sense.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum JointForceError {
    /// Not one set of parameters per dof.
    #[error("{given} sets of joint parameters for {dofs} degrees of freedom")]
    WrongCount {
        /// How many there are.
        given: usize,
        /// How many there should be.
        dofs: usize,
    },
    /// A value out of range.
    #[error("degree of freedom {dof}: its {what} is negative, not finite or out of order")]
    BadValue {
        /// The dof.
        dof: usize,
        /// Which value.
        what: &'static str,
    },
    /// Something that needs a coordinate on a dof that has none.
    #[error(
        "degree of freedom {dof} is a rotation of a ball or free joint: it has no angle for a {what}"
    )]
    NoCoordinate {
        /// The dof.
        dof: usize,
        /// What needs it.
        what: &'static str,
    },
    /// A dof the tree does not have.
    #[error("a {what} names degree of freedom {dof}, which does not exist")]
    UnknownDof {
        /// The number given.
        dof: usize,
        /// What names it.
        what: &'static str,
    },
    /// A coupling with values out of range.
    #[error("coupling {coupling}: its {what} is negative, not finite or out of order")]
    BadCoupling {
        /// The number of the coupling.
        coupling: usize,
        /// Which value.
        what: &'static str,
    },
}

impl JointForces {
    pub(crate) fn check_params(&self) -> Result<(), JointForceError> {
        for (dof, p) in self.params.iter().enumerate() {
            let bad = |what| Err(JointForceError::BadValue { dof, what });
            for (what, value) in [
                ("limit stiffness", p.limit_stiffness),
                ("limit damping", p.limit_damping),
                ("speed damping", p.speed_damping),
                ("damping", p.damping),
                ("armature", p.armature),
                ("friction", p.friction),
            ] {
                if !(value >= 0.0 && value.is_finite()) {
                    return bad(what);
                }
            }
            if !(p.breakaway > 0.0 && p.breakaway.is_finite()) {
                return bad("breakaway deflection");
            }
            if let Some([low, high]) = p.limits {
                if low > high || low.is_nan() || high.is_nan() {
                    return bad("limits");
                }
                if p.limit_stiffness <= 0.0 {
                    return bad("limit stiffness, which must be positive,");
                }
                self.need_coordinate(dof, "limit")?;
            }
            if let Some(limit) = p.speed_limit {
                if !(limit > 0.0 && limit.is_finite()) {
                    return bad("speed limit, which must be positive,");
                }
                if p.speed_damping <= 0.0 {
                    return bad("speed damping, which must be positive,");
                }
            }
            if let Some(Spring { stiffness, rest }) = p.spring {
                if !(stiffness >= 0.0 && stiffness.is_finite() && rest.is_finite()) {
                    return bad("spring");
                }
                self.need_coordinate(dof, "spring")?;
            }
        }
        Ok(())
    }

    pub(crate) fn check_couplings(&self) -> Result<(), JointForceError> {
        for (number, c) in self.couplings.iter().enumerate() {
            let fine = |value: f64| value >= 0.0 && value.is_finite();
            let [low, high] = c.range;
            for (what, ok) in [
                ("stiffness", fine(c.stiffness)),
                ("damping", fine(c.damping)),
                ("range", low <= high),
                ("offset", c.offset.is_finite()),
                ("coefficient", c.terms.iter().all(|(_, c)| c.is_finite())),
            ] {
                if !ok {
                    let coupling = number;
                    return Err(JointForceError::BadCoupling { coupling, what });
                }
            }
            for (dof, _) in &c.terms {
                self.need_coordinate(*dof, "coupling")?;
            }
        }
        Ok(())
    }

    pub(crate) fn check_actuator(
        &self,
        terms: &[(usize, f64)],
        actuator: &Actuator,
    ) -> Result<(), JointForceError> {
        for &(dof, coefficient) in terms {
            if dof >= self.params.len() {
                let what = "actuator";
                return Err(JointForceError::UnknownDof { dof, what });
            }
            if actuator.reads_coordinate() {
                self.need_coordinate(dof, "position actuator")?;
            }
            if !coefficient.is_finite() {
                let what = "coefficient of an actuator";
                return Err(JointForceError::BadValue { dof, what });
            }
        }
        actuator.check(terms.first().map_or(0, |(dof, _)| *dof))
    }

    fn need_coordinate(&self, dof: usize, what: &'static str) -> Result<(), JointForceError> {
        match self.coordinate.get(dof) {
            None => Err(JointForceError::UnknownDof { dof, what }),
            Some(None) => Err(JointForceError::NoCoordinate { dof, what }),
            Some(Some(_)) => Ok(()),
        }
    }
}
