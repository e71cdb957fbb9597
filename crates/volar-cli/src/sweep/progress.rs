//! The progress of a sweep on a terminal.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use volar_sweep::Tally;

/// A bar on stderr; nothing where that is no terminal.
pub struct Bar {
    bar: ProgressBar,
    /// When the sweep went on, and how many runs were done then.
    started: Mutex<Option<(Instant, u64)>>,
}

impl Bar {
    pub fn new(quiet: bool) -> Bar {
        let target = match quiet {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr_with_hz(10),
        };
        let bar = ProgressBar::with_draw_target(Some(1), target);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {msg}") {
            bar.set_style(style);
        }
        Bar {
            bar,
            started: Mutex::default(),
        }
    }

    pub fn show(&self, tally: &Tally) {
        if self.bar.is_hidden() {
            return;
        }
        let mut started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        let (clock, before) = *started.get_or_insert((Instant::now(), tally.done));
        let rate = (tally.done - before) as f64 / clock.elapsed().as_secs_f64().max(1.0e-3);
        let left = match rate > 0.0 {
            true => time((tally.total - tally.done) as f64 / rate),
            false => "?".into(),
        };
        let held = match tally.judged {
            0 => String::new(),
            judged => format!(", {} of {judged} held", tally.held),
        };
        self.bar.set_length(tally.total);
        self.bar.set_position(tally.done);
        self.bar.set_message(format!(
            "{} of {}, {rate:.1} runs/s, {left} left{held}",
            tally.done, tally.total
        ));
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
