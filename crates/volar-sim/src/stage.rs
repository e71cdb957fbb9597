//! Names of the stages of an evaluation, and a clock for them.

use std::time::{Duration, Instant};

/// A stage of one evaluation, see [`crate::evaluate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Poses and velocities.
    Kinematics,
    /// Pairs whose boxes overlap.
    Broadphase,
    /// What the meshes of each pair share.
    Overlap,
    /// Forces of contact.
    Contact,
    /// Efforts of joints.
    Joints,
    /// Accelerations.
    Dynamics,
    /// Rates of everything.
    Pack,
    /// Tangents of the implicit method.
    Tangent,
    /// Factoring and solving.
    Solve,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Stage; 9] = [
        Stage::Kinematics,
        Stage::Broadphase,
        Stage::Overlap,
        Stage::Contact,
        Stage::Joints,
        Stage::Dynamics,
        Stage::Pack,
        Stage::Tangent,
        Stage::Solve,
    ];

    /// As tables name it.
    fn name(self) -> &'static str {
        match self {
            Stage::Kinematics => "Kinematics",
            Stage::Broadphase => "Broadphase",
            Stage::Overlap => "Overlap",
            Stage::Contact => "Contact",
            Stage::Joints => "Joints",
            Stage::Dynamics => "Dynamics",
            Stage::Pack => "Pack",
            Stage::Tangent => "Tangent",
            Stage::Solve => "Solve",
        }
    }
}

/// Time spent in each stage; does nothing until switched on.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    running: Option<Instant>,
    on: bool,
    spent: [Duration; Stage::ALL.len()],
}

impl Clock {
    /// Switches it on from zero, or off.
    pub fn switch(&mut self, on: bool) {
        *self = Clock {
            on,
            ..Clock::default()
        };
    }

    /// Time spent in each stage.
    pub fn times(&self) -> Vec<(&'static str, Duration)> {
        let stages = Stage::ALL.iter();
        stages
            .map(|stage| (stage.name(), self.spent[*stage as usize]))
            .collect()
    }

    pub(crate) fn start(&mut self) {
        if self.on {
            self.running = Some(Instant::now());
        }
    }

    /// Ends a stage and starts the next.
    pub(crate) fn lap(&mut self, stage: Stage) {
        if let Some(since) = self.running {
            let now = Instant::now();
            self.spent[stage as usize] += now - since;
            self.running = Some(now);
        }
    }
}
