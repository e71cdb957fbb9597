//! `volar run`: a scene from beginning to end.

mod folder;
mod progress;
mod text;
mod watch;

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{anyhow, bail};
use volar_record::Frame;
use volar_run::{
    Autosave, Context as RunContext, Ended, Observed, Observer, Options, Outcome, Recorder,
    RunError, Stop, ThinnedFrames, WallLimit, execute_saving,
};
use volar_scene::Setup;
use volar_sim::MAX_THREADS;
use volar_view::{MAX_FRAMES, ORIGIN_FILE, Origin, RunInfo};

use crate::scene::{Changes, load};
use crate::terminal::{note, warning};
use crate::{Status, stop, terminal};
use folder::{Resume, can_be_written, write_checkpoint};

pub use folder::CHECKPOINT;

/// Run a scene: a file, or the name of a built-in one.
///
/// Prints the result of the grasp. With --out it also keeps a recording for
/// Foxglove and Rerun (recording.mcap), a table for pandas and polars
/// (series.parquet), the summary (summary.json), where and how it was run
/// (origin.json), a page to read (report.html), its plots (plots/), checkpoints
/// (checkpoint.json), and the scene as it was run with all its files (scene.toml,
/// files/): `volar run DIR` gives the same result anywhere.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Scene file or folder, or the name of a built-in scene (`volar scenes` lists them).
    #[arg(required_unless_present = "resume")]
    scene: Option<PathBuf>,

    #[command(flatten)]
    changes: Changes,

    #[command(flatten)]
    how: HowArgs,
}

/// How a run is done, and what is kept of it.
#[derive(clap::Args)]
pub struct HowArgs {
    /// Folder for recording, scene, checkpoints, summary and report.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print the summary as JSON and nothing else.
    #[arg(long)]
    json: bool,

    /// Threads that evaluate contacts; the result is the same to the bit.
    #[arg(long, default_value_t = 1, value_name = "N")]
    threads: usize,

    /// File to write checkpoints to, the last one at the end or when interrupted; with
    /// --out they are in its folder too.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Wall time between two checkpoints, s.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = wall_time, allow_negative_numbers = true)]
    checkpoint_every: Duration,

    /// Go on with an earlier run: the folder of its --out, or a checkpoint of the same
    /// scene.
    #[arg(long, value_name = "DIR|FILE")]
    resume: Option<PathBuf>,

