//! Other programs: run to their end, to a time limit, or until the user wants to stop.

use std::io::Read;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

/// How often a child is looked after.
const POLL: Duration = Duration::from_millis(20);
/// No more than this is kept of what a child says.
const MOST_SAID: u64 = 1 << 20;

/// When a child is killed.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Wall time, s.
    pub seconds: f64,
    /// Set when the user wants to stop.
    pub stopped: &'a AtomicBool,
}

/// The user wants to stop.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// A child that has ended.
pub struct Child {
    /// None when it was killed at its time limit.
    pub status: Option<ExitStatus>,
    /// What it said on stderr.
    pub said: String,
}

impl Child {
    /// Runs a command. Killed, it is waited for, so that nothing is left behind.
    pub fn run(command: &mut Command, limits: &Limits<'_>) -> anyhow::Result<Child> {
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let name = command.get_program().to_string_lossy().into_owned();
        let mut child = command
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run {name}"))?;
        let pipe = child.stderr.take();
        let reader = thread::spawn(move || {
            let mut said = Vec::new();
            if let Some(mut pipe) = pipe {
                let _ = pipe.by_ref().take(MOST_SAID).read_to_end(&mut said);
                let _ = std::io::copy(&mut pipe, &mut std::io::sink());
            }
            String::from_utf8_lossy(&said).into_owned()
        });
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().context("cannot wait for a program")? {
                break Some(status);
            }
            let stopped = limits.stopped.load(Ordering::Relaxed);
            if stopped || start.elapsed().as_secs_f64() > limits.seconds {
                // It may have ended by itself in between.
                let _ = child.kill();
                let _ = child.wait();
                if stopped {
                    bail!(Interrupted);
                }
                break None;
            }
            thread::sleep(POLL);
        };
        Ok(Child {
            status,
            said: reader.join().unwrap_or_default(),
        })
    }

    pub fn success(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// The last line it said, or how it ended.
    pub fn last_words(&self) -> String {
        let last = self
            .said
            .lines()
            .rev()
            .map(str::trim)
            .find(|l| !l.is_empty());
        match (last, self.status) {
            (Some(last), Some(_)) => last.to_owned(),
            (_, None) => "stopped at its time limit".into(),
            (None, Some(status)) => status.to_string(),
        }
    }
}
