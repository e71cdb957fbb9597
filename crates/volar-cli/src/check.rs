//! `volar check`: is a mesh usable, and what is wrong with it?

mod json;
mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ArgGroup;
use volar_geom::TriMesh;
use volar_geom::mesh::check::{CheckReport, check};
use volar_geom::mesh::mass::MassProperties;
use volar_meshes::{FileError, ReadOptions, read};

/// Check whether meshes bound a solid, and say what is wrong where.
///
/// Reads OBJ, STL, PLY, glTF/GLB and COLLADA. A usable mesh is closed,
/// faces outward and does not intersect itself; it may consist of several
/// solids, and solids may have cavities. Lengths are in metres.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
#[command(group = ArgGroup::new("weight").args(["mass", "density"]))]
pub struct Args {
    /// Mesh files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Metres per unit of the file: 0.001 for millimetres.
    #[arg(long, default_value_t = 1.0, value_name = "FACTOR")]
    scale: f64,

    /// Give mass properties for a body of this mass.
    #[arg(long, value_name = "KG", value_parser = positive)]
    mass: Option<f64>,

    /// Give mass properties for this density; water has 1000.
    #[arg(long, value_name = "KG_M3", value_parser = positive)]
    density: Option<f64>,

    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  volar check bunny.obj
  volar check --scale 0.001 *.stl
  volar check --mass 0.25 --json cup.glb

Exit status: 0 when every mesh is usable, 1 when one is not, 2 when a file
cannot be read.

JSON: {\"files\": [...]}, one object per file with the keys
  file, usable, error, vertices, triangles, shells, bounds, area, volume,
  density, mass, centre_of_mass, inertia, complaints.
Lengths in m, mass in kg, inertia about the centre of mass in kg m². Keys
that do not apply are null.";

/// One file and what came of it.
struct Outcome<'a> {
    file: &'a Path,
    result: Result<Checked, FileError>,
}

/// A mesh that was read and checked.
struct Checked {
    report: CheckReport,
    mass: Option<MassProperties>,
}

pub fn run(args: &Args) -> ExitCode {
    let outcomes: Vec<Outcome> = args
        .files
        .iter()
        .map(|file| Outcome {
            file,
            result: check_file(file, args),
        })
        .collect();
    if args.json {
        json::print(&outcomes);
    } else {
        text::print(&outcomes);
    }
    // The worst file decides.
    let status = |outcome: &Outcome| match &outcome.result {
        Ok(checked) if checked.report.is_usable() => 0,
        Ok(_) => 1,
        Err(_) => 2,
    };
    ExitCode::from(outcomes.iter().map(status).max().unwrap_or(0))
}

fn check_file(file: &Path, args: &Args) -> Result<Checked, FileError> {
    let options = ReadOptions {
        scale: args.scale,
        ..ReadOptions::default()
    };
    let mesh: TriMesh = read(file, &options)?;
    let report = check(&mesh);
    let mass = report
        .moments
        .map(|moments| match (args.mass, args.density) {
            (Some(mass), _) => moments.with_mass(mass),
            (None, density) => moments.with_density(density.unwrap_or(1.0)),
        });
    Ok(Checked { report, mass })
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err("must be a positive number".into()),
    }
}
