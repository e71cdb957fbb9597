//! One step of a simulation, from top to bottom.
//!
//! 1. choose a length: what the controller suggests, but no farther than the
//!    next scheduled time, and not so far that bodies could pass through each
//!    other;
//! 2. try it, and again shorter, until the error is within the tolerance and
//!    no new contact is found deep at its end;
//! 3. accept the new state, and renew the patches of all contacts;
//! 4. evaluate at the new state: the first stage of the next step.

use volar_contact::track::Renewal;

use crate::causes::Chosen;
use crate::error::SimError;
use crate::evaluate::Patches;
use crate::layout::Layout;
use crate::simulation::{Integrator, Simulation};
use crate::state::{PairPatches, State};
use crate::system::{Equations, vary_after};

/// At the end of a step a new contact may be this times the tolerance deep, m.
pub(crate) const TOUCH_DEPTH: f64 = 1.0e-2;
/// Steps are not cut below this for a touch, s.
pub(crate) const SHORTEST_TOUCH: f64 = 1.0e-8;
/// Of steps shorter than this one wants to know what makes them so short, s.
const SHORT_STEP: f64 = 1.0e-5;
/// The longest step while motions, efforts, loads or gravity change with time, s: a step
/// sees them at three instants, and must not take a part of a swing for the whole.
const LONGEST_VARYING: f64 = 0.1;
/// The first step after a start or a change, s.
const FIRST_STEP: f64 = 1.0e-4;

impl Simulation {
    /// Takes one step, at most to `end`.
    pub(crate) fn step(&mut self, end: f64) -> Result<(), SimError> {
        let t0 = self.state.time;
        let left = end - t0;
        let mut fresh = true;
        let (mut h, mut chosen) = self.first_length();
        loop {
            // Do not leave a sliver for the last step.
            let h_now = if h >= left {
                left
            } else if h > 0.5 * left {
                0.5 * left
            } else {
                h
            };
            let mut equations = Equations {
                model: &self.model,
                controls: &self.controls,
                patches: &self.patches,
                layout: self.layout,
                q0: &self.state.q,
                q: &mut self.q,
                evaluation: &mut self.evaluation,
                tangent: &mut self.tangent,
                scales: &self.scales,
            };
            let error =
                self.stepper
                    .try_step(&mut equations, t0, &self.x, &self.rate, h_now, fresh)?;
            fresh = false;
            self.statistics.evaluations += u64::from(self.stepper.evaluations());
            let implicit = self.settings.integrator == Integrator::Implicit;
            self.statistics.factorisations += u64::from(implicit);
            let t1 = if h_now >= left { end } else { t0 + h_now };
            if error <= 1.0 {
                self.close_step(t1);
            }
            if error <= 1.0
                && let Some(shorter) = self.missed_something(t1)
            {
                self.statistics.rejected += 1;
                self.causes.touch += 1;
                self.limited_by = Some("a touch, or a joint at its stop".into());
                (h, chosen) = (shorter, Chosen::FirstTouch);
                continue;
            }
            if error > 1.0 || (h_now < SHORT_STEP && h_now < left) {
                self.limited_by = Some(match chosen {
                    Chosen::Longest if error <= 1.0 => {
                        "the longest step that the integrator is allowed".into()
                    }
                    _ => self.describe(self.worst()),
                });
            }
            if error <= 1.0 {
                let suggested = self.controller.accepted(h_now, error);
                // A step cut short by the schedule says little about the next.
                self.next_step = if h_now < h {
                    suggested.max(h)
                } else {
                    suggested
                };
                self.statistics.steps += 1;
                if h_now < h {
                    chosen = Chosen::Schedule;
                }
                self.causes.accept(chosen, &self.layout, self.worst());
                self.statistics.jacobians += u64::from(implicit);
                return self.accept(t1);
            }
            self.statistics.rejected += 1;
            self.causes.reject(error);
            (h, chosen) = (self.controller.rejected(h_now, error), Chosen::Controller);
            if h < self.settings.shortest_step {
                return Err(self.too_small(t0, h));
            }
        }
    }

