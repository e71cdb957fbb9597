//! What users change while a simulation runs.

use std::collections::BTreeMap;

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use volar::glam::DVec3;
use volar::math::Wrench;
use volar::sim::{Actuator, ActuatorId, BodyId, Controls, JointForceError, Load, Signal};

use crate::arrays::numbers;
use crate::errors::Fault;
use crate::simulation::{Inner, Simulation};

/// Efforts and loads on top of those of the scene.
#[derive(Clone, Default)]
pub struct Applied {
    /// Actuators that apply efforts, by number of the joint.
    efforts: BTreeMap<usize, ActuatorId>,
    /// Loads by number of the body.
    loads: BTreeMap<usize, Load>,
}

impl Inner {
    /// Changes the controls; what cannot be done changes nothing.
    fn change(
        &mut self,
        change: impl FnOnce(&mut Controls) -> Result<(), JointForceError>,
    ) -> Result<(), Fault> {
        let simulation = self.run_mut().simulation_mut();
        let mut controls = simulation.controls().clone();
        change(&mut controls)?;
        Ok(simulation.adjust(|own| *own = controls)?)
    }

    fn command(&self, actuator: usize) -> Option<f64> {
        let simulation = self.run().simulation();
        let actuator = simulation.controls().actuator(ActuatorId::new(actuator))?;
        Some(actuator.command().value(simulation.time()))
    }

    /// Efforts on joints, by number of the joint.
    fn apply_efforts(&mut self, efforts: &[(usize, f64)]) -> Result<(), Fault> {
        let setup = self.run().setup().clone();
        let mut drives = self.applied.efforts.clone();
        let same = |(joint, effort): &(usize, f64)| {
            let known = drives.get(joint).and_then(|id| self.command(id.index()));
            known.unwrap_or(0.0).to_bits() == effort.to_bits()
        };
        // A change makes the next step start anew.
        if efforts.iter().all(same) {
            return Ok(());
        }
        self.change(|controls| {
            for (joint, effort) in efforts {
                let actuator = Actuator::effort(*effort);
                match drives.get(joint) {
                    Some(id) => controls.set_actuator(*id, actuator)?,
                    None => {
                        let id = setup.joints[*joint].joint;
                        let id = controls.drive(&setup.model, id, actuator)?;
                        drives.extend(id.map(|id| (*joint, id)));
                    }
                }
            }
            Ok(())
        })?;
        self.applied.efforts = drives;
        Ok(())
    }
}

fn wrong(what: &str) -> PyErr {
    PyValueError::new_err(what.to_owned())
}

/// The command of an actuator: its effort, target or speed now.
#[pyfunction]
pub fn command(simulation: &Simulation, actuator: usize) -> PyResult<f64> {
    let command = simulation.lock()?.command(actuator);
    command.ok_or_else(|| wrong("no such actuator"))
}

/// Gives actuators commands that stay until the next.
#[pyfunction]
pub fn set_commands(
    simulation: &Simulation,
    py: Python<'_>,
    commands: Vec<(usize, f64)>,
) -> PyResult<()> {
    let count = simulation.lock()?.run().setup().drives.len();
    if commands.iter().any(|(actuator, _)| *actuator >= count) {
        return Err(wrong("no such actuator"));
    }
    simulation.with(py, |inner| {
        let same = |(actuator, value): &(usize, f64)| {
            let known = inner.run().simulation().controls();
            let known = known.actuator(ActuatorId::new(*actuator));
            known.is_some_and(|known| *known.command() == Signal::Constant(*value))
        };
        if commands.iter().all(same) {
            return Ok(());
        }
        inner.change(|controls| {
            for (actuator, value) in &commands {
                let id = ActuatorId::new(*actuator);
                if let Some(old) = controls.actuator(id).cloned() {
                    controls.set_actuator(id, old.with_command(Signal::Constant(*value)))?;
                }
            }
            Ok(())
        })
    })
}

