//! What happens when, as changes of a simulation's controls.

use glam::DVec3;
use volar_dynamics::{Lines, Signal};
use volar_sim::{ActuatorId, Controls, Gravity, Load};

use crate::spec::Transition;

/// Changes at one time.
///
/// From 1 s to 3 s gravity turns by half a turn about x:
///
/// ```
/// use glam::DVec3;
/// use volar_scene::spec::Transition;
/// use volar_scene::{Change, Event, Passage, Scene};
///
/// let event = Event {
///     at: 1.0,
///     return_to: None,
///     changes: vec![Change::TurnGravity {
///         axis: DVec3::X, // world axes
///         angle: std::f64::consts::PI,
///         transition: Passage { over: 2.0, shape: Transition::Smooth },
///     }],
/// };
/// let setup = Scene::builtin("g2p-cube")?.compile()?;
/// let mut controls = setup.model.controls().clone();
/// controls.gravity = DVec3::new(0.0, 0.0, -9.81).into(); // m/s²
/// event.apply(&mut controls);
/// assert!((controls.gravity.at(3.0).z - 9.81).abs() < 1.0e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Simulated time at which they begin, s.
    pub at: f64,
    /// Before them, the state returns to that of this earlier time, s.
    pub return_to: Option<f64>,
    /// In the order in which they are made.
    pub changes: Vec<Change>,
}

/// A change of the controls.
///
/// See the example of [`Event`].
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
        /// How gravity gets there.
        transition: Passage,
    },
    /// Another effort or target of an actuator.
    Command {
        /// The actuator that is commanded.
        actuator: ActuatorId,
        /// The new effort, N or N m, or target, m or rad.
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
///
/// See the example of [`Event`].
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
    /// Makes the changes of the controls.
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
