//! What a run is observed by: recording, measures, progress, viewers, limits,
//! callbacks.

use std::error::Error;
use std::ops::ControlFlow;

use thiserror::Error;
use volar_record::{Frame, RecordError};
use volar_scene::Setup;
use volar_sim::{SimError, Simulation};

use crate::frames::frame;
use crate::saved::Saved;

/// Something that is told about every step of a run.
///
/// An observer may look at everything, change the controls (as a viewer's
/// sliders do) and stop the run. It does not change the steps unless it asks
/// for a time to be hit with [`Observer::next_time`]. All observers of a run
/// are told of a step before any of them stops it.
///
/// A closure over a [`Context`] is an observer too:
///
/// ```
/// use std::ops::ControlFlow;
/// use volar_run::{Context, Observed, Stop};
///
/// // A limit on the number of evaluations.
/// let limit = |context: &mut Context<'_>| -> Observed {
///     Ok(match context.simulation.statistics().evaluations > 100_000 {
///         true => ControlFlow::Break(Stop::Limit("100000 evaluations".into())),
///         false => ControlFlow::Continue(()),
///     })
/// };
/// # fn check(_: impl volar_run::Observer) {}
/// # check(limit);
/// ```
pub trait Observer {
    /// Before the first step. By default the state at the start is treated like
    /// the state at the end of a step.
    fn start(&mut self, context: &mut Context<'_>) -> Observed {
        self.step(context)
    }

    /// At the end of every step.
    fn step(&mut self, context: &mut Context<'_>) -> Observed;

    /// After the end of a step at which the schedule returned to an earlier state. By default
    /// that state is treated like the state at the end of a step.
    fn returned(&mut self, context: &mut Context<'_>) -> Observed {
        self.step(context)
    }

    /// After the last step, however the run ended.
    fn finish(&mut self, _context: &mut Context<'_>, _ended: &Ended) -> Result<(), RunError> {
        Ok(())
    }

    /// Puts into a checkpoint what a resumed run needs of this observer; it has been
    /// told of the last step.
    fn save(&mut self, _saved: &mut Saved) -> Result<(), RunError> {
        Ok(())
    }

    /// The next time, s, that a step must end at exactly.
    fn next_time(&self) -> Option<f64> {
        None
    }
}

impl<F: FnMut(&mut Context<'_>) -> Observed> Observer for F {
    fn step(&mut self, context: &mut Context<'_>) -> Observed {
        self(context)
    }
}

/// What an observer answers: whether to go on, or why it failed.
pub type Observed = Result<ControlFlow<Stop>, RunError>;

/// A run as an observer sees it.
///
/// The greatest speed of a body over a run:
///
/// ```
/// use std::ops::ControlFlow;
/// use volar_run::{Context, Observed, Run};
/// # use std::sync::Arc;
/// # use volar_scene::Scene;
/// # let text = "name = \"drop\"\nduration = 0.5\n\
/// #             [[body]]\nname = \"ball\"\nmass = 0.1\nshape = { sphere = { radius = 0.03 } }\n";
/// # let setup = Arc::new(Scene::parse("drop", text)?.compile()?);
///
/// let ball = setup.model.body("ball").unwrap();
/// let mut fastest = 0.0_f64;
/// let mut watch = |context: &mut Context<'_>| -> Observed {
///     fastest = fastest.max(context.simulation.velocity(ball).linear.length());
///     Ok(ControlFlow::Continue(()))
/// };
/// let _ = Run::new(setup, 1)?.advance_with(0.5, &mut [&mut watch]);
/// assert!((fastest - 9.81 * 0.5).abs() < 1.0e-6); // m/s
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Context<'a> {
    /// The scene that is run.
    pub setup: &'a Setup,
    /// The simulation at the end of the step.
    pub simulation: &'a mut Simulation,
    /// Length of the step, s; zero at the start.
    pub step: f64,
    /// Time at which the run is to end, s; infinite if it has no end.
    pub end: f64,
    /// Made when the first observer asks for it.
    frame: Option<Frame>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        setup: &'a Setup,
        simulation: &'a mut Simulation,
        step: f64,
        end: f64,
    ) -> Context<'a> {
        Context {
            setup,
            simulation,
            step,
            end,
            frame: None,
        }
    }

    /// Present time, s.
    pub fn time(&self) -> f64 {
        self.simulation.time()
    }

    /// Everything at the end of the step; made once for all observers.
    pub fn frame(&mut self) -> &Frame {
        let (setup, simulation, step) = (self.setup, &*self.simulation, self.step);
        self.frame
            .get_or_insert_with(|| frame(setup, simulation, step))
    }
}

/// Why an observer stops a run.
///
/// See the example of [`Observer`].
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Stop {
    /// Somebody asked for it, as with Ctrl-C. The run can be resumed.
    #[error("interrupted")]
    Interrupted,
    /// A limit was reached; says which. The run can be resumed.
    #[error("stopped at the limit of {0}")]
    Limit(String),
    /// The observer has seen what it was waiting for.
    #[error("stopped by an observer")]
    Done,
}

/// How a run ended.
///
/// See the example of [`Run`](crate::Run).
#[must_use = "a run may have failed"]
#[derive(Debug)]
pub enum Ended {
    /// At the time asked for.
    Complete,
    /// Early, by an observer.
    Stopped(Stop),
    /// With an error of the simulation or of an observer. The state is that of
    /// the last good step.
    Failed(RunError),
}

/// Why a run could not begin or go on.
#[derive(Debug, Error)]
pub enum RunError {
    /// The simulation could not begin or go on.
    #[error(transparent)]
    Sim(#[from] SimError),
    /// The recording could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The recording ended before the run did, which went on without it.
    #[error("nothing is recorded since t = {since} s: {source}")]
    Unrecorded {
        /// Time at which the recording ended, s.
        since: f64,
        /// Why.
        source: RecordError,
    },
    /// A checkpoint of another scene.
    #[error("cannot resume: the checkpoint is of scene `{checkpoint}`, not of `{scene}`")]
    OtherScene {
        /// The scene the checkpoint was made with.
        checkpoint: String,
        /// The scene that was to be resumed.
        scene: String,
    },
    /// A checkpoint that does not fit the scene.
    #[error("cannot resume: {0}")]
    Resume(#[source] SimError),
    /// An observer failed.
    #[error(transparent)]
    Observer(Box<dyn Error + Send + Sync>),
}
