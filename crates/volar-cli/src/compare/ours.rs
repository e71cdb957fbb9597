//! Volar's own run of the scene.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use volar_run::{Context, Ended, Observed, Options, Sight, Stop, execute};

use super::process::Interrupted;
use super::result::{Broken, Compared, Row, Series};

/// Runs the scene; `title` names the row.
pub fn run(scene: &Compared, title: &str, stopped: &AtomicBool) -> anyhow::Result<Row> {
    let setup = &scene.setup;
    let mut sights: Vec<Sight> = Vec::new();
    let mut looking = 0.0;
    let mut look = |context: &mut Context<'_>| -> Observed {
        let start = processor_seconds();
        if let Some(grasp) = &setup.grasp {
            sights.push(Sight::of(grasp, context.simulation));
        }
        looking += processor_seconds() - start;
        Ok(match stopped.load(Ordering::Relaxed) {
            true => ControlFlow::Break(Stop::Interrupted),
            false => ControlFlow::Continue(()),
        })
    };
    let start = processor_seconds();
    let outcome = execute(setup, &Options::default(), &mut [&mut look])?;
    let seconds = processor_seconds() - start - looking;
    let broken = match &outcome.ended {
        Ended::Complete | Ended::Stopped(Stop::Done) => None,
        Ended::Stopped(_) => bail!(Interrupted),
        Ended::Failed(error) => Some(Broken {
            what: error.to_string(),
            time_s: outcome.summary.duration_s,
        }),
    };
    let summary = outcome.summary;
    let mut series = Series::default();
    for sight in &sights {
        series.push(sight, &scene.fingers);
    }
    let mut row = Row {
        version: env!("CARGO_PKG_VERSION").into(),
        settings: vec![format!(
            "contact law `{}`, integrator `{}`: those of the scene",
            summary.law, summary.integrator
        )],
        cannot: None,
        step_s: Some(summary.duration_s / (summary.steps.max(1) as f64)),
        processor_s: Some(seconds),
        processor_how: HOW.into(),
        series,
        ..Row::cannot("volar", title, String::new())
    };
    row.summary = Some(summary);
    row.read_off(scene, &sights, broken.as_ref());
    Ok(row)
}

#[cfg(unix)]
const HOW: &str = "the whole run with its measures, without what is kept for the comparison";
#[cfg(not(unix))]
const HOW: &str = "wall time of the whole run with its measures";

/// Processor time of this thread, s.
#[cfg(unix)]
fn processor_seconds() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}

/// Wall time, s: at least the processor time.
#[cfg(not(unix))]
fn processor_seconds() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}
