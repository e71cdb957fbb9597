//! Running commands one after the other, and saying so.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::root;

/// Steps of a task: each is named and timed, the first failure ends the task.
pub struct Steps {
    start: Instant,
    /// Names of what is done, and how long each took.
    done: Vec<(String, Duration)>,
}

impl Steps {
    /// Starts the clock.
    pub fn new() -> Steps {
        Steps {
            start: Instant::now(),
            done: Vec::new(),
        }
    }

    /// Does one step.
    pub fn step<T>(&mut self, name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("\n==> {name}");
        let start = Instant::now();
        let done = work().with_context(|| format!("step \"{name}\" failed"))?;
        let took = start.elapsed();
        println!("    {name}: {:.1} s", took.as_secs_f64());
        self.done.push((name.to_owned(), took));
        Ok(done)
    }

    /// Says that all is well, and what took how long.
    pub fn finish(self) {
        println!();
        let width = self.done.iter().map(|(name, _)| name.len()).max();
        let width = width.unwrap_or_default();
        for (name, took) in &self.done {
            println!("{name:width$}  {:7.1} s", took.as_secs_f64());
        }
        println!("\nAll done in {:.0} s.", self.start.elapsed().as_secs_f64());
        println!("steps: {} passed, 0 failed", self.done.len());
    }
}

/// A command that runs at the top of the repository.
pub fn command(program: impl AsRef<std::ffi::OsStr>, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root());
    command
}

/// Cargo, the one that started this program.
pub fn cargo(args: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    command(program, args)
}

/// Runs a command that must succeed.
pub fn run(command: &mut Command) -> Result<()> {
    let line = shown(command);
    let status = command
        .status()
        .with_context(|| format!("cannot start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// What a command that must succeed prints.
pub fn output(command: &mut Command) -> Result<String> {
    let line = shown(command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start `{line}`"))?;
    if !output.status.success() {
        bail!("`{line}` failed ({})", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// True when the command can be started and succeeds; prints nothing.
pub fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// The command as one would type it.
fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let words = std::iter::once(name).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}
