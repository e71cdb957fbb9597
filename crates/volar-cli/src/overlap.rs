//! `volar overlap`: what two meshes at given poses share.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::anyhow;
use glam::DVec3;
use serde::Serialize;
use volar_geom::overlap::{Measure, Overlap, OverlapKernel, OverlapMesh};
use volar_geom::{ClosedMesh, Pose};
use volar_meshes::ReadOptions;
use volar_solids::RepairOptions;

use crate::{Status, terminal};

/// Compute the exact overlap of two closed meshes.
///
/// Prints the volume the two solids share, its centroid, and the area vectors
/// of both parts of its surface. Lengths are in metres; everything is given in
/// the world frame.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Mesh of body A.
    #[arg(value_name = "A")]
    file_a: PathBuf,

    /// Mesh of body B.
    #[arg(value_name = "B")]
    file_b: PathBuf,

    /// Pose of A in the world: position, then quaternion, real part first.
    #[arg(long, value_name = POSE, default_value = "0 0 0 1 0 0 0", value_parser = pose, allow_hyphen_values = true)]
    pose_a: Pose,

    /// Pose of B in the world.
    #[arg(long, value_name = POSE, default_value = "0 0 0 1 0 0 0", value_parser = pose, allow_hyphen_values = true)]
    pose_b: Pose,

    /// Metres per unit of both files: 0.001 for millimetres.
    #[arg(
        long,
        default_value_t = 1.0,
        value_name = "FACTOR",
        allow_negative_numbers = true
    )]
    scale: f64,

    /// Repair meshes that are not usable; what was done goes to stderr.
    #[arg(long)]
    repair: bool,

    /// List the connected pieces of the overlap.
    #[arg(long)]
    components: bool,

    /// Write the overlap as a mesh, with groups `from_a` and `from_b`.
    #[arg(long, value_name = "OUT.obj")]
    mesh: Option<PathBuf>,

    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

const POSE: &str = "X Y Z QW QX QY QZ";

const EXAMPLES: &str = "\
Examples:
  volar overlap cube.obj finger.stl --pose-b \"0.0395 0 0 1 0 0 0\"
  volar overlap bunny.obj bunny.obj --pose-b \"0.03 0 0 0.9 0 0.1 0\" --json
  volar overlap hand.stl cup.glb --scale 0.001 --repair --mesh overlap.obj

Exit status: 0 when the overlap was computed, also when there is none; 1 when
a mesh is not usable; 2 when a file cannot be read or written.

JSON keys: volume (m³), centroid (m; null when the volume is 0),
area_vector_a and area_vector_b (∫ n dA over the part of the surface that comes
from A and from B, m²), area_a, area_b (m²), components (a list of the same),
crossing_triangles and inside_triangles ([of A, of B]), microseconds (the time
of one computation).";

/// A mesh that is no solid; anything else that fails is bad input.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}; try `volar check` or --repair", file.display())]
struct NotUsable {
    file: PathBuf,
    source: volar_geom::MeshError,
}

pub fn run(args: &Args) -> Status {
    match compute(args) {
        Ok(()) => crate::SUCCESS,
        Err(error) => {
            terminal::error(&error);
            if error.is::<NotUsable>() { 1 } else { 2 }
        }
    }
}

fn compute(args: &Args) -> anyhow::Result<()> {
    let a = load(&args.file_a, args)?;
    let b = load(&args.file_b, args)?;
    let X_AB = Pose::relative(&args.pose_a, &args.pose_b);
    let mut kernel = OverlapKernel::new();
    // The first call fills the buffers; the second shows what a call costs.
    kernel.overlap(&a, &b, &X_AB);
    let start = Instant::now();
    let overlap = kernel.overlap(&a, &b, &X_AB);
    let microseconds = start.elapsed().as_secs_f64() * 1e6;
    let report = || Report::new(overlap, &args.pose_a, microseconds);
    let printed = match args.json {
        true => terminal::print_json(&(serde_json::to_string_pretty(&report())? + "\n")),
        false => terminal::print(&to_text(
            overlap,
            &args.pose_a,
            microseconds,
            args.components,
        )),
    };
    if let Some(path) = &args.mesh {
        let mesh = kernel.overlap_mesh(&a, &b, &X_AB);
        std::fs::write(path, to_obj(&mesh, &args.pose_a))
            .map_err(|error| anyhow!("cannot write {}: {error}", path.display()))?;
    }
    printed
}

fn load(file: &Path, args: &Args) -> anyhow::Result<ClosedMesh> {
    let options = ReadOptions {
        scale: args.scale,
        ..ReadOptions::default()
    };
    let mut mesh = volar_meshes::read(file, &options)?;
    if args.repair {
        let repaired = volar_solids::repair(mesh, &RepairOptions::default());
        for step in &repaired.steps {
            terminal::say(&format!("{}: {step}", file.display()));
        }
        mesh = repaired.mesh;
    }
    let file = file.to_owned();
    ClosedMesh::checked(mesh).map_err(|source| NotUsable { file, source }.into())
}

