//! Measures of a grasp, taken at the end of every step.

use std::ops::ControlFlow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use volar_record::LAST_SECOND;
use volar_record::figures::{self, SlipMeter};
use volar_scene::spec::GraspSection;
use volar_scene::{Grasp, Setup};
use volar_sim::Simulation;

use crate::frames::grasp_frame;
use crate::mean::Mean;
use crate::observer::{Context, Observed, Observer, RunError};
use crate::quality::{self, GraspQuality, StartOverlap};
use crate::saved::Saved;
use crate::sight::Sight;
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
    grasp: Option<Arc<Grasp>>,
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
    #[serde(default)]
    start_overlap: Option<StartOverlap>,
    #[serde(default)]
    quality: Option<GraspQuality>,
}

impl Measures {
    /// For a scene that runs to a time, s.
    pub fn new(setup: &Setup, end: f64) -> Measures {
        let grasp = setup.grasp.clone().map(Arc::new);
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
            start_overlap: None,
            quality: None,
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
        let Some(grasp) = self.grasp.clone() else {
            let depth = figures::bearing_depth(&contacts, None);
            self.look_at_forces(time, figures::largest_force(&contacts), depth);
            self.time = Some(time);
            return;
        };
        self.start_overlap
            .get_or_insert_with(|| StartOverlap::of(&grasp, simulation));
        if let (Some(plan), None) = (&grasp.quality, &self.quality)
            && time >= plan.at
        {
            self.quality = Some(quality::measure(&grasp, plan, simulation));
        }
        if time <= self.end {
            self.slip.look(time, &contacts, Some(grasp.object));
        }
        self.look(&Sight::with(&grasp, simulation, &contacts));
    }

    /// Looks at the grasp as a simulation shows it: this one, or another engine that runs
    /// the same scene. Without a grasp in the scene nothing is measured but forces.
    pub fn look(&mut self, sight: &Sight) {
        let time = sight.time;
        self.look_at_forces(time, sight.largest_force, sight.depth);
        let Some(grasp) = self.grasp.clone() else {
            return;
        };
        if time > self.end {
            return;
        }
        let step = self.time.map_or(0.0, |last| time - last);
        self.time = Some(time);
        let section = &grasp.section;
        let seen = Seen {
            time,
            grasp: sight.grasp,
        };
        if time >= section.from {
            self.at_from.get_or_insert(seen);
        }
        let loaded_fingers = self.look_at_fingers(sight, step);
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
                let margins = sight.friction_margin.into_iter();
                stretch.margin = margins.chain(stretch.margin).reduce(f64::min);
            }
            stretch.now = Some(seen);
            stretch.loaded_fingers = loaded_fingers;
            if loaded_fingers > 0 {
                stretch.last_loaded = Some(time);
            }
        }
        if section.kinetic_energy_from.is_some_and(|from| time >= from) {
            let first = section
                .kinetic_energy_from
                .is_some_and(|from| time - step < from);
            let weight = if first { 0.0 } else { step };
            self.energy.add(sight.grasp.kinetic_energy, weight);
            self.expected_energy
                .add(sight.grasp.expected_kinetic_energy, weight);
        }
    }

    fn look_at_forces(&mut self, time: f64, largest: f64, depth: f64) {
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
    fn look_at_fingers(&mut self, sight: &Sight, step: f64) -> usize {
        for (force, seen) in self.forces.iter_mut().zip(&sight.finger_forces) {
            *force = *seen;
        }
        let loaded = self.forces.iter().filter(|force| **force > 0.0).count();
        let last = self.end - LAST_SECOND;
        if sight.time < last {
            return loaded;
        }
        let weight = if sight.time - step < last { 0.0 } else { step };
        for (mean, force) in self.fingers.iter_mut().zip(&self.forces) {
            mean.add(*force, weight);
        }
        self.palm.add(sight.palm_force, weight);
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
            start_overlap: self.start_overlap,
            quality: self.quality.clone(),
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
            let mut remarks = String::new();
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
                if let Some(remark) = verdict.words.strip_prefix("held, ") {
                    remarks += &format!("; `{}`: {remark}", phase.name);
                }
            }
            (
                held,
                words.or_else(|| held.map(|_| format!("held in every phase{remarks}"))),
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

    fn returned(&mut self, context: &mut Context<'_>) -> Observed {
        let Some(grasp) = &self.grasp else {
            return Ok(ControlFlow::Continue(()));
        };
        // What ends now has seen the state before; what begins now begins with this one.
        let seen = Seen {
            time: context.time(),
            grasp: grasp_frame(grasp, context.simulation),
        };
        for (stretch, phase) in self.phases.iter_mut().zip(&grasp.section.phases) {
            if phase.from.to_bits() == seen.time.to_bits() {
                stretch.first = Some(seen);
                stretch.now = Some(seen);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn save(&mut self, saved: &mut Saved) -> Result<(), RunError> {
        saved.measures = self.clone();
        Ok(())
    }
}
