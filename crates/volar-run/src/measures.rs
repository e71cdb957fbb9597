//! Measures of a grasp, taken at the end of every step.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use volar_record::figures::{self, SlipMeter, Touch};
use volar_record::{GraspFrame, LAST_SECOND};
use volar_scene::{Grasp, Setup};
use volar_sim::{Contact, Simulation};

use crate::frames::grasp_frame;
use crate::observer::{Context, Observed, Observer, RunError};
use crate::saved::Saved;
use crate::summary::{Failure, FailureKind, Summary};

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
    /// Object seen from the palm at the start of each window, and now.
    at_held_since: Option<Seen>,
    at_from: Option<Seen>,
    at_last_second: Option<Seen>,
    now: Option<Seen>,
    slip: SlipMeter,
    /// None before the last second.
    margin: Option<f64>,
    fingers: Vec<Mean>,
    palm: Mean,
    forces: Vec<f64>,
    loaded_fingers: usize,
    max_force: f64,
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
        let until = grasp.as_ref().and_then(|grasp| grasp.section.until);
        let from = grasp.as_ref().map_or(0.0, |grasp| grasp.section.from);
        Measures {
            grasp,
            end: until.unwrap_or(end).min(end),
            time: None,
            at_held_since: None,
            at_from: None,
            at_last_second: None,
            now: None,
            slip: SlipMeter::new(from),
            margin: None,
            fingers: vec![Mean::default(); fingers],
            palm: Mean::default(),
            forces: vec![0.0; fingers],
            loaded_fingers: 0,
            max_force: 0.0,
            max_depth: 0.0,
            energy: Mean::default(),
            expected_energy: Mean::default(),
            failure: None,
        }
    }

    /// Measures of a run that is resumed from a checkpoint of the same scene.
    pub(crate) fn resumed(self, setup: &Setup, end: f64) -> Measures {
        let fresh = Measures::new(setup, end);
        if self.fingers.len() != fresh.fingers.len() {
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
            at_last_second: None,
            margin: None,
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

        for (slot, start) in [
            (&mut self.at_held_since, section.held_since),
            (&mut self.at_from, section.from),
            (&mut self.at_last_second, self.end - LAST_SECOND),
        ] {
            if slot.is_none() && time >= start {
                *slot = Some(seen);
            }
        }
        self.now = Some(seen);
        self.slip.look(time, &contacts, Some(grasp.object));
        self.look_at_fingers(&grasp, &contacts, time, step);
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
        let limit = self.grasp.as_ref().map(|grasp| grasp.section.failure_force);
        if let Some(limit) = limit
            && time > SETTLED
            && largest > limit
        {
            let what = format!("a normal force of {largest:.0} N, above {limit:.0} N");
            self.fail(FailureKind::ForceLimit, what, time);
        }
    }

    fn look_at_fingers(&mut self, grasp: &Grasp, contacts: &[Contact], time: f64, step: f64) {
        self.loaded_fingers = 0;
        for (force, finger) in self.forces.iter_mut().zip(&grasp.fingers) {
            let own = |c: &&Contact| {
                let other = c.other(grasp.object);
                other.is_some_and(|body| finger.links.contains(&body))
            };
            *force = Touch::of(grasp.object, contacts.iter().filter(own)).normal_force;
            self.loaded_fingers += usize::from(*force > 0.0);
        }
        let last = self.end - LAST_SECOND;
        if time < last {
            return;
        }
        let weight = if time - step < last { 0.0 } else { step };
        for (mean, force) in self.fingers.iter_mut().zip(&self.forces) {
            mean.add(*force, weight);
        }
        let of_palm = |c: &&Contact| c.other(grasp.object) == Some(grasp.palm);
        let palm = Touch::of(grasp.object, contacts.iter().filter(of_palm));
        self.palm.add(palm.normal_force, weight);
        let least = figures::bearing_load(contacts, grasp.object);
        let bearing = contacts
            .iter()
            .filter(|c| c.other(grasp.object).is_some() && c.normal_force >= least);
        let margin = Touch::of(grasp.object, bearing).friction_margin;
        self.margin = margin.into_iter().chain(self.margin).reduce(f64::min);
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
        let (Some(grasp), Some(now)) = (&self.grasp, &self.now) else {
            return summary;
        };
        let section = &grasp.section;
        let moved =
            |from: &Option<Seen>| from.as_ref().map(|from| now.grasp.drift_since(&from.grasp));
        let drift = moved(&self.at_from);
        // What there was of it: a run may be shorter than a second.
        let last = self.at_last_second.filter(|from| from.time < now.time);
        let creep = moved(&last).zip(last).map(|(drift, from)| {
            let second = now.time - from.time;
            (drift.distance / second, drift.rotation / second)
        });
        // A run that ends before `held_since` cannot tell.
        let distance = moved(&self.at_held_since).map(|drift| drift.distance);
        let near = distance.map(|d| d <= section.held_within);
        let held = near.map(|near| near && self.loaded_fingers >= section.held_by);
        summary.held = held.map(|held| held && summary.failure.is_none());
        if let (Some(false), Some(distance), None) = (held, distance, &summary.failure) {
            let (kind, what) = match near {
                Some(true) => (
                    FailureKind::TooFewFingers,
                    format!("only {} fingers carry load", self.loaded_fingers),
                ),
                _ => (
                    FailureKind::Dropped,
                    format!("the object is {:.1} mm from where it was", 1.0e3 * distance),
                ),
            };
            summary.failure = Some(Failure {
                kind,
                what: format!("not held: {what}"),
                time_s: self.time.unwrap_or(0.0),
            });
        }
        summary.drift_mm = drift.map(|drift| 1.0e3 * drift.distance);
        summary.rotation_deg = drift.map(|drift| drift.rotation.to_degrees());
        summary.creep_um_per_s = creep.map(|(d, _)| 1.0e6 * d);
        summary.creep_deg_per_s = creep.map(|(_, r)| r.to_degrees());
        summary.slip_um = drift.map(|_| 1.0e6 * self.slip.largest());
        summary.friction_margin = self.margin;
        let names = grasp.fingers.iter().map(|finger| finger.name.clone());
        // A run that stopped before its last second: the forces at present.
        let in_last_second = self.at_last_second.is_some();
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

/// The object at some time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Seen {
    time: f64,
    grasp: GraspFrame,
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