/// What `--json` prints; the keys are documented in [`EXAMPLES`].
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    total: MeasureReport,
    components: Vec<MeasureReport>,
    crossing_triangles: [usize; 2],
    inside_triangles: [usize; 2],
    microseconds: f64,
}

#[derive(Serialize)]
struct MeasureReport {
    volume: f64,
    centroid: Option<[f64; 3]>,
    area_vector_a: [f64; 3],
    area_vector_b: [f64; 3],
    area_a: f64,
    area_b: f64,
}

impl Report {
    fn new(overlap: &Overlap, X_WA: &Pose, microseconds: f64) -> Report {
        let report = |measure: &Measure| MeasureReport::new(measure, X_WA);
        Report {
            total: report(&overlap.total),
            components: overlap.components.iter().map(report).collect(),
            crossing_triangles: overlap.crossing_triangles,
            inside_triangles: overlap.inside_triangles,
            microseconds,
        }
    }
}

impl MeasureReport {
    fn new(measure: &Measure, X_WA: &Pose) -> MeasureReport {
        let [a, b] = &measure.surfaces;
        let vector = |v: DVec3| X_WA.vector(v).to_array();
        MeasureReport {
            volume: measure.volume,
            centroid: measure.centroid.map(|p_A| X_WA.point(p_A).to_array()),
            area_vector_a: vector(a.area_vector),
            area_vector_b: vector(b.area_vector),
            area_a: a.area,
            area_b: b.area,
        }
    }
}

fn to_text(overlap: &Overlap, X_WA: &Pose, microseconds: f64, components: bool) -> String {
    let mut text = measure_to_text(&overlap.total, X_WA, "");
    text += &format!(
        "components           {}\n\
         crossing triangles   {} of A, {} of B\n\
         inside triangles     {} of A, {} of B\n\
         computed in          {microseconds:.1} µs\n",
        overlap.components.len(),
        overlap.crossing_triangles[0],
        overlap.crossing_triangles[1],
        overlap.inside_triangles[0],
        overlap.inside_triangles[1],
    );
    if components {
        for (i, component) in overlap.components.iter().enumerate() {
            text += &format!(
                "\ncomponent {i}\n{}",
                measure_to_text(component, X_WA, "  ")
            );
        }
    }
    text
}

fn measure_to_text(measure: &Measure, X_WA: &Pose, indent: &str) -> String {
    let vector = |v: DVec3| format!("{:.9e} {:.9e} {:.9e}", v.x, v.y, v.z);
    let centroid = measure
        .centroid
        .map_or("none".to_owned(), |p_A| vector(X_WA.point(p_A)) + " m");
    let [a, b] = &measure.surfaces;
    let lines = [
        ("volume", format!("{:.9e} m³", measure.volume)),
        ("centroid", centroid),
        ("area vector A", vector(X_WA.vector(a.area_vector)) + " m²"),
        ("area vector B", vector(X_WA.vector(b.area_vector)) + " m²"),
    ];
    lines
        .map(|(name, value)| format!("{indent}{name:<21}{value}\n"))
        .concat()
}

/// The overlap as an OBJ file, in the world frame.
fn to_obj(mesh: &OverlapMesh, X_WA: &Pose) -> String {
    let mut text = String::from("# overlap, metres\n");
    for &p_A in &mesh.vertices {
        let p_W = X_WA.point(p_A);
        text += &format!("v {} {} {}\n", p_W.x, p_W.y, p_W.z);
    }
    for (body, group) in [(0, "from_a"), (1, "from_b")] {
        text += &format!("g {group}\n");
        for (triangle, _) in mesh
            .triangles
            .iter()
            .zip(&mesh.origins)
            .filter(|(_, origin)| origin.0 == body)
        {
            let [i, j, k] = triangle.map(|vertex| vertex + 1);
            text += &format!("f {i} {j} {k}\n");
        }
    }
    text
}

fn pose(text: &str) -> Result<Pose, String> {
    let numbers: Vec<f64> = text
        .split([' ', ',', '\t'])
        .filter(|word| !word.is_empty())
        .map(|word| {
            word.parse()
                .map_err(|_| format!("`{word}` is not a number"))
        })
        .collect::<Result<_, _>>()?;
    let &[x, y, z, qw, qx, qy, qz] = &numbers[..] else {
        return Err(format!(
            "{} numbers instead of seven: {POSE}",
            numbers.len()
        ));
    };
    Pose::from_wxyz([x, y, z], [qw, qx, qy, qz])
        .ok_or_else(|| "a position must be finite, and a quaternion not all zero".to_owned())
}
