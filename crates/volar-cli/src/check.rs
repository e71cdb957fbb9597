//! `volar check`: is a mesh usable, and what is wrong with it?

mod json;
mod text;

use std::path::{Path, PathBuf};

use clap::ArgGroup;
use volar_geom::mesh::check::{CheckReport, check};
use volar_geom::mesh::mass::MassProperties;
use volar_geom::{ClosedMesh, TriMesh};
use volar_meshes::{FileError, ReadOptions, read, write_obj};
use volar_solids::{RepairOptions, RepairStep};

use crate::{Status, terminal};

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
    #[arg(
        long,
        default_value_t = 1.0,
        value_name = "FACTOR",
        allow_negative_numbers = true
    )]
    scale: f64,

    /// Repair what can be repaired, step by step, and check the result.
    #[arg(long)]
    repair: bool,

    /// Longest hole to fill, in edges; 0 fills none.
    #[arg(
        long,
        value_name = "EDGES",
        default_value_t = 64,
        requires = "repair",
        allow_negative_numbers = true
    )]
    fill_holes: usize,

    /// Take the convex hull if nothing else makes the mesh usable.
    #[arg(long, requires = "repair")]
    hull: bool,

    /// Write the mesh, repaired if asked, in metres and full precision.
    #[arg(long, value_name = "OUT.obj")]
    write: Option<PathBuf>,

    /// Give mass properties for a body of this mass.
    #[arg(long, value_name = "KG", value_parser = positive, allow_negative_numbers = true)]
    mass: Option<f64>,

    /// Give mass properties for this density; water has 1000.
    #[arg(long, value_name = "KG_M3", value_parser = positive, allow_negative_numbers = true)]
    density: Option<f64>,

    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  volar check bunny.obj
  volar check --scale 0.001 *.stl
  volar check --repair --write link.obj link.stl
  volar check --mass 0.25 --json cup.glb

Exit status: 0 when every mesh is usable (after the repair, if asked), 1 when
one is not, 2 when a file cannot be read or written.

JSON: {\"files\": [...]}, one object per file with the keys
  file, usable, error, vertices, triangles, shells, bounds, area, volume,
  density, mass, centre_of_mass, inertia, rounding, grid_step, merged_triangles,
  merged_deviation, complaints, repair.
Triangles within `rounding` of one plane are one face; grid_step is there when
the coordinates are rounded to multiples of it, by a text file with few
decimals. A model computes with
merged_triangles of them, whose surface is within merged_deviation.
After a repair all but repair are those of the repaired mesh; repair holds
the steps, and the complaints and the volume before. Lengths in m, mass in
kg, inertia about the centre of mass in kg m², for a density of 1 kg/m³
unless a mass or density is given. Keys that do not
apply are null.";

/// Exit statuses; the command line parser uses the last one, too.
const USABLE: u8 = 0;
const NOT_USABLE: u8 = 1;
const BAD_INPUT: u8 = 2;

/// One file and what came of it.
struct Outcome<'a> {
    file: &'a Path,
    result: Result<Checked, FileError>,
}

/// A mesh that was read and checked.
struct Checked {
    report: CheckReport,
    mass: Option<MassProperties>,
    /// A mass or a density was given.
    has_weight: bool,
    /// None when the mesh is not usable.
    planes: Option<Planes>,
    repair: Option<Repair>,
}

/// What becomes of planar faces when a model is built.
struct Planes {
    /// Triangles within this of one plane are one face, metres: the rounding
    /// of the coordinates.
    rounding: f64,
    /// The coordinates are multiples of this, but for a constant, metres.
    grid_step: Option<f64>,
    /// Triangles that are left when planar faces have been merged, and how far
    /// their surface may be from the file's, metres.
    triangles: usize,
    deviation: f64,
}

/// What a repair started from and did.
struct Repair {
    before: CheckReport,
    steps: Vec<RepairStep>,
}

pub fn run(args: &Args) -> Status {
    if args.write.is_some() && args.files.len() > 1 {
        terminal::error(format!("--write takes one mesh, not {}", args.files.len()));
        return BAD_INPUT;
    }
    let outcomes: Vec<Outcome> = args
        .files
        .iter()
        .map(|file| Outcome {
            file,
            result: check_file(file, args),
        })
        .collect();
    for outcome in &outcomes {
        if let Err(error) = &outcome.result {
            // The error names the file.
            terminal::error(error);
        }
    }
    let mut out = Vec::new();
    let made = match args.json {
        true => json::write(&mut out, &outcomes),
        false => text::write(&mut out, &outcomes),
    };
    let text = String::from_utf8_lossy(&out);
    let written = made
        .map_err(anyhow::Error::from)
        .and_then(|()| match args.json {
            true => terminal::print_json(&text),
            false => terminal::print(&text),
        });
    if let Err(error) = written {
        terminal::failed(&error);
        return BAD_INPUT;
    }
    // The worst file decides.
    let status = |outcome: &Outcome| match &outcome.result {
        Ok(checked) if checked.report.is_usable() => USABLE,
        Ok(_) => NOT_USABLE,
        Err(_) => BAD_INPUT,
    };
    outcomes.iter().map(status).max().unwrap_or(USABLE)
}

fn check_file(file: &Path, args: &Args) -> Result<Checked, FileError> {
    let options = ReadOptions {
        scale: args.scale,
        ..ReadOptions::default()
    };
    let mut mesh = read(file, &options)?;
    let mut report = check(&mesh);
    let mut repair = None;
    if args.repair {
        let options = RepairOptions {
            longest_hole: args.fill_holes,
            hull: args.hull,
            ..RepairOptions::default()
        };
        let repaired = volar_solids::repair(mesh, &options);
        repair = Some(Repair {
            before: std::mem::replace(&mut report, repaired.report),
            steps: repaired.steps,
        });
        mesh = repaired.mesh;
    }
    if let Some(out) = &args.write {
        write_obj(out, &mesh)?;
    }
    let planes = report.is_usable().then(|| planes(&mesh)).flatten();
    let mass = report
        .moments
        .map(|moments| match (args.mass, args.density) {
            (Some(mass), _) => moments.with_mass(mass),
            (None, density) => moments.with_density(density.unwrap_or(1.0)),
        });
    Ok(Checked {
        report,
        mass,
        has_weight: args.mass.or(args.density).is_some(),
        planes,
        repair,
    })
}

fn planes(mesh: &TriMesh) -> Option<Planes> {
    let closed = ClosedMesh::new(mesh.clone()).ok()?;
    let merged = closed.merged();
    Some(Planes {
        rounding: closed.face_tolerance(),
        grid_step: closed.grid_step(),
        triangles: merged
            .as_ref()
            .map_or(mesh.triangles.len(), |m| m.mesh.triangles.len()),
        deviation: merged.map_or(0.0, |m| m.deviation),
    })
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err("must be a positive number".into()),
    }
}
