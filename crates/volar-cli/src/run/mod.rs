//! `volar run`: a scene from beginning to end.

mod progress;
mod text;

use std::ffi::OsString;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, bail};
use volar_record::Frame;
use volar_run::{
    Context as RunContext, Ended, Observed, Observer, Options, Outcome, Recorder, Saved, Stop,
    ThinnedFrames, WallLimit, execute,
};
use volar_scene::Setup;
use volar_sim::MAX_THREADS;
use volar_view::{MAX_FRAMES, ORIGIN_FILE, Origin, RunInfo};

use crate::Status;
use crate::scene::{SceneArgs, load};

/// Run a scene: a file, or the name of a built-in one.
///
/// Prints the result of the grasp. With --out it also keeps a recording for
/// Foxglove and Rerun (recording.mcap), a table for pandas and polars
/// (series.parquet), the scene as it was run (scene.toml), the summary
/// (summary.json), where and how it was run (origin.json), a page to read (report.html) and its plots (plots/).
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    scene: SceneArgs,

    #[command(flatten)]
    how: HowArgs,
}

/// How a run is done, and what is kept of it.
#[derive(clap::Args)]
pub struct HowArgs {
    /// Folder for recording, resolved scene and summary.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print the summary as JSON and nothing else.
    #[arg(long)]
    json: bool,

    /// Threads that evaluate contacts; the result is the same to the bit.
    #[arg(long, default_value_t = 1, value_name = "N")]
    threads: usize,

    /// File to write a checkpoint to at the end, or when interrupted.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Checkpoint of the same scene to resume.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// End the run after this wall time, s; what there is is kept.
    #[arg(long, value_name = "SECONDS", value_parser = wall_time)]
    limit_wall: Option<Duration>,
}

impl HowArgs {
    /// Whether nothing but JSON is wanted.
    pub fn is_json(&self) -> bool {
        self.json
    }
}

const EXAMPLES: &str = "\
Examples:
  volar run g2r-bunny
  volar run g2r-bunny --out bunny --set body.bunny.mass=0.5
  volar run my-scene.toml --law paper --integrator rk45 --json
  volar run g2r-sphere --duration 3600 --checkpoint hour.json
  volar run g2r-sphere --duration 7200 --resume hour.json

--set takes any entry of the scene file: keys joined by dots, entries of lists
by number or by name (body.0.mass, robot.gripper.joints.hinge_1.effort).

Exit status: 0 when the run reached its end, whether the object was held or not;
1 when the simulation failed; 2 when the scene or a file is not usable; 130 when
interrupted or stopped by --limit-wall. Whatever was recorded is kept.

JSON keys: docs/summary.md.";

/// `command` is the whole command line, for the report.
pub fn run(args: &Args, command: &[OsString]) -> Status {
    status(load(&args.scene).map_err(Into::into), &args.how, command)
}

/// Runs a scene that has been loaded, or says why it could not be.
pub fn status(setup: anyhow::Result<Setup>, how: &HowArgs, command: &[OsString]) -> Status {
    match setup.and_then(|setup| try_run(setup, how, command)) {
        Ok(Ended::Complete | Ended::Stopped(Stop::Done)) => crate::SUCCESS,
        Ok(Ended::Failed(_)) => 1,
        Ok(Ended::Stopped(_)) => 130,
        Err(error) => {
            eprintln!("error: {error:#}");
            2
        }
    }
}

