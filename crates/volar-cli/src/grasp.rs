//! `volar grasp`: a hand and an object, from placing to the verdict.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use volar_scene::spec::{MeshFile, Scale, Shape};
use volar_scene::{GraspOptions, Hand, Object, Setup};

use crate::Status;
use crate::run::{HowArgs, status};

/// Grasp an object with a hand, and see whether it holds.
///
/// Places the object in the open hand, closes it in weightlessness, and lets gravity
/// pull from four sides. It makes a scene and runs it, as `volar run` does; --scene writes
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

    /// Also write the scene to this file.
    #[arg(long, value_name = "FILE")]
    scene: Option<PathBuf>,

    #[command(flatten)]
    how: HowArgs,
}

const EXAMPLES: &str = "\
Examples:
  volar grasp gripper.urdf sphere:0.03
  volar grasp hand.toml mug.stl --scale 0.001 --mass 0.3 --out mug
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
        ..object(&args.object, args.scale)?
    };
    let options = GraspOptions {
        force: positive("force", args.force)?,
        hold: positive("hold", args.hold)?,
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
        std::fs::write(path, &scene.text)
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

/// The object that an argument names.
pub(crate) fn object(text: &str, scale: f64) -> anyhow::Result<Object> {
    let (kind, numbers) = match text.split_once(':') {
        Some((kind, rest)) if !Path::new(text).exists() => (kind, rest),
        _ => return mesh(text, scale),
    };
    let numbers: Vec<f64> = numbers
        .split(',')
        .map(|number| number.trim().parse::<f64>().ok())
        .collect::<Option<Vec<f64>>>()
        .filter(|numbers| numbers.iter().all(|n| *n > 0.0 && n.is_finite()))
        .with_context(|| format!("`{text}`: expected lengths above zero after `{kind}:`"))?;
    let shape = match (kind, &numbers[..]) {
        ("sphere", &[radius]) => Shape::sphere(radius),
        ("box", &[x, y, z]) => Shape::Box([x, y, z]),
        ("cylinder", &[radius, length]) => Shape::Cylinder { radius, length },
        _ => bail!(
            "`{text}` is neither a file nor sphere:RADIUS, box:X,Y,Z or cylinder:RADIUS,LENGTH"
        ),
    };
    Ok(Object {
        name: kind.into(),
        shape,
        ..Object::ball(1.0)
    })
}

fn mesh(path: &str, scale: f64) -> anyhow::Result<Object> {
    if !Path::new(path).is_file() {
        bail!("`{path}`: there is no such file; shapes are written as sphere:0.03");
    }
    let whole = std::path::absolute(path)?;
    let name = whole.file_stem().unwrap_or_default().to_string_lossy();
    let mut file = MeshFile::new(whole.to_string_lossy());
    file.scale = Scale::Uniform(positive("scale", scale)?);
    file.repair = true;
    Ok(Object {
        name: name.replace('/', "_"),
        shape: Shape::Mesh(file),
        ..Object::ball(1.0)
    })
}
