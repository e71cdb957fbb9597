//! Being asked to stop: Ctrl-C, and what schedulers, shells and dropped connections
//! send (SIGTERM, SIGHUP).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;

/// Requests this soon after the first one are the same request: a terminal that goes
/// away sends SIGHUP more than once, and some schedulers send it after SIGTERM.
const ONE_REQUEST: Duration = Duration::from_secs(2);

/// A flag that is set when the process is asked to stop. Who asks again, later, does
/// not want to wait for the end of a step: the process exits at once.
pub fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = stopped.clone();
    let mut first: Option<Instant> = None;
    let handler = move || {
        flag.store(true, Ordering::Relaxed);
        if first.get_or_insert_with(Instant::now).elapsed() > ONE_REQUEST {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).context("cannot watch for Ctrl-C")?;
    Ok(stopped)
}
