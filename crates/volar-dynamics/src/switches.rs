//! Which one-sided parts act: stops at joint limits and greatest speeds, tendons at
//! the end of their range, servos at the end of their effort.
//!
//! A stop is a stiff spring and damper on one side and nothing on the other. An
//! integrator that meets both sides within one step can use the tangent of
//! neither: a light link on a stiff damper then asks for steps of a
//! microsecond. So the sides are taken at the start of a step and held until
//! its end. Within the step every law is smooth, and at its end
//! [`JointForces::late`] tells what changed sides on the way, so that the step
//! can be cut there.

use crate::coupling::{Coupling, Side, calc_range};
use crate::joint_forces::JointForces;
use crate::joint_params::DofParams;

/// The sides of all one-sided parts, held during a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    pub(crate) limits: Vec<Side>,
    pub(crate) speeds: Vec<Side>,
    pub(crate) couplings: Vec<Side>,
    pub(crate) actuators: Vec<Side>,
}

/// A part that was on another side at the end of a step than held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Late {
    /// Ran into a stop: how deep, and how fast deeper, along the dof.
    Entered {
        /// The dof it matters most for.
        dof: usize,
        /// Beyond the end of the range and beyond the start of the step, rad or m.
        depth: f64,
        /// Rate of the depth.
        rate: f64,
    },
    /// Its effort should have ended, or changed, on the way.
    Off {
        /// The dof it matters most for.
        dof: usize,
        /// Effort there that is too much at the end of the step, N m or N.
        effort: f64,
        /// Share of the step, at its end, in which it was too much; between 0 and 1.
        share: f64,
    },
}

impl JointForces {
    /// The sides at a state, for the step that starts there.
    pub fn switch(&self, t: f64, q: &[f64], v: &[f64], out: &mut Switches) {
        out.limits.clear();
        out.limits
            .extend(self.params.iter().enumerate().map(|(i, params)| {
                match (params.limits, self.coordinate[i]) {
                    (Some(limits), Some(at)) => {
                        let (k, d) = (params.limit_stiffness, params.limit_damping);
                        Side::at(limits, k, d, q[at], v[i])
                    }
                    _ => Side::Within,
                }
            }));
        out.speeds.clear();
        let speeds = self.params.iter().zip(v);
        out.speeds
            .extend(speeds.map(|(params, v)| params.speed_side(*v)));
        out.couplings.clear();
        out.couplings.extend(self.couplings.iter().map(|coupling| {
            let (s, rate) = self.sum(&coupling.terms, coupling.offset, q, v);
            Side::at(
                coupling.range,
                coupling.stiffness,
                coupling.damping,
                s,
                rate,
            )
        }));
        out.actuators.clear();
        out.actuators
            .extend(self.actuators.iter().map(|(terms, actuator)| {
                let (s, rate) = self.sum(terms, 0.0, q, v);
                actuator.side(t, s, rate)
            }));
    }

    /// Calls `found` for every part that is on another side at the end of a
    /// step (t, q, v) than it was held on since the start (q0, v0).
    pub fn late(
        &self,
        held: &Switches,
        [t0, t]: [f64; 2],
        [q0, v0]: [&[f64]; 2],
        [q, v]: [&[f64]; 2],
        mut found: impl FnMut(Late),
    ) {
        let mut range = |side: Side, terms: &[(usize, f64)], law: &Coupling| {
            let (s0, rate0) = self.sum(terms, law.offset, q0, v0);
            let (s, rate) = self.sum(terms, law.offset, q, v);
            let (k, d) = (law.stiffness, law.damping);
            let now = Side::at(law.range, k, d, s, rate);
            let Some((dof, c)) = largest(terms).filter(|_| now != side) else {
                return;
            };
            let scale = 1.0 / c.abs();
            if side == Side::Within {
                let [beyond, before] = [s, s0].map(|s| now.beyond(law.range, s).max(0.0));
                if beyond > before {
                    let rate = scale * now.outwards(rate);
                    let depth = scale * (beyond - before);
                    found(Late::Entered { dof, depth, rate });
                }
            } else {
                let effort =
                    |s, rate| side.outwards(-calc_range(law.range, k, d, s, rate, side).effort);
                let (start, end) = (effort(s0, rate0), effort(s, rate));
                let share = (-end / (start.max(0.0) - end)).clamp(0.0, 1.0);
                let effort = c.abs() * -end;
                found(Late::Off { dof, effort, share });
            }
        };
        for (i, params) in self.params.iter().enumerate() {
            if let Some(limits) = params.limits {
                let law = Coupling {
                    terms: Vec::new(),
                    offset: 0.0,
                    range: limits,
                    stiffness: params.limit_stiffness,
                    damping: params.limit_damping,
                };
                range(held.limits[i], &[(i, 1.0)], &law);
            }
        }
        for (coupling, side) in self.couplings.iter().zip(&held.couplings) {
            range(*side, &coupling.terms, coupling);
        }
        for (dof, (params, side)) in self.params.iter().zip(&held.speeds).enumerate() {
            let now = params.speed_side(v[dof]);
            if now == *side {
                continue;
            }
            let too_much = |v: f64| params.speed_effort(v, *side) - params.speed_effort(v, now);
            let (start, end) = (too_much(v0[dof]), too_much(v[dof]));
            let share = match start * end < 0.0 {
                true => end / (end - start),
                false => 1.0,
            };
            let effort = end.abs();
            found(Late::Off { dof, effort, share });
        }
        for ((terms, actuator), side) in self.actuators.iter().zip(&held.actuators) {
            let (s, rate) = self.sum(terms, 0.0, q, v);
            let now = actuator.side(t, s, rate);
            let Some((dof, c)) = largest(terms).filter(|_| now != *side) else {
                continue;
            };
            // What the law gives too much now; it gave too little before.
            let too_much = |t: f64, s: f64, rate: f64| {
                actuator.calc(t, s, rate, *side).effort - actuator.calc(t, s, rate, now).effort
            };
            let (s0, rate0) = self.sum(terms, 0.0, q0, v0);
            let (start, end) = (too_much(t0, s0, rate0), too_much(t, s, rate));
            let share = match start * end < 0.0 {
                true => end / (end - start),
                false => 1.0,
            };
            let effort = c.abs() * end.abs();
            found(Late::Off { dof, effort, share });
        }
    }
}

impl DofParams {
    /// Whether a speed is beyond the limit.
    pub(crate) fn speed_side(&self, v: f64) -> Side {
        match self.speed_limit {
            Some(limit) if v > limit => Side::Above,
            Some(limit) if v < -limit => Side::Below,
            _ => Side::Within,
        }
    }

    /// Effort of the damper beyond the greatest speed, with its side held.
    pub(crate) fn speed_effort(&self, v: f64, held: Side) -> f64 {
        let limit = match (self.speed_limit, held) {
            (Some(limit), Side::Above) => limit,
            (Some(limit), Side::Below) => -limit,
            _ => return 0.0,
        };
        self.speed_damping * (limit - v)
    }
}

fn largest(terms: &[(usize, f64)]) -> Option<(usize, f64)> {
    let terms = terms.iter().copied().filter(|(_, c)| *c != 0.0);
    terms.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
}
