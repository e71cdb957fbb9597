//! One run of a sweep into one record.

use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use volar_run::{Context, Ended, Observed, Observer, Options, Stop, WallLimit, execute};

use crate::figures::{
    Cell, EVALUATION_LIMIT, Failure, PANIC, Record, SCENE_ERROR, WALL_LIMIT, values,
};
use crate::sweep::Sweep;

/// What holds for every run, and is not part of the sweep.
#[derive(Clone, Debug, Default)]
pub struct RunLimits {
    /// Greatest wall time of a run.
    pub wall: Option<Duration>,
    /// Set from elsewhere to end the runs under way; they leave no record.
    pub stop: Arc<AtomicBool>,
}

impl Sweep {
    /// Runs a row from beginning to end. Whatever happens to it is in the record; there is
    /// none when it was stopped.
    pub fn run(&self, row: u64, limits: &RunLimits) -> Option<Record> {
        let clock = Instant::now();
        let run = catch_unwind(AssertUnwindSafe(|| self.outcome(row, limits)));
        let failed = |kind: &str, what: String| {
            let failure = Failure {
                kind: kind.into(),
                what,
                time_s: 0.0,
            };
            (vec![Cell::Null; self.figures.len()], Some(failure))
        };
        let (figures, failure) = match run {
            Ok(Finished::Stopped) => return None,
            Ok(Finished::NoScene(what)) => failed(SCENE_ERROR, what),
            Ok(Finished::Done(figures, failure)) => (figures, failure),
            Err(panic) => failed(PANIC, said(&*panic)),
        };
        Some(Record {
            row,
            figures,
            failure,
            wall_s: clock.elapsed().as_secs_f64(),
        })
    }

    fn outcome(&self, row: u64, limits: &RunLimits) -> Finished {
        if let Some(failure) = self.plan.row(row).failure() {
            return Finished::Done(vec![Cell::Null; self.figures.len()], Some(failure));
        }
        let setup = match self.setup(row) {
            Ok(setup) => Arc::new(setup),
            Err(error) => return Finished::NoScene(error.to_string()),
        };
        let most = self.spec.limit_evaluations;
        let mut reached = None;
        let mut watch = |context: &mut Context<'_>| -> Observed {
            if limits.stop.load(Ordering::Relaxed) {
                return Ok(ControlFlow::Break(Stop::Interrupted));
            }
            let evaluations = context.simulation.statistics().evaluations;
            Ok(match most.filter(|most| evaluations >= *most) {
                Some(most) => {
                    reached = Some(EVALUATION_LIMIT);
                    ControlFlow::Break(Stop::Limit(format!("{most} evaluations")))
                }
                None => ControlFlow::Continue(()),
            })
        };
        let mut wall = limits.wall.map(WallLimit::new);
        let mut observers: Vec<&mut dyn Observer> = vec![&mut watch];
        observers.extend(wall.as_mut().map(|wall| wall as &mut dyn Observer));
        let outcome = match execute(&setup, &Options::default(), &mut observers) {
            Ok(outcome) => outcome,
            Err(error) => return Finished::NoScene(error.to_string()),
        };
        let limit = match &outcome.ended {
            Ended::Stopped(Stop::Interrupted) => return Finished::Stopped,
            Ended::Stopped(stop @ Stop::Limit(_)) => {
                Some((reached.unwrap_or(WALL_LIMIT), stop.to_string()))
            }
            _ => None,
        };
        let summary = &outcome.summary;
        let failure = match (&limit, &summary.failure) {
            (Some((kind, what)), _) => Some(Failure {
                kind: (*kind).to_owned(),
                what: what.clone(),
                time_s: summary.duration_s,
            }),
            (None, Some(failure)) => Some(Failure {
                kind: kind(failure.kind),
                what: failure.what.clone(),
                time_s: failure.time_s,
            }),
            (None, None) => None,
        };
        let figures = match limit {
            // Where a clock ended it says nothing of the grasp.
            Some((WALL_LIMIT, _)) => vec![Cell::Null; self.figures.len()],
            _ => values(&self.figures, summary),
        };
        Finished::Done(figures, failure)
    }
}

enum Finished {
    Done(Vec<Cell>, Option<Failure>),
    NoScene(String),
    Stopped,
}

/// A cause as summaries write it.
fn kind(kind: volar_run::FailureKind) -> String {
    let text = serde_json::to_value(kind).ok();
    let text = text.and_then(|value| value.as_str().map(str::to_owned));
    text.unwrap_or_else(|| format!("{kind:?}"))
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".into())
}
