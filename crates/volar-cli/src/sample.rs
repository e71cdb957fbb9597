//! `volar sample`: grasps of an object that a hand can start from.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::ensure;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use volar_grasps::sample::{Method, SampleOptions, Samples};
use volar_scene::{Hand, Object};

use crate::{Status, terminal};

/// Sample grasps of an object.
///
/// Candidates are drawn by a method, and kept where the open hand is clear of the object, which
/// the overlap of the meshes decides, exactly. The same seed gives the same list, on any number
/// of cores. The list has the pose of the hand's root in the frame of the object's mesh, in
/// metres, and the joints of the hand before it closes.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// A hand.toml (`volar hand new` writes one), or a URDF, MJCF or SDF file.
    hand: PathBuf,

    /// A mesh file, or sphere:RADIUS, box:X,Y,Z, cylinder:RADIUS,LENGTH (m).
    object: String,

    /// How candidates are made: see below.
    #[arg(long, default_value = "antipodal", value_name = "METHOD", value_parser = method)]
    method: Method,

    /// Grasps to find.
    #[arg(long, default_value_t = 1000, value_name = "N")]
    count: u64,

    /// Other seeds make other grasps.
    #[arg(long, default_value_t = 0, value_name = "S")]
    seed: u64,

    /// Coefficient of friction between finger and object, for antipodal pairs.
    #[arg(long, default_value_t = SampleOptions::default().friction, value_name = "MU")]
    friction: f64,

    /// File to write; its ending says the format.
    #[arg(long, default_value = "grasps.parquet", value_name = "FILE")]
    out: PathBuf,

    /// Folder in which `package://NAME/…` looks for NAME; may be repeated.
    #[arg(long = "packages", value_name = "DIR")]
    packages: Vec<PathBuf>,

    /// Multiplies the coordinates of the mesh; 0.001 for millimetres.
    #[arg(long, default_value_t = 1.0, value_name = "FACTOR")]
    scale: f64,

    /// Mass of the object, kg, to be noted in the list.
    #[arg(long, value_name = "KG")]
    mass: Option<f64>,

    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  volar sample gripper.urdf mug.stl --scale 0.001 --count 10000 --out mug.parquet
  volar sample hand.toml sphere:0.03 --method approach --seed 7 --out ball.csv
  volar sample shadow.toml bunny.obj --method eigengrasp --count 200

Methods: antipodal (pairs of points, each in the friction cone of the other, within the
opening of a parallel jaw, rolled about the line between them); approach (from all
directions towards the centre of mass, as near as the hand is clear); surface (against the
normal of a point of the surface, likewise); eigengrasp (as surface, with postures along
the `eigengrasps` of hand.toml). docs/grasp-files.md has the formats.

JSON keys: file, grasps, tried (candidates), rejected (how many, by reason).

Exit status: 0 when all grasps were found and written, 1 when fewer were found (they are
written), 2 when a file is not usable; 130 when interrupted (what was found is written).";

pub fn run(args: &Args) -> Status {
    sample(args).unwrap_or_else(|error| {
        terminal::failed(&error);
        2
    })
}

fn method(text: &str) -> Result<Method, String> {
    let known = Method::ALL.iter().find(|(name, _)| *name == text);
    known.map(|(_, method)| *method).ok_or_else(|| {
        let names = Method::ALL.map(|(name, _)| name);
        format!("there are {}", names.join(", "))
    })
}

fn sample(args: &Args) -> anyhow::Result<Status> {
    ensure!(args.count > 0, "--count: at least 1");
    let object = Object {
        mass: args.mass,
        ..Object::named(&args.object, crate::grasp::positive("scale", args.scale)?)?
    };
    let hand = Hand::open(&args.hand, &args.packages)?;
    let options = SampleOptions {
        method: args.method,
        count: args.count,
        seed: args.seed,
        friction: args.friction,
    };
    let mut samples = Samples::new(&hand, &object, options)?;
    samples.stop = crate::stop::flag()?;
    let bar = bar(args);
    let header = samples.header.clone();
    let mut grasps = 0_u64;
    let rows = samples.by_ref().inspect(|_| {
        grasps += 1;
        bar.set_position(grasps);
    });
    let written = volar_grasps::write(&args.out, &header, rows);
    bar.finish_and_clear();
    written?;
    let mut out = std::io::stdout().lock();
    // A reader that went away is no error of ours.
    let _ = match args.json {
        true => writeln!(out, "{}", to_json(args, grasps, &samples)),
        false => write!(out, "{}", to_text(args, grasps, &samples)),
    };
    Ok(match () {
        () if samples.stop.load(Ordering::Relaxed) => 130,
        () if samples.gave_up() => {
            terminal::warning(format!(
                "{grasps} of {} grasps were found in {} candidates",
                args.count, samples.tried
            ));
            1
        }
        () => crate::SUCCESS,
    })
}

fn bar(args: &Args) -> ProgressBar {
    let target = match args.json {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr_with_hz(10),
    };
    let bar = ProgressBar::with_draw_target(Some(args.count), target);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos} of {len} grasps") {
        bar.set_style(style);
    }
    bar
}

fn to_json(args: &Args, grasps: u64, samples: &Samples) -> serde_json::Value {
    let rejected = samples.rejected.iter();
    let rejected: serde_json::Map<String, serde_json::Value> = rejected
        .map(|(why, count)| (why.name().to_owned(), json!(count)))
        .collect();
    json!({
        "file": args.out.display().to_string(),
        "grasps": grasps,
        "tried": samples.tried,
        "rejected": rejected,
    })
}

fn to_text(args: &Args, grasps: u64, samples: &Samples) -> String {
    let mut text = format!(
        "{}: {grasps} grasps of {} candidates\n",
        terminal::shown(&args.out.display().to_string()),
        samples.tried
    );
    for (why, count) in &samples.rejected {
        text += &format!("  rejected: {count:>9}  {}\n", why.name());
    }
    text
}
