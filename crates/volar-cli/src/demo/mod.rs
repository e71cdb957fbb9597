//! `volar demo`: overlaps of a gripper's finger with a few bodies, as a table
//! and a picture.

mod picture;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use glam::{DMat3, DVec3};
use volar_assets::Memory;
use volar_geom::mesh::shapes;
use volar_geom::overlap::OverlapKernel;
use volar_geom::{ClosedMesh, Pose};
use volar_meshes::ReadOptions;

use picture::{Layer, Picture};

/// Press a finger into a cube, a sphere and the Stanford bunny.
///
/// Prints the exact overlap at several depths with the time it takes, and
/// draws the bunny between two fingers.
#[derive(clap::Args)]
pub struct Args {
    /// Where to write the picture.
    #[arg(long, value_name = "OUT.png", default_value = "overlap.png")]
    out: PathBuf,
}

/// The bunny comes with the program, so that the demo needs no file.
const BUNNY: &[u8] = include_bytes!("../../../../assets/bunny.obj");

/// Edge lengths of a finger, metres; its flat side faces along x.
const FINGER: DVec3 = DVec3::new(0.02, 0.02, 0.06);

/// Its orientation, a little askew as fingers are.
const FINGER_TURN: [f64; 4] = [0.999, 0.01, 0.02, 0.03];

pub fn run(args: &Args) -> ExitCode {
    match demo(&args.out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn demo(out: &Path) -> anyhow::Result<()> {
    // The file has y up and the flanks along z; here z is up.
    let upright = Pose {
        R: DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X),
        p: DVec3::ZERO,
    };
    let options = ReadOptions {
        transform: upright,
        ..ReadOptions::default()
    };
    let bunny = volar_meshes::read_from(
        &Memory::new().with("bunny.obj", BUNNY),
        Path::new("bunny.obj"),
        &options,
    )?;
    let bodies = [
        (
            "cube",
            ClosedMesh::checked(shapes::cuboid(DVec3::splat(0.06)))?,
        ),
        ("sphere", ClosedMesh::checked(shapes::icosphere(0.03, 3))?),
        ("bunny", ClosedMesh::checked(bunny)?),
    ];
    let finger = ClosedMesh::checked(shapes::cuboid(FINGER))?;
    println!("body    triangles  pressed      overlap  cut faces  parts      time");
    println!("                        mm          mm³                        µs");
    let mut kernel = OverlapKernel::new();
    for (name, body) in &bodies {
        for depth in [1e-6, 1e-4, 1e-3, 5e-3] {
            let X_AB = finger_at(&mut kernel, body, &finger, 1.0, depth)?;
            kernel.overlap(body, &finger, &X_AB);
            let start = Instant::now();
            let overlap = kernel.overlap(body, &finger, &X_AB);
            let time = start.elapsed().as_secs_f64() * 1e6;
            println!(
                "{name:<8}{:>9}{:>9.3}{:>13.4e}{:>11}{:>7}{time:>10.1}",
                body.triangles().len(),
                depth * 1e3,
                overlap.total.volume * 1e9,
                overlap.crossing_triangles.iter().sum::<usize>(),
                overlap.components.len(),
            );
        }
    }
    let [.., (_, bunny)] = &bodies;
    draw(bunny, &finger, &mut kernel)?
        .write(out)
        .with_context(|| format!("cannot write {}", out.display()))?;
    println!(
        "\nThe bunny between two fingers, the overlaps in orange: {}",
        out.display()
    );
    Ok(())
}

/// The pose of a finger pushed from the `side` (±1) along x until it has gone
/// `depth` beyond the place where it first touches the body.
fn finger_at(
    kernel: &mut OverlapKernel,
    body: &ClosedMesh,
    finger: &ClosedMesh,
    side: f64,
    depth: f64,
) -> anyhow::Result<Pose> {
    let turn = Pose::from_wxyz([0.0; 3], FINGER_TURN).context("the finger has no orientation")?;
    let at = |x: f64| Pose {
        p: DVec3::new(side * x, 0.0, 0.0),
        ..turn
    };
    // Between the middle of the body and a place beyond it, halve until no
    // number is left between apart and overlapping.
    let (mut overlapping, mut apart) = (0.0, body.bounds().size().x + FINGER.x);
    loop {
        let x = 0.5 * (overlapping + apart);
        if x <= overlapping || x >= apart {
            return Ok(at(apart - depth));
        }
        if kernel.overlap(body, finger, &at(x)).total.volume > 0.0 {
            overlapping = x;
        } else {
            apart = x;
        }
    }
}

fn draw(
    bunny: &ClosedMesh,
    finger: &ClosedMesh,
    kernel: &mut OverlapKernel,
) -> anyhow::Result<Picture> {
    let mut picture = Picture::new(bunny.bounds().centre(), 0.112);
    picture.draw(
        bunny.vertices(),
        bunny.triangles(),
        Layer::solid([0.80, 0.78, 0.74]),
    );
    let poses = [
        finger_at(kernel, bunny, finger, 1.0, 5e-3)?,
        finger_at(kernel, bunny, finger, -1.0, 5e-3)?,
    ];
    for X_AB in &poses {
        let mesh = kernel.overlap_mesh(bunny, finger, X_AB);
        picture.draw(
            &mesh.vertices,
            &mesh.triangles,
            Layer::marked([1.0, 0.40, 0.05]),
        );
    }
    for X_AB in &poses {
        let vertices: Vec<DVec3> = finger.vertices().iter().map(|&p| X_AB.point(p)).collect();
        picture.draw(
            &vertices,
            finger.triangles(),
            Layer::glass([0.25, 0.45, 0.80]),
        );
    }
    Ok(picture)
}
