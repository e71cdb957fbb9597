//! Writes the link meshes of the built-in Shadow Hand: `shadow_meshes FOLDER`.
//!
//! Two families of solids make the whole hand. A taper is the hull of two balls
//! on a line, for forearm, wrist and phalanges; a plate is a flat convex
//! outline with rounded corners and edges, for palm and metacarpal. Both are
//! convex, and made of planar quadrilaterals: contact finds depths in such
//! solids fastest.
//!
//! Frames are those of the links: z along the finger, −y out of the palm.
#![allow(clippy::disallowed_methods)] // its meshes are written once, to files

use std::f64::consts::{PI, TAU};
use std::path::PathBuf;
use std::process::ExitCode;

use glam::{DVec2, DVec3};
use volar_geom::TriMesh;

/// The meshes by the names of their files.
pub fn meshes() -> Vec<(&'static str, TriMesh)> {
    let ball = |y, z, radius| Ball {
        centre: DVec3::new(0.0, y, z),
        radius,
    };
    let phalanx =
        |length, thick, thin| taper(&ball(0.0, 0.0, thick), &ball(0.0, length, thin), 16, 4);
    let palm = [
        DVec2::new(0.043, -0.011),
        DVec2::new(0.043, 0.087),
        DVec2::new(-0.021, 0.087),
        DVec2::new(-0.043, 0.039),
        DVec2::new(-0.043, -0.011),
    ];
    let metacarpal = [
        DVec2::new(-0.007, -0.015),
        DVec2::new(-0.007, 0.035),
        DVec2::new(-0.026, 0.035),
        DVec2::new(-0.026, -0.015),
    ];
    vec![
        (
            "forearm",
            taper(&ball(0.01, 0.1, 0.062), &ball(0.01, 0.225, 0.042), 16, 4),
        ),
        (
            "wrist",
            taper(&ball(0.0, 0.0, 0.018), &ball(0.0, 0.03, 0.014), 16, 4),
        ),
        (
            "palm",
            plate(
                &palm,
                &Rounding {
                    half_thickness: 0.0111,
                    corner: 0.008,
                    edge: 0.004,
                    corner_steps: 4,
                    edge_steps: 3,
                },
            ),
        ),
        (
            "metacarpal",
            plate(
                &metacarpal,
                &Rounding {
                    half_thickness: 0.0106,
                    corner: 0.004,
                    edge: 0.003,
                    corner_steps: 3,
                    edge_steps: 2,
                },
            ),
        ),
        ("finger_proximal", phalanx(0.045, 0.0103, 0.0097)),
        ("finger_middle", phalanx(0.025, 0.0083, 0.0078)),
        ("finger_distal", phalanx(0.024, 0.0073, 0.0068)),
        ("thumb_proximal", phalanx(0.038, 0.0134, 0.0126)),
        ("thumb_middle", phalanx(0.032, 0.0114, 0.0106)),
        ("thumb_distal", phalanx(0.026, 0.0096, 0.0088)),
    ]
}

struct Ball {
    centre: DVec3,
    radius: f64,
}

/// The hull of two balls, the second above the first along z. Each end has
/// `rings` rings of facets; one of the sides faces −y, so that pads are flat
/// in their middle.
fn taper(below: &Ball, above: &Ball, sides: usize, rings: usize) -> TriMesh {
    // The straight part touches both balls at this latitude.
    let length = above.centre.z - below.centre.z;
    let tilt = ((below.radius - above.radius) / length).asin();
    let latitudes =
        |from: f64, to: f64| (1..=rings).map(move |i| from + (to - from) * i as f64 / rings as f64);
    let ring = |ball: &Ball, latitude: f64| -> Vec<DVec3> {
        let (across, along) = (ball.radius * latitude.cos(), ball.radius * latitude.sin());
        let points = (0..sides).map(|i| {
            let angle = TAU * (i as f64 + 0.5) / sides as f64 - 0.5 * PI;
            ball.centre + DVec3::new(across * angle.cos(), across * angle.sin(), along)
        });
        points.collect()
    };
    let lower = latitudes(-0.5 * PI, tilt).map(|latitude| ring(below, latitude));
    let upper = latitudes(0.5 * PI, tilt).map(|latitude| ring(above, latitude));
    let upper: Vec<Vec<DVec3>> = upper.collect();
    let rings: Vec<Vec<DVec3>> = lower.chain(upper.into_iter().rev()).collect();
    let mut mesh = loft(&rings);
    let bottom = below.centre - below.radius * DVec3::Z;
    let top = above.centre + above.radius * DVec3::Z;
    cap_with_point(&mut mesh, sides, bottom, top);
    mesh
}

