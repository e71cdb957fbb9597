//! Depth belongs to the shape: it does not change when its faces are cut into
//! finer triangles, rotated, rounded to single precision or to six decimals, or
//! shaken by 1e-9 of the size, neither in the mesh as it comes nor in the merged one.
//! Nor does the work on the merged one, which is what a model computes with.

use glam::{DVec2, DVec3};
use volar_geom::overlap::OverlapKernel;
use volar_geom::{ClosedMesh, Pose, TriMesh};
use volar_testkit::brute::nearest;
use volar_testkit::corpus::solid;
use volar_testkit::rng::Rng;
use volar_testkit::solids::{closed, l_block, lathe, prism, star, subdivide};
use volar_testkit::sweep::approach;

use super::wrench::{cells_of_b, pressure, wrench};

const NAMES: [&str; 9] = [
    "cube",
    "finger",
    "sphere_320",
    "l_block",
    "u_channel",
    "star",
    "pipe",
    "torus",
    "bunny",
];

/// What a file may make of a mesh that is rotated by `X`.
fn rounded(mesh: &TriMesh, X: &Pose) -> TriMesh {
    let mut mesh = mesh.clone().transformed(1.0, X);
    for p in &mut mesh.vertices {
        *p = p.as_vec3().as_dvec3();
    }
    mesh
}

/// What a text file with six decimals makes of it.
fn printed(mesh: &TriMesh, X: &Pose) -> TriMesh {
    let mut mesh = mesh.clone().transformed(1.0, X);
    for p in &mut mesh.vertices {
        *p = (*p * 1e6).round() / 1e6;
    }
    mesh
}

/// Solids of random proportions: stars, lathed and cut ones, angles.
fn random_solids() -> Vec<(String, ClosedMesh)> {
    (0..8)
        .map(|index| {
            let mut rng = Rng::for_case("random solid", index);
            let mut length = |low, high| rng.uniform(low, high);
            let mesh = match index % 4 {
                0 => {
                    let (inner, height) = (length(0.008, 0.02), length(0.01, 0.05));
                    star(5 + index as u32, inner, 0.03, height)
                }
                1 => l_block(0.05, length(0.008, 0.03), length(0.01, 0.05)),
                2 => {
                    let rings: Vec<DVec2> = (0..5)
                        .map(|k| DVec2::new(length(0.01, 0.03), 0.008 * f64::from(k)))
                        .collect();
                    lathe(&rings, [-0.003, 0.035], 12)
                }
                _ => {
                    let corners: Vec<DVec2> = (0..7)
                        .map(|k| length(0.012, 0.03) * DVec2::from_angle(0.9 * f64::from(k)))
                        .collect();
                    prism(&corners, 0.03)
                }
            };
            (format!("random {index}"), closed(mesh))
        })
        .collect()
}

fn shaken(mesh: &TriMesh, X: &Pose, noise: f64, rng: &mut Rng) -> TriMesh {
    let mut mesh = mesh.clone().transformed(1.0, X);
    for p in &mut mesh.vertices {
        *p += rng.in_cube(noise);
    }
    mesh
}

fn merged(mesh: &ClosedMesh) -> ClosedMesh {
    mesh.merged()
        .map_or_else(|| mesh.clone(), |merged| closed(merged.mesh))
}

/// Force, the depth at which it acts, `∫ φ² dA / ∫ φ dA` from the middles of the cells, and
/// the greatest.
struct Push {
    force: DVec3,
    depth: f64,
    deepest: f64,
    area: f64,
    /// Triangles and cells that were looked at.
    work: usize,
}

