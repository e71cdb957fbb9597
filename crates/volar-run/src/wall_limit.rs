//! An observer that ends a run after a wall time.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::observer::{Context, Observed, Observer, Stop};

/// Stops a run at the end of the first step after a wall time. The time counts from the
/// start of the run; what a resumed run took before does not count.
#[derive(Clone, Debug)]
pub struct WallLimit {
    limit: Duration,
    started: Instant,
}

impl WallLimit {
    /// A limit for a run that is about to start.
    pub fn new(limit: Duration) -> WallLimit {
        WallLimit {
            limit,
            started: Instant::now(),
        }
    }
}

impl Observer for WallLimit {
    fn start(&mut self, _: &mut Context<'_>) -> Observed {
        self.started = Instant::now();
        Ok(ControlFlow::Continue(()))
    }

    fn step(&mut self, _: &mut Context<'_>) -> Observed {
        Ok(match self.started.elapsed() >= self.limit {
            true => {
                let what = format!("{} s of wall time", self.limit.as_secs_f64());
                ControlFlow::Break(Stop::Limit(what))
            }
            false => ControlFlow::Continue(()),
        })
    }
}
