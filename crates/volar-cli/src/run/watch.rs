//! What a person should hear while a run goes on: warnings as they arise, and that it
//! gets nowhere.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use volar_run::{Context, Observed, Observer};

use crate::terminal;

/// A run is looked at for the first time after this, and then after twice as long each
/// time.
const FIRST_LOOK: Duration = Duration::from_secs(5);
/// One that would take longer than this, s, ...
const LONG: f64 = 1800.0;
/// ... and is slower than this many times real time, gets nowhere.
const SLOW: f64 = 0.02;

/// Says what is to be said on stderr.
pub struct Watch {
    /// Warnings that have been said.
    said: usize,
    /// Wall clock, simulated time and steps at the last look.
    last: (Instant, f64, u64),
    next_look: Duration,
    bar: indicatif::ProgressBar,
}

impl Watch {
    /// Lines are written above a progress bar.
    pub fn new(bar: indicatif::ProgressBar) -> Watch {
        Watch {
            said: 0,
            last: (Instant::now(), 0.0, 0),
            next_look: FIRST_LOOK,
            bar,
        }
    }

    fn look(&mut self, context: &Context<'_>) {
        let (clock, from, steps) = self.last;
        let wall = clock.elapsed();
        if wall < self.next_look {
            return;
        }
        let now = context.time();
        let steps = context.simulation.statistics().steps - steps;
        let pace = (now - from) / wall.as_secs_f64();
        let left = (context.end - now) / pace;
        if pace < SLOW && (left > LONG || left.is_nan()) {
            let by = context.simulation.limited_by();
            let step = (now - from) / steps.max(1) as f64;
            let text = format!(
                "at {now:.6} s of {} s after another {:.0} s: steps of {step:.1e} s{}; the rest \
                 takes {} at this pace; Ctrl-C ends it, and --limit-wall would",
                context.end,
                wall.as_secs_f64(),
                by.map_or_else(String::new, |by| format!(", limited by {by}")),
                span(left),
            );
            self.bar.suspend(|| terminal::note(text));
        }
        self.last = (Instant::now(), now, self.last.2 + steps);
        self.next_look *= 2;
    }
}

/// A time for people.
fn span(seconds: f64) -> String {
    match seconds / 3600.0 {
        hours if hours < 48.0 => format!("{hours:.1} hours"),
        hours if hours < 24.0 * 1000.0 => format!("{:.0} days", hours / 24.0),
        _ => "years".into(),
    }
}

impl Observer for Watch {
    fn start(&mut self, context: &mut Context<'_>) -> Observed {
        let steps = context.simulation.statistics().steps;
        self.last = (Instant::now(), context.time(), steps);
        self.step(context)
    }

    fn step(&mut self, context: &mut Context<'_>) -> Observed {
        let warnings = context.simulation.warnings();
        for warning in warnings.iter().skip(self.said) {
            self.bar.suspend(|| terminal::warning(warning));
        }
        self.said = warnings.len();
        self.look(context);
        Ok(ControlFlow::Continue(()))
    }
}
