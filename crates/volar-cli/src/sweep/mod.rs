//! `volar sweep`: many variants of a scene.

mod progress;
mod spec;
mod text;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use volar_sweep::{Done, Folder, RunLimits, Sweep, Work, merge, report, run_missing, write_tables};

use crate::Status;
use crate::run::{HowArgs, wall_time};

pub use text::file_name;

/// Run many variants of a scene on all cores.
///
/// Takes a sweep file, or a scene and axes. Every run is a row of a table; results are kept
/// in a folder as they come. Killed at any instant and started again, it goes on by itself.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_long_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    sweep: SweepArgs,
}

#[derive(clap::Subcommand)]
enum Command {
    /// How far a sweep has come.
    Status {
        /// Folder of the sweep.
        folder: PathBuf,
        /// Print JSON instead of text.
        #[arg(long)]
        json: bool,
    },
    /// Put the results of shards together, and write the table.
    Merge {
        /// Folders of shards of the same sweep.
        #[arg(required = true)]
        folders: Vec<PathBuf>,
        /// Folder for all of them; the first one if not given.
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Write the page and the plots of a finished sweep again.
    Report {
        /// Folder of the sweep.
        folder: PathBuf,
    },
    /// Do one run of a sweep again, as `volar run` does.
    Run {
        /// Folder of the sweep.
        folder: PathBuf,
        /// Number of the run, as in the table.
        row: u64,
        #[command(flatten)]
        how: Box<HowArgs>,
    },
}

/// Which sweep, and how it is run.
#[derive(clap::Args)]
struct SweepArgs {
    #[command(flatten)]
    spec: spec::SpecArgs,

    #[command(flatten)]
    how: HowToSweep,
}

/// How a sweep is run, and where its results go.
#[derive(clap::Args)]
pub struct HowToSweep {
    /// Folder for the results; the sweep's name with `.sweep` if not given.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Threads; all cores if not given. The table is the same to the bit.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    threads: usize,

    /// End every run after this wall time, s. Such runs are marked in the table, and run
    /// again when the sweep is started again.
    #[arg(long, value_name = "SECONDS", value_parser = wall_time)]
    limit_wall: Option<Duration>,

    /// Run one part of several, as in 3/10, for batch schedulers.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<(u64, u64)>,

    /// Print the result as JSON and nothing else.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  volar sweep map.toml
  volar sweep g2r-sphere --axis body.sphere.mass=0.05..1:log:20 \\
                         --axis materials.pad.friction=0.2,0.4,0.8
  volar sweep g2r-bunny --axis body.bunny.mass=normal:0.15:0.02 --repeats 1000
  volar sweep map.toml --shard 3/10            # on each of ten machines, then
  volar sweep merge map.sweep
  volar sweep run map.sweep 17 --out replay    # one run again, with report and recording

Axes: PATH=V1,V2,... (list), A..B:N (linear), A..B:log:N, normal:MEAN:DEVIATION,
uniform:A..B[:log], sobol:A..B[:log]. PATH is any entry of the scene, as with `volar run
--set`; several, joined by commas, are tied; scene=NAME,NAME takes whole scenes.

Exit status: 0 when all runs are done, whether they held or not; 2 when the sweep or a
file is not usable; 130 when interrupted. docs/sweeps.md has the rest.";

pub fn run(args: &Args, command: &[OsString]) -> Status {
    let done = match &args.command {
        None => try_sweep(&args.sweep),
        Some(Command::Status { folder, json }) => status(folder, *json),
        Some(Command::Merge { folders, out }) => try_merge(folders, out.as_deref()),
        Some(Command::Report { folder }) => try_report(folder),
        Some(Command::Run { folder, row, how }) => {
            return crate::run::status(setup(folder, *row), how, command);
        }
    };
    done.unwrap_or_else(|error| {
        crate::terminal::failed(&error);
        2
    })
}

impl HowToSweep {
    /// Whether all runs are done here, rather than a shard of them.
    pub fn is_whole(&self) -> bool {
        self.shard.is_none()
    }
}

fn try_sweep(args: &SweepArgs) -> anyhow::Result<Status> {
    let (spec, beside) = args.spec.read()?;
    let sweep = Sweep::new(spec, &beside)?;
    Ok(sweep_into(&sweep, &args.how, &|_| Ok(()))?.1)
}

/// Runs what is missing of a sweep; when all is there, writes tables and report, and does
/// what else is to be done with the tables.
pub fn sweep_into(
    sweep: &Sweep,
    args: &HowToSweep,
    then: &dyn Fn(&Folder) -> anyhow::Result<()>,
) -> anyhow::Result<(Folder, Status)> {
    let path = match &args.out {
        Some(path) => path.clone(),
        None => PathBuf::from(format!("{}.sweep", text::file_name(&sweep.spec.name))),
    };
    let folder = Folder::create(&path, sweep)?;
    let stop = crate::stop::flag()?;
    let work = Work {
        threads: args.threads,
        limits: RunLimits {
            wall: args.limit_wall,
            stop: stop.clone(),
        },
        shard: args.shard,
    };
    let bar = progress::Bar::new(args.json);
    let tally = run_missing(sweep, &folder, &work, &|tally| bar.show(tally));
    bar.clear();
    let tally = tally?;
    let complete = tally.done == tally.total;
    if complete && args.shard.is_none() {
        write_tables(&folder, &sweep.plan)?;
        then(&folder)?;
        report::write(&folder, args.threads)?;
    }
    let mut out = std::io::stdout().lock();
    // A reader that went away is no error of ours.
    let _ = match args.json {
        true => writeln!(out, "{}", text::json(&folder, &tally)),
        false => write!(out, "{}", text::tally(&folder, &tally, args.shard)),
    };
    Ok((folder, if complete { crate::SUCCESS } else { 130 }))
}

fn status(path: &Path, json: bool) -> anyhow::Result<Status> {
    let folder = Folder::open(path)?;
    let done = Done::read(&folder, 0..folder.manifest.rows)?;
    let mut out = std::io::stdout().lock();
    let _ = match json {
        true => writeln!(out, "{}", text::json(&folder, &done.tally)),
        false => write!(out, "{}", text::tally(&folder, &done.tally, None)),
    };
    Ok(crate::SUCCESS)
}

fn try_merge(folders: &[PathBuf], out: Option<&Path>) -> anyhow::Result<Status> {
    let into = out.or(folders.first().map(PathBuf::as_path));
    let into = into.context("no folder to merge")?;
    merge(folders, into)?;
    let folder = Folder::open(into)?;
    if volar_eval::is_evaluation(&folder) {
        volar_eval::finish(&folder)?;
    }
    report::write(&folder, 0)?;
    status(into, false)
}

fn try_report(path: &Path) -> anyhow::Result<Status> {
    report::write(&Folder::open(path)?, 0)?;
    let _ = writeln!(std::io::stdout(), "{}", path.join("report.html").display());
    Ok(crate::SUCCESS)
}

fn setup(path: &Path, row: u64) -> anyhow::Result<volar_scene::Setup> {
    let folder = Folder::open(path)?;
    let rows = folder.manifest.rows;
    anyhow::ensure!(
        row < rows,
        "there is no run {row}: the last one is {}",
        rows - 1
    );
    Ok(folder.sweep()?.setup(row)?)
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(number, count)| {
        Some((
            number.trim().parse::<u64>().ok()?,
            count.trim().parse::<u64>().ok()?,
        ))
    });
    match parts {
        Some((number, count)) if (1..=count).contains(&number) => Ok((number - 1, count)),
        _ => Err("expected I/N with I from 1 to N, as in 3/10".into()),
    }
}
