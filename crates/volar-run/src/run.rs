//! The run loop: a scene on its way through time, with its events and whoever
//! observes it.

use std::ops::ControlFlow;
use std::sync::Arc;

use volar_record::LAST_SECOND;
use volar_scene::Setup;
use volar_sim::{Checkpoint, SimError, Simulation, State};

use crate::observer::{Context, Ended, Observed, Observer, RunError, Stop};

/// What is done when all observers have been told of a step.
pub(crate) type AfterStep<'a> =
    &'a mut dyn FnMut(&Run, &mut [&mut dyn Observer]) -> Result<(), RunError>;

/// A simulation with the schedule of its scene.
///
/// A [`Setup`] is compiled once and serves any number of runs, one after the
/// other or on several threads; they share its meshes.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::ops::ControlFlow;
/// use std::sync::Arc;
/// use volar_run::{Context, Ended, Observed, Run};
/// use volar_scene::Scene;
///
/// let text = "name = \"drop\"\nduration = 0.5\n\
///             [[body]]\nname = \"ball\"\nmass = 0.1\nshape = { sphere = { radius = 0.03 } }\n";
/// let setup = Arc::new(Scene::parse("drop", text)?.compile()?);
/// let mut run = Run::new(setup.clone(), 1)?;
/// let mut steps = 0;
/// let mut count = |_: &mut Context<'_>| -> Observed {
///     steps += 1;
///     Ok(ControlFlow::Continue(()))
/// };
/// let ended = run.advance_with(0.5, &mut [&mut count]);
/// assert!(matches!(ended, Ended::Complete));
/// assert!(steps > 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Run {
    simulation: Simulation,
    setup: Arc<Setup>,
    /// Events up to here have been applied.
    done: usize,
    /// Times that are hit exactly, because something is measured or kept there.
    stops: Vec<f64>,
    /// States that an event returns to later.
    kept: Vec<State>,
}

impl Run {
    /// A run from the start of the scene. Contacts are evaluated on so many
    /// threads; 0 and 1 mean the calling one.
    pub fn new(setup: Arc<Setup>, threads: usize) -> Result<Run, SimError> {
        let mut simulation = setup.simulation()?;
        simulation.set_threads(threads)?;
        let mut run = Run {
            simulation,
            stops: stops(&setup),
            setup,
            done: 0,
            kept: Vec::new(),
        };
        run.done = run.due(run.time());
        run.keep();
        Ok(run)
    }

    /// Resumes from a checkpoint of the same scene, with the states [`kept`](Self::kept) then.
    pub fn resume(&mut self, checkpoint: &Checkpoint, kept: &[State]) -> Result<(), SimError> {
        // Events change the controls, which a checkpoint does not hold.
        let due = self.due(checkpoint.time());
        self.apply_events(due)?;
        self.kept = kept.to_vec();
        let ahead = self.setup.events[self.done..].iter();
        let mut returns = ahead.filter_map(|event| event.return_to);
        let passed = |time: &f64| *time <= checkpoint.time() && self.kept_at(*time).is_none();
        if let Some(time) = returns.find(passed) {
            let what = format!("it lacks the state at {time} s, which the schedule returns to");
            return Err(SimError::Checkpoint { what });
        }
        self.simulation.restore(checkpoint)
    }

    /// States that an event of the scene returns to later.
    pub fn kept(&self) -> &[State] {
        &self.kept
    }

    /// Goes on to a time, s, unobserved.
    pub fn advance_to(&mut self, end: f64) -> Result<(), RunError> {
        match self.advance_with(end, &mut []) {
            Ended::Failed(error) => Err(error),
            Ended::Complete | Ended::Stopped(_) => Ok(()),
        }
    }

    /// The run loop: goes on to a time, s, and tells the observers of every
    /// step. Whether a run is observed or not does not change a bit of its
    /// motion, unless an observer changes the controls or asks for times.
    pub fn advance_with(&mut self, end: f64, observers: &mut [&mut dyn Observer]) -> Ended {
        self.advance_then(end, observers, &mut |_, _| Ok(()))
    }

    /// The same; `after` is called when all observers have been told of a step.
    pub(crate) fn advance_then(
        &mut self,
        end: f64,
        observers: &mut [&mut dyn Observer],
        after: AfterStep<'_>,
    ) -> Ended {
        let steps = self.steps(end, observers, after);
        let mut ended = steps.unwrap_or_else(Ended::Failed);
        let mut context = Context::new(&self.setup, &mut self.simulation, 0.0, end);
        for observer in observers {
            let finished = observer.finish(&mut context, &ended);
            if let (Err(error), false) = (finished, matches!(ended, Ended::Failed(_))) {
                ended = Ended::Failed(error);
            }
        }
        ended
    }

