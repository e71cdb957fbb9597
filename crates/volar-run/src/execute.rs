//! A scene from beginning to end, with its summary.

use std::sync::Arc;
use std::time::Instant;

use volar_robots::NoteKind;
use volar_scene::Setup;

use crate::measures::Measures;
use crate::observer::{Ended, Observer, RunError, Stop};
use crate::pull::pulls;
use crate::recorder::Recorded;
use crate::run::Run;
use crate::saved::{Autosave, Before, Saved, add_warnings};
use crate::summary::{FailureKind, FileNote, Summary};

/// How to run a scene.
///
/// See the example of [`Saved`], which is resumed with them.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Threads for the contacts; 0 and 1 mean the calling one.
    pub threads: usize,
    /// A run to resume.
    pub resume: Option<Saved>,
}

/// What a run gives back.
///
/// ```
/// use volar_run::{Ended, Options, execute};
/// # use std::sync::Arc;
/// # use volar_scene::Scene;
/// # let text = "name = \"drop\"\nduration = 0.5\n\
/// #             [[body]]\nname = \"ball\"\nmass = 0.1\nshape = { sphere = { radius = 0.03 } }\n";
/// # let setup = Arc::new(Scene::parse("drop", text)?.compile()?);
///
/// let outcome = execute(&setup, &Options::default(), &mut [])?;
/// assert!(matches!(outcome.ended, Ended::Complete));
/// let ball = setup.model.body("ball").unwrap();
/// let fallen = -outcome.run.simulation().pose(ball).p.z;
/// assert!((fallen - 0.5 * 9.81 * 0.25).abs() < 1.0e-6); // m
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Outcome {
    /// Forces, drift, slip and what the run took.
    pub summary: Summary,
    /// Whether it came to its end, was stopped or failed.
    pub ended: Ended,
    /// From here it can be resumed.
    pub saved: Saved,
    /// The run in its last state.
    pub run: Run,
}

/// Runs a scene to its end, or until an observer stops it, and sums up. An
/// error of the simulation is a failure in the summary, a recording that ended
/// early is a warning; an error of another observer is an error here.
pub fn execute(
    setup: &Arc<Setup>,
    options: &Options,
    observers: &mut [&mut dyn Observer],
) -> Result<Outcome, RunError> {
    execute_saving(setup, options, observers, &mut Autosave::never())
}

/// The same, with checkpoints on the way.
pub fn execute_saving(
    setup: &Arc<Setup>,
    options: &Options,
    observers: &mut [&mut dyn Observer],
    autosave: &mut Autosave<'_>,
) -> Result<Outcome, RunError> {
    let mut execution = Execution::new(setup, options)?;
    let ended = execution.advance_saving(setup.scene.spec.duration, observers, autosave);
    execution.finish(ended)
}

/// A run with its measures, for loops of one's own; [`execute`] is the one that
/// goes to the end of the scene.
///
/// ```
/// use volar_run::{Execution, Options};
/// # use std::sync::Arc;
/// # use volar_scene::Scene;
/// # let text = "name = \"drop\"\nduration = 0.5\n\
/// #             [[body]]\nname = \"ball\"\nmass = 0.1\nshape = { sphere = { radius = 0.03 } }\n";
/// # let setup = Arc::new(Scene::parse("drop", text)?.compile()?);
///
/// let mut execution = Execution::new(&setup, &Options::default())?;
/// let first = execution.advance_with(0.2, &mut []);
/// assert!(matches!(first, volar_run::Ended::Complete));
/// let simulation = execution.run_mut().simulation_mut();
/// simulation.change(|controls| controls.gravity = glam::DVec3::ZERO.into())?;
/// let ended = execution.advance_with(0.5, &mut []);
/// assert_eq!(execution.finish(ended)?.summary.duration_s, 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Execution {
    run: Run,
    measures: Measures,
    wall_s: f64,
    warnings: Vec<String>,
    /// How far the recording was when the run last came to a stop.
    recorded: Option<Recorded>,
}

impl Execution {
    /// At the start of a scene, or where the options resume it.
    pub fn new(setup: &Arc<Setup>, options: &Options) -> Result<Execution, RunError> {
        let end = setup.scene.spec.duration;
        let scene = &setup.scene.spec.name;
        let mut execution = Execution::of(Run::new(setup.clone(), options.threads)?);
        if let Some(saved) = &options.resume {
            if saved.scene != *scene {
                return Err(RunError::OtherScene {
                    checkpoint: saved.scene.clone(),
                    scene: scene.clone(),
                });
            }
            let resumed = execution.run.resume(&saved.simulation, &saved.kept);
            resumed.map_err(RunError::Resume)?;
            execution.measures = saved.measures.clone().resumed(setup, end);
            execution.wall_s = saved.wall_s;
            execution.warnings.clone_from(&saved.warnings);
        }
        Ok(execution)
    }

