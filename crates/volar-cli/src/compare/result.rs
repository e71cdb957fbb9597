//! What an engine made of a scene: its series, and the figures that are read off it, by the
//! definitions that Volar's own runs are measured with.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::bail;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use volar_record::GraspFrame;
use volar_run::{Measures, Sight, Summary};
use volar_scene::Setup;

/// The scene that is compared.
pub struct Compared {
    pub setup: Arc<Setup>,
    /// Names of the fingers.
    pub fingers: Vec<String>,
}

impl Compared {
    /// A scene in which something is grasped.
    pub fn new(setup: Setup) -> anyhow::Result<Compared> {
        let Some(grasp) = &setup.grasp else {
            bail!("nothing is grasped in this scene: without [grasp] there is nothing to compare");
        };
        let fingers = grasp.fingers.iter().map(|finger| finger.name.clone());
        Ok(Compared {
            fingers: fingers.collect(),
            setup: Arc::new(setup),
        })
    }

    /// Gravity at a time, m/s².
    fn gravity(&self, time: f64) -> DVec3 {
        let mut controls = self.setup.model.controls().clone();
        let past = self.setup.events.iter().filter(|event| event.at <= time);
        past.for_each(|event| event.apply(&mut controls));
        controls.gravity.at(time)
    }
}

/// What is seen at every step, by name; SI units.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Series {
    pub time: Vec<f64>,
    /// Centre of mass of the object in the palm's frame.
    pub position: Vec<[f64; 3]>,
    /// The object in the palm's frame (w, x, y, z).
    pub orientation: Vec<[f64; 4]>,
    pub kinetic_energy: Vec<f64>,
    pub expected_kinetic_energy: Vec<f64>,
    /// Normal force of each finger.
    pub force: BTreeMap<String, Vec<f64>>,
    pub palm_force: Vec<f64>,
    pub largest_force: Vec<f64>,
    /// Sum of the contact forces on the object.
    pub total_force: Vec<[f64; 3]>,
    /// None where an engine does not say.
    pub depth: Vec<Option<f64>>,
}

impl Series {
    /// One more time.
    pub fn push(&mut self, sight: &Sight, fingers: &[String]) {
        self.time.push(sight.time);
        self.position.push(sight.grasp.position.to_array());
        self.orientation.push(sight.grasp.orientation);
        self.kinetic_energy.push(sight.grasp.kinetic_energy);
        let expected = sight.grasp.expected_kinetic_energy;
        self.expected_kinetic_energy.push(expected);
        for (name, force) in fingers.iter().zip(&sight.finger_forces) {
            self.force.entry(name.clone()).or_default().push(*force);
        }
        self.palm_force.push(sight.palm_force);
        self.largest_force.push(sight.largest_force);
        self.total_force.push(sight.total_force.to_array());
        self.depth.push(Some(sight.depth));
    }

    /// The times as Volar sees its own; as many as are whole.
    pub fn sights(&self, fingers: &[String]) -> Vec<Sight> {
        let at = |i: usize| -> Option<Sight> {
            let force = |name: &String| self.force.get(name)?.get(i).copied();
            Some(Sight {
                time: *self.time.get(i)?,
                grasp: GraspFrame {
                    position: DVec3::from_array(*self.position.get(i)?),
                    orientation: *self.orientation.get(i)?,
                    kinetic_energy: *self.kinetic_energy.get(i)?,
                    expected_kinetic_energy: *self.expected_kinetic_energy.get(i)?,
                },
                finger_forces: fingers.iter().map(force).collect::<Option<_>>()?,
                palm_force: *self.palm_force.get(i)?,
                total_force: DVec3::from_array(*self.total_force.get(i)?),
                largest_force: *self.largest_force.get(i)?,
                depth: self.depth.get(i)?.unwrap_or(0.0),
                friction_margin: None,
            })
        };
        (0..self.time.len()).map_while(at).collect()
    }
}

/// What an adapter writes.
#[derive(Debug, Deserialize)]
pub struct Answer {
    pub version: String,
    pub step_s: f64,
    pub settings: Vec<String>,
    pub notes: Vec<String>,
    pub processor_s: f64,
    pub processor_how: String,
    pub failure: Option<Broken>,
    pub series: Series,
}

/// An engine that gave up, and when.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Broken {
    pub what: String,
    pub time_s: f64,
}