fn try_run(setup: Setup, args: &HowArgs, command: &[OsString]) -> anyhow::Result<Ended> {
    let setup = Arc::new(setup);
    if args.threads > MAX_THREADS {
        bail!("--threads: more than {MAX_THREADS} are not supported");
    }
    let resume = args.resume.as_deref().map(read_checkpoint).transpose()?;
    if let Some(path) = &args.checkpoint {
        can_be_written(path)?;
    }
    if let Some(saved) = &resume
        && saved.time() >= setup.scene.spec.duration
    {
        bail!(
            "the checkpoint is at {} s, the scene ends at {} s: give a longer --duration",
            saved.time(),
            setup.scene.spec.duration
        );
    }
    if !args.json {
        text::notes(&setup);
    }
    if let Some(folder) = &args.out {
        keep_scene(folder, &setup)?;
    }
    let options = Options {
        threads: args.threads,
        resume,
    };
    let stopped = crate::interrupt::flag()?;
    let mut bar = progress::Bar::new(args.json, setup.scene.spec.duration);
    let mut interrupt = |_: &mut RunContext<'_>| -> Observed {
        Ok(match stopped.load(Ordering::Relaxed) {
            true => ControlFlow::Break(Stop::Interrupted),
            false => ControlFlow::Continue(()),
        })
    };
    let mut observers: Vec<&mut dyn Observer> = vec![&mut bar, &mut interrupt];
    let mut kept = ThinnedFrames::new(MAX_FRAMES);
    let mut recorder = args.out.as_ref().map(Recorder::new);
    if let Some(recorder) = &mut recorder {
        observers.extend([recorder as &mut dyn Observer, &mut kept]);
    }
    let mut limit = args.limit_wall.map(WallLimit::new);
    observers.extend(limit.as_mut().map(|limit| limit as &mut dyn Observer));
    let outcome = execute(&setup, &options, &mut observers)?;
    finish(args, command, &setup, &outcome, kept.frames())?;
    Ok(outcome.ended)
}

fn finish(
    args: &HowArgs,
    command: &[OsString],
    setup: &Setup,
    outcome: &Outcome,
    frames: &[Frame],
) -> anyhow::Result<()> {
    let json = serde_json::to_string_pretty(&outcome.summary)?;
    if let Some(folder) = &args.out {
        write(&folder.join("summary.json"), &format!("{json}\n"))?;
        let info = RunInfo {
            summary: serde_json::to_value(&outcome.summary)?,
            scene_toml: toml::to_string(&setup.scene.spec)?,
            origin: Origin::here(command_line(command)),
        };
        let origin = serde_json::to_string_pretty(&info.origin)?;
        write(&folder.join(ORIGIN_FILE), &format!("{origin}\n"))?;
        volar_view::report::write(folder, &info, &volar_run::header(setup), frames)?;
    }
    if let Some(path) = &args.checkpoint {
        write(path, &serde_json::to_string(&outcome.saved)?)?;
    }
    let mut out = std::io::stdout().lock();
    // A reader that went away is no error of ours.
    let _ = match args.json {
        true => writeln!(out, "{json}"),
        false => write!(
            out,
            "{}",
            text::summary(setup, outcome, args.out.as_deref())
        ),
    };
    Ok(())
}

/// The command as it can be typed again.
fn command_line(arguments: &[OsString]) -> String {
    let arguments = arguments.iter().map(|argument| argument.to_string_lossy());
    let quoted = arguments.enumerate().map(|(i, argument)| match argument {
        _ if i == 0 => "volar".to_owned(),
        plain
            if plain
                .chars()
                .all(|c| c.is_alphanumeric() || "-_./=:".contains(c)) =>
        {
            plain.into_owned()
        }
        other => format!("'{}'", other.replace('\'', "'\\''")),
    });
    quoted.collect::<Vec<_>>().join(" ")
}

fn keep_scene(folder: &Path, setup: &Setup) -> anyhow::Result<()> {
    // A scene without a recording beside it was written by a person.
    let kept = folder.join("scene.toml");
    if kept.exists() && !folder.join("recording.mcap").exists() {
        bail!(
            "{} would be overwritten: give --out another folder",
            kept.display()
        );
    }
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let scene = toml::to_string(&setup.scene.spec)?;
    write(&kept, &scene)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// An hour of simulation should not end at a folder that does not exist.
fn can_be_written(path: &Path) -> anyhow::Result<()> {
    if path.is_dir() {
        bail!("{} is a folder: give the name of a file", path.display());
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => {
            bail!(
                "{}: there is no folder {}",
                path.display(),
                folder.display()
            )
        }
        _ => Ok(()),
    }
}

pub fn wall_time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "a number of seconds is needed, not below 0".into())
}

fn read_checkpoint(path: &Path) -> anyhow::Result<Saved> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text)
        .with_context(|| format!("{} is no checkpoint of `volar run`", path.display()))
}