    fn steps(
        &mut self,
        end: f64,
        observers: &mut [&mut dyn Observer],
        after: AfterStep<'_>,
    ) -> Result<Ended, RunError> {
        let start = self.time();
        if end.is_nan() {
            return Err(SimError::BackInTime {
                from: start,
                to: end,
            }
            .into());
        }
        let mut flow = self.tell(0.0, end, observers, |o, context| o.start(context))?;
        loop {
            let before = self.time();
            match flow {
                _ if before >= end => return Ok(Ended::Complete),
                ControlFlow::Break(stop) => return Ok(Ended::Stopped(stop)),
                ControlFlow::Continue(()) => {}
            }
            let times = observers.iter().filter_map(|o| o.next_time());
            let stop = times.filter(|t| *t > before).fold(end, f64::min);
            self.step(stop)?;
            let step = self.time() - before;
            flow = self.tell(step, end, observers, |o, context| o.step(context))?;
            // Also where an observer stops the run: a checkpoint of it is past this event.
            if self.returns()? {
                let told = self.tell(0.0, end, observers, |o, context| o.returned(context))?;
                flow = if flow.is_continue() { told } else { flow };
            }
            after(self, observers)?;
        }
    }

    /// All observers are told, also when one of them stops the run: they should
    /// have seen the same.
    fn tell(
        &mut self,
        step: f64,
        end: f64,
        observers: &mut [&mut dyn Observer],
        what: impl Fn(&mut dyn Observer, &mut Context<'_>) -> Observed,
    ) -> Result<ControlFlow<Stop>, RunError> {
        let mut context = Context::new(&self.setup, &mut self.simulation, step, end);
        let mut flow = ControlFlow::Continue(());
        for observer in observers {
            let answer = what(*observer, &mut context)?;
            if flow.is_continue() {
                flow = answer;
            }
        }
        Ok(flow)
    }

    /// Takes one step towards a time, no farther than the next event.
    fn step(&mut self, end: f64) -> Result<(), SimError> {
        let now = self.simulation.time();
        let next_event = self.setup.events.get(self.done).map(|event| event.at);
        let stops = self.stops.iter().copied().chain(next_event);
        let stop = stops.filter(|t| *t > now).fold(end, f64::min);
        self.simulation.step_towards(stop)?;
        self.keep();
        let due = self.due(self.time());
        let events = &self.setup.events[self.done..due];
        let first_return = events.iter().position(|event| event.return_to.is_some());
        self.apply_events(first_return.map_or(due, |first| self.done + first))
    }

    /// Returns to an earlier state if an event says so now, with all that changes at this time.
    fn returns(&mut self) -> Result<bool, SimError> {
        let due = self.due(self.time());
        let events = &self.setup.events[self.done..due];
        let earlier = events.iter().find_map(|event| event.return_to);
        let Some(state) = earlier.and_then(|time| self.kept_at(time)).cloned() else {
            return Ok(false);
        };
        self.simulation.return_to(&state)?;
        self.apply_events(due)?;
        Ok(true)
    }

    /// Keeps the present state if an event returns to it.
    fn keep(&mut self) {
        let now = self.time();
        let returns = self.setup.events.iter().filter_map(|event| event.return_to);
        let mut same = returns.filter(|time| time.to_bits() == now.to_bits());
        if same.next().is_some() && self.kept_at(now).is_none() {
            self.kept.push(self.simulation.state().clone());
        }
    }

    fn kept_at(&self, time: f64) -> Option<&State> {
        let mut kept = self.kept.iter();
        kept.find(|state| state.time.to_bits() == time.to_bits())
    }

    /// The simulation.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The simulation, to be changed between two stretches of the run.
    pub fn simulation_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// The scene.
    pub fn setup(&self) -> &Arc<Setup> {
        &self.setup
    }

    /// Present time, s.
    pub fn time(&self) -> f64 {
        self.simulation.time()
    }

    /// Everything at the present time.
    pub fn frame(&self) -> volar_record::Frame {
        crate::frames::frame(&self.setup, &self.simulation, 0.0)
    }

    fn due(&self, time: f64) -> usize {
        self.setup.events.partition_point(|event| event.at <= time)
    }

    /// Applies the changes of the events up to a number.
    fn apply_events(&mut self, due: usize) -> Result<(), SimError> {
        if due > self.done {
            let events = &self.setup.events[self.done..due];
            self.simulation
                .change(|controls| events.iter().for_each(|event| event.apply(controls)))?;
            self.done = due;
        }
        Ok(())
    }
}

/// Times at which states are kept, and at which the measures of a grasp begin and end.
fn stops(setup: &Setup) -> Vec<f64> {
    let returns = setup.events.iter().filter_map(|event| event.return_to);
    let mut stops: Vec<f64> = returns.collect();
    let Some(grasp) = &setup.grasp else {
        return stops;
    };
    let section = &grasp.section;
    let until = section.until.unwrap_or(setup.scene.spec.duration);
    stops.extend([
        1.0,
        section.from,
        section.held_since,
        until - LAST_SECOND,
        until,
    ]);
    stops.extend(section.kinetic_energy_from);
    stops.extend(grasp.quality.map(|quality| quality.at));
    for phase in &section.phases {
        stops.extend([phase.from, phase.last_second(), phase.until]);
    }
    stops
}
