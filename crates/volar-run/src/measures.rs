//! Measures of a grasp, taken at the end of every step.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use volar_record::LAST_SECOND;
use volar_record::figures::{self, SlipMeter, Touch};
use volar_scene::spec::GraspSection;
use volar_scene::{Grasp, Setup};
use volar_sim::{Contact, Simulation};

use crate::frames::grasp_frame;
use crate::observer::{Context, Observed, Observer, RunError};
use crate::saved::Saved;
use crate::summary::{Failure, FailureKind, Summary};
use crate::verdict::{Criteria, Seen, Stretch};

/// Forces before this time are those of the first touch, s.
const SETTLED: f64 = 1.0;

/// Sums over the steps of a run. They go into checkpoints, so that a resumed run has the
/// same summary.
///
/// [`execute`](crate::execute) has them among its observers; in a loop of one's own:
///
/// ```
/// use volar_run::{Measures, Run};
/// # use std::sync::Arc;
/// # use volar_scene::Scene;
/// # let text = "name = \"drop\"\nduration = 0.5\n\
/// #             [[body]]\nname = \"ball\"\nmass = 0.1\nshape = { sphere = { radius = 0.03 } }\n";
/// # let setup = Arc::new(Scene::parse("drop", text)?.compile()?);
///
/// let mut measures = Measures::new(&setup, 0.5);
/// let mut run = Run::new(setup.clone(), 1)?;
/// let _ = run.advance_with(0.5, &mut [&mut measures]);
/// let summary = measures.summary(&setup);
/// assert_eq!(summary.max_force_n, 0.0); // N: the ball meets nothing
/// assert_eq!(summary.held, None); // the scene has no grasp
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    #[serde(skip)]
    grasp: Option<Grasp>,
    end: f64,
    time: Option<f64>,
    /// The run from `held_since` on, and each of its phases.
    whole: Stretch,
    phases: Vec<Stretch>,
    /// Object seen from the palm when drift began to count.
    at_from: Option<Seen>,
    slip: SlipMeter,
    fingers: Vec<Mean>,
    palm: Mean,
    forces: Vec<f64>,
    max_force: f64,
    /// Since when a force is above the limit without a break, s.
    overloaded_since: Option<f64>,
    max_depth: f64,
    energy: Mean,
    expected_energy: Mean,
    failure: Option<Failure>,
}

impl Measures {
    /// For a scene that runs to a time, s.
    pub fn new(setup: &Setup, end: f64) -> Measures {
        let grasp = setup.grasp.clone();
        let fingers = grasp.as_ref().map_or(0, |grasp| grasp.fingers.len());
        let phases = grasp.as_ref().map_or(0, |grasp| grasp.section.phases.len());
        let until = grasp.as_ref().and_then(|grasp| grasp.section.until);
        let from = grasp.as_ref().map_or(0.0, |grasp| grasp.section.from);
        Measures {
            grasp,
            end: until.unwrap_or(end).min(end),
            time: None,
            whole: Stretch::default(),
            phases: vec![Stretch::default(); phases],
            at_from: None,
            slip: SlipMeter::new(from),
            fingers: vec![Mean::default(); fingers],
            palm: Mean::default(),
            forces: vec![0.0; fingers],
            max_force: 0.0,
            overloaded_since: None,
            max_depth: 0.0,
            energy: Mean::default(),
            expected_energy: Mean::default(),
            failure: None,
        }
    }

    /// Measures of a run that is resumed from a checkpoint of the same scene.
    pub(crate) fn resumed(self, setup: &Setup, end: f64) -> Measures {
        let fresh = Measures::new(setup, end);
        if self.fingers.len() != fresh.fingers.len() || self.phases.len() != fresh.phases.len() {
            return fresh;
        }
        let kept = Measures {
            grasp: fresh.grasp.clone(),
            ..self
        };
        if kept.end.to_bits() == fresh.end.to_bits() {
            return kept;
        }
        // The last second is another one now.
        Measures {
            end: fresh.end,
            whole: Stretch {
                last_second: None,
                margin: None,
                ..kept.whole
            },
            fingers: fresh.fingers,
            palm: fresh.palm,
            ..kept
        }
    }

