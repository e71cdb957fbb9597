//! A list of grasps into a sweep.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use toml::{Table as Toml, Value};
use volar_assets::Memory;
use volar_grasps::{Grasp, GraspList, Header, Posture, ReadOptions, Row};
use volar_scene::spec::{Scale, Shape};
use volar_scene::{Hand, HandAt, Object, Offset, Protocol, Setup, Touching, Trials};
use volar_sweep::{AxisEntry, Column, INFO, Sweep, SweepSpec, Table};

use crate::error::EvalError;
use crate::noise::Noise;

/// The kind of failure of rows that are no grasps.
const BAD_GRASP: &str = "bad_grasp";
const SCENE: &str = "scene.toml";
/// The table of what trials set.
pub(crate) const TRIALS: &str = "trials.parquet";
/// So many grasps are tried for one that makes a scene.
const TRIED: usize = 50;

/// What is to be evaluated.
#[derive(Clone, Debug)]
pub struct Request {
    /// A hand.toml, or a robot file.
    pub hand: PathBuf,
    /// Folders in which `package://` looks.
    pub packages: Vec<PathBuf>,
    /// The object; the scale of its mesh is that of the grasps where they say so and
    /// `scale` is not given.
    pub object: Object,
    /// What the coordinates of the object's mesh are multiplied by.
    pub scale: Option<f64>,
    /// The file of grasps.
    pub grasps: PathBuf,
    /// How it is read.
    pub options: ReadOptions,
    /// What is done.
    pub protocol: Protocol,
    /// Force of each finger where the hand's file has no servo of its own, N.
    pub force: f64,
    /// The first so many grasps; all if not given.
    pub count: Option<usize>,
    /// What trials are off by.
    pub noise: Noise,
    /// Trials of every grasp.
    pub repeats: u64,
    /// Seed of the noise.
    pub seed: u64,
    /// Ends every trial after so many evaluations of the equations of motion.
    pub limit_evaluations: Option<u64>,
}

