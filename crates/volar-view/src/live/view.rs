//! The observer behind the viewer: it paces a run by the clock, does what
//! viewers ask, and hands frames to them.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use volar_record::{Frame, Header};
use volar_run::{Context, Ended, Measures, Observed, Observer, Run, Sampler, Stop};
use volar_scene::Setup;
use volar_sim::{SimError, Simulation};

use super::broadcast::Broadcast;
use super::commands::Asked;
use super::parameters::{MASS, Parameters};
use super::push::{Hand, Pull};
use crate::channels::{Baseline, Channels};
use crate::encode;
use crate::patches::PatchFinder;
use crate::report::rows;

/// Pictures per second.
const RATE: f64 = 60.0;

/// After a pause of the machine time does not leap by more than this, s.
const LEAP: f64 = 0.05;

/// How often the figures of the summary are renewed.
const SUMMARY: Duration = Duration::from_millis(250);

/// How long to wait for a request while time stands still.
const IDLE: Duration = Duration::from_millis(50);

/// A run that is shown while it goes on.
pub struct LiveView<'a> {
    broadcast: &'a Broadcast,
    stop: &'a AtomicBool,
    parameters: Parameters,
    header: Header,
    channels: Channels,
    finder: PatchFinder,
    baseline: Baseline,
    /// Chooses the frames that viewers get, as for a recording.
    sampler: Sampler,
    measures: Measures,
    summed_up: Instant,
    hand: Hand,
    pull: Option<Pull>,
    playing: bool,
    /// Simulated over real time.
    speed: f64,
    /// What went wrong last, for viewers to read.
    error: Option<String>,
    restart: bool,
    /// Goes on with another model.
    rebuild: bool,
    /// Single pictures still to be shown.
    single: u32,
    /// Simulated time of the next picture, s.
    next: f64,
    /// When time last went on.
    last: Instant,
}