    /// The length to try first, and what chose it.
    fn first_length(&mut self) -> (f64, Chosen) {
        let mut longest = self.settings.longest_step;
        let t = self.state.time;
        if vary_after(t, &self.model, &self.controls, &self.patches) {
            longest = longest.min(LONGEST_VARYING);
        }
        let mut length = (self.next_step, Chosen::Controller);
        if length.0 >= longest {
            length = (longest, Chosen::Longest);
        }
        let (model, controls) = (&self.model, &self.controls);
        let limit = self
            .passing
            .limit(model, controls, &self.evaluation, length.0);
        if limit < length.0 {
            length = (limit, Chosen::Passing);
        }
        length
    }

    /// The length to which a step must be cut because contacts or stops began
    /// or ceased to act within it.
    fn missed_something(&mut self, time: f64) -> Option<f64> {
        let touched = self.touched_too_deep(time);
        let switched = self.switched_late(time, &self.q);
        touched.into_iter().chain(switched).reduce(f64::min)
    }

    /// Resolves first touches. The stages of a step may all miss a contact that
    /// begins within it; so the end of the step is looked at, and if a contact
    /// that is none of the patches is deeper than the tolerance allows, the step
    /// is cut to where it begins.
    ///
    /// Leaves the geometry at the end of the step behind.
    fn touched_too_deep(&mut self, time: f64) -> Option<f64> {
        let h = time - self.state.time;
        let x1 = self.stepper.x1();
        let v1 = &x1[self.layout.velocity()];
        self.q.resize(self.state.q.len(), 0.0);
        self.model
            .tree
            .plus(&self.state.q, &x1[self.layout.chart()], &mut self.q);
        self.evaluation.geometry(
            &self.model,
            &self.controls,
            &self.patches,
            time,
            &self.q,
            v1,
        );
        let allowed = TOUCH_DEPTH * self.settings.tolerance;
        let mut shorter: Option<f64> = None;
        for active in self.evaluation.active() {
            let own = self.patches.of(active.bodies);
            let depth = active.contact.new_depth(&self.patches.patches[own]);
            if depth <= allowed {
                continue;
            }
            let speed = self.evaluation.approach_speed(active).max(depth / h);
            let overshoot = (depth - 0.5 * allowed) / speed;
            // Not so short that a wrong guess of the speed stalls the run.
            let cut = (h - overshoot).clamp(0.1 * h, 0.9 * h);
            // A touch so slow or a step so short is fine as it is.
            if h > SHORTEST_TOUCH {
                shorter = Some(shorter.map_or(cut, |least| least.min(cut)));
            }
        }
        shorter
    }

    /// Begins anew at the present state and controls: renewed patches, a short
    /// first step.
    pub(crate) fn restart(&mut self) -> Result<(), SimError> {
        self.controller.reset();
        self.next_step = FIRST_STEP;
        self.close_state()?;
        self.write_x();
        self.evaluate_geometry();
        self.renew_patches();
        self.evaluate_rates()
    }

    /// Evaluates the present state with the patches it has.
    pub(crate) fn evaluate(&mut self) -> Result<(), SimError> {
        self.write_x();
        self.evaluate_geometry();
        self.evaluate_rates()
    }

    /// Makes the end of a step the present state.
    fn accept(&mut self, time: f64) -> Result<(), SimError> {
        let layout = self.layout;
        let x1 = self.stepper.x1();
        self.model
            .tree
            .plus(&self.state.q, &x1[layout.chart()], &mut self.q);
        std::mem::swap(&mut self.q, &mut self.state.q);
        self.state.v.copy_from_slice(&x1[layout.velocity()]);
        self.state
            .joint_friction
            .copy_from_slice(&x1[layout.joint_friction()]);
        read_patches(&mut self.state, &layout, x1);
        self.state.time = time;

        // The geometry is that of the look for touches.
        self.end_releases();
        self.write_x();
        self.renew_patches();
        self.evaluate_rates()
    }

