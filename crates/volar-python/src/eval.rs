//! Evaluations: planned and summed up here, run as sweeps.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use serde::Deserialize;
use volar_eval::{Noise, Request, finish, plan, write_labels};
use volar_grasps::ReadOptions;
use volar_scene::{Object, Protocol};
use volar_sweep::Folder;

use crate::errors::{Class, Fault};
use crate::guard::detached;
use crate::sweep::Sweep;

/// What is to be evaluated, as Python says it.
#[derive(Deserialize)]
struct Asked {
    hand: PathBuf,
    object: String,
    grasps: PathBuf,
    protocol: PathBuf,
    packages: Vec<PathBuf>,
    scale: Option<f64>,
    mass: Option<f64>,
    material: String,
    force: f64,
    count: Option<usize>,
    noise: String,
    repeats: u64,
    seed: u64,
    joints: Vec<String>,
    limit_evaluations: Option<u64>,
}

/// The sweep of an evaluation; what is asked for is an object in JSON.
#[pyfunction]
pub fn plan_evaluation(py: Python<'_>, asked: &str) -> PyResult<Sweep> {
    let asked: Asked = serde_json::from_str(asked).map_err(Fault::from)?;
    detached(py, || {
        let noise = match asked.noise.is_empty() {
            true => Noise::default(),
            false => Noise::parse(&asked.noise)?,
        };
        let request = Request {
            hand: asked.hand,
            packages: asked.packages,
            object: Object {
                mass: asked.mass,
                material: asked.material,
                ..Object::named(&asked.object, 1.0)?
            },
            scale: asked.scale,
            grasps: asked.grasps,
            options: options(asked.joints),
            protocol: Protocol::open(&asked.protocol)?,
            force: asked.force,
            count: asked.count,
            noise,
            repeats: asked.repeats,
            seed: asked.seed,
            limit_evaluations: asked.limit_evaluations,
        };
        let inner = Arc::new(plan(&request)?);
        Ok(Sweep { inner })
    })
}

/// Sums a finished evaluation up by grasp; writes the list with its labels if a file is given.
#[pyfunction]
pub fn finish_evaluation(
    py: Python<'_>,
    folder: PathBuf,
    grasps: PathBuf,
    joints: Vec<String>,
    labels: Option<PathBuf>,
) -> PyResult<()> {
    detached(py, || {
        let folder = Folder::open(&folder)?;
        finish(&folder)?;
        if let Some(labels) = labels {
            write_labels(&folder, &grasps, &options(joints), &labels)?;
        }
        Ok(())
    })
}

fn options(joints: Vec<String>) -> ReadOptions {
    ReadOptions {
        joints,
        ..ReadOptions::default()
    }
}

impl From<volar_eval::EvalError> for Fault {
    fn from(error: volar_eval::EvalError) -> Fault {
        Fault::new(Class::Error, error.to_string())
    }
}
