//! `volar compare`: the same scene in other engines.

mod engines;
mod environment;
mod ours;
mod page;
mod plot;
mod process;
mod result;
mod text;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, bail};
use glam::DVec3;
use serde_json::json;
use volar_assets::replace_file;
use volar_scene::Setup;

use crate::scene::{Changes, load};
use crate::terminal::{note, warning};
use crate::{Status, stop, terminal};

use engines::Engine;
use environment::Environment;
use process::{Child, Interrupted, Limits};
use result::{Answer, Compared, Row};

/// Status of an adapter that cannot run a scene.
const CANNOT: i32 = 3;

/// Run a scene in other engines too, and compare.
///
/// Exports the scene, runs it here and in Bullet, MuJoCo and Drake as they come from PyPI, and
/// writes one page (compare.html) and its data (compare.json): contact force of each finger over
/// time, drift, rotation, creep, steady forces, depth, failures, processor time. Engines are
/// installed once, each into an environment of its own in the user's cache folder, in the versions
/// that `volar compare --list` prints.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Scene file or folder, or the name of a built-in scene (`volar scenes` lists them).
    #[arg(required_unless_present = "list")]
    scene: Option<PathBuf>,

    #[command(flatten)]
    changes: Changes,

    /// Engines, separated by commas; all if not given.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    engines: Vec<String>,

    /// Settings: `default`, what a user of the engine gets; `careful`, its documented advice
    /// for grasping.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "default,careful"
    )]
    settings: Vec<String>,

    /// Folder for the page and its data; the scene's name with `-compare` if not given.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// A Python that has the engines: nothing is installed.
    #[arg(long, value_name = "PROGRAM")]
    python: Option<PathBuf>,

    /// End a run of an engine after this wall time, s.
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0)]
    limit_wall: f64,

    /// Print the engines with the versions of their packages, and do nothing else.
    #[arg(long)]
    list: bool,
}

const EXAMPLES: &str = "\
Examples:
  volar compare g2r-sphere
  volar compare my-grasp/scene.toml --engines mujoco --settings careful --out mug
  volar compare g3r-bunny --duration 2 --set body.bunny.mass=0.4
  volar compare g2r-cube --python ~/venv/bin/python     # no network: a Python that has them

An engine that cannot run the scene has a row that says why; the others are run.

Exit status: 0 when the comparison was written, 2 when the scene or a file is not
usable, 130 when interrupted.";

pub fn run(args: &Args) -> Status {
    if args.list {
        return match terminal::print(engines::REQUIREMENTS) {
            Ok(()) => crate::SUCCESS,
            Err(error) => failed(&error),
        };
    }
    match try_run(args) {
        Ok(()) => crate::SUCCESS,
        Err(error) if error.is::<Interrupted>() => {
            terminal::error("interrupted");
            130
        }
        Err(error) => failed(&error),
    }
}

fn failed(error: &anyhow::Error) -> Status {
    terminal::failed(error);
    2
}

fn try_run(args: &Args) -> anyhow::Result<()> {
    let scene = args.scene.as_deref().context("which scene?")?;
    for name in &args.settings {
        if !["default", "careful"].contains(&&**name) {
            bail!("--settings: `{name}` is neither `default` nor `careful`");
        }
    }
    let engines = match args.engines.is_empty() {
        true => engines::all(),
        false => engines::chosen(&args.engines)?,
    };
    let setup = load(scene, &args.changes)?;
    let name = setup.scene.spec.name.clone();
    let out = args.out.clone().unwrap_or_else(|| {
        let plain = |c: char| {
            if c.is_alphanumeric() || "-_.".contains(c) {
                c
            } else {
                '-'
            }
        };
        PathBuf::from(format!(
            "{}-compare",
            name.chars().map(plain).collect::<String>()
        ))
    });
    std::fs::create_dir_all(&out)
        .with_context(|| format!("cannot make the folder {}", out.display()))?;
    let stopped = stop::flag()?;
    let limits = Limits {
        seconds: args.limit_wall,
        stopped: &stopped,
    };
    let comparison = compare(
        setup,
        &engines,
        &args.settings,
        args.python.as_deref(),
        &out,
        &limits,
    )?;
    write(&comparison, &out)?;
    terminal::print(&text::table(&comparison))?;
    note(format!(
        "{} is the page",
        out.join("compare.html").display()
    ));
    Ok(())
}