    /// x, the patches and the layout from the state.
    fn write_x(&mut self) {
        let state = &self.state;
        write_patches(state, &mut self.patches);
        self.layout = Layout {
            nv: self.model.tree.nv(),
            joints: state.joint_friction.len(),
            patches: self.patches.patches.len(),
            patch_size: self.model.law.states(),
        };
        let layout = self.layout;
        self.x.clear();
        self.x.resize(layout.dim(), 0.0);
        self.x[layout.velocity()].copy_from_slice(&state.v);
        self.x[layout.joint_friction()].copy_from_slice(&state.joint_friction);
        let tracked = state.patches.iter().flat_map(|pair| &pair.tracked);
        for (i, tracked) in tracked.enumerate() {
            self.x[layout.patch(i)].copy_from_slice(&tracked.state[..layout.patch_size]);
            self.x[layout.slips().start + i] = tracked.slip;
        }
        self.x[layout.balance()].copy_from_slice(&state.balance.numbers());
        self.rate.resize(layout.dim(), 0.0);
    }

    fn evaluate_geometry(&mut self) {
        let state = &self.state;
        self.evaluation.geometry(
            &self.model,
            &self.controls,
            &self.patches,
            state.time,
            &state.q,
            &state.v,
        );
    }

    fn evaluate_rates(&mut self) -> Result<(), SimError> {
        self.hold_switches();
        let state = &self.state;
        self.statistics.evaluations += 1;
        self.evaluation.rates(
            &self.model,
            &self.controls,
            &self.patches,
            &self.layout,
            state.time,
            &state.q,
            &self.x,
            &mut self.rate,
        )?;
        if let Some(i) = self.rate.iter().position(|value| !value.is_finite()) {
            return Err(SimError::NonFinite {
                time: state.time,
                quantity: format!("the rate of {}", self.describe(i)),
            });
        }
        self.watch();
        self.scales.update(
            self.settings.tolerance,
            &self.model,
            &self.evaluation,
            &self.patches,
            &self.controls,
        );
        Ok(())
    }

    /// New patches from the contact at the present state.
    fn renew_patches(&mut self) {
        self.evaluation.contacts(
            &self.model,
            &self.controls,
            &self.patches,
            &self.layout,
            self.state.time,
            &self.x,
        );
        let mut renewed = Vec::new();
        for active in self.evaluation.active() {
            let (a, b) = (active.bodies.0 as usize, active.bodies.1 as usize);
            let old = &self.state.patches;
            let old = old
                .binary_search_by_key(&active.bodies, |pair| pair.bodies)
                .map_or(&[][..], |at| &old[at].tracked[..]);
            let mut tracked = Vec::new();
            let pair_material = self
                .patches
                .pair_material(&self.controls, a, b, self.state.time);
            let renewal = Renewal {
                contact: &active.contact,
                law: &self.model.law,
                pair_material: &pair_material,
                time: self.state.time,
                twist: active.twist,
            };
            renewal.renew(old, &mut tracked);
            if !tracked.is_empty() {
                renewed.push(PairPatches {
                    bodies: active.bodies,
                    tracked,
                });
            }
        }
        self.state.patches = renewed;
        self.write_x();
    }
}

/// The patches of a state as a flat list.
fn write_patches(state: &State, patches: &mut Patches) {
    patches.pairs.clear();
    patches.patches.clear();
    for pair in &state.patches {
        patches.pairs.push((pair.bodies, patches.patches.len()));
        patches
            .patches
            .extend(pair.tracked.iter().map(|tracked| tracked.patch));
    }
    patches.releases.clone_from(&state.releases);
}

/// States, slips and the energy balance of the patches from the end of a step.
fn read_patches(state: &mut State, layout: &Layout, x: &[f64]) {
    let tracked = state.patches.iter_mut().flat_map(|pair| &mut pair.tracked);
    for (i, tracked) in tracked.enumerate() {
        tracked.state[..layout.patch_size].copy_from_slice(&x[layout.patch(i)]);
        tracked.slip = x[layout.slips().start + i];
    }
    state.balance = crate::energy_balance::EnergyBalance::read(&x[layout.balance()]);
}
