//! `volar inspect`: what is in a robot file, and what of it is not simulated.

mod json;
mod text;

use std::path::{Path, PathBuf};

use volar_assets::Disk;
use volar_meshes::MeshLibrary;
use volar_robots::meshes::link_solids;
use volar_robots::{ImportReport, LoadOptions, Robot, RobotError, load_from};

use crate::{Status, terminal};

/// Show the links, joints and actuators of URDF, MJCF and SDF files.
///
/// Also lists everything in a file that is not imported or was changed, and
/// whether the shapes that can touch are solids. Lengths are in metres, masses
/// in kilograms, angles in radians.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Robot files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Folder in which `package://NAME/…` looks for NAME; may be repeated.
    #[arg(long = "packages", value_name = "DIR")]
    packages: Vec<PathBuf>,

    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  volar inspect robot.urdf
  volar inspect --packages ~/ros/src arm.urdf gripper.urdf
  volar inspect --json hand.xml

Exit status: 0 when every file was read, 1 when the shapes of one are not
solids, 2 when a file cannot be read.

JSON: {\"files\": [...]}, one object per file with the keys
  file, error, format, name, links, actuators, tendons, closures, hand, contact_pairs,
  triangles, poses, notes.
hand is the palm and the fingers that `volar hand new` would propose, by names of links.
A link's rotation and position are those of its joint frame in its parent;
matrices are written column by column. poses holds two sets of coordinates,
those of the start and others, each with rotation and position of every body
in the world, for comparison with other readers. triangles is null when
a shape is not a solid. Keys that do not apply are null.";

/// Exit statuses; the command line parser uses the last one, too.
const SOLID: u8 = 0;
const NOT_SOLID: u8 = 1;
const BAD_INPUT: u8 = 2;

/// One file and what is in it.
struct Outcome<'a> {
    file: &'a Path,
    result: Result<Inspected, RobotError>,
}

/// A robot that was read.
struct Inspected {
    robot: Robot,
    report: ImportReport,
    /// Triangles of all shapes that can touch, or why there are none.
    triangles: Result<usize, String>,
}

pub fn run(args: &Args) -> Status {
    let options = LoadOptions {
        packages: args.packages.clone(),
    };
    let inspect = |file| Outcome {
        file,
        result: inspect(file, &options),
    };
    let outcomes: Vec<Outcome> = args.files.iter().map(|file| inspect(file)).collect();
    for outcome in &outcomes {
        if let Err(error) = &outcome.result {
            // The error names the file.
            terminal::error(error);
        }
    }
    let written = match args.json {
        true => json::of(&outcomes)
            .map_err(anyhow::Error::from)
            .and_then(|text| terminal::print_json(&text)),
        false => terminal::print(&text::of(&outcomes)),
    };
    if let Err(error) = written {
        terminal::failed(&error);
        return BAD_INPUT;
    }
    // The worst file decides.
    let status = |outcome: &Outcome| match &outcome.result {
        Ok(inspected) if inspected.triangles.is_ok() => SOLID,
        Ok(_) => NOT_SOLID,
        Err(_) => BAD_INPUT,
    };
    outcomes.iter().map(status).max().unwrap_or(SOLID)
}

fn inspect(file: &Path, options: &LoadOptions) -> Result<Inspected, RobotError> {
    let disk = Disk::default();
    let library = MeshLibrary::new(&disk);
    let (robot, mut report) = load_from(&library, file, options)?;
    let triangles = triangles(&robot, &library, &mut report);
    Ok(Inspected {
        robot,
        report,
        triangles: triangles.map_err(|error| error.to_string()),
    })
}

fn triangles(
    robot: &Robot,
    library: &MeshLibrary,
    report: &mut ImportReport,
) -> Result<usize, RobotError> {
    let mut triangles = 0;
    for link in 0..robot.links.len() {
        let solids = link_solids(robot, link, library, report)?;
        triangles += solids.iter().map(|s| s.triangles.len()).sum::<usize>();
    }
    Ok(triangles)
}