impl<'a> LiveView<'a> {
    /// A view that plays at real time until `stop` is set.
    pub fn new(setup: &Arc<Setup>, broadcast: &'a Broadcast, stop: &'a AtomicBool) -> LiveView<'a> {
        let header = volar_run::header(setup);
        LiveView {
            broadcast,
            stop,
            parameters: Parameters::new(setup.clone()),
            channels: Channels::new(&header),
            finder: PatchFinder::new(&header),
            baseline: Baseline::new(&header),
            sampler: Sampler::new(&header, 1.0 / RATE, 0.0),
            measures: Measures::new(setup, setup.scene.spec.duration),
            summed_up: Instant::now(),
            hand: Hand::default(),
            pull: None,
            header,
            playing: true,
            speed: 1.0,
            error: None,
            restart: false,
            rebuild: false,
            single: 0,
            next: 0.0,
            last: Instant::now(),
        }
    }

    /// Runs and shows a scene, as often as viewers restart it.
    pub fn show(mut self, mut run: Run) -> Result<(), SimError> {
        loop {
            match run.advance_with(f64::INFINITY, &mut [&mut self]) {
                Ended::Failed(error) => {
                    self.fail(&error.to_string(), run.setup(), run.simulation())
                }
                Ended::Complete | Ended::Stopped(_) if self.restart || self.rebuild => {
                    run = self.renewed(&run)?;
                    self.send_state(run.setup(), run.simulation());
                }
                Ended::Complete | Ended::Stopped(_) => return Ok(()),
            }
        }
    }

    /// The run from its start, or with another model from where it is.
    fn renewed(&mut self, old: &Run) -> Result<Run, SimError> {
        let setup = match self.parameters.setup() {
            Ok(setup) => setup,
            Err(error) => {
                self.error = Some(error.to_string());
                old.setup().clone()
            }
        };
        let mut run = Run::new(setup.clone(), 1)?;
        self.hand.forget();
        self.pull = None;
        if std::mem::take(&mut self.restart) {
            self.baseline = Baseline::new(&self.header);
            self.sampler = Sampler::new(&self.header, 1.0 / RATE, 0.0);
            self.measures = Measures::new(&setup, setup.scene.spec.duration);
            self.broadcast.begin();
        } else {
            run.resume(&old.simulation().checkpoint(), old.kept())?;
        }
        self.rebuild = false;
        if let Err(error) = self.parameters.restore(run.simulation_mut()) {
            self.error = Some(error.to_string());
        }
        Ok(run)
    }

    /// Stops where it is and says why.
    fn fail(&mut self, why: &str, setup: &Setup, simulation: &Simulation) {
        self.error = Some(why.into());
        self.playing = false;
        self.single = 0;
        self.send_state(setup, simulation);
    }

    /// Does what was asked.
    fn act(&mut self, asked: &Asked, setup: &Setup, simulation: &mut Simulation) {
        self.error = None;
        if asked.reset {
            self.parameters.reset();
            self.rebuild = true;
        }
        for (name, value) in &asked.set {
            match self.parameters.set(simulation, name, *value) {
                Ok(()) => self.rebuild |= name == MASS,
                Err(error) => self.error = Some(error.to_string()),
            }
        }
        if let Some(grip) = &asked.grip {
            self.hand.hold(grip.clone());
        }
        self.restart = asked.restart;
        self.speed = asked.speed.unwrap_or(self.speed);
        self.playing = asked.playing.unwrap_or(self.playing);
        if asked.steps > 0 {
            self.playing = false;
            self.single = asked.steps;
        }
        self.send_state(setup, simulation);
    }

    /// Waits until time may go on, and acts on requests meanwhile.
    fn wait(&mut self, context: &mut Context<'_>) -> ControlFlow<Stop> {
        let due = Duration::from_secs_f64(1.0 / RATE);
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(Stop::Interrupted);
            }
            let wait = match self.single {
                0 if self.is_running() => due.saturating_sub(self.last.elapsed()),
                0 => IDLE,
                _ => Duration::ZERO,
            };
            let asked = self.broadcast.commands.take(wait);
            if asked != Asked::default() {
                self.act(&asked, context.setup, context.simulation);
                if self.restart || self.rebuild {
                    return ControlFlow::Break(Stop::Done);
                }
                self.pull(context);
                self.publish(context);
            }
            let elapsed = self.last.elapsed();
            let real = match self.single {
                0 if self.is_running() && elapsed >= due => elapsed.as_secs_f64().min(LEAP),
                0 => continue,
                _ => 1.0 / RATE,
            };
            self.pull(context);
            self.single = self.single.saturating_sub(1);
            self.next = context.time() + self.speed * real;
            self.last = Instant::now();
            return ControlFlow::Continue(());
        }
    }

    /// Time stands still while nobody watches.
    fn is_running(&self) -> bool {
        self.playing && self.broadcast.is_watched()
    }

    fn send_state(&self, setup: &Setup, simulation: &Simulation) {
        let mut summary = self.measures.summary(setup);
        let statistics = simulation.statistics();
        summary.duration_s = simulation.time();
        summary.steps = statistics.steps;
        summary.rejected = statistics.rejected;
        summary.evaluations = statistics.evaluations;
        let grasp = setup.grasp.is_some().then_some(&summary);
        let mut figures = serde_json::to_value(&summary).unwrap_or_default();
        if let Some(figures) = figures.as_object_mut() {
            // Paced by the clock, a live run has no computing time of its own.
            figures.retain(|key, _| key != "wall_s" && key != "real_time_factor");
        }
        let state = json!({
            "playing": self.playing, "speed": self.speed,
            "parameters": self.parameters.list(simulation), "error": self.error,
            "pull": self.pull,
            "held": grasp.and_then(|summary| summary.held),
            "failure": grasp.and_then(|summary| summary.failure.as_ref()),
            "rows": grasp.map(|_| rows(&figures, self.header.grasp.as_ref())),
        });
        self.broadcast.send_state(&state);
    }

    /// Renews the force of the hand.
    fn pull(&mut self, context: &mut Context<'_>) {
        match self.hand.pull(context.simulation) {
            Ok(pull) => {
                let changed = self.pull != pull;
                self.pull = pull;
                if changed {
                    self.send_state(context.setup, context.simulation);
                }
            }
            Err(error) => self.error = Some(error.to_string()),
        }
    }

    /// Adds a frame to what viewers get.
    fn add(&mut self, frame: &Frame) {
        let values = self.channels.values(&mut self.baseline, frame);
        let mut record = Vec::new();
        encode::put_frame(&mut record, &self.header, &values, frame);
        self.broadcast.add(frame, record);
    }

    /// Hands the present frame to all viewers.
    fn publish(&mut self, context: &mut Context<'_>) {
        if !self.broadcast.is_watched() {
            return;
        }
        let mut found = Vec::new();
        let Ok(()) = self.sampler.finish(|frame| {
            found.push(frame.clone());
            Ok::<(), Infallible>(())
        });
        found.iter().for_each(|frame| self.add(frame));
        // Not the frame of the context: parameters may have changed since.
        let frame = volar_run::frame(context.setup, context.simulation, context.step);
        self.add(&frame);
        if self.broadcast.wants_patches() {
            let mut record = Vec::new();
            encode::put_patches(&mut record, 0, &self.finder.at(&frame));
            self.broadcast.add_patches(record);
        }
        if self.summed_up.elapsed() >= SUMMARY {
            self.summed_up = Instant::now();
            self.send_state(context.setup, context.simulation);
        }
    }

    /// Adds the ends of steps without which a peak would be missed.
    fn follow(&mut self, context: &mut Context<'_>) {
        self.measures.observe(context.simulation);
        let mut found = Vec::new();
        let Ok(()) = self.sampler.push(context.frame().clone(), |frame| {
            found.push(frame.clone());
            Ok::<(), Infallible>(())
        });
        found.iter().for_each(|frame| self.add(frame));
    }
}

impl Observer for LiveView<'_> {
    fn start(&mut self, context: &mut Context<'_>) -> Observed {
        self.follow(context);
        self.publish(context);
        Ok(self.wait(context))
    }

    fn step(&mut self, context: &mut Context<'_>) -> Observed {
        self.follow(context);
        // A scene slower than real time is shown as far as it has come.
        let late = self.playing && self.last.elapsed().as_secs_f64() > 1.0 / RATE;
        if context.time() < self.next && !late {
            return Ok(ControlFlow::Continue(()));
        }
        self.publish(context);
        Ok(self.wait(context))
    }

    fn next_time(&self) -> Option<f64> {
        Some(self.next)
    }
}