/// Replaces an actuator by one that drives to a target with gains.
#[pyfunction]
#[pyo3(signature = (simulation, actuator, target, kp, kd, effort_limit=None))]
pub fn set_servo(
    simulation: &Simulation,
    py: Python<'_>,
    actuator: usize,
    target: f64,
    kp: f64,
    kd: f64,
    effort_limit: Option<f64>,
) -> PyResult<()> {
    if actuator >= simulation.lock()?.run().setup().drives.len() {
        return Err(wrong("no such actuator"));
    }
    simulation.with(py, |inner| {
        let servo = Actuator::Position {
            target: target.into(),
            kp,
            kd,
            effort_limit: effort_limit.map(|limit| [-limit, limit]),
        };
        inner.change(|controls| controls.set_actuator(ActuatorId::new(actuator), servo))
    })
}

/// Efforts that users apply to joints, by number of the joint.
#[pyfunction]
pub fn applied_efforts<'py>(
    simulation: &Simulation,
    py: Python<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let inner = simulation.lock()?;
    let joints = 0..inner.run().setup().joints.len();
    let effort = |joint| {
        let id = inner.applied.efforts.get(&joint)?;
        inner.command(id.index())
    };
    let efforts = joints.map(|joint| effort(joint).unwrap_or(0.0));
    Ok(PyArray1::from_vec(py, efforts.collect()))
}

/// Applies efforts to joints, on top of their drives, until the next.
#[pyfunction]
pub fn apply_efforts(
    simulation: &Simulation,
    py: Python<'_>,
    joints: Vec<usize>,
    efforts: PyReadonlyArray1<'_, f64>,
) -> PyResult<()> {
    let count = simulation.lock()?.run().setup().joints.len();
    let efforts = numbers(&efforts);
    if joints.len() != efforts.len() || joints.iter().any(|joint| *joint >= count) {
        return Err(wrong("one effort for each joint is needed"));
    }
    let pairs: Vec<(usize, f64)> = joints.into_iter().zip(efforts).collect();
    simulation.with(py, |inner| inner.apply_efforts(&pairs))
}

/// Force and torque on a body at a point in its frame, world axes; they
/// replace those given before.
#[pyfunction]
pub fn set_load(
    simulation: &Simulation,
    py: Python<'_>,
    body: usize,
    force: [f64; 3],
    torque: [f64; 3],
    point: [f64; 3],
) -> PyResult<()> {
    simulation.with(py, |inner| {
        let old = inner.applied.loads.get(&body).cloned();
        let wrench = Wrench::new(torque.into(), force.into());
        let new = Load {
            point: point.into(),
            ..Load::new(BodyId::new(body), wrench)
        };
        inner.change(|controls| {
            if let Some(at) = controls
                .loads
                .iter()
                .position(|load| Some(load) == old.as_ref())
            {
                controls.loads.remove(at);
            }
            controls.loads.push(new.clone());
            Ok(())
        })?;
        inner.applied.loads.insert(body, new);
        Ok(())
    })
}

/// Acceleration of free fall, m/s².
#[pyfunction]
pub fn gravity(simulation: &Simulation) -> PyResult<[f64; 3]> {
    let inner = simulation.lock()?;
    let own = inner.run().simulation();
    Ok(own.controls().gravity.at(own.time()).to_array())
}

#[pyfunction]
pub fn set_gravity(simulation: &Simulation, py: Python<'_>, gravity: [f64; 3]) -> PyResult<()> {
    simulation.with(py, |inner| {
        inner.change(|controls| {
            controls.gravity = DVec3::from_array(gravity).into();
            Ok(())
        })
    })
}

/// Coefficient of friction of a body's material.
#[pyfunction]
pub fn friction(simulation: &Simulation, body: usize) -> PyResult<f64> {
    let inner = simulation.lock()?;
    let own = inner.run().simulation();
    let body = own.model().bodies().nth(body);
    let body = body.ok_or_else(|| wrong("no such body"))?;
    Ok(own.controls().material(body).friction)
}

#[pyfunction]
pub fn set_friction(
    simulation: &Simulation,
    py: Python<'_>,
    body: usize,
    friction: f64,
) -> PyResult<()> {
    let known = simulation
        .lock()?
        .run()
        .simulation()
        .model()
        .bodies()
        .nth(body);
    let body = known.ok_or_else(|| wrong("no such body"))?;
    simulation.with(py, |inner| {
        inner.change(|controls| {
            controls.material_mut(body).friction = friction;
            Ok(())
        })
    })
}
