//! Mutates small files of every kind that Volar reads and hands them to their readers:
//! whatever they say, there is an answer or an error, soon and in little memory.
//!
//! ```text
//! supervisor ──(kind, number)──▶ worker: corpus ──mutate──▶ reader ──▶ line on stdout
//!     ▲                                                                     │
//!     └──────── panic, abort, too slow, too much memory ◀───────────────────┘
//! ```
//!
//! A worker is a process, because aborts, overflows of the stack and hangs end more than
//! a thread. `cargo xtask fuzz` is the way to call this; the numbers of an input are
//! enough to make it again.

mod corpus;
mod mutate;
mod supervise;
mod targets;
mod work;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// What to do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Ends after this time, ...
    pub time: Option<Duration>,
    /// ... or after so many inputs.
    pub inputs: Option<u64>,
    /// Number of the first input.
    pub first: u64,
    /// Only this kind.
    pub only: Option<String>,
}

const USAGE: &str = "\
Usage: volar-fuzzer [--minutes N] [--inputs N] [--first N] [--only KIND]
       volar-fuzzer show KIND NUMBER      writes the input to stdout
";

fn main() -> ExitCode {
    match try_main() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn try_main() -> Result<bool> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["work", kind, first, count] => {
            work::work(kind, first.parse()?, count.parse()?)?;
            Ok(true)
        }
        ["show", kind, number] => {
            work::show(kind, number.parse()?)?;
            Ok(true)
        }
        _ => supervise::supervise(&plan(&words)?),
    }
}

fn plan(words: &[&str]) -> Result<Plan> {
    let mut plan = Plan {
        time: None,
        inputs: None,
        first: 0,
        only: None,
    };
    for pair in words.chunks(2) {
        let [name, value] = pair else {
            bail!("`{}` needs a value", pair[0]);
        };
        let number = || value.parse::<f64>().context("a number is needed");
        match *name {
            "--minutes" => plan.time = Some(Duration::from_secs_f64(60.0 * number()?)),
            "--inputs" => plan.inputs = Some(number()? as u64),
            "--first" => plan.first = number()? as u64,
            "--only" => plan.only = Some((*value).to_owned()),
            other => bail!("unknown option `{other}`"),
        }
    }
    if plan.time.is_none() && plan.inputs.is_none() {
        plan.time = Some(Duration::from_secs(60));
    }
    Ok(plan)
}