/// All rows of a scene.
pub struct Comparison {
    pub scene: Compared,
    /// Volar's own first.
    pub rows: Vec<Row>,
}

/// Runs a scene here and in other engines; their exports go into `out`.
pub fn compare(
    setup: Setup,
    engines: &[Engine],
    settings: &[String],
    python: Option<&Path>,
    out: &Path,
    limits: &Limits<'_>,
) -> anyhow::Result<Comparison> {
    if setup.grasp.is_none() {
        bail!("nothing is grasped in this scene: without [grasp] there is nothing to compare");
    }
    let setup = Arc::new(setup);
    let grasp = setup.grasp.iter();
    let mut scene = Compared {
        fingers: grasp
            .flat_map(|g| &g.fingers)
            .map(|f| f.name.clone())
            .collect(),
        gravity: DVec3::from_array(setup.scene.spec.gravity),
        setup,
    };
    let adapters = out.join("adapters");
    engines::write(&adapters)?;
    let mut rows = Vec::new();
    for engine in engines {
        let folder = out.join(&engine.format);
        // export
        let environment = match python {
            Some(python) => Environment::own(python, engine),
            None => Environment::private(engine, limits),
        };
        for setting in settings {
            let row = match &environment {
                Ok(environment) => in_engine(
                    &scene,
                    engine,
                    setting,
                    environment,
                    &adapters,
                    &folder,
                    limits,
                )?,
                Err(error) => Row::cannot(&engine.name, setting, terminal::causes(error)),
            };
            if let Some(why) = &row.cannot {
                warning(format!("{} ({setting}): {why}", engine.name));
            }
            rows.push(row);
        }
    }
    rows.insert(0, ours::run(&scene, "default", limits.stopped)?);
    Ok(Comparison { scene, rows })
}

fn in_engine(
    scene: &Compared,
    engine: &Engine,
    setting: &str,
    environment: &Environment,
    adapters: &Path,
    export: &Path,
    limits: &Limits<'_>,
) -> anyhow::Result<Row> {
    note(format!("{} ({setting}) …", engine.name));
    let answer = export.join(format!("{}-{setting}.json", engine.name));
    let mut command = Command::new(&environment.python);
    command.args(["-m", "engines", &engine.name]);
    command.arg(std::path::absolute(export)?).arg(setting);
    command.arg(std::path::absolute(&answer)?);
    command
        .current_dir(adapters)
        .env("PYTHONPATH", std::path::absolute(adapters)?);
    // One core each, as Volar has.
    for name in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"] {
        command.env(name, "1");
    }
    let child = Child::run(&mut command, limits)?;
    if child.status.is_none() {
        let why = format!("not done after {} s of wall time", limits.seconds);
        return Ok(Row::cannot(&engine.name, setting, why));
    }
    if !child.success() {
        let crashed = child.status.and_then(|status| status.code()) != Some(CANNOT);
        let how = if crashed { "ended in a crash: " } else { "" };
        let why = format!("{how}{}", child.last_words());
        return Ok(Row::cannot(&engine.name, setting, why));
    }
    let bytes =
        std::fs::read(&answer).with_context(|| format!("cannot read {}", answer.display()))?;
    let read = serde_json::from_slice::<Answer>(&bytes);
    let read = read.with_context(|| format!("{} is no answer", answer.display()))?;
    let _ = std::fs::remove_file(&answer);
    Ok(Row::answered(&engine.name, setting, scene, read))
}

/// Writes `compare.json` and `compare.html`.
fn write(comparison: &Comparison, out: &Path) -> anyhow::Result<()> {
    let scene = &comparison.scene.setup.scene.spec;
    let json = json!({
        "scene": scene.name,
        "duration_s": scene.duration,
        "fingers": comparison.scene.fingers,
        "rows": comparison.rows,
    });
    let files = [
        ("compare.json", format!("{json}\n")),
        ("compare.html", page::page(comparison)),
    ];
    for (name, text) in files {
        let path = out.join(name);
        replace_file(&path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
