//! `volar grasp`: a hand and an object, from placing to the verdict.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, bail};
use volar_scene::{GraspOptions, Hand, Object, Setup};

use crate::Status;
use crate::run::{HowArgs, status};

/// Grasp an object with a hand, and see whether it holds.
///
/// Places the object in the open hand, closes it in weightlessness, and lets gravity
/// pull from four sides. With --table the object lies on a table, the hand comes from above,
/// closes on it, lifts it and holds it. It makes a scene and runs it, as `volar run` does; --scene writes
/// that scene to a file, to be changed and run again. All that is assumed is printed.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// A hand.toml (`volar hand new` writes one), or a URDF, MJCF or SDF file.
    hand: PathBuf,

    /// A mesh file, or sphere:RADIUS, box:X,Y,Z, cylinder:RADIUS,LENGTH (m).
    object: String,

    /// Folder in which `package://NAME/…` looks for NAME; may be repeated.
    #[arg(long = "packages", value_name = "DIR")]
    packages: Vec<PathBuf>,

    /// Multiplies the coordinates of the mesh; 0.001 for millimetres.
    #[arg(long, default_value_t = 1.0, value_name = "FACTOR")]
    scale: f64,

    /// Mass of the object, kg; 1000 kg/m³ if not given.
    #[arg(long, value_name = "KG")]
    mass: Option<f64>,

    /// Material of the object.
    #[arg(long, default_value = "plastic", value_name = "NAME")]
    material: String,

    /// Force of each finger, where the file has no servos of its own, N.
    #[arg(long, default_value_t = GraspOptions::default().force, value_name = "N")]
    force: f64,

    /// Time to hold against each direction of gravity, s.
    #[arg(long, default_value_t = GraspOptions::default().hold, value_name = "SECONDS")]
    hold: f64,

    /// How far the surfaces of the hand may be from those of its file, m; 0 keeps all
    /// triangles.
    #[arg(long, default_value_t = GraspOptions::default().detail, value_name = "M")]
    detail: f64,

    /// Pick the object up from a table.
    #[arg(long)]
    table: bool,

    /// Height to lift it by, m.
    #[arg(long, default_value_t = LIFT, value_name = "METRES", requires = "table")]
    lift: f64,

    /// Also write the scene to this file.
    #[arg(long, value_name = "FILE")]
    scene: Option<PathBuf>,

    #[command(flatten)]
    how: HowArgs,
}

/// Higher than what hangs down from a hand, m.
const LIFT: f64 = 0.2;

const EXAMPLES: &str = "\
Examples:
  volar grasp gripper.urdf sphere:0.03
  volar grasp hand.toml mug.stl --scale 0.001 --mass 0.3 --out mug
  volar grasp gripper.urdf mug.stl --table --out mug
  volar grasp allegro.xml box:0.05,0.05,0.1 --scene grasp.toml --json

Exit status: as `volar run`; 2 also when no hand is found in the file or the object
does not fit into it.";

pub fn run(args: &Args, command: &[OsString]) -> Status {
    status(plan(args), &args.how, command)
}

fn plan(args: &Args) -> anyhow::Result<Setup> {
    let object = Object {
        mass: args.mass,
        material: args.material.clone(),
        ..Object::named(&args.object, positive("scale", args.scale)?)?
    };
    let options = GraspOptions {
        force: positive("force", args.force)?,
        hold: positive("hold", args.hold)?,
        detail: args.detail,
        lift: match args.table {
            true => Some(positive("lift", args.lift)?),
            false => None,
        },
        ..GraspOptions::default()
    };
    let hand = Hand::open(&args.hand, &args.packages)?;
    let plan = hand.grasp(&object, &options)?;
    if !args.how.is_json() {
        for (finger, links) in &hand.file.fingers {
            eprintln!("assumed: finger `{finger}`: {}", links.join(", "));
        }
        for line in &plan.assumed {
            eprintln!("assumed: {line}");
        }
    }
    let scene = plan.scene()?;
    if let Some(path) = &args.scene {
        let folder = path.parent().unwrap_or(path);
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(path, &scene.text))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(scene.compile()?)
}

pub(crate) fn positive(name: &str, value: f64) -> anyhow::Result<f64> {
    match value > 0.0 && value.is_finite() {
        true => Ok(value),
        false => bail!("--{name}: {value} is no number above zero"),
    }
}
