//! `volar reproduce`: the paper's experiments, and what became of its claims.

mod failure;
mod law;
mod maps;
mod nine;
mod overlap;
mod report;
mod shadow;
mod stated;

use std::path::PathBuf;

use anyhow::Context;
use clap::ValueEnum;
use volar_scene::{Scene, Setup};

use crate::compare::{Bench, Interrupted, Limits};
use crate::terminal::note;
use crate::{Status, stop, terminal};

use report::Report;

/// Repeat the paper's experiments, here and in other engines.
///
/// Writes a report (reproduction.html, reproduction.md) with the table "the paper says,
/// measured, verdict", and figures (SVG) with their data (CSV).
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  volar reproduce                       # all, in short
  volar reproduce failure --out ball
  volar reproduce nine maps --full      # hours: the paper's integrator, maps of 25 × 25

Exit status: 0 when the report was written, 2 when something is not usable, 130 when
interrupted.")]
pub struct Args {
    /// Which experiments; all if not given.
    parts: Vec<Part>,

    /// Folder for the report.
    #[arg(long, value_name = "DIR", default_value = "reproduction")]
    out: PathBuf,

    /// The paper's integrator, maps as fine as the paper's, all engines: hours.
    #[arg(long)]
    full: bool,

    /// Write the report as Markdown here too.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,

    /// A Python that has the engines: nothing is installed.
    #[arg(long, value_name = "PROGRAM")]
    python: Option<PathBuf>,

    /// End a run of another engine after this wall time, s.
    #[arg(long, value_name = "SECONDS", default_value_t = 1800.0)]
    limit_wall: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Nine grasps with the paper's law, ours, and in Bullet.
    Nine,
    /// The ball in the revolute gripper in Bullet, for a minute.
    Failure,
    /// The terms of the paper's law, with and without, as printed and as read; its cost.
    Law,
    /// Fingers that begin inside the object.
    Overlap,
    /// Maps of the kinetic energy of a shaken grasp.
    Maps,
    /// The Shadow Hand with the bunny.
    Shadow,
}

pub fn run(args: &Args) -> Status {
    match try_run(args) {
        Ok(()) => crate::SUCCESS,
        Err(error) if error.is::<Interrupted>() => {
            terminal::error("interrupted");
            130
        }
        Err(error) => {
            terminal::failed(&error);
            2
        }
    }
}

fn try_run(args: &Args) -> anyhow::Result<()> {
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let stopped = stop::flag()?;
    let limits = Limits {
        seconds: args.limit_wall,
        stopped: &stopped,
    };
    let bench = Bench::new(&args.out, args.python.as_deref(), limits)?;
    let how = if args.full {
        "The whole of it"
    } else {
        "The short version"
    };
    let version = env!("CARGO_PKG_VERSION");
    let mut report = Report {
        head: format!("{how}, by Volar {version}; times are processor seconds of one run each."),
        sections: Vec::new(),
        // Those of an experiment alone stand beside it.
        stated: match args.parts.is_empty() {
            true => stated::claims(),
            false => Vec::new(),
        },
    };
    let all = Part::value_variants().iter();
    for part in all.filter(|part| args.parts.is_empty() || args.parts.contains(part)) {
        report.sections.push(match part {
            Part::Nine => nine::run(&bench, args.full)?,
            Part::Failure => failure::run(&bench)?,
            Part::Law => law::run(&stopped)?,
            Part::Overlap => overlap::run(&bench)?,
            Part::Maps => maps::run(&args.out, args.full, &stopped)?,
            Part::Shadow => shadow::run(&bench, args.full)?,
        });
        // What there is stays, whatever becomes of the next one: they take minutes to hours.
        report.write(&args.out)?;
    }
    if let Some(page) = &args.write {
        report.write_page(page)?;
    }
    note(format!(
        "{} is the report",
        args.out.join("reproduction.html").display()
    ));
    Ok(())
}

/// A built-in scene with changes.
fn scene(name: &str, changes: &[&str]) -> anyhow::Result<Setup> {
    Ok(Scene::builtin(name)?.with(changes)?.compile()?)
}
