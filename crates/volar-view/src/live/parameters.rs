//! What viewers can change while a run goes on.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DVec3;
use serde::Serialize;
use volar_dynamics::{JointForceError, Signal};
use volar_scene::{Commanded, Setup};
use volar_sim::{ActuatorId, Controls, SimError, Simulation};

/// Factors on all materials: name and label.
const FACTORS: [(&str, &str); 3] = [
    ("stiffness", "Stiffness of all materials"),
    ("damping", "Damping of all materials"),
    ("friction", "Friction of all materials"),
];

/// Something that can be changed during a run, as the page gets it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// Unique among the parameters.
    pub name: String,
    /// Name for people.
    pub label: String,
    pub unit: String,
    pub min: f64,
    pub max: f64,
    /// Present value.
    pub value: f64,
    /// True when the slider is logarithmic; both ends must be positive then.
    pub logarithmic: bool,
}

/// Why a parameter was not changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// There is none of this name.
    #[error("there is no parameter `{name}`")]
    Unknown {
        /// The name.
        name: String,
    },
    /// The value is outside of the range.
    #[error("{label} must be from {min} to {max} {unit}, not {value}")]
    OutOfRange {
        /// Name of the parameter for people.
        label: String,
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
        /// Unit of all three.
        unit: String,
        /// The value refused.
        value: f64,
    },
    /// A joint cannot be driven so.
    #[error(transparent)]
    Joint(#[from] JointForceError),
    /// The simulation cannot go on with it.
    #[error(transparent)]
    Simulation(#[from] SimError),
}

/// The parameters of a scene: factors on its materials, gravity, and the
/// command of every actuator.
#[derive(Debug)]
pub struct Parameters {
    setup: Arc<Setup>,
    /// What viewers have set; it outlives a restart.
    changed: BTreeMap<String, f64>,
}

impl Parameters {
    pub fn new(setup: Arc<Setup>) -> Parameters {
        Parameters {
            setup,
            changed: BTreeMap::new(),
        }
    }

    /// Names of all parameters.
    pub fn names(&self) -> Vec<String> {
        let factors = FACTORS.iter().map(|(name, _)| *name);
        let drives = (0..self.setup.drives.len()).map(|number| self.drive_name(number));
        let all = factors.chain(["gravity"]).chain(drives);
        all.map(str::to_owned).collect()
    }

    /// All parameters, with their values in a simulation.
    pub fn list(&self, simulation: &Simulation) -> Vec<Parameter> {
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
        let gravity = simulation.controls().gravity.vector.length();
        all.push(Parameter {
            name: "gravity".into(),
            label: "Gravity".into(),
            unit: "m/s²".into(),
            min: 0.0,
            max: gravity.max(20.0),
            value: gravity,
            logarithmic: false,
        });
        all.extend((0..self.setup.drives.len()).map(|i| self.drive(i, simulation)));
        all
    }

    /// Changes one of them; acts at once.
    pub fn set(
        &mut self,
        simulation: &mut Simulation,
        name: &str,
        value: f64,
    ) -> Result<(), ParameterError> {
        let all = self.list(simulation);
        let Some(known) = all.into_iter().find(|p| p.name == name) else {
            return Err(ParameterError::Unknown { name: name.into() });
        };
        if !(known.min..=known.max).contains(&value) {
            return Err(ParameterError::OutOfRange {
                label: known.label,
                min: known.min,
                max: known.max,
                unit: known.unit,
                value,
            });
        }
        let mut controls = simulation.controls().clone();
        self.apply(&mut controls, name, value)?;
        simulation.change(|own| *own = controls)?;
        self.changed.insert(name.to_owned(), value);
        Ok(())
    }

    /// Sets everything that was changed anew, in a run that starts again.
    pub fn restore(&self, simulation: &mut Simulation) -> Result<(), ParameterError> {
        let mut controls = simulation.controls().clone();
        for (name, value) in &self.changed {
            self.apply(&mut controls, name, *value)?;
        }
        Ok(simulation.change(|own| *own = controls)?)
    }

    fn apply(&self, controls: &mut Controls, name: &str, value: f64) -> Result<(), ParameterError> {
        if name == "gravity" {
            let down = controls.gravity.vector.try_normalize();
            controls.gravity.vector = value * down.unwrap_or(DVec3::NEG_Z);
            return Ok(());
        }
        let mut drives = 0..self.setup.drives.len();
        if let Some(number) = drives.find(|i| self.drive_name(*i) == name) {
            let id = ActuatorId::new(number);
            if let Some(old) = controls.actuator(id).cloned() {
                controls.set_actuator(id, old.with_command(Signal::Constant(value)))?;
            }
            return Ok(());
        }
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
        Ok(())
    }

    fn drive_name(&self, number: usize) -> &str {
        let drive = &self.setup.drives[number];
        match drive.actuator.is_empty() {
            true => &drive.joint,
            false => &drive.actuator,
        }
    }

    fn drive(&self, number: usize, simulation: &Simulation) -> Parameter {
        let drive = &self.setup.drives[number];
        let id = ActuatorId::new(number);
        let command = |controls: &Controls, time: f64| {
            let actuator = controls.actuator(id);
            actuator.map_or(0.0, |actuator| actuator.command().value(time))
        };
        let value = command(simulation.controls(), simulation.time());
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
        // Without limits in the scene: twice what is commanded at the start.
        let least = match slides && what == "Target" {
            true => 0.05,
            false => 0.5,
        };
        let size = command(self.setup.model.controls(), 0.0).abs().max(least);
        let [min, max] = drive.range.unwrap_or([-2.0 * size, 2.0 * size]);
        let joint = drive.joint.rsplit('/').next().unwrap_or(&drive.joint);
        Parameter {
            name: self.drive_name(number).into(),
            label: format!("{what} of {joint}"),
            unit: unit.into(),
            min: min.min(value),
            max: max.max(value),
            value,
            logarithmic: false,
        }
    }
}
