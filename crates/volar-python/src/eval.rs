//! Lists of grasps: sampled, and evaluated by sweeps that are planned and summed up here.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use pyo3::prelude::*;
use serde::Deserialize;
use volar_eval::{Noise, Request, finish, plan, write_labels};
use volar_grasps::ReadOptions;
use volar_grasps::sample::{Method, SampleOptions, Samples};
use volar_scene::{Hand, Object, Protocol};
use volar_sweep::Folder;

use crate::errors::{Class, Fault};
use crate::guard::{LOOK, detached};
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

/// What is to be sampled, as Python says it.
#[derive(Deserialize)]
struct AskedSamples {
    hand: PathBuf,
    object: String,
    method: String,
    count: u64,
    seed: u64,
    friction: f64,
    packages: Vec<PathBuf>,
    scale: f64,
    mass: Option<f64>,
    out: PathBuf,
}

/// Samples grasps into a file; how many were found and tried, and why others were rejected.
/// What is asked for is an object in JSON.
#[pyfunction]
pub fn sample(py: Python<'_>, asked: &str) -> PyResult<(u64, u64, BTreeMap<String, u64>)> {
    let asked: AskedSamples = serde_json::from_str(asked).map_err(Fault::from)?;
    let (found, raised) = detached(py, || {
        let known = Method::ALL.iter().find(|(name, _)| *name == asked.method);
        let (_, method) = known.ok_or_else(|| {
            let names = Method::ALL.map(|(name, _)| name).join(", ");
            let message = format!("there is no method `{}`; there are {names}", asked.method);
            Fault::new(Class::Error, message)
        })?;
        let object = Object {
            mass: asked.mass,
            ..Object::named(&asked.object, asked.scale)?
        };
        let hand = Hand::open(&asked.hand, &asked.packages)?;
        let options = SampleOptions {
            method: *method,
            count: asked.count,
            seed: asked.seed,
            friction: asked.friction,
        };
        let mut samples = Samples::new(&hand, &object, options)?;
        let (header, stop) = (samples.header.clone(), samples.stop.clone());
        let (mut grasps, mut last, mut raised) = (0, Instant::now(), None);
        let rows = samples.by_ref().inspect(|_| {
            grasps += 1;
            if last.elapsed() >= LOOK {
                last = Instant::now();
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    raised = Some(error);
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        volar_grasps::write(&asked.out, &header, rows)?;
        let rejected = samples.rejected.iter();
        let rejected = rejected.map(|(why, count)| (why.name().to_owned(), *count));
        Ok(((grasps, samples.tried, rejected.collect()), raised))
    })?;
    raised.map_or(Ok(found), Err)
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

impl From<volar_grasps::GraspFileError> for Fault {
    fn from(error: volar_grasps::GraspFileError) -> Fault {
        Fault::new(Class::Error, error.to_string())
    }
}
