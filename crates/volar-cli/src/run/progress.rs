//! The progress of a run on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use volar_run::Progress;

/// A bar on stderr; nothing where that is no terminal.
pub struct Bar {
    bar: ProgressBar,
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
        Bar { bar }
    }

    pub fn show(&self, progress: &Progress) {
        if self.bar.is_hidden() {
            return;
        }
        self.bar.set_position((PER_SECOND * progress.time) as u64);
        self.bar.set_message(format!(
            "{:.2} of {} s, {:.0} x real time, {} contacts",
            progress.time, progress.end, progress.real_time_factor, progress.contacts
        ));
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
