//! The observer behind the viewer: it paces a run by the clock, does what
//! viewers ask, and hands frames to them.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use volar_record::{Frame, Header};
use volar_run::{Context, Ended, Observed, Observer, Run, Stop};
use volar_scene::Setup;
use volar_sim::{SimError, Simulation};

use super::broadcast::Broadcast;
use super::commands::Asked;
use super::parameters::Parameters;
use crate::channels::Channels;
use crate::encode;
use crate::patches::PatchFinder;

/// Pictures per second.
const RATE: f64 = 60.0;

/// After a pause of the machine time does not leap by more than this, s.
const LEAP: f64 = 0.05;

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
    /// Drift is counted from here.
    first: Option<Frame>,
    playing: bool,
    /// Simulated over real time.
    speed: f64,
    /// What went wrong last, for viewers to read.
    error: Option<String>,
    restart: bool,
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
            channels: Channels::new(&header, false),
            finder: PatchFinder::new(&header),
            header,
            first: None,
            playing: true,
            speed: 1.0,
            error: None,
            restart: false,
            single: 0,
            next: 0.0,
            last: Instant::now(),
        }
    }

    /// Runs and shows a scene, as often as viewers restart it.
    pub fn show(mut self, mut run: Run) -> Result<(), SimError> {
        let setup = run.setup().clone();
        loop {
            match run.advance_with(f64::INFINITY, &mut [&mut self]) {
                Ended::Failed(error) => self.fail(&error.to_string(), run.simulation()),
                Ended::Complete | Ended::Stopped(_) if self.restart => {
                    self.restart = false;
                    self.first = None;
                    run = Run::new(setup.clone(), 1)?;
                    if let Err(error) = self.parameters.restore(run.simulation_mut()) {
                        self.error = Some(error.to_string());
                    }
                    self.send_state(run.simulation());
                }
                Ended::Complete | Ended::Stopped(_) => return Ok(()),
            }
        }
    }

    /// Stops where it is and says why.
    fn fail(&mut self, why: &str, simulation: &Simulation) {
        self.error = Some(why.into());
        self.playing = false;
        self.single = 0;
        self.send_state(simulation);
    }

    /// Does what was asked.
    fn act(&mut self, asked: &Asked, simulation: &mut Simulation) {
        self.error = None;
        for (name, value) in &asked.set {
            if let Err(error) = self.parameters.set(simulation, name, *value) {
                self.error = Some(error.to_string());
            }
        }
        self.restart = asked.restart;
        self.speed = asked.speed.unwrap_or(self.speed);
        self.playing = asked.playing.unwrap_or(self.playing);
        if asked.steps > 0 {
            self.playing = false;
            self.single = asked.steps;
        }
        self.send_state(simulation);
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
                self.act(&asked, context.simulation);
                if self.restart {
                    return ControlFlow::Break(Stop::Done);
                }
                self.publish(context);
            }
            let elapsed = self.last.elapsed();
            let real = match self.single {
                0 if self.is_running() && elapsed >= due => elapsed.as_secs_f64().min(LEAP),
                0 => continue,
                _ => 1.0 / RATE,
            };
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

    fn send_state(&self, simulation: &Simulation) {
        let state = json!({
            "playing": self.playing, "speed": self.speed,
            "parameters": self.parameters.list(simulation), "error": self.error,
        });
        self.broadcast.send_state(&state);
    }

    /// Hands the present frame to all viewers.
    fn publish(&mut self, context: &mut Context<'_>) {
        if !self.broadcast.is_watched() {
            return;
        }
        // Not the frame of the context: parameters may have changed since.
        let frame = volar_run::frame(context.setup, context.simulation, context.step);
        let first = self.first.get_or_insert_with(|| frame.clone());
        let values = self.channels.values(first, &frame, None);
        let mut record = Vec::new();
        encode::put_frame(&mut record, &self.header, &self.channels, &values, &frame);
        let finder = &mut self.finder;
        self.broadcast.send_frame(record, |record| {
            encode::put_patches(record, 0, &finder.at(&frame));
        });
    }
}

impl Observer for LiveView<'_> {
    fn start(&mut self, context: &mut Context<'_>) -> Observed {
        self.publish(context);
        Ok(self.wait(context))
    }

    fn step(&mut self, context: &mut Context<'_>) -> Observed {
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
