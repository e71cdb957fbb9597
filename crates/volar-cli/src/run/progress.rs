//! The progress of a run on a terminal.

use std::ops::ControlFlow;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use volar_run::{Context, Ended, Observed, Observer, RunError};

/// A bar on stderr; nothing where that is no terminal.
pub struct Bar {
    bar: ProgressBar,
    /// When the run started, and the simulated time then.
    started: (Instant, f64),
}

/// The bar counts milliseconds of simulated time.
const PER_SECOND: f64 = 1000.0;

impl Bar {
    pub fn new(quiet: bool, duration: f64) -> Bar {
        let target = match quiet {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr_with_hz(10),
        };
        let bar = ProgressBar::with_draw_target(Some((PER_SECOND * duration) as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {msg}") {
            bar.set_style(style);
        }
        Bar {
            bar,
            started: (Instant::now(), 0.0),
        }
    }
}

impl Bar {
    /// The bar, for those who write above it.
    pub fn bar(&self) -> ProgressBar {
        self.bar.clone()
    }
}

impl Observer for Bar {
    fn start(&mut self, context: &mut Context<'_>) -> Observed {
        self.started = (Instant::now(), context.time());
        Ok(ControlFlow::Continue(()))
    }

    fn step(&mut self, context: &mut Context<'_>) -> Observed {
        if !self.bar.is_hidden() {
            let (clock, from) = self.started;
            let wall = clock.elapsed().as_secs_f64().max(f64::MIN_POSITIVE);
            self.bar.set_position((PER_SECOND * context.time()) as u64);
            self.bar.set_message(format!(
                "{:.2} of {} s, {:.0} x real time, {} contacts",
                context.time(),
                context.end,
                (context.time() - from) / wall,
                context.simulation.state().patches.len()
            ));
        }
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&mut self, _: &mut Context<'_>, _: &Ended) -> Result<(), RunError> {
        self.bar.finish_and_clear();
        Ok(())
    }
}
