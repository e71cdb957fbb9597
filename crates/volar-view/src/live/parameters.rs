//! What viewers can change while a run goes on.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DVec3;
use serde::Serialize;
use volar_dynamics::{JointForceError, Signal};
use volar_scene::{Commanded, SceneError, Setup};
use volar_sim::{ActuatorId, BodyId, Controls, SimError, Simulation};

/// Factors on materials: name and label.
const FACTORS: [(&str, &str); 3] = [
    ("stiffness", "Stiffness"),
    ("damping", "Damping"),
    ("friction", "Friction"),
];

/// Name of the mass of the object.
pub const MASS: &str = "mass";

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

/// The parameters of a scene: factors on its materials, together and each, gravity, the
/// mass of the object, and the command of every actuator.
#[derive(Debug)]
pub struct Parameters {
    setup: Arc<Setup>,
    /// Materials of the scene, with the bodies made of them.
    materials: Vec<(String, Vec<BodyId>)>,
    /// The object and its mass in the scene, kg; none where the scene cannot change it.
    object: Option<(String, f64)>,
    /// What viewers have set; it outlives a restart.
    changed: BTreeMap<String, f64>,
}

impl Parameters {
    pub fn new(setup: Arc<Setup>) -> Parameters {
        Parameters {
            materials: materials(&setup),
            object: object(&setup),
            setup,
            changed: BTreeMap::new(),
        }
    }

    /// Names of all parameters.
    pub fn names(&self) -> Vec<String> {
        let factors = self.factors().map(|(name, _)| name);
        let drives = (0..self.setup.drives.len()).map(|number| self.drive_name(number));
        let others = ["gravity"]
            .into_iter()
            .chain(self.object.iter().map(|_| MASS));
        let others = others.chain(drives).map(str::to_owned);
        factors.chain(others).collect()
    }

    /// Name and label of every factor on materials.
    fn factors(&self) -> impl Iterator<Item = (String, String)> {
        let of_all = FACTORS.iter().map(|(name, label)| {
            let label = format!("{label} of all materials");
            ((*name).to_owned(), label)
        });
        // With one material these would be the same again.
        let several = self.materials.len() > 1;
        let each = self.materials.iter().filter(move |_| several);
        let each = each.flat_map(|(material, _)| {
            FACTORS.iter().map(move |(name, label)| {
                (
                    factor_name(name, material),
                    format!("{label} of {material}"),
                )
            })
        });
        of_all.chain(each)
    }

    /// All parameters, with their values in a simulation.
    pub fn list(&self, simulation: &Simulation) -> Vec<Parameter> {
        let factors = self.factors().map(|(name, label)| Parameter {
            value: self.factor(&name),
            name,
            label,
            unit: "×".into(),
            min: 0.1,
            max: 10.0,
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
        if let Some((name, own)) = &self.object {
            all.push(Parameter {
                name: MASS.into(),
                label: format!("Mass of {name}"),
                unit: "kg".into(),
                min: 0.1 * own,
                max: 10.0 * own,
                value: self.changed.get(MASS).copied().unwrap_or(*own),
                logarithmic: true,
            });
        }
        all.extend((0..self.setup.drives.len()).map(|i| self.drive(i, simulation)));
        all
    }

    fn factor(&self, name: &str) -> f64 {
        self.changed.get(name).copied().unwrap_or(1.0)
    }

    /// The scene with the mass that was set: a model is needed for another one.
    pub fn setup(&self) -> Result<Arc<Setup>, SceneError> {
        let mass = self.object.as_ref().zip(self.changed.get(MASS));
        let Some(((name, _), mass)) = mass else {
            return Ok(self.setup.clone());
        };
        let scene = self
            .setup
            .scene
            .clone()
            .with(&[format!("body.{name}.mass={mass:?}")])?;
        Ok(Arc::new(scene.compile()?))
    }

    /// Everything is as the scene has it again, once [`Parameters::setup`] is run.
    pub fn reset(&mut self) {
        self.changed.clear();
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
        let before = self.changed.insert(name.to_owned(), value);
        let set = self.apply_to(simulation, name, value);
        if set.is_err() {
            match before {
                Some(before) => self.changed.insert(name.to_owned(), before),
                None => self.changed.remove(name),
            };
        }
        set
    }

    fn apply_to(
        &self,
        simulation: &mut Simulation,
        name: &str,
        value: f64,
    ) -> Result<(), ParameterError> {
        let mut controls = simulation.controls().clone();
        self.apply(&mut controls, name, value)?;
        Ok(simulation.change(|own| *own = controls)?)
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
        if name == MASS {
            return Ok(());
        }
        let model = &self.setup.model;
        for (material, bodies) in &self.materials {
            let [stiffness, damping, friction] = FACTORS
                .map(|(name, _)| self.factor(name) * self.factor(&factor_name(name, material)));
            for body in bodies {
                let own = model.controls().material(*body);
                let material = controls.material_mut(*body);
                material.stiffness = stiffness * own.stiffness;
                material.shear_stiffness = stiffness * own.shear_stiffness;
                material.damping_time = damping * own.damping_time;
                material.friction = friction * own.friction;
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

fn factor_name(factor: &str, material: &str) -> String {
    format!("{factor}/{material}")
}

/// Materials by name, with the bodies made of them.
fn materials(setup: &Setup) -> Vec<(String, Vec<BodyId>)> {
    let spec = &setup.scene.spec;
    let mut materials = BTreeMap::<String, Vec<BodyId>>::new();
    for body in setup.model.bodies() {
        let name = setup.model.name(body);
        let own = spec.bodies.iter().find(|own| own.name == name);
        let of_robot = || {
            let (robot, link) = name.split_once('/')?;
            let robot = spec.robots.iter().find(|own| own.name == robot)?;
            Some(robot.link_materials.get(link).unwrap_or(&robot.material))
        };
        let material = own.map(|body| &body.material).or_else(of_robot);
        let material = material.map_or("others", String::as_str).to_owned();
        materials.entry(material).or_default().push(body);
    }
    materials.into_iter().collect()
}

/// The object, if it is a body of the scene with a mass.
fn object(setup: &Setup) -> Option<(String, f64)> {
    let object = setup.grasp.as_ref()?.object;
    let name = setup.model.name(object);
    let own = setup
        .scene
        .spec
        .bodies
        .iter()
        .find(|body| body.name == name)?;
    let mass = setup.model.mass(object).mass;
    (mass > 0.0 && mass.is_finite()).then(|| (own.name.clone(), mass))
}

#[cfg(test)]
#[path = "parameters_tests.rs"]
mod tests;