    /// From where a run is; its measures begin here.
    pub fn of(run: Run) -> Execution {
        let setup = run.setup();
        Execution {
            measures: Measures::new(setup, setup.scene.spec.duration),
            run,
            wall_s: 0.0,
            warnings: Vec::new(),
            recorded: None,
        }
    }

    /// The run as it is.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// The run, to be changed, or to go on without being measured.
    pub fn run_mut(&mut self) -> &mut Run {
        &mut self.run
    }

    /// Goes on to a time, s, with the measures before the other observers.
    pub fn advance_with(&mut self, end: f64, observers: &mut [&mut dyn Observer]) -> Ended {
        self.advance_saving(end, observers, &mut Autosave::never())
    }

    /// The same, with checkpoints on the way.
    pub fn advance_saving(
        &mut self,
        end: f64,
        observers: &mut [&mut dyn Observer],
        autosave: &mut Autosave<'_>,
    ) -> Ended {
        let clock = Instant::now();
        let (wall_s, warnings) = (self.wall_s, &self.warnings);
        let mut all: Vec<&mut dyn Observer> = vec![&mut self.measures];
        all.extend(observers.iter_mut().map(|o| &mut **o as &mut dyn Observer));
        let save = |run: &Run, all: &mut [&mut dyn Observer]| {
            let wall_s = wall_s + clock.elapsed().as_secs_f64();
            let before = Before { wall_s, warnings };
            Saved::of(run, &before, all)
        };
        let ended = self.run.advance_then(end, &mut all, &mut |run, all| {
            autosave.save_if_due(|| save(run, all))
        });
        let ended = match (ended, save(&self.run, &mut all)) {
            (Ended::Complete | Ended::Stopped(_), Err(error)) => Ended::Failed(error),
            (ended, saved) => {
                self.recorded = saved.ok().and_then(|saved| saved.recorded);
                ended
            }
        };
        self.wall_s += clock.elapsed().as_secs_f64();
        ended
    }

    /// Sums up a run that ended so.
    pub fn finish(self, mut ended: Ended) -> Result<Outcome, RunError> {
        let Execution {
            run,
            mut measures,
            wall_s,
            mut warnings,
            recorded,
        } = self;
        let setup = run.setup().clone();
        let time = run.time();
        match ended {
            Ended::Failed(RunError::Sim(ref error)) => {
                measures.fail(FailureKind::SimulationError, error.to_string(), time);
            }
            Ended::Failed(ref error @ RunError::Unrecorded { .. }) => {
                warnings.push(error.to_string());
            }
            Ended::Failed(error) => return Err(error),
            Ended::Complete | Ended::Stopped(_) => {}
        }
        // Being stopped is a failure of this run, not of the one that resumes it.
        let unbroken = measures.clone();
        match &ended {
            Ended::Stopped(stop @ Stop::Interrupted) => {
                measures.fail(FailureKind::Interrupted, stop.to_string(), time);
            }
            Ended::Stopped(stop @ Stop::Limit(_)) => {
                measures.fail(FailureKind::RunLimit, stop.to_string(), time);
            }
            _ => {}
        }
        let mut pull_loads_n = None;
        if matches!(ended, Ended::Complete) && setup.pull.is_some() {
            match pulls(&run) {
                Ok(loads) => pull_loads_n = Some(loads),
                Err(error) => {
                    let what = format!("in a pull: {error}");
                    measures.fail(FailureKind::SimulationError, what, time);
                    ended = Ended::Failed(error);
                }
            }
        }
        let mut summary = measures.summary(&setup);
        summary.pull_loads_n = pull_loads_n;
        let statistics = run.simulation().statistics();
        summary.duration_s = time;
        summary.steps = statistics.steps;
        summary.rejected = statistics.rejected;
        summary.evaluations = statistics.evaluations;
        summary.wall_s = wall_s;
        summary.real_time_factor = time / wall_s.max(f64::MIN_POSITIVE);
        add_warnings(run.simulation(), &mut warnings);
        summary.warnings = warnings.iter().chain(&setup.notes).cloned().collect();
        summary.notes = notes(&setup);
        Ok(Outcome {
            summary,
            ended,
            saved: Saved {
                scene: setup.scene.spec.name.clone(),
                simulation: run.simulation().checkpoint(),
                kept: run.kept().to_vec(),
                measures: unbroken,
                wall_s,
                warnings,
                recorded,
            },
            run,
        })
    }
}

fn notes(setup: &Setup) -> Vec<FileNote> {
    let reports = setup.reports.iter();
    let notes = reports.flat_map(|(robot, report)| report.notes.iter().map(move |n| (robot, n)));
    notes
        .filter(|(_, note)| note.kind != NoteKind::Ignored)
        .map(|(robot, note)| FileNote {
            robot: robot.clone(),
            kind: note.kind.to_string(),
            what: note.what.clone(),
            detail: note.detail.clone(),
            names: note.names.clone(),
        })
        .collect()
}