    /// Looks at the simulation as it is.
    pub fn observe(&mut self, simulation: &Simulation) {
        let time = simulation.time();
        let contacts = simulation.contacts();
        self.look_at_forces(time, &contacts);
        let Some(grasp) = self.grasp.clone() else {
            self.time = Some(time);
            return;
        };
        if time > self.end {
            return;
        }
        let step = self.time.map_or(0.0, |last| time - last);
        self.time = Some(time);
        let section = &grasp.section;
        let figures = grasp_frame(&grasp, simulation);
        let seen = Seen {
            time,
            grasp: figures,
        };

        if time >= section.from {
            self.at_from.get_or_insert(seen);
        }
        self.slip.look(time, &contacts, Some(grasp.object));
        let loaded_fingers = self.look_at_fingers(&grasp, &contacts, time, step);
        let margin = least_margin(&grasp, &contacts);
        let whole = (
            &mut self.whole,
            section.held_since,
            self.end - LAST_SECOND,
            self.end,
        );
        let phases = self.phases.iter_mut().zip(&section.phases);
        let phases =
            phases.map(|(stretch, phase)| (stretch, phase.from, phase.last_second(), phase.until));
        for (stretch, from, last_second, until) in std::iter::once(whole).chain(phases) {
            if time > until {
                continue;
            }
            if time >= from {
                stretch.first.get_or_insert(seen);
            }
            if time >= last_second {
                stretch.last_second.get_or_insert(seen);
                stretch.margin = margin.into_iter().chain(stretch.margin).reduce(f64::min);
            }
            stretch.now = Some(seen);
            stretch.loaded_fingers = loaded_fingers;
        }
        if section.kinetic_energy_from.is_some_and(|from| time >= from) {
            let first = section
                .kinetic_energy_from
                .is_some_and(|from| time - step < from);
            let weight = if first { 0.0 } else { step };
            self.energy.add(figures.kinetic_energy, weight);
            self.expected_energy
                .add(figures.expected_kinetic_energy, weight);
        }
    }

    fn look_at_forces(&mut self, time: f64, contacts: &[Contact]) {
        let object = self.grasp.as_ref().map(|grasp| grasp.object);
        let depth = figures::bearing_depth(contacts, object);
        let largest = figures::largest_force(contacts);
        self.max_force = self.max_force.max(largest);
        self.max_depth = self.max_depth.max(depth);
        let Some(grasp) = &self.grasp else { return };
        let limit = grasp.section.failure_force;
        if time <= SETTLED || largest <= limit {
            self.overloaded_since = None;
            return;
        }
        // A peak while fingers close is not a failure; what stays is.
        let since = *self.overloaded_since.get_or_insert(time);
        if time - since >= grasp.section.failure_time {
            let what = format!(
                "a normal force of {largest:.0} N, above {limit:.0} N for {:.2} s",
                time - since
            );
            self.fail(FailureKind::ForceLimit, what, time);
        }
    }

    /// Adds up the forces of the fingers; how many carry load.
    fn look_at_fingers(
        &mut self,
        grasp: &Grasp,
        contacts: &[Contact],
        time: f64,
        step: f64,
    ) -> usize {
        for (force, finger) in self.forces.iter_mut().zip(&grasp.fingers) {
            let own = |c: &&Contact| {
                let other = c.other(grasp.object);
                other.is_some_and(|body| finger.links.contains(&body))
            };
            *force = Touch::of(grasp.object, contacts.iter().filter(own)).normal_force;
        }
        let loaded = self.forces.iter().filter(|force| **force > 0.0).count();
        let last = self.end - LAST_SECOND;
        if time < last {
            return loaded;
        }
        let weight = if time - step < last { 0.0 } else { step };
        for (mean, force) in self.fingers.iter_mut().zip(&self.forces) {
            mean.add(*force, weight);
        }
        let of_palm = |c: &&Contact| c.other(grasp.object) == Some(grasp.palm);
        let palm = Touch::of(grasp.object, contacts.iter().filter(of_palm));
        self.palm.add(palm.normal_force, weight);
        loaded
    }

    /// Notes a failure; the first one counts.
    pub fn fail(&mut self, kind: FailureKind, what: String, time_s: f64) {
        self.failure.get_or_insert(Failure { kind, what, time_s });
    }

