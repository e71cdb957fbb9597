//! What happens when, as changes of a simulation's controls.

use glam::DVec3;
use volar_dynamics::{Lines, Signal};
use volar_sim::{ActuatorId, Controls, Gravity, Load};

use crate::spec::Transition;

/// Changes at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When, s.
    pub at: f64,
    /// What.
    pub changes: Vec<Change>,
}

/// A change of the controls.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Another gravity, at once.
    Gravity(DVec3),
    /// Gravity turns.
    TurnGravity {
        /// About this unit vector, world axes.
        axis: DVec3,
        /// By this angle, rad.
        angle: f64,
        /// How.
        transition: Passage,
    },
    /// Another effort or target of an actuator.
    Command {
        /// The actuator.
        actuator: ActuatorId,
        /// The new effort or target.
        value: f64,
        /// How it gets there.
        transition: Passage,
    },
    /// A load begins.
    Push(Load),
    /// A load ends.
    Release(Load),
}

/// How a value gets to another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage {
    /// How long it takes, s; zero for at once.
    pub over: f64,
    /// Along which curve.
    pub shape: Transition,
}

impl Passage {
    fn signal(self, start: f64, from: f64, to: f64) -> Signal {
        if self.over <= 0.0 {
            return Signal::Constant(to);
        }
        let points = vec![(start, from), (start + self.over, to)];
        match (self.shape, Lines::new(points)) {
            (Transition::Linear, Some(lines)) => Signal::Lines(lines),
            _ => Signal::Smooth {
                start,
                duration: self.over,
                from,
                to,
            },
        }
    }
}

impl Event {
    /// Makes the changes.
    pub fn apply(&self, controls: &mut Controls) {
        for change in &self.changes {
            match change {
                Change::Gravity(vector) => controls.gravity = (*vector).into(),
                Change::TurnGravity {
                    axis,
                    angle,
                    transition,
                } => {
                    controls.gravity = Gravity {
                        vector: controls.gravity.at(self.at),
                        axis: *axis,
                        angle: transition.signal(self.at, 0.0, *angle),
                    }
                }
                Change::Command {
                    actuator,
                    value,
                    transition,
                } => {
                    let Some(old) = controls.actuator(*actuator).cloned() else {
                        continue;
                    };
                    let from = old.command().value(self.at);
                    let command = transition.signal(self.at, from, *value);
                    // The compiler of the scene accepts only valid values.
                    let _ = controls.set_actuator(*actuator, old.with_command(command));
                }
                Change::Push(load) => controls.loads.push(load.clone()),
                Change::Release(load) => {
                    // One of them: another entry may have given the same.
                    if let Some(own) = controls.loads.iter().position(|l| l == load) {
                        controls.loads.remove(own);
                    }
                }
            }
        }
    }
}