/// How the outline of a plate is rounded, m.
struct Rounding {
    half_thickness: f64,
    /// Radius of the corners of the outline.
    corner: f64,
    /// Radius along both rims; not above that of the corners.
    edge: f64,
    corner_steps: usize,
    edge_steps: usize,
}

/// A plate between y = ±half thickness, with a convex outline in (x, z),
/// counterclockwise with x to the right and z up.
fn plate(outline: &[DVec2], rounding: &Rounding) -> TriMesh {
    let Rounding {
        half_thickness,
        corner,
        edge,
        ..
    } = *rounding;
    let quarter = |i: usize| 0.5 * PI * i as f64 / rounding.edge_steps as f64;
    let levels = (0..=rounding.edge_steps).map(|i| {
        let (sin, cos) = quarter(i).sin_cos();
        (edge * (1.0 - sin), half_thickness - edge * (1.0 - cos))
    });
    // From y = half thickness down: the back rim, then the front one.
    let levels: Vec<(f64, f64)> = levels.collect();
    let front = levels.iter().rev().map(|(inset, height)| (*inset, -height));
    let back = levels.iter().copied();
    let rings: Vec<Vec<DVec3>> = back
        .chain(front)
        .map(|(inset, y)| {
            let points = rounded(outline, corner, inset, rounding.corner_steps);
            points.iter().map(|p| DVec3::new(p.x, y, p.y)).collect()
        })
        .collect();
    let mut mesh = loft(&rings);
    let count = rings[0].len() as u32;
    let last = (rings.len() as u32 - 1) * count;
    for i in 1..count - 1 {
        mesh.triangles.push([0, i + 1, i]);
        mesh.triangles.push([last, last + i, last + i + 1]);
    }
    mesh
}

/// An outline with its corners rounded, then made smaller by an inset.
fn rounded(outline: &[DVec2], radius: f64, inset: f64, steps: usize) -> Vec<DVec2> {
    let count = outline.len();
    let mut points = Vec::new();
    for i in 0..count {
        let corner = outline[i];
        let into = (corner - outline[(i + count - 1) % count]).normalize();
        let out = (outline[(i + 1) % count] - corner).normalize();
        let turn = into.angle_to(out);
        // The centre of the arc is `radius` off both edges.
        let centre = corner + (out - into) * (radius / turn.sin());
        let first = -into.perp();
        for k in 0..=steps {
            let direction = DVec2::from_angle(turn * k as f64 / steps as f64).rotate(first);
            points.push(centre + (radius - inset) * direction);
        }
    }
    points
}

/// The walls between rings of equally many points, counterclockwise seen
/// against the direction in which they follow each other.
fn loft(rings: &[Vec<DVec3>]) -> TriMesh {
    let count = rings[0].len() as u32;
    let mut triangles = Vec::new();
    for level in 0..rings.len() as u32 - 1 {
        for i in 0..count {
            let next = (i + 1) % count;
            let [a, b] = [level * count + i, level * count + next];
            let [c, d] = [a + count, b + count];
            triangles.push([a, b, d]);
            triangles.push([a, d, c]);
        }
    }
    TriMesh {
        vertices: rings.concat(),
        triangles,
    }
}

/// Closes the first and the last ring with a point each.
fn cap_with_point(mesh: &mut TriMesh, sides: usize, bottom: DVec3, top: DVec3) {
    let (count, sides) = (mesh.vertices.len() as u32, sides as u32);
    let last = count - sides;
    mesh.vertices.extend([bottom, top]);
    for i in 0..sides {
        let next = (i + 1) % sides;
        mesh.triangles.push([count, next, i]);
        mesh.triangles.push([count + 1, last + i, last + next]);
    }
}

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: shadow_meshes FOLDER");
        return ExitCode::FAILURE;
    };
    for (name, mesh) in meshes() {
        let path = folder.join(name).with_extension("obj");
        if let Err(error) = volar_meshes::write_obj(&path, &mesh) {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
        println!("{name}: {} triangles", mesh.triangles.len());
    }
    ExitCode::SUCCESS
}
