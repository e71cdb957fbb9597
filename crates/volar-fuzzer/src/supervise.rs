//! The supervisor: starts workers, and notes what breaks, hangs or eats memory.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::Plan;
use crate::targets::Target;

/// No input may take longer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Nor more memory than this, kB.
const MEMORY: u64 = 1_000_000;
/// Inputs of one worker; a new one starts with little memory again.
const BATCH: u64 = 50;

/// What became of the inputs of a kind.
#[derive(Default)]
struct Tally {
    inputs: u64,
    accepted: u64,
    slowest: f64,
    peak: u64,
}

/// How a batch of a worker ended.
enum Batch {
    Whole,
    /// At an input, with what happened.
    Broken(u64, String),
}

/// Runs inputs of all kinds in turn. Gives whether all went well.
pub fn supervise(plan: &Plan) -> Result<bool> {
    let begun = Instant::now();
    let wanted = |target: &&Target| {
        plan.only
            .as_deref()
            .is_none_or(|only| target.name() == only)
    };
    let targets: Vec<&Target> = Target::ALL.iter().filter(wanted).collect();
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut failures = Vec::new();
    let (mut next, mut done) = (vec![plan.first; targets.len()], 0);
    let over = |done: u64| {
        plan.time.is_some_and(|time| begun.elapsed() >= time)
            || plan.inputs.is_some_and(|inputs| done >= inputs)
            || targets.is_empty()
    };
    while !over(done) {
        for (target, next) in targets.iter().zip(&mut next) {
            if over(done) {
                break;
            }
            let tally = tallies.entry(target.name()).or_default();
            let before = tally.inputs;
            let count = match plan.inputs {
                Some(inputs) => BATCH.min(inputs - done),
                None => BATCH,
            };
            let end = *next + count;
            while *next < end {
                match batch(target, *next, end - *next, tally)? {
                    Batch::Whole => *next = end,
                    Batch::Broken(number, what) => {
                        println!("FAILED {} {number}: {what}", target.name());
                        failures.push(format!("{} {number}: {what}", target.name()));
                        *next = number + 1;
                    }
                }
            }
            done += tally.inputs - before;
        }
    }
    println!("\nkind        inputs  accepted  slowest s  peak MB");
    for (name, tally) in &tallies {
        println!(
            "{name:10} {:7}  {:8}  {:9.2}  {:7.0}",
            tally.inputs,
            tally.accepted,
            tally.slowest,
            tally.peak as f64 / 1024.0
        );
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{done} inputs in {seconds:.0} s, {} failures",
        failures.len()
    );
    for failure in &failures {
        println!("  {failure}");
    }
    if !failures.is_empty() {
        println!(
            "`cargo xtask fuzz show KIND NUMBER > FILE` makes an input again; once it is mended, \
             keep a short one in crates/volar-fuzzer/corpus/KIND"
        );
    }
    Ok(failures.is_empty())
}

/// Lets a worker do some inputs.
fn batch(target: &Target, first: u64, count: u64, tally: &mut Tally) -> Result<Batch> {
    let mut child = worker(target, first, count)?;
    let lines = lines(&mut child)?;
    let mut at = first;
    loop {
        match lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                let words: Vec<&str> = line.splitn(4, ' ').collect();
                let number = words.get(2).and_then(|word| word.parse().ok());
                at = number.unwrap_or(at);
                match words[..] {
                    ["end", _, _, figures] => {
                        let figures: Vec<f64> =
                            figures.split(' ').filter_map(|f| f.parse().ok()).collect();
                        let [took, peak, accepted] = figures[..] else {
                            continue;
                        };
                        tally.inputs += 1;
                        tally.accepted += accepted as u64;
                        tally.slowest = tally.slowest.max(took);
                        tally.peak = tally.peak.max(peak as u64);
                        if peak as u64 > MEMORY {
                            end(&mut child);
                            let what = format!("{:.0} MB of memory", peak / 1024.0);
                            return Ok(Batch::Broken(at, what));
                        }
                    }
                    ["panic", _, _, what] => {
                        tally.inputs += 1;
                        end(&mut child);
                        return Ok(Batch::Broken(at, format!("panic: {what}")));
                    }
                    _ => {}
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                tally.inputs += 1;
                end(&mut child);
                let what = format!("more than {} s", PATIENCE.as_secs());
                return Ok(Batch::Broken(at, what));
            }
            Err(RecvTimeoutError::Disconnected) => {
                let status = child.wait()?;
                if status.success() {
                    return Ok(Batch::Whole);
                }
                tally.inputs += 1;
                return Ok(Batch::Broken(at, format!("the process ended: {status}")));
            }
        }
    }
}

/// A worker, with bounded memory where the system can do that.
fn worker(target: &Target, first: u64, count: u64) -> Result<Child> {
    let own = std::env::current_exe().context("cannot find this program")?;
    let mut command = match cfg!(unix) {
        true => {
            // Address space is more than memory: allocators and threads reserve some.
            let limit = format!("ulimit -v {}; exec \"$0\" \"$@\"", 4 * MEMORY);
            let mut command = Command::new("sh");
            command.args(["-c", &limit]).arg(own);
            command
        }
        false => Command::new(own),
    };
    command.args([
        "work",
        target.name(),
        &first.to_string(),
        &count.to_string(),
    ]);
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .stdin(Stdio::null());
    command.spawn().context("cannot start a worker")
}

/// The lines of a worker as they come.
fn lines(child: &mut Child) -> Result<Receiver<String>> {
    let stdout = child.stdout.take().context("a worker without output")?;
    let (send, receive) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    Ok(receive)
}

fn end(child: &mut Child) {
    // It may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}
