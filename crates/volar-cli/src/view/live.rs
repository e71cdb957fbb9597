//! A scene that is watched while it runs, and acted upon.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DVec3;
use volar_dynamics::Signal;
use volar_record::{Frame, Header};
use volar_run::Run;
use volar_scene::{Commanded, Setup};
use volar_sim::{ActuatorId, Controls};
use volar_view::{Live, Parameter};

/// Factors on all materials: name, label, and which value they act on.
const FACTORS: [(&str, &str); 3] = [
    ("stiffness", "Stiffness of all materials"),
    ("damping", "Damping of all materials"),
    ("friction", "Friction of all materials"),
];

/// A live run of a scene.
pub struct LiveRun {
    setup: Arc<Setup>,
    header: Header,
    run: Run,
    /// What was changed by hand; a restart keeps it.
    changed: BTreeMap<String, f64>,
    step: f64,
}

impl LiveRun {
    pub fn new(setup: Setup) -> anyhow::Result<LiveRun> {
        let setup = Arc::new(setup);
        Ok(LiveRun {
            header: volar_run::header(&setup),
            run: Run::new(setup.clone(), 1)?,
            setup,
            changed: BTreeMap::new(),
            step: 0.0,
        })
    }

    fn drive_name(&self, number: usize) -> String {
        let drive = &self.setup.drives[number];
        match drive.actuator.is_empty() {
            true => drive.joint.clone(),
            false => drive.actuator.clone(),
        }
    }

    fn apply(&mut self, name: &str, value: f64) -> Result<(), String> {
        let drive = (0..self.setup.drives.len()).find(|i| self.drive_name(*i) == name);
        let mut controls = self.run.controls().clone();
        match (name, drive) {
            ("gravity", _) => set_gravity(&mut controls, value),
            (_, Some(number)) => {
                let id = ActuatorId::new(number);
                let Some(old) = controls.actuator(id).cloned() else {
                    return Err(format!("there is no actuator `{name}`"));
                };
                controls
                    .set_actuator(id, old.with_command(Signal::Constant(value)))
                    .map_err(|error| error.to_string())?;
            }
            _ if FACTORS.iter().any(|(factor, _)| *factor == name) => {
                let model = &self.setup.model;
                for body in model.bodies() {
                    let own = model.controls().material(body);
                    let material = controls.material_mut(body);
                    match name {
                        "stiffness" => {
                            material.stiffness = value * own.stiffness;
                            material.shear_stiffness = value * own.shear_stiffness;
                        }
                        "damping" => material.damping_time = value * own.damping_time,
                        _ => material.friction = value * own.friction,
                    }
                }
            }
            _ => return Err(format!("there is no parameter `{name}`")),
        }
        self.run
            .simulation_mut()
            .change(|own| *own = controls)
            .map_err(|error| error.to_string())
    }

    fn drive_parameter(&self, number: usize, controls: &Controls) -> Parameter {
        let drive = &self.setup.drives[number];
        let actuator = controls.actuator(ActuatorId::new(number));
        let value = actuator.map_or(0.0, |own| own.command().value(self.run.time()));
        let joint = self.setup.joints.iter().find(|j| j.name == drive.joint);
        let slides = joint.is_some_and(|joint| joint.slides);
        let (what, unit) = match (drive.commands, slides) {
            (Commanded::Effort, false) => ("Effort", "N m"),
            (Commanded::Effort, true) => ("Effort", "N"),
            (Commanded::Target, false) => ("Target", "rad"),
            (Commanded::Target, true) => ("Target", "m"),
            (Commanded::Speed, false) => ("Speed", "rad/s"),
            (Commanded::Speed, true) => ("Speed", "m/s"),
        };
        let size = value.abs().max(if slides && what == "Target" {
            0.05
        } else {
            0.5
        });
        let [min, max] = drive.range.unwrap_or([-2.0 * size, 2.0 * size]);
        let joint = drive.joint.rsplit('/').next().unwrap_or(&drive.joint);
        Parameter {
            name: self.drive_name(number),
            label: format!("{what} of {joint}"),
            unit: unit.into(),
            min: min.min(value),
            max: max.max(value),
            value,
            logarithmic: false,
        }
    }
}

fn set_gravity(controls: &mut Controls, size: f64) {
    let down = controls.gravity.vector.try_normalize();
    controls.gravity.vector = size * down.unwrap_or(DVec3::NEG_Z);
}

impl Live for LiveRun {
    fn header(&self) -> &Header {
        &self.header
    }

    fn frame(&mut self) -> Result<Frame, String> {
        Ok(volar_run::frame(
            &self.setup,
            self.run.simulation(),
            self.step,
        ))
    }

    fn advance(&mut self, to_time: f64) -> Result<(), String> {
        while self.run.time() < to_time {
            let before = self.run.time();
            self.run.step(to_time).map_err(|error| error.to_string())?;
            self.step = self.run.time() - before;
        }
        Ok(())
    }

    fn time(&self) -> f64 {
        self.run.time()
    }

    fn restart(&mut self) -> Result<(), String> {
        self.run = Run::new(self.setup.clone(), 1).map_err(|error| error.to_string())?;
        for (name, value) in self.changed.clone() {
            self.apply(&name, value)?;
        }
        Ok(())
    }

    fn parameters(&self) -> Vec<Parameter> {
        let controls = self.run.controls();
        let gravity = controls.gravity.vector.length();
        let factors = FACTORS.iter().map(|(name, label)| Parameter {
            name: (*name).into(),
            label: (*label).into(),
            unit: "×".into(),
            min: 0.1,
            max: 10.0,
            value: self.changed.get(*name).copied().unwrap_or(1.0),
            logarithmic: true,
        });
        let mut all: Vec<Parameter> = factors.collect();
        all.push(Parameter {
            name: "gravity".into(),
            label: "Gravity".into(),
            unit: "m/s²".into(),
            min: 0.0,
            max: gravity.max(20.0),
            value: gravity,
            logarithmic: false,
        });
        all.extend((0..self.setup.drives.len()).map(|i| self.drive_parameter(i, controls)));
        all
    }

    fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), String> {
        self.apply(name, value)?;
        self.changed.insert(name.to_owned(), value);
        Ok(())
    }
}