/// A row of the comparison.
#[derive(Debug, Serialize)]
pub struct Row {
    /// `volar` or the name of an engine.
    pub engine: String,
    /// `default` or `careful`.
    pub setting: String,
    pub version: String,
    /// What is set, in words.
    pub settings: Vec<String>,
    /// What is not as in the scene.
    pub notes: Vec<String>,
    /// Why there is no result.
    pub cannot: Option<String>,
    pub step_s: Option<f64>,
    /// Of the steps alone, on one core.
    pub processor_s: Option<f64>,
    pub processor_how: String,
    /// Simulated time over processor time.
    pub real_time_factor: Option<f64>,
    /// When the object left for good what counts as held, or the engine gave up, s.
    pub lost_at_s: Option<f64>,
    /// Mean over the last second of the contact forces on the object plus its weight, N: what
    /// is missing from static balance.
    pub unbalanced_n: Option<f64>,
    /// Largest normal force of a finger before 1 s, N.
    pub peak_n: Option<f64>,
    /// Figures as of a run of Volar's own.
    pub summary: Option<Summary>,
    #[serde(skip_serializing_if = "Series::is_empty")]
    pub series: Series,
}

impl Series {
    fn is_empty(&self) -> bool {
        self.time.is_empty()
    }
}

impl Row {
    /// An engine that could not run the scene.
    pub fn cannot(engine: &str, setting: &str, why: String) -> Row {
        Row {
            engine: engine.to_owned(),
            setting: setting.to_owned(),
            version: String::new(),
            settings: Vec::new(),
            notes: Vec::new(),
            cannot: Some(why),
            step_s: None,
            processor_s: None,
            processor_how: String::new(),
            real_time_factor: None,
            lost_at_s: None,
            unbalanced_n: None,
            peak_n: None,
            summary: None,
            series: Series::default(),
        }
    }

    /// What an adapter answered, measured as Volar's own runs are.
    pub fn answered(engine: &str, setting: &str, scene: &Compared, answer: Answer) -> Row {
        let setup = &scene.setup;
        let mut row = Row {
            version: answer.version,
            settings: answer.settings,
            notes: answer.notes,
            cannot: None,
            step_s: Some(answer.step_s),
            processor_s: Some(answer.processor_s),
            processor_how: answer.processor_how,
            series: answer.series,
            ..Row::cannot(engine, setting, String::new())
        };
        let sights = row.series.sights(&scene.fingers);
        let mut measures = Measures::new(setup, setup.scene.spec.duration);
        sights.iter().for_each(|sight| measures.look(sight));
        if let Some(broken) = &answer.failure {
            let kind = volar_run::FailureKind::SimulationError;
            measures.fail(kind, broken.what.clone(), broken.time_s);
        }
        let mut summary = measures.summary(setup);
        summary.duration_s = sights.last().map_or(0.0, |last| last.time);
        row.summary = Some(summary);
        row.read_off(scene, &sights, answer.failure.as_ref());
        row
    }

    /// The figures that a summary does not have.
    pub fn read_off(&mut self, scene: &Compared, sights: &[Sight], broken: Option<&Broken>) {
        let Some(grasp) = &scene.setup.grasp else {
            return;
        };
        let section = &grasp.section;
        let end = sights.last().map_or(0.0, |last| last.time);
        if let Some(seconds) = self.processor_s {
            self.real_time_factor = Some(end / seconds.max(f64::MIN_POSITIVE));
        }
        let home = sights.iter().find(|s| s.time >= section.held_since);
        let is_home = |sight: &Sight| {
            let drift = home.map(|home| sight.grasp.drift_since(&home.grasp));
            drift.is_none_or(|drift| {
                drift.distance <= section.held_within
                    && drift.rotation <= section.held_angle_deg.to_radians()
            })
        };
        let counted = sights.iter().filter(|s| s.time >= section.held_since);
        let last_home = counted.clone().rev().find(|s| is_home(s));
        let left = match last_home {
            Some(last) if last.time < end => Some(last.time),
            _ => None,
        };
        self.lost_at_s = left.or(broken.map(|broken| broken.time_s));
        let early = sights.iter().take_while(|s| s.time <= 1.0);
        let forces = early.flat_map(|s| s.finger_forces.iter().copied());
        self.peak_n = forces.reduce(f64::max);
        if broken.is_none() {
            self.unbalanced_n = unbalanced(scene, sights, end);
        }
    }
}

/// The mean over the last second of what acts on the object.
fn unbalanced(scene: &Compared, sights: &[Sight], end: f64) -> Option<f64> {
    let object = scene.setup.grasp.as_ref()?.object;
    let weight = scene.setup.model.mass(object).mass * scene.gravity(end);
    let last: Vec<&Sight> = sights.iter().filter(|s| s.time >= end - 1.0).collect();
    let (mut sum, mut time) = (DVec3::ZERO, 0.0);
    for pair in last.windows(2) {
        let step = pair[1].time - pair[0].time;
        sum += 0.5 * step * (pair[0].total_force + pair[1].total_force);
        time += step;
    }
    (time > 0.0).then(|| (sum / time + weight).length())
}