fn push(kernel: &mut OverlapKernel, a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) -> Push {
    let cells = cells_of_b(kernel, a, b, X_AB);
    // No cell, however small, tells of a face far away.
    if a.triangles().len() < 4_000 {
        for cell in &cells {
            let (distance, _) = nearest(a, &Pose::IDENTITY, cell.centroid, 0.0);
            let allowed = 1.06 * distance + 2.0 * a.face_tolerance();
            assert!(cell.depth <= allowed, "{cell:?} is {distance:e} deep");
        }
    }
    let squares: f64 = cells.iter().map(|c| c.depth * c.depth * c.area).sum();
    Push {
        force: wrench(&cells)[0],
        depth: squares / pressure(&cells).max(f64::MIN_POSITIVE),
        deepest: cells.iter().map(|cell| cell.deepest).fold(0.0, f64::max),
        area: cells.iter().map(|cell| cell.area).sum(),
        work: work(kernel),
    }
}

/// What the last overlap was made of.
fn work(kernel: &OverlapKernel) -> usize {
    let overlap = kernel.last();
    let lists = [0, 1].map(|body| overlap.facets[body].len() + overlap.cells[body].len());
    let triangles = overlap.crossing_triangles.iter().sum::<usize>();
    triangles + overlap.inside_triangles.iter().sum::<usize>() + lists[0] + lists[1]
}

#[test]
fn neither_fineness_nor_rounding_changes_depth_and_force() {
    let finger = solid("finger");
    let mut kernel = OverlapKernel::new();
    let mut asked = 0;
    let named = NAMES.map(|name| (name.to_string(), solid(name)));
    for (name, plain) in named.into_iter().chain(random_solids()) {
        let cases = if name.starts_with("random") { 4 } else { 8 };
        let size = plain.bounds().size().length();
        let mut rng = Rng::for_case("tessellation", 0);
        let X = Pose {
            R: rng.rotation(),
            p: rng.in_cube(0.02),
        };
        let once = subdivide(&plain.to_tri_mesh());
        let twice = subdivide(&once);
        let finest = if name == "bunny" { &once } else { &twice };
        let mut variants = vec![
            ("finer", closed(finest.clone()), Pose::IDENTITY),
            ("rounded", closed(rounded(&once, &X)), X),
            ("fine and rounded", closed(rounded(finest, &X)), X),
            ("fine and printed", closed(printed(finest, &X)), X),
        ];
        let mut noise = |mesh: &TriMesh| closed(shaken(mesh, &X, 5e-10 * size, &mut rng));
        variants.push(("shaken", noise(&plain.to_tri_mesh()), X));
        variants.push(("fine and shaken", noise(finest), X));
        for (what, variant, X_VA) in variants {
            let lean = merged(&variant);
            let most = plain.triangles().len().max(12) * 11 / 10;
            assert!(
                lean.triangles().len() <= most,
                "{name}, {what}: {} triangles, not {}",
                lean.triangles().len(),
                plain.triangles().len()
            );
            let rounding = 4.0 * variant.face_tolerance();
            for case in 0..cases {
                let mut rng = Rng::for_case("tessellation", case);
                let depth = rng.log_uniform(1e-5, 1e-3);
                let X_AB = approach(&plain, &finger, depth, &mut rng).X_AB;
                let expected = push(&mut kernel, &plain, &finger, &X_AB);
                for (which, mesh) in [("as it is", &variant), ("merged", &lean)] {
                    let X_VB = X_VA.compose(&X_AB);
                    let got = push(&mut kernel, mesh, &finger, &X_VB);
                    let off = X_VA.R.transpose() * got.force - expected.force;
                    let allowed = 1e-3 * expected.force.length() + rounding * expected.area;
                    let what = format!("{name}, {what}, {which}, case {case}");
                    let most = 3 * expected.work + 12;
                    assert!(
                        which == "as it is" || got.work <= most,
                        "{what}: {}",
                        got.work
                    );
                    assert!(off.length() <= allowed, "{what}: off by {off:?}");
                    for (got, expected) in
                        [(got.depth, expected.depth), (got.deepest, expected.deepest)]
                    {
                        assert!(
                            (got - expected).abs() <= 0.01 * expected + rounding,
                            "{what}: depth {got:e}, not {expected:e}"
                        );
                    }
                    asked += 1;
                }
            }
        }
    }
    assert!(asked > 1_000, "{asked}");
}
