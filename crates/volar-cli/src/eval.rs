//! `volar eval`: every grasp of a list under a protocol.

use std::path::PathBuf;

use anyhow::bail;
use volar_eval::{Noise, Request, finish, plan, write_labels};
use volar_grasps::ReadOptions;
use volar_scene::{GraspOptions, Object, Protocol};
use volar_sweep::Folder;

use crate::Status;
use crate::grasp::positive;
use crate::sweep::{HowToSweep, sweep_into};

/// Judge grasps by the thousand: which hold, which do not, and why.
///
/// Every grasp of a file is run under a protocol: the hand closes on the floating object,
/// which is then shaken, pushed or pulled. An evaluation is a sweep (docs/sweeps.md): it uses
/// all cores, goes on after being killed, and can be split over machines.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// A hand.toml (`volar hand new` writes one), or a URDF, MJCF or SDF file.
    hand: PathBuf,

    /// A mesh file, or sphere:RADIUS, box:X,Y,Z, cylinder:RADIUS,LENGTH (m).
    object: String,

    /// File of grasps; docs/eval.md lists the formats.
    grasps: PathBuf,

    /// acronym, dexgraspbench, dexgraspnet, pull, simready, turns, or a TOML file.
    #[arg(long, default_value = "acronym", value_name = "NAME|FILE")]
    protocol: PathBuf,

    /// Folder in which `package://NAME/…` looks for NAME; may be repeated.
    #[arg(long = "packages", value_name = "DIR")]
    packages: Vec<PathBuf>,

    /// Multiplies the coordinates of the mesh; that of the file of grasps, or 1.
    #[arg(long, value_name = "FACTOR")]
    scale: Option<f64>,

    /// Mass of the object, kg; that of the protocol if not given.
    #[arg(long, value_name = "KG")]
    mass: Option<f64>,

    /// Material of the object.
    #[arg(long, default_value = "plastic", value_name = "NAME")]
    material: String,

    /// Force of each finger, where the hand's file has no servos of its own, N.
    #[arg(long, default_value_t = GraspOptions::default().force, value_name = "N")]
    force: f64,

    /// Evaluate the first N grasps only.
    #[arg(long, value_name = "N")]
    count: Option<usize>,

    /// Standard deviations of what trials are off by: position (m), angle (degrees), and
    /// friction, mass and force as shares, as in position=0.005,angle=5,friction=0.1.
    #[arg(long, value_name = "NAME=DEVIATION,...")]
    noise: Option<String>,

    /// Trials of every grasp, each with its own noise.
    #[arg(long, default_value_t = 1, value_name = "N")]
    repeats: u64,

    /// Seed of the noise.
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// Joints that the postures of a file without names are in the order of.
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    joints: Vec<String>,

    /// End every trial after so many evaluations of the equations of motion.
    #[arg(long, value_name = "N")]
    limit_evaluations: Option<u64>,

    /// Also write the grasps with their labels (held) and scores (how often) to this file.
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,

    #[command(flatten)]
    how: HowToSweep,
}

const EXAMPLES: &str = "\
Examples:
  volar eval hand.toml mug.obj grasps.parquet --out mug
  volar eval gripper.urdf mug.obj grasps.csv --protocol dexgraspbench --labels labelled.csv
  volar eval hand.toml box:0.05,0.05,0.1 grasps.csv --noise position=0.005,mass=0.1 --repeats 20
  volar sweep run mug 17 --out replay          # one trial again, with report and recording

The folder has table.parquet (a row for each trial), grasps.parquet (a row for each grasp)
and report.html.

Exit status: 0 when all trials are done, whether they held or not; 2 when a file is not
usable; 130 when interrupted. docs/eval.md has the rest.";

pub fn run(args: &Args) -> Status {
    evaluate(args).unwrap_or_else(|error| {
        crate::terminal::failed(&error);
        2
    })
}

fn evaluate(args: &Args) -> anyhow::Result<Status> {
    let request = request(args)?;
    let sweep = plan(&request)?;
    let (folder, status) = sweep_into(&sweep, &args.how, &|folder: &Folder| {
        Ok(finish(folder).map(|_| ())?)
    })?;
    if status == crate::SUCCESS
        && args.how.is_whole()
        && let Some(to) = &args.labels
    {
        write_labels(&folder, &request.grasps, &request.options, to)?;
    }
    Ok(status)
}

fn request(args: &Args) -> anyhow::Result<Request> {
    if args.count == Some(0) {
        bail!("--count: 0 grasps are none to evaluate");
    }
    let scale = args
        .scale
        .map(|scale| positive("scale", scale))
        .transpose()?;
    let mass = args.mass.map(|mass| positive("mass", mass)).transpose()?;
    Ok(Request {
        hand: args.hand.clone(),
        packages: args.packages.clone(),
        object: Object {
            mass,
            material: args.material.clone(),
            ..Object::named(&args.object, 1.0)?
        },
        scale,
        grasps: args.grasps.clone(),
        options: ReadOptions {
            joints: args.joints.clone(),
            ..ReadOptions::default()
        },
        protocol: Protocol::open(&args.protocol)?,
        force: positive("force", args.force)?,
        count: args.count,
        noise: args
            .noise
            .as_deref()
            .map_or_else(|| Ok(Noise::default()), Noise::parse)?,
        repeats: args.repeats,
        seed: args.seed,
        limit_evaluations: args.limit_evaluations,
    })
}
