//! Actuators: the effort that a motor puts on one dof.

use crate::coupling::Side;
use crate::joint_params::JointForceError;
use crate::signal::Signal;

/// What drives a dof. Efforts in N m or N.
///
/// A servo with limited effort, and what it gives at 0.2 rad and 0.5 rad/s:
///
/// ```
/// use volar_dynamics::Actuator;
///
/// let servo = Actuator::Position {
///     target: 1.0.into(),               // rad
///     kp: 5.0,                          // N m/rad
///     kd: 0.2,                          // N m s/rad
///     effort_limit: Some([-2.0, 2.0]),  // N m
/// };
/// assert_eq!(servo.effort_at(0.0, 0.2, 0.5), 2.0); // 5 · 0.8 − 0.2 · 0.5 = 3.9, limited
/// assert_eq!(Actuator::effort(0.7).effort_at(0.0, 0.2, 0.5), 0.7);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Actuator {
    /// An effort.
    Effort(Signal),
    /// `kp (target − q) − kd v`, within limits.
    Position {
        /// Coordinate to hold, rad or m.
        target: Signal,
        /// Gain on the coordinate, N m/rad or N/m; not negative.
        kp: f64,
        /// Gain on the velocity, N m s/rad or N s/m; not negative.
        kd: f64,
        /// Least and greatest effort.
        effort_limit: Option<[f64; 2]>,
    },
    /// `kd (target − v)`, within limits.
    Velocity {
        /// Velocity to hold, rad/s or m/s.
        target: Signal,
        /// Gain, N m s/rad or N s/m; not negative.
        kd: f64,
        /// Least and greatest effort.
        effort_limit: Option<[f64; 2]>,
    },
}

/// An effort and how it changes with coordinate and velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ActuatorEffort {
    pub effort: f64,
    pub d_q: f64,
    pub d_v: f64,
}

impl Actuator {
    /// A constant effort.
    pub fn effort(effort: f64) -> Actuator {
        Actuator::Effort(Signal::Constant(effort))
    }

    /// What is prescribed: the effort or the target.
    pub fn command(&self) -> &Signal {
        match self {
            Actuator::Effort(command)
            | Actuator::Position {
                target: command, ..
            }
            | Actuator::Velocity {
                target: command, ..
            } => command,
        }
    }

    /// The same actuator with another effort or target.
    pub fn with_command(mut self, new: Signal) -> Actuator {
        match &mut self {
            Actuator::Effort(command)
            | Actuator::Position {
                target: command, ..
            }
            | Actuator::Velocity {
                target: command, ..
            } => *command = new,
        }
        self
    }

    /// The effort at time t (s), coordinate q and velocity v.
    pub fn effort_at(&self, t: f64, q: f64, v: f64) -> f64 {
        self.calc(t, q, v, self.side(t, q, v)).effort
    }

    /// The effort with its side held: at a limit it does not change, between
    /// them it may pass one.
    pub(crate) fn calc(&self, t: f64, q: f64, v: f64, held: Side) -> ActuatorEffort {
        match (held, self.limit()) {
            (Side::Below, Some([low, _])) => ActuatorEffort::constant(low),
            (Side::Above, Some([_, high])) => ActuatorEffort::constant(high),
            _ => self.unlimited(t, q, v),
        }
    }

    /// Whether it is at a limit.
    pub(crate) fn side(&self, t: f64, q: f64, v: f64) -> Side {
        let effort = self.unlimited(t, q, v).effort;
        match self.limit() {
            Some([low, _]) if effort < low => Side::Below,
            Some([_, high]) if effort > high => Side::Above,
            _ => Side::Within,
        }
    }

    fn limit(&self) -> Option<[f64; 2]> {
        match self {
            Actuator::Effort(_) => None,
            Actuator::Position { effort_limit, .. } | Actuator::Velocity { effort_limit, .. } => {
                *effort_limit
            }
        }
    }

    fn unlimited(&self, t: f64, q: f64, v: f64) -> ActuatorEffort {
        match self {
            Actuator::Effort(effort) => ActuatorEffort::constant(effort.value(t)),
            Actuator::Position { target, kp, kd, .. } => ActuatorEffort {
                effort: kp * (target.value(t) - q) - kd * v,
                d_q: -kp,
                d_v: -kd,
            },
            Actuator::Velocity { target, kd, .. } => ActuatorEffort {
                effort: kd * (target.value(t) - v),
                d_q: 0.0,
                d_v: -kd,
            },
        }
    }

    /// Whether the effort depends on the coordinate.
    pub(crate) fn reads_coordinate(&self) -> bool {
        matches!(self, Actuator::Position { .. })
    }

    pub(crate) fn check(&self, dof: usize) -> Result<(), JointForceError> {
        let (gains, limit) = match self {
            Actuator::Effort(_) => ([0.0, 0.0], None),
            Actuator::Position {
                kp,
                kd,
                effort_limit,
                ..
            } => ([*kp, *kd], *effort_limit),
            Actuator::Velocity {
                kd, effort_limit, ..
            } => ([0.0, *kd], *effort_limit),
        };
        let bad = |what| Err(JointForceError::BadValue { dof, what });
        if !self.command().is_valid() {
            return bad("actuator target or effort");
        }
        if gains.iter().any(|gain| !(*gain >= 0.0 && gain.is_finite())) {
            return bad("actuator gain");
        }
        if limit.is_some_and(|[low, high]| low > high || low.is_nan() || high.is_nan()) {
            return bad("actuator effort limit");
        }
        Ok(())
    }
}

impl ActuatorEffort {
    fn constant(effort: f64) -> ActuatorEffort {
        ActuatorEffort {
            effort,
            ..ActuatorEffort::default()
        }
    }
}
