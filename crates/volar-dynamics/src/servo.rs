//! Actuators: the effort that a motor puts on one dof.

use crate::joint_params::JointForceError;

/// What drives a dof. Efforts in N m or N.
#[derive(Clone, Debug, PartialEq)]
pub enum Actuator {
    /// A constant effort.
    Effort(f64),
    /// An effort that follows a table.
    EffortOverTime(EffortTable),
    /// `kp (target − q) − kd v`, within limits.
    Position {
        /// Coordinate to hold, rad or m.
        target: f64,
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
        target: f64,
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
    /// By time.
    pub d_t: f64,
}

impl Actuator {
    /// The effort at time t (s), coordinate q and velocity v.
    pub fn calc(&self, t: f64, q: f64, v: f64) -> ActuatorEffort {
        match self {
            Actuator::Effort(effort) => ActuatorEffort {
                effort: *effort,
                ..Default::default()
            },
            Actuator::EffortOverTime(table) => table.calc(t),
            Actuator::Position {
                target,
                kp,
                kd,
                effort_limit,
            } => within(*effort_limit, kp * (target - q) - kd * v, -kp, -kd),
            Actuator::Velocity {
                target,
                kd,
                effort_limit,
            } => within(*effort_limit, kd * (target - v), 0.0, -kd),
        }
    }

    /// Whether the effort depends on the coordinate.
    pub(crate) fn reads_coordinate(&self) -> bool {
        matches!(self, Actuator::Position { .. })
    }

    pub(crate) fn check(&self, dof: usize) -> Result<(), JointForceError> {
        let (numbers, gains, limit) = match self {
            Actuator::Effort(effort) => (*effort, [0.0, 0.0], None),
            Actuator::EffortOverTime(_) => (0.0, [0.0, 0.0], None),
            Actuator::Position {
                target,
                kp,
                kd,
                effort_limit,
            } => (*target, [*kp, *kd], *effort_limit),
            Actuator::Velocity {
                target,
                kd,
                effort_limit,
            } => (*target, [0.0, *kd], *effort_limit),
        };
        let bad = |what| Err(JointForceError::BadValue { dof, what });
        if !numbers.is_finite() {
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
        d_t: 0.0,
    }
}

/// An effort as a piecewise linear function of time, constant before the first
/// and after the last entry.
#[derive(Clone, Debug, PartialEq)]
pub struct EffortTable {
    entries: Vec<(f64, f64)>,
}

impl EffortTable {
    /// From pairs (time s, effort); times strictly ascending, at least one
    /// pair.
    pub fn new(entries: Vec<(f64, f64)>) -> Option<EffortTable> {
        let finite = entries.iter().all(|(t, e)| t.is_finite() && e.is_finite());
        let ascending = entries.windows(2).all(|pair| pair[0].0 < pair[1].0);
        (finite && ascending && !entries.is_empty()).then_some(EffortTable { entries })
    }

    /// The times at which the slope changes: an integrator does well to end a
    /// step there.
    pub fn corners(&self) -> impl Iterator<Item = f64> + '_ {
        self.entries.iter().map(|(t, _)| *t)
    }

    fn calc(&self, t: f64) -> ActuatorEffort {
        let after = self.entries.partition_point(|(time, _)| *time <= t);
        let (before, next) = (after.checked_sub(1), self.entries.get(after));
        let (effort, d_t) = match (before.map(|i| self.entries[i]), next) {
            (Some((t0, e0)), Some((t1, e1))) => {
                let slope = (e1 - e0) / (t1 - t0);
                (e0 + slope * (t - t0), slope)
            }
            (Some((_, effort)), None) => (effort, 0.0),
            (None, Some((_, effort))) => (*effort, 0.0),
            (None, None) => (0.0, 0.0),
        };
        ActuatorEffort {
            effort,
            d_q: 0.0,
            d_v: 0.0,
            d_t,
        }
    }
}
