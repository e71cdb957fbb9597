//! Actuators: the effort that a motor puts on one dof.

use crate::joint_params::JointForceError;
use crate::signal::Signal;

/// What drives a dof. Efforts in N m or N.
///
/// A servo with limited effort, and what it does at 0.2 rad and 0.5 rad/s:
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
/// assert_eq!(servo.calc(0.0, 0.2, 0.5).effort, 2.0); // 5 · 0.8 − 0.2 · 0.5 = 3.9, limited
/// assert_eq!(Actuator::effort(0.7).calc(0.0, 0.2, 0.5).effort, 0.7);
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

/// An effort and how it changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActuatorEffort {
    /// Effort, N m or N.
    pub effort: f64,
    /// By coordinate.
    pub d_q: f64,
    /// By velocity.
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
    pub fn calc(&self, t: f64, q: f64, v: f64) -> ActuatorEffort {
        match self {
            Actuator::Effort(effort) => ActuatorEffort {
                effort: effort.value(t),
                ..Default::default()
            },
            Actuator::Position {
                target,
                kp,
                kd,
                effort_limit,
            } => within(*effort_limit, kp * (target.value(t) - q) - kd * v, -kp, -kd),
            Actuator::Velocity {
                target,
                kd,
                effort_limit,
            } => within(*effort_limit, kd * (target.value(t) - v), 0.0, -kd),
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

/// An effort kept within limits; at a limit it no longer changes.
fn within(limit: Option<[f64; 2]>, effort: f64, d_q: f64, d_v: f64) -> ActuatorEffort {
    let clamped = limit.map_or(effort, |[low, high]| effort.max(low).min(high));
    let free = if limit.is_some_and(|[low, high]| effort < low || effort > high) {
        0.0
    } else {
        1.0
    };
    ActuatorEffort {
        effort: clamped,
        d_q: free * d_q,
        d_v: free * d_v,
    }
}
