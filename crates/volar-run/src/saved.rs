//! Checkpoints of runs: what a resumed run needs, and when they are made.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use volar_sim::{Checkpoint, Simulation, State};

use crate::measures::Measures;
use crate::observer::{Observer, RunError};
use crate::recorder::Recorded;
use crate::run::Run;

/// A run that was saved and can be resumed.
///
/// A run that is stopped at 0.2 s and resumed, here of a ball that falls freely:
///
/// ```
/// use std::ops::ControlFlow;
/// use volar_run::{Context, Ended, Observed, Options, Stop, execute};
/// # use std::sync::Arc;
/// # use volar_scene::Scene;
/// # let text = "name = \"drop\"\nduration = 0.5\n\
/// #             [[body]]\nname = \"ball\"\nmass = 0.1\nshape = { sphere = { radius = 0.03 } }\n";
/// # let setup = Arc::new(Scene::parse("drop", text)?.compile()?);
///
/// let mut pause = |context: &mut Context<'_>| -> Observed {
///     Ok(match context.time() >= 0.2 {
///         true => ControlFlow::Break(Stop::Interrupted),
///         false => ControlFlow::Continue(()),
///     })
/// };
/// let first = execute(&setup, &Options::default(), &mut [&mut pause])?;
/// assert!(first.saved.time() < 0.5); // s
///
/// let options = Options { resume: Some(first.saved), ..Options::default() };
/// let second = execute(&setup, &options, &mut [])?;
/// assert!(matches!(second.ended, Ended::Complete));
/// assert_eq!(second.run.time(), 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    pub(crate) scene: String,
    pub(crate) simulation: Checkpoint,
    /// States that an event returns to later.
    #[serde(default)]
    pub(crate) kept: Vec<State>,
    pub(crate) measures: Measures,
    pub(crate) wall_s: f64,
    pub(crate) warnings: Vec<String>,
    /// How far the recording was; none without one.
    #[serde(default)]
    pub(crate) recorded: Option<Recorded>,
}

impl Saved {
    /// Time it was saved at, s.
    pub fn time(&self) -> f64 {
        self.simulation.time()
    }

    /// A run as it is, with what its observers have to say.
    pub(crate) fn of(
        run: &Run,
        before: &Before<'_>,
        observers: &mut [&mut dyn Observer],
    ) -> Result<Saved, RunError> {
        let (setup, simulation) = (run.setup(), run.simulation());
        let mut warnings = before.warnings.to_vec();
        add_warnings(simulation, &mut warnings);
        let mut saved = Saved {
            scene: setup.scene.spec.name.clone(),
            simulation: simulation.checkpoint(),
            kept: run.kept().to_vec(),
            measures: Measures::new(setup, setup.scene.spec.duration),
            wall_s: before.wall_s,
            warnings,
            recorded: None,
        };
        for observer in observers {
            observer.save(&mut saved)?;
        }
        Ok(saved)
    }
}

/// What a run that is resumed has behind it.
pub(crate) struct Before<'a> {
    pub wall_s: f64,
    pub warnings: &'a [String],
}

/// Adds what a simulation warns of and is not in the list yet.
pub(crate) fn add_warnings(simulation: &Simulation, warnings: &mut Vec<String>) {
    for warning in simulation.warnings() {
        let warning = warning.to_string();
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
}

/// Makes a checkpoint at the end of the first step after every so much wall time.
///
/// ```
/// use std::time::Duration;
/// use volar_run::{Autosave, Execution, Options};
/// # use std::sync::Arc;
/// # use volar_scene::Scene;
/// # let text = "name = \"drop\"\nduration = 0.5\n\
/// #             [[body]]\nname = \"ball\"\nmass = 0.1\nshape = { sphere = { radius = 0.03 } }\n";
/// # let setup = Arc::new(Scene::parse("drop", text)?.compile()?);
///
/// let mut last = None;
/// let mut autosave = Autosave::new(Duration::ZERO, |saved| {
///     last = Some(saved.time());
///     Ok(())
/// });
/// let mut execution = Execution::new(&setup, &Options::default())?;
/// let _ = execution.advance_saving(0.5, &mut [], &mut autosave);
/// drop(autosave);
/// assert_eq!(last, Some(0.5)); // s
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Autosave<'a> {
    every: Duration,
    last: Instant,
    write: Box<Write<'a>>,
}

type Write<'a> = dyn FnMut(&Saved) -> Result<(), RunError> + 'a;

impl<'a> Autosave<'a> {
    /// `write` is given each checkpoint; an error of its ends the run.
    pub fn new(
        every: Duration,
        write: impl FnMut(&Saved) -> Result<(), RunError> + 'a,
    ) -> Autosave<'a> {
        Autosave {
            every,
            last: Instant::now(),
            write: Box::new(write),
        }
    }

    /// No checkpoints.
    pub(crate) fn never() -> Autosave<'static> {
        Autosave::new(Duration::MAX, |_| Ok(()))
    }

    /// Makes a checkpoint if it is time for one.
    pub(crate) fn save_if_due(
        &mut self,
        make: impl FnOnce() -> Result<Saved, RunError>,
    ) -> Result<(), RunError> {
        if self.last.elapsed() >= self.every {
            (self.write)(&make()?)?;
            // Writing may take longer than the interval, on a disk far away.
            self.last = Instant::now();
        }
        Ok(())
    }
}