/// The sweep of an evaluation: a run for every trial.
pub fn plan(request: &Request) -> Result<Sweep, EvalError> {
    if request.repeats == 0 || (request.repeats > 1 && request.noise.is_none()) {
        let message = "repeats must be 1 or more, and several need noise: the same trial gives \
                       the same result to the bit";
        return Err(EvalError::Invalid(message.into()));
    }
    let list = GraspList::open(&request.grasps, &request.options)?;
    let header = list.header.clone();
    let most = request.count.unwrap_or(usize::MAX);
    let rows: Vec<Row> = list.take(most).collect();
    if rows.is_empty() {
        let file = request.grasps.display();
        return Err(EvalError::Invalid(format!("{file} has no grasps")));
    }
    let hand = Hand::open(&request.hand, &request.packages)?;
    let (object, scale) = scaled(request, &header);
    let trials = hand.trials(&object, &request.protocol, request.force)?;
    let touching: Vec<Result<Touching, String>> = rows
        .par_iter()
        .map(|row| {
            let grasp = row.as_ref().map_err(|bad| bad.reason.clone())?;
            let at = hand_at(&header, grasp, scale)?;
            trials.touching(at).map_err(|error| error.to_string())
        })
        .collect();
    let (base, setup) = first_scene(&trials, &touching)?;
    let mass = setup
        .grasp
        .as_ref()
        .map_or(1.0, |grasp| setup.model.mass(grasp.object).mass);
    let base = trials.settings(base, &Offset::NONE, mass)?;
    let table = table(request, &rows, &touching, &base, |grasp, offset| {
        trials.settings(grasp, offset, mass)
    });
    let source = kept(&setup, mass)?.with(TRIALS, table.to_parquet()?);
    let name = format!("{} {}", stem(&request.grasps), request.protocol.name);
    let spec = SweepSpec {
        name,
        description: format!(
            "Grasps of {} with {} under the protocol {}.",
            request.object.name, hand.robot.name, request.protocol.name
        ),
        scene: SCENE.into(),
        repeats: 1,
        seed: request.seed,
        limit_evaluations: request.limit_evaluations,
        axes: vec![AxisEntry {
            name: Some("trial".into()),
            table: Some(TRIALS.into()),
            ..AxisEntry::default()
        }],
        ..SweepSpec::default()
    };
    Ok(Sweep::from_source(spec, Arc::new(source))?)
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// The object at its scale, and that scale where it has one.
fn scaled(request: &Request, header: &Header) -> (Object, Option<f64>) {
    let mut object = request.object.clone();
    let scale = request.scale.or(header.object.scale).unwrap_or(1.0);
    let Shape::Mesh(file) = &mut object.shape else {
        return (object, None);
    };
    file.scale = Scale::Uniform(scale);
    (object, Some(scale))
}

/// Where the hand stands and how it starts.
fn hand_at(header: &Header, grasp: &Grasp, scale: Option<f64>) -> Result<HandAt, String> {
    if let (Some(own), Some(scale)) = (grasp.scale, scale)
        && (own - scale).abs() > 1.0e-9 * scale.abs()
    {
        return Err(format!(
            "it is for an object of scale {own}, not {scale}: evaluate it with --scale {own}"
        ));
    }
    let named = |posture: Option<&Posture>| -> BTreeMap<String, f64> {
        let joints = posture.map_or(&[][..], |posture| &posture.joints);
        header
            .joints
            .iter()
            .cloned()
            .zip(joints.iter().copied())
            .collect()
    };
    Ok(HandAt {
        X_OH: grasp.X_OH,
        start: named(grasp.pregrasp.as_ref().or(grasp.grasp.as_ref())),
        squeeze: named(grasp.squeeze.as_ref()),
    })
}

/// The scene of the first grasp that makes one.
fn first_scene<'a>(
    trials: &Trials<'_>,
    touching: &'a [Result<Touching, String>],
) -> Result<(&'a Touching, Setup), EvalError> {
    let mut first_error = None;
    for grasp in touching
        .iter()
        .filter_map(|grasp| grasp.as_ref().ok())
        .take(TRIED)
    {
        match trials.scene(grasp).and_then(|scene| scene.compile()) {
            Ok(setup) => return Ok((grasp, setup)),
            Err(error) => {
                first_error.get_or_insert(error);
            }
        }
    }
    Err(match (first_error, touching.first()) {
        (Some(error), _) => error.into(),
        (None, Some(Err(reason))) => {
            EvalError::Invalid(format!("no row is a grasp; row 0: {reason}"))
        }
        (None, _) => EvalError::Invalid("no row is a grasp".into()),
    })
}

