//! Ends steps where a stop begins or ceases to act.
//!
//! Stops at joint limits, tendons and limits of servos are held on the side on
//! which they start a step, see [`volar_dynamics::switches`]. What changed
//! sides within the step is seen at its end, as a new contact is; if it
//! mattered, the step is cut to where the change was.

use volar_dynamics::Late;

use crate::simulation::Simulation;
use crate::step::{SHORTEST_TOUCH, TOUCH_DEPTH};

impl Simulation {
    /// The sides of all stops at the present state, for the step to come.
    pub(crate) fn hold_switches(&mut self) {
        let state = &self.state;
        let held = &mut self.evaluation.switches;
        let joints = &self.controls.joints;
        joints.switch(state.time, &state.q, &state.v, held);
    }

    /// The length to which the step that was tried must be cut. `q` is where
    /// it ended.
    ///
    /// A stop that was run into may be as deep as a new contact. An effort that
    /// acted too long may have changed the speed by no more than the tolerance.
    pub(crate) fn switched_late(&self, time: f64, q: &[f64]) -> Option<f64> {
        let t0 = self.state.time;
        let h = time - t0;
        if h <= SHORTEST_TOUCH {
            return None;
        }
        let v1 = &self.stepper.x1()[self.layout.velocity()];
        let mut shorter: Option<f64> = None;
        let mut cut = |length: f64| {
            // Not so short that a wrong guess stalls the run.
            let length = length.clamp(0.1 * h, 0.9 * h);
            shorter = Some(shorter.map_or(length, |least| least.min(length)));
        };
        let start = [&self.state.q[..], &self.state.v];
        let joints = &self.controls.joints;
        let held = &self.evaluation.switches;
        joints.late(held, [t0, time], start, [q, v1], |late| match late {
            Late::Entered { dof, depth, rate } => {
                let allowed = TOUCH_DEPTH * self.settings.tolerance / self.model.lever[dof];
                if depth > allowed {
                    cut(h - (depth - 0.5 * allowed) / rate.max(depth / h));
                }
            }
            Late::Off { dof, effort, share } => {
                let lever = self.model.lever[dof];
                let speed = lever * v1[dof].abs().max(self.state.v[dof].abs());
                let (absolute, relative) = self.scales.velocities[dof];
                let allowed = absolute + relative * speed;
                let gained = effort / self.model.inertia[dof] * share * h;
                if lever * gained > allowed {
                    cut(h * (1.0 - share));
                }
            }
        });
        shorter
    }
}
