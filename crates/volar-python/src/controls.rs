//! What users change while a simulation runs.

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use volar::glam::DVec3;
use volar::math::Wrench;
use volar::run::change;
use volar::sim::{Actuator, ActuatorId, BodyId, Load};

use crate::arrays::numbers;
use crate::simulation::{Inner, Simulation};

fn wrong(what: &str) -> PyErr {
    PyValueError::new_err(what.to_owned())
}

/// The command of an actuator: its effort, target or speed now.
#[pyfunction]
pub fn command(simulation: &Simulation, actuator: usize) -> PyResult<f64> {
    let command = volar::run::command(simulation.lock()?.run(), actuator);
    command.ok_or_else(|| wrong("no such actuator"))
}

/// Gives actuators commands that stay until the next.
#[pyfunction]
pub fn set_commands(
    simulation: &Simulation,
    py: Python<'_>,
    commands: Vec<(usize, f64)>,
) -> PyResult<()> {
    simulation.change(py, |inner| {
        Ok(volar::run::set_commands(inner.run_mut(), &commands)?)
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
        let id = ActuatorId::new(actuator);
        let set = change(inner.run_mut(), |controls| {
            Ok(controls.set_actuator(id, servo)?)
        });
        Ok(set?)
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
    let efforts = joints.map(|joint| inner.applied.effort(inner.run(), joint));
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
    let efforts = numbers(&efforts);
    if joints.len() != efforts.len() {
        return Err(wrong("effort: one number for each joint is needed"));
    }
    if !efforts.iter().all(|effort| effort.is_finite()) {
        return Err(wrong("effort: all numbers must be finite"));
    }
    let pairs: Vec<(usize, f64)> = joints.into_iter().zip(efforts).collect();
    simulation.change(py, |inner| {
        let Inner {
            execution, applied, ..
        } = inner;
        Ok(applied.set_efforts(execution.run_mut(), &pairs)?)
    })
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
        let wrench = Wrench::new(torque.into(), force.into());
        let load = Load {
            point: point.into(),
            ..Load::new(BodyId::new(body), wrench)
        };
        let Inner {
            execution, applied, ..
        } = inner;
        Ok(applied.set_load(execution.run_mut(), load)?)
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
        let set = change(inner.run_mut(), |controls| {
            controls.gravity = DVec3::from_array(gravity).into();
            Ok(())
        });
        Ok(set?)
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
        let set = change(inner.run_mut(), |controls| {
            controls.material_mut(body).friction = friction;
            Ok(())
        });
        Ok(set?)
    })
}
