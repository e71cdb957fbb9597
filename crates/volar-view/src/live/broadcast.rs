//! The loop of a live run: requests in, time on, frames out.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use volar_record::Header;

use super::commands::{Asked, Commands};
use super::{Live, Parameter};
use crate::channels::{Baseline, Channels};
use crate::encode;
use crate::patches::PatchFinder;

/// Pictures per second.
const RATE: f64 = 60.0;

/// After a pause of the machine time does not leap by more than this, s.
const LEAP: f64 = 0.05;

/// Frames on their way to a viewer that it has not shown yet.
const AHEAD: u32 = 3;

/// What waits for one viewer: only the newest of each kind.
#[derive(Debug, Default)]
pub struct Mailbox {
    letters: Mutex<Letters>,
}

#[derive(Debug, Default)]
struct Letters {
    frame: Option<Arc<Vec<u8>>>,
    state: Option<Arc<String>>,
    wants_patches: bool,
    ahead: u32,
}

impl Mailbox {
    /// The newest frame, if the viewer keeps up.
    pub fn frame(&self) -> Option<Arc<Vec<u8>>> {
        let mut letters = self.lock();
        if letters.ahead >= AHEAD {
            return None;
        }
        let frame = letters.frame.take();
        letters.ahead += u32::from(frame.is_some());
        frame
    }

    /// The newest state.
    pub fn state(&self) -> Option<Arc<String>> {
        self.lock().state.take()
    }

    /// The viewer has shown a frame.
    pub fn shown(&self) {
        let mut letters = self.lock();
        letters.ahead = letters.ahead.saturating_sub(1);
    }

    /// Whether the viewer wants patches.
    pub fn want_patches(&self, wanted: bool) {
        self.lock().wants_patches = wanted;
    }

    fn lock(&self) -> MutexGuard<'_, Letters> {
        self.letters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A live run as viewers know it.
pub struct Broadcast {
    /// What they ask.
    pub commands: Commands,
    /// Names of the parameters.
    pub names: Vec<String>,
    /// What does not change, as JSON.
    pub meta: String,
    viewers: Mutex<Vec<Arc<Mailbox>>>,
}

impl Broadcast {
    /// The broadcast of a run.
    pub fn new(live: &dyn Live) -> Broadcast {
        let header = live.header();
        let channels = Channels::new(header);
        let meta = encode::meta("live", header, &channels, Value::Null);
        Broadcast {
            commands: Commands::default(),
            names: live.parameters().into_iter().map(|p| p.name).collect(),
            meta: meta.to_string(),
            viewers: Mutex::default(),
        }
    }

    /// A new viewer; it gets the present state and frame at once.
    pub fn join(&self) -> Arc<Mailbox> {
        let mailbox = Arc::new(Mailbox::default());
        self.viewers().push(mailbox.clone());
        self.commands
            .ask(super::commands::Message::Patches { value: false }, &[]);
        mailbox
    }

    /// A viewer has gone.
    pub fn leave(&self, mailbox: &Arc<Mailbox>) {
        self.viewers().retain(|other| !Arc::ptr_eq(other, mailbox));
    }

    fn viewers(&self) -> MutexGuard<'_, Vec<Arc<Mailbox>>> {
        self.viewers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs until it is told to stop.
    pub fn run(&self, live: &mut dyn Live, stop: &AtomicBool) {
        let header = live.header().clone();
        let mut run = Run {
            broadcast: self,
            channels: Channels::new(&header),
            finder: PatchFinder::new(&header),
            baseline: Baseline::new(&header),
            header,
            playing: true,
            speed: 1.0,
            error: None,
        };
        let mut before = Instant::now();
        while !stop.load(Ordering::Relaxed) {
            let wait = if run.playing {
                Duration::from_secs_f64(1.0 / RATE).saturating_sub(before.elapsed())
            } else {
                Duration::from_millis(50)
            };
            let asked = self.commands.take(wait);
            let acted = run.act(live, asked);
            let elapsed = before.elapsed();
            if run.playing && elapsed.as_secs_f64() < 0.9 / RATE {
                // A request came early: it is done, the picture is not due.
                if acted {
                    run.publish(live);
                }
                continue;
            }
            before = Instant::now();
            // Time stands still while nobody watches.
            let watched = !self.viewers().is_empty();
            if run.playing && watched {
                let leap = elapsed.as_secs_f64().min(LEAP);
                run.advance(live, leap);
            }
            if run.playing || acted {
                run.publish(live);
            }
        }
    }
}

struct Run<'a> {
    broadcast: &'a Broadcast,
    header: Header,
    channels: Channels,
    finder: PatchFinder,
    baseline: Baseline,
    playing: bool,
    speed: f64,
    error: Option<String>,
}

impl Run<'_> {
    /// Does what was asked; false when that was nothing.
    fn act(&mut self, live: &mut dyn Live, asked: Asked) -> bool {
        if asked == Asked::default() {
            return false;
        }
        self.error = None;
        for (name, value) in &asked.set {
            let done = live.set_parameter(name, *value);
            self.note(done);
        }
        if asked.restart {
            let done = live.restart();
            self.note(done);
            self.baseline = Baseline::new(&self.header);
        }
        self.speed = asked.speed.unwrap_or(self.speed);
        self.playing = asked.playing.unwrap_or(self.playing);
        for _ in 0..asked.steps {
            self.playing = false;
            self.advance(live, 1.0 / RATE);
        }
        self.send_state(live.parameters());
        true
    }

    /// Goes on by a real time, s.
    fn advance(&mut self, live: &mut dyn Live, real: f64) {
        if let Err(why) = live.advance(live.time() + self.speed * real) {
            self.error = Some(why);
            self.playing = false;
            self.send_state(live.parameters());
        }
    }

    fn note(&mut self, done: Result<(), String>) {
        if let Err(why) = done {
            self.error = Some(why);
        }
    }

    fn send_state(&self, parameters: Vec<Parameter>) {
        let state = json!({
            "playing": self.playing, "speed": self.speed,
            "parameters": parameters, "error": self.error,
        });
        let state = Arc::new(state.to_string());
        for viewer in self.broadcast.viewers().iter() {
            viewer.lock().state = Some(state.clone());
        }
    }

    /// Hands the present frame to all viewers.
    fn publish(&mut self, live: &mut dyn Live) {
        let viewers = self.broadcast.viewers().clone();
        if viewers.is_empty() {
            return;
        }
        let frame = match live.frame() {
            Ok(frame) => frame,
            Err(why) => {
                self.error = Some(why);
                self.playing = false;
                self.send_state(live.parameters());
                return;
            }
        };
        let values = self.channels.values(&mut self.baseline, &frame);
        let mut record = Vec::new();
        encode::put_frame(&mut record, &self.header, &values, &frame);
        let mut with_patches: Option<Arc<Vec<u8>>> = None;
        let plain = Arc::new(record);
        for viewer in viewers {
            let mut letters = viewer.lock();
            letters.frame = Some(if letters.wants_patches {
                let finder = &mut self.finder;
                let made = with_patches.get_or_insert_with(|| {
                    let mut both = plain.to_vec();
                    encode::put_patches(&mut both, 0, &finder.at(&frame));
                    Arc::new(both)
                });
                made.clone()
            } else {
                plain.clone()
            });
        }
    }
}