/// The trials: what they set, which grasp they are of, and why some cannot be run.
fn table(
    request: &Request,
    rows: &[Row],
    touching: &[Result<Touching, String>],
    base: &[(String, f64)],
    settings: impl Fn(&Touching, &Offset) -> Result<Vec<(String, f64)>, volar_scene::SceneError> + Sync,
) -> Table {
    let repeats = request.repeats;
    let all: Vec<Result<Vec<(String, f64)>, String>> = (0..rows.len() as u64 * repeats)
        .into_par_iter()
        .map(|trial| {
            let grasp = touching[(trial / repeats) as usize].as_ref();
            let offset = request.noise.draw(request.seed, trial);
            settings(grasp.map_err(Clone::clone)?, &offset).map_err(|error| error.to_string())
        })
        .collect();
    let known: BTreeMap<&str, f64> = base.iter().map(|(path, v)| (path.as_str(), *v)).collect();
    let mut columns: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (trial, one) in all.iter().enumerate() {
        for (path, value) in one.iter().flatten() {
            let column = columns
                .entry(path)
                .or_insert_with(|| vec![f64::NAN; all.len()]);
            column[trial] = *value;
        }
    }
    // What is as in the scene need not be set.
    columns.retain(|path, values| {
        let same = |value: &f64| {
            value.is_nan()
                || known
                    .get(path)
                    .is_some_and(|k| k.to_bits() == value.to_bits())
        };
        !values.iter().all(same)
    });
    let mut table = Table {
        rows: all.len(),
        columns: Vec::new(),
    };
    let mut add = |name: String, column: Column| table.columns.push((name, column));
    for (path, values) in columns {
        add(path.to_owned(), Column::Numbers(values));
    }
    let by_grasp = |value: &dyn Fn(usize, &Grasp) -> Option<f64>| {
        let trials = 0..all.len();
        let grasp = |trial: usize| (trial as u64 / repeats) as usize;
        let value = |trial: usize| {
            let row = rows[grasp(trial)].as_ref().ok();
            row.and_then(|row| value(trial, row)).unwrap_or(f64::NAN)
        };
        Column::Numbers(trials.map(value).collect())
    };
    let number = |trial: usize| trial as u64 / repeats;
    let grasps = (0..all.len()).map(|trial| number(trial) as f64);
    add(format!("{INFO}grasp"), Column::Numbers(grasps.collect()));
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        let column = by_grasp(&|_, grasp| Some(grasp.X_OH.p[axis]));
        add(format!("{INFO}position_{name}"), column);
    }
    for (axis, name) in ["x", "y", "z", "w"].into_iter().enumerate() {
        let column = by_grasp(&|_, grasp| {
            let q = glam::DQuat::from_mat3(&grasp.X_OH.R);
            Some(q.to_array()[axis])
        });
        add(format!("{INFO}orientation_{name}"), column);
    }
    add(format!("{INFO}width"), by_grasp(&|_, grasp| grasp.width));
    add(format!("{INFO}score"), by_grasp(&|_, grasp| grasp.score));
    let label = by_grasp(&|_, grasp| grasp.label.map(|label| f64::from(u8::from(label))));
    add(format!("{INFO}label"), label);
    let bad = all
        .iter()
        .map(|one| one.as_ref().err().map(|_| BAD_GRASP.to_owned()));
    add("failure".into(), Column::Texts(bad.collect()));
    let whats = all.iter().map(|one| one.as_ref().err().cloned());
    add("failure_what".into(), Column::Texts(whats.collect()));
    table
}

/// The scene with all its files in memory, whose names do not depend on this machine; poses
/// and the mass of the object are written out, for trials set their numbers.
fn kept(setup: &Setup, mass: f64) -> Result<Memory, EvalError> {
    let folder = tempfile::tempdir().map_err(EvalError::io("make a temporary folder"))?;
    setup.keep(folder.path())?;
    let mut memory = Memory::new();
    let mut folders = vec![folder.path().to_owned()];
    while let Some(inner) = folders.pop() {
        let listed = std::fs::read_dir(&inner).map_err(EvalError::io("read the kept scene"))?;
        for entry in listed {
            let path = entry.map_err(EvalError::io("read the kept scene"))?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = std::fs::read(&path).map_err(EvalError::io("read the kept scene"))?;
            let name = path.strip_prefix(folder.path()).unwrap_or(&path);
            let bytes = match name == Path::new(SCENE) {
                true => written_out(&bytes, mass)?,
                false => bytes,
            };
            memory = memory.with(name, bytes);
        }
    }
    Ok(memory)
}

fn written_out(scene: &[u8], mass: f64) -> Result<Vec<u8>, EvalError> {
    let invalid = |error: &dyn std::fmt::Display| EvalError::Invalid(error.to_string());
    let text = std::str::from_utf8(scene).map_err(|error| invalid(&error))?;
    let mut scene: Toml = toml::from_str(text).map_err(|error| invalid(&error))?;
    for key in ["robot", "body"] {
        let entries = scene.get_mut(key).and_then(Value::as_array_mut);
        for entry in entries
            .into_iter()
            .flatten()
            .filter_map(Value::as_table_mut)
        {
            for (key, pose) in [
                ("position", &[0.0; 3][..]),
                ("orientation", &[1.0, 0.0, 0.0, 0.0]),
            ] {
                let list = || Value::Array(pose.iter().map(|v| Value::Float(*v)).collect());
                entry.entry(key).or_insert_with(list);
            }
            if key == "body" {
                entry.remove("density");
                entry.insert("mass".into(), Value::Float(mass));
            }
        }
    }
    let text = toml::to_string(&scene).map_err(|error| invalid(&error))?;
    Ok(text.into_bytes())
}