    /// The summary so far; steps, wall time and warnings are left to the caller.
    pub fn summary(&self, setup: &Setup) -> Summary {
        let scene = &setup.scene.spec;
        let mut summary = Summary {
            scene: scene.name.clone(),
            law: scene.contact.law.name().into(),
            integrator: scene.integrator.method.name().into(),
            max_force_n: self.max_force,
            max_depth_mm: 1.0e3 * self.max_depth,
            failure: self.failure.clone(),
            ..Summary::default()
        };
        let (Some(grasp), Some(now)) = (&self.grasp, &self.whole.now) else {
            return summary;
        };
        let section = &grasp.section;
        let drift = self.at_from.map(|from| now.grasp.drift_since(&from.grasp));
        let creep = self.whole.creep();
        let stretches = self.phases.iter().zip(&section.phases);
        summary.phases = stretches
            .map(|(stretch, phase)| {
                let criteria = Criteria::of_phase(section, phase);
                stretch.summary(&phase.name, &criteria)
            })
            .collect();
        self.judge(section, &mut summary);
        summary.drift_mm = drift.map(|drift| 1.0e3 * drift.distance);
        summary.rotation_deg = drift.map(|drift| drift.rotation.to_degrees());
        summary.creep_um_per_s = creep.map(|(d, _)| 1.0e6 * d);
        summary.creep_deg_per_s = creep.map(|(_, r)| r.to_degrees());
        summary.slip_um = drift.map(|_| 1.0e6 * self.slip.largest());
        summary.friction_margin = self.whole.margin;
        let names = grasp.fingers.iter().map(|finger| finger.name.clone());
        // A run that stopped before its last second: the forces at present.
        let in_last_second = self.whole.last_second.is_some();
        summary.normal_force_n = match in_last_second {
            true => names.zip(self.fingers.iter().map(Mean::mean)).collect(),
            false => names.zip(self.forces.iter().copied()).collect(),
        };
        let deviations = self.fingers.iter().map(Mean::deviation);
        summary.force_std_n = deviations.reduce(f64::max).filter(|_| in_last_second);
        summary.palm_load_n = in_last_second.then(|| self.palm.mean());
        if section.kinetic_energy_from.is_some() && self.expected_energy.mean() > 0.0 {
            summary.kinetic_energy_ratio = Some(self.energy.mean() / self.expected_energy.mean());
        }
        summary
    }

    /// Held: in every phase, or where there are none over the whole run.
    fn judge(&self, section: &GraspSection, summary: &mut Summary) {
        let mut failed = None;
        let (held, words) = if section.phases.is_empty() {
            // A run that ends before `held_since` cannot tell.
            let verdict = self.whole.verdict(&Criteria::of(section));
            failed = verdict.as_ref().and_then(|verdict| verdict.failure);
            let held = verdict.as_ref().map(|verdict| verdict.failure.is_none());
            (held, verdict.map(|verdict| verdict.words))
        } else {
            let phases = self.phases.iter().zip(&section.phases);
            let mut words = None;
            let mut held = Some(true);
            for (stretch, phase) in phases {
                let verdict = stretch.verdict(&Criteria::of_phase(section, phase));
                let Some(verdict) = verdict else {
                    held = held.filter(|held| !held);
                    continue;
                };
                if verdict.failure.is_some() && failed.is_none() {
                    failed = verdict.failure;
                    held = Some(false);
                    words = Some(format!("in phase `{}` {}", phase.name, verdict.words));
                }
            }
            (
                held,
                words.or_else(|| held.map(|_| "held in every phase".into())),
            )
        };
        if let (Some(kind), Some(words), None) = (failed, &words, &summary.failure) {
            summary.failure = Some(Failure {
                kind,
                what: words.clone(),
                time_s: self.time.unwrap_or(0.0),
            });
        }
        summary.held = held.map(|held| held && summary.failure.is_none());
        summary.verdict = match &summary.failure {
            Some(failure) => Some(failure.what.clone()),
            None => words,
        };
    }
}

impl Observer for Measures {
    fn step(&mut self, context: &mut Context<'_>) -> Observed {
        self.observe(context.simulation);
        Ok(ControlFlow::Continue(()))
    }

    fn save(&mut self, saved: &mut Saved) -> Result<(), RunError> {
        saved.measures = self.clone();
        Ok(())
    }
}

/// Mean and deviation over time of something that changes along straight lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Mean {
    last: f64,
    weight: f64,
    sum: f64,
    squares: f64,
    /// Subtracted before squaring, so that small deviations survive.
    shift: Option<f64>,
}

impl Mean {
    /// A value at the end of a step of this length; length zero starts.
    fn add(&mut self, value: f64, step: f64) {
        let shift = *self.shift.get_or_insert(value);
        let (x, y) = (self.last - shift, value - shift);
        self.weight += step;
        self.sum += 0.5 * step * (x + y);
        self.squares += step * (x * x + x * y + y * y) / 3.0;
        self.last = value;
    }

    fn mean(&self) -> f64 {
        match self.weight > 0.0 {
            true => self.shift.unwrap_or(0.0) + self.sum / self.weight,
            false => self.last,
        }
    }

    fn deviation(&self) -> f64 {
        if self.weight <= 0.0 {
            return 0.0;
        }
        let mean = self.sum / self.weight;
        (self.squares / self.weight - mean * mean).max(0.0).sqrt()
    }
}

/// Least friction margin of the contacts of the object that carry load.
fn least_margin(grasp: &Grasp, contacts: &[Contact]) -> Option<f64> {
    let least = figures::bearing_load(contacts, grasp.object);
    let bearing = contacts
        .iter()
        .filter(|c| c.other(grasp.object).is_some() && c.normal_force >= least);
    Touch::of(grasp.object, bearing).friction_margin
}
