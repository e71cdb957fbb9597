//! A run from beginning to end: steps, measures, recording, summary.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use volar_record::{Frame, RecordError, RecordingWriter};
use volar_scene::Setup;
use volar_sim::{Checkpoint, SimError};

use crate::frames::{frame, header};
use crate::measures::Measures;
use crate::pull::pulls;
use crate::run::Run;
use crate::sampler::Sampler;
use crate::summary::{FailureKind, Summary};

/// How to run a scene.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Threads for the contacts; 0 and 1 mean the calling one.
    pub threads: usize,
    /// Folder for the recording; none: nothing is recorded.
    pub record: Option<PathBuf>,
    /// Where to go on from.
    pub resume: Option<Saved>,
}

/// A run that can be taken up again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    scene: String,
    simulation: Checkpoint,
    measures: Measures,
    wall_s: f64,
    warnings: Vec<String>,
}

impl Saved {
    /// Time it stands at, s.
    pub fn time(&self) -> f64 {
        self.simulation.time()
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// At its end.
    Complete,
    /// Because it was told to.
    Interrupted,
    /// With an error of the simulation; the summary says which.
    Failed,
}

/// What a run gives back.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Result.
    pub summary: Summary,
    /// How it ended.
    pub ended: Ended,
    /// Where it can be taken up again.
    pub saved: Saved,
    /// What was recorded and the end of every step, so that impacts are not
    /// missed, thinned out evenly to at most 2000 frames: enough for a
    /// report, however long the run was.
    pub frames: Vec<Frame>,
}

/// Frames kept in memory.
const MAX_KEPT: usize = 2000;

/// Keeps every n-th frame, with n as large as need be.
#[derive(Default)]
struct Thinned {
    frames: Vec<Frame>,
    seen: usize,
    every: usize,
}

impl Thinned {
    fn push(&mut self, frame: &Frame) {
        self.every = self.every.max(1);
        if self
            .frames
            .last()
            .is_some_and(|last| frame.time <= last.time)
        {
            return;
        }
        if self.seen.is_multiple_of(self.every) {
            self.frames.push(frame.clone());
        }
        self.seen += 1;
        if self.frames.len() > MAX_KEPT {
            let mut even = false;
            self.frames.retain(|_| {
                even = !even;
                even
            });
            self.every *= 2;
        }
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Simulated time, s.
    pub time: f64,
    /// Time of the end, s.
    pub end: f64,
    /// Simulated over wall time.
    pub real_time_factor: f64,
    /// Number of contacts.
    pub contacts: usize,
}

/// Why a run could not begin, or its recording not be kept.
#[derive(Debug, Error)]
pub enum RunError {
    /// The scene and what is resumed do not fit.
    #[error("cannot resume: {0}")]
    Resume(String),
    /// The simulation could not begin.
    #[error(transparent)]
    Start(#[from] SimError),
    /// The recording could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Runs a scene to its end, or until `watch` breaks off. An error of the
/// simulation on the way is a failure in the summary, and what was recorded is
/// kept.
pub fn execute(
    setup: &Arc<Setup>,
    options: &Options,
    mut watch: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Outcome, RunError> {
    let end = setup.scene.scene.duration;
    let name = &setup.scene.scene.name;
    let mut run = Run::new(setup.clone(), options.threads)?;
    let mut measures = Measures::new(setup, end);
    let mut wall_before = 0.0;
    let mut warnings = Vec::new();
    if let Some(saved) = &options.resume {
        if saved.scene != *name {
            let other = &saved.scene;
            return Err(RunError::Resume(format!(
                "the checkpoint is of scene `{other}`, not of `{name}`"
            )));
        }
        run.resume(&saved.simulation)
            .map_err(|error| RunError::Resume(error.to_string()))?;
        measures = saved.measures.clone().resumed(setup, end);
        wall_before = saved.wall_s;
        warnings.clone_from(&saved.warnings);
    }
    let mut recorder = match &options.record {
        Some(folder) => Some((
            RecordingWriter::create(folder, &header(setup))?,
            Sampler::new(1.0 / setup.scene.scene.record.rate, run.time()),
        )),
        None => None,
    };
    let started_at = run.time();
    let clock = Instant::now();
    let mut ended = Ended::Complete;
    let mut step = 0.0;
    let mut kept = Thinned::default();
    loop {
        let looked = measures.observe(run.simulation()).and_then(|()| {
            recorder
                .is_some()
                .then(|| frame(setup, run.simulation(), step))
                .transpose()
        });
        match (looked, &mut recorder) {
            (Ok(Some(frame)), Some((writer, sampler))) => {
                let end_of_step = frame.clone();
                sampler.push(frame, |sample| {
                    kept.push(sample);
                    writer.push(sample)
                })?;
                kept.push(&end_of_step);
            }
            (Ok(_), _) => {}
            (Err(error), _) => {
                measures.fail(FailureKind::SimulationError, error.to_string(), run.time());
                ended = Ended::Failed;
                break;
            }
        }
        if run.time() >= end {
            break;
        }
        let wall = clock.elapsed().as_secs_f64().max(f64::MIN_POSITIVE);
        let progress = Progress {
            time: run.time(),
            end,
            real_time_factor: (run.time() - started_at) / wall,
            contacts: run.simulation().state().patches.len(),
        };
        if watch(&progress).is_break() {
            ended = Ended::Interrupted;
            break;
        }
        let before = run.time();
        if let Err(error) = run.step(end) {
            measures.fail(FailureKind::SimulationError, error.to_string(), run.time());
            ended = Ended::Failed;
            break;
        }
        step = run.time() - before;
    }
    let wall_s = wall_before + clock.elapsed().as_secs_f64();
    if let Some((writer, _)) = recorder {
        writer.finish()?;
    }
    let unbroken = measures.clone();
    if ended == Ended::Interrupted {
        measures.fail(FailureKind::Interrupted, "interrupted".into(), run.time());
    }
    let mut pull_loads_n = None;
    if ended == Ended::Complete && setup.pull.is_some() {
        match pulls(&run, setup) {
            Ok(loads) => pull_loads_n = Some(loads),
            Err(error) => {
                let what = format!("in a pull: {error}");
                measures.fail(FailureKind::SimulationError, what, run.time());
                ended = Ended::Failed;
            }
        }
    }
    let mut summary = measures.summary(setup);
    summary.pull_loads_n = pull_loads_n;
    let time = run.time();
    let statistics = run.simulation().statistics();
    summary.duration_s = time;
    summary.steps = statistics.steps;
    summary.rejected = statistics.rejected;
    summary.evaluations = statistics.evaluations;
    summary.wall_s = wall_s;
    summary.real_time_factor = time / wall_s.max(f64::MIN_POSITIVE);
    for warning in run.simulation().warnings() {
        let warning = warning.to_string();
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    summary.warnings = warnings.iter().chain(&setup.notes).cloned().collect();
    Ok(Outcome {
        summary,
        ended,
        saved: Saved {
            scene: name.clone(),
            simulation: run.simulation().checkpoint(),
            measures: unbroken,
            wall_s,
            warnings,
        },
        frames: kept.frames,
    })
}