    /// End the run after this wall time, s; what there is is kept.
    #[arg(long, value_name = "SECONDS", value_parser = wall_time, allow_negative_numbers = true)]
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
  volar run --resume bunny                    # after a kill or Ctrl-C
  volar run g2r-sphere --duration 3600 --checkpoint hour.json
  volar run g2r-sphere --duration 7200 --resume hour.json

--set takes any entry of the scene file: keys joined by dots, entries of lists
by number or by name (body.0.mass, robot.gripper.joints.hinge_1.effort).

Ctrl-C, SIGTERM and SIGHUP end a run with its recording closed and its summary,
report and checkpoint written; asked again, it exits at once. After a kill, what is
lost is the time since the last checkpoint.

Exit status: 0 when the run reached its end, whether the object was held or not;
1 when the simulation failed; 2 when the scene or a file is not usable; 130 when
interrupted or stopped by --limit-wall. Whatever was recorded is kept.

JSON keys: docs/summary.md.";

/// `command` is the whole command line, for the report.
pub fn run(args: &Args, command: &[OsString]) -> Status {
    let resumed = args.how.resume.as_ref().filter(|path| path.is_dir());
    let of_folder = resumed.map(|folder| folder.join("scene.toml"));
    let setup = match args.scene.as_ref().or(of_folder.as_ref()) {
        Some(scene) => load(scene, &args.changes).map_err(Into::into),
        None => Err(anyhow!("a checkpoint alone is no run: give its scene too")),
    };
    status(setup, &args.how, command)
}

/// Runs a scene that has been loaded, or says why it could not be.
pub fn status(setup: anyhow::Result<Setup>, how: &HowArgs, command: &[OsString]) -> Status {
    match setup.and_then(|setup| try_run(setup, how, command)) {
        Ok(Ended::Complete | Ended::Stopped(Stop::Done)) => crate::SUCCESS,
        Ok(Ended::Failed(_)) => 1,
        Ok(Ended::Stopped(_)) => 130,
        Err(error) => {
            terminal::failed(&error);
            2
        }
    }
}

fn try_run(setup: Setup, args: &HowArgs, command: &[OsString]) -> anyhow::Result<Ended> {
    let setup = Arc::new(setup);
    if args.threads > MAX_THREADS {
        bail!("--threads: more than {MAX_THREADS} are not supported");
    }
    let resume = args.resume.as_deref().map(Resume::read).transpose()?;
    let (saved, resumed_folder) = resume.map_or((None, None), |r| (r.saved, r.folder));
    if let Some(path) = &args.checkpoint {
        can_be_written(path)?;
    }
    let duration = setup.scene.spec.duration;
    match &saved {
        // A run that was killed after its last step, before its results were written, is a
        // folder to finish.
        Some(saved)
            if saved.time() > duration || resumed_folder.is_none() && saved.time() >= duration =>
        {
            bail!(
                "the checkpoint is at {} s, the scene ends at {duration} s: give a longer --duration",
                saved.time(),
            )
        }
        None if resumed_folder.is_some() => {
            note("the run was killed before its first checkpoint: it starts again");
        }
        _ => {}
    }
    if !args.json {
        text::notes(&setup);
    }
    setup.notes.iter().for_each(warning);
    let out = args.out.as_ref().or(resumed_folder.as_ref());
    // A recording goes on in its own folder only.
    let goes_on = saved.as_ref().filter(|_| out == resumed_folder.as_ref());
    let mut kept = ThinnedFrames::new(MAX_FRAMES);
    let mut recorder = None;
    if let Some(folder) = out {
        match goes_on {
            Some(saved) => {
                setup.keep(folder)?;
                // Without a recording the run itself still goes on.
                match kept.show(&setup, folder, saved.time()) {
                    Ok(()) => recorder = Some(Recorder::resume(folder, saved)),
                    Err(error) => {
                        warning(format!(
                            "{error}: the recording begins at {} s",
                            saved.time()
                        ));
                        recorder = Some(Recorder::new(folder));
                    }
                }
            }
            None => {
                folder::prepare(folder, &setup)?;
                recorder = Some(Recorder::new(folder));
            }
        }
    }
    let options = Options {
        threads: args.threads,
        resume: saved,
    };
    let stopped = stop::flag()?;
    let mut bar = progress::Bar::new(args.json, duration);
    let mut interrupt = |_: &mut RunContext<'_>| -> Observed {
        Ok(match stopped.load(Ordering::Relaxed) {
            true => ControlFlow::Break(Stop::Interrupted),
            false => ControlFlow::Continue(()),
        })
    };
    let mut watch = watch::Watch::new(bar.bar());
    let mut observers: Vec<&mut dyn Observer> = vec![&mut bar, &mut watch, &mut interrupt];
    let tell = |error: &_| warning(format!("{error}; the run goes on without a recording"));
    let mut recorder = recorder.map(|recorder| recorder.telling(tell));
    if let Some(recorder) = &mut recorder {
        observers.extend([recorder as &mut dyn Observer, &mut kept]);
    }
    let mut limit = args.limit_wall.map(WallLimit::new);
    observers.extend(limit.as_mut().map(|limit| limit as &mut dyn Observer));
    let in_folder = out.map(|folder| folder.join(CHECKPOINT));
    let checkpoints: Vec<PathBuf> = args.checkpoint.iter().cloned().chain(in_folder).collect();
    let every = match checkpoints.is_empty() {
        true => Duration::MAX,
        false => args.checkpoint_every,
    };
    let mut autosave = Autosave::new(every, |saved| {
        // A disk that is full for a while should not cost the run.
        for path in &checkpoints {
            if let Err(error) = write_checkpoint(path, saved) {
                let why = terminal::causes(&error);
                warning(format!("no checkpoint at {} s: {why}", saved.time()));
            }
        }
        Ok(())
    });
    let outcome = execute_saving(&setup, &options, &mut observers, &mut autosave)?;
    drop(autosave);
    let files = Files { out, checkpoints };
    finish(args, command, &setup, &outcome, kept.frames(), &files)?;
    match outcome.ended {
        Ended::Failed(error @ RunError::Unrecorded { .. }) => Err(error.into()),
        ended => Ok(ended),
    }
}

/// Where things are written at the end.
struct Files<'a> {
    out: Option<&'a PathBuf>,
    checkpoints: Vec<PathBuf>,
}

/// Prints the result, then writes the files: a full disk should not cost the result.
fn finish(
    args: &HowArgs,
    command: &[OsString],
    setup: &Setup,
    outcome: &Outcome,
    frames: &[Frame],
    files: &Files<'_>,
) -> anyhow::Result<()> {
    let json = serde_json::to_string_pretty(&outcome.summary)?;
    let printed = match args.json {
        true => terminal::print_json(&format!("{json}\n")),
        false => terminal::print(&text::summary(setup, outcome, files.out.map(|f| &**f))),
    };
    let write = |path: &PathBuf| write_checkpoint(path, &outcome.saved);
    let saved = files
        .checkpoints
        .iter()
        .map(write)
        .fold(Ok(()), Result::and);
    if let Some(folder) = files.out {
        folder::write(&folder.join("summary.json"), &format!("{json}\n"))?;
        let info = RunInfo {
            summary: serde_json::to_value(&outcome.summary)?,
            scene_toml: toml::to_string(&setup.scene.spec)?,
            origin: Origin::here(command_line(command)),
        };
        let origin = serde_json::to_string_pretty(&info.origin)?;
        folder::write(&folder.join(ORIGIN_FILE), &format!("{origin}\n"))?;
        volar_view::report::write(folder, &info, &volar_run::header(setup), frames)?;
    }
    printed.and(saved)
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

pub fn wall_time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "a number of seconds is needed, not below 0".into())
}
