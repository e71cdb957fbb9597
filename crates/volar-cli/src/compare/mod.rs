//! `volar compare`: the same scene in other engines.

mod bench;
pub mod engines;
mod environment;
pub mod ours;
pub mod page;
pub mod plot;
mod process;
mod result;
pub mod text;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::json;
use volar_assets::replace_file;
use volar_scene::Setup;

use crate::scene::{Changes, load};
use crate::sweep::file_name;
use crate::terminal::{note, warning};
use crate::{Status, stop, terminal};

pub use bench::Bench;
pub use engines::Engine;
pub use process::{Interrupted, Limits};
pub use result::{Compared, Row, Series};

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
    let own = || PathBuf::from(format!("{}-compare", file_name(&name)));
    let out = args.out.clone().unwrap_or_else(own);
    std::fs::create_dir_all(&out)
        .with_context(|| format!("cannot make the folder {}", out.display()))?;
    let stopped = stop::flag()?;
    let limits = Limits {
        seconds: args.limit_wall,
        stopped: &stopped,
    };
    let bench = Bench::new(&out, args.python.as_deref(), limits)?;
    let comparison = compare(&bench, setup, &engines, &args.settings)?;
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

/// Runs a scene here and in other engines.
pub fn compare(
    bench: &Bench<'_>,
    setup: Setup,
    engines: &[Engine],
    settings: &[String],
) -> anyhow::Result<Comparison> {
    let scene = Compared::new(setup)?;
    let mut rows = vec![ours::run(&scene, "default", bench.limits.stopped)?];
    for engine in engines {
        let exported = bench.export(&scene, engine)?;
        let environment = bench.environment(engine);
        for setting in settings {
            let row = match &environment {
                Ok(python) => bench.run(&scene, &exported, python, &engine.name, setting)?,
                Err(error) if error.is::<Interrupted>() => bail!(Interrupted),
                Err(error) => Row::cannot(&engine.name, setting, terminal::causes(error)),
            };
            if let Some(why) = &row.cannot {
                warning(format!("{} ({setting}): {why}", engine.name));
            }
            rows.push(row);
        }
    }
    Ok(Comparison { scene, rows })
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
