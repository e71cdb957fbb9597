use glam::DVec3;
use volar_geom::Pose;
use volar_geom::mesh::shapes::{cuboid, icosphere};

use super::*;

fn cube() -> TriMesh {
    cuboid(DVec3::ONE)
}

fn moved(mesh: TriMesh, x: f64, y: f64, z: f64) -> TriMesh {
    mesh.transformed(1.0, &Pose::from_translation(DVec3::new(x, y, z)))
}

fn flipped(mut mesh: TriMesh) -> TriMesh {
    mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    mesh
}

fn joined(parts: impl IntoIterator<Item = TriMesh>) -> TriMesh {
    let mut all = TriMesh::default();
    for part in parts {
        let offset = all.vertices.len() as u32;
        all.vertices.extend(part.vertices);
        all.triangles
            .extend(part.triangles.iter().map(|t| t.map(|v| v + offset)));
    }
    all
}

/// Repairs with the default options, expects a usable mesh of some volume.
fn repaired(mesh: TriMesh, volume: f64) -> Repaired {
    let repaired = repair(mesh, &RepairOptions::default());
    let report = &repaired.report;
    assert!(
        report.is_usable(),
        "{:?} {:?}",
        repaired.steps,
        report.complaints
    );
    let got = report.moments.unwrap().volume;
    assert!(
        (got - volume).abs() < 1e-12 * volume,
        "{got} is not {volume}"
    );
    repaired
}

#[test]
fn a_sound_mesh_is_left_alone() {
    let result = repaired(cube(), 1.0);
    assert_eq!(result.steps, []);
    assert_eq!(result.mesh, cube());
}

#[test]
fn corners_that_are_not_shared_are_welded() {
    // Every triangle with its own corners, rounded to 32 bits and shaken by
    // less than that rounding.
    let mut random = Random(1);
    let mut mesh = TriMesh::default();
    for t in 0..12 {
        let first = mesh.vertices.len() as u32;
        let shaken = cube()
            .corners(t)
            .map(|p| p + 1e-8 * random.below(10) as f64);
        mesh.vertices.extend(shaken);
        mesh.triangles.push([first, first + 1, first + 2]);
    }
    let result = repair(mesh, &RepairOptions::default());
    assert!(result.report.is_usable(), "{:?}", result.report.complaints);
    assert!(matches!(
        result.steps[..],
        [RepairStep::Welded { vertices: 28, .. }]
    ));
    assert!((result.report.moments.unwrap().volume - 1.0).abs() < 1e-6);
}

#[test]
fn holes_are_filled_up_to_the_given_length() {
    let mut mesh = icosphere(1.0, 2);
    let whole = repaired(mesh.clone(), check(&mesh).moments.unwrap().volume);
    // The fan around a vertex leaves a hole of five or six edges.
    mesh.triangles.retain(|t| !t.contains(&0));
    let result = repair(mesh.clone(), &RepairOptions::default());
    assert!(matches!(
        result.steps[..],
        [RepairStep::FilledHoles {
            holes: 1,
            added: 3,
            removed: 0
        }]
    ));
    assert!(result.report.is_usable());
    let (full, flat) = (
        whole.report.moments.unwrap(),
        result.report.moments.unwrap(),
    );
    assert!(flat.volume < full.volume && flat.volume > 0.97 * full.volume);

    let options = RepairOptions {
        longest_hole: 4,
        ..RepairOptions::default()
    };
    let result = repair(mesh, &options);
    assert_eq!(
        result.steps,
        [RepairStep::LeftHoles {
            holes: 1,
            longest: 5
        }]
    );
    assert!(!result.report.is_usable());
}

#[test]
fn a_slit_is_closed_without_a_triangle_without_area() {
    // One side of an edge is split in its middle, the other is not.
    let mut mesh = cube();
    let [a, b, c] = mesh.triangles[0];
    let middle = mesh.vertices.len() as u32;
    mesh.vertices
        .push(0.5 * (mesh.vertices[a as usize] + mesh.vertices[b as usize]));
    mesh.triangles[0] = [a, middle, c];
    mesh.triangles.push([middle, b, c]);
    repaired(mesh, 1.0);
}

#[test]
fn faces_are_turned_to_agree_and_then_outward() {
    let mut mesh = cube();
    mesh.triangles[3].swap(0, 1);
    mesh.triangles[8].swap(0, 1);
    let result = repaired(mesh, 1.0);
    assert_eq!(result.steps, [RepairStep::OrientedFaces { triangles: 2 }]);

    let result = repaired(flipped(cube()), 1.0);
    assert_eq!(result.steps, [RepairStep::FlippedShells { shells: 1 }]);
}

#[test]
fn a_hollow_solid_drawn_inside_out_stays_hollow() {
    let hollow = joined([cube(), flipped(cuboid(DVec3::splat(0.5)))]);
    let result = repaired(flipped(hollow.clone()), 0.875);
    assert_eq!(result.steps, [RepairStep::FlippedShells { shells: 2 }]);
    // Beside a solid that is the right way round, too.
    let both = joined([
        flipped(hollow),
        moved(cuboid(DVec3::splat(2.0)), 5.0, 0.0, 0.0),
    ]);
    let result = repaired(both, 8.875);
    assert_eq!(result.steps, [RepairStep::FlippedShells { shells: 2 }]);
}

#[test]
fn repeated_faces_and_flaps_go() {
    let mut mesh = cube();
    mesh.triangles.push(mesh.triangles[5]);
    repaired(mesh, 1.0);
    // A flap: both sides of a triangle that hangs on an edge.
    let mut mesh = cube();
    mesh.vertices.push(DVec3::new(3.0, 0.0, 0.0));
    mesh.triangles.extend([[0, 1, 8], [1, 0, 8]]);
    repaired(mesh, 1.0);
    // The same with one side: the hole behind it is the flap itself.
    let mut mesh = cube();
    mesh.vertices.push(DVec3::new(3.0, 0.0, 0.0));
    mesh.triangles.push([0, 1, 8]);
    repaired(mesh, 1.0);
    // A whole drawn with two sides keeps one of each.
    repaired(
        TriMesh {
            triangles: [cube().triangles, flipped(cube()).triangles].concat(),
            ..cube()
        },
        1.0,
    );
}

#[test]
fn shells_inside_a_solid_go() {
    let nested = joined([
        cuboid(DVec3::splat(0.5)),
        cube(),
        cuboid(DVec3::splat(0.25)),
    ]);
    let result = repaired(nested, 1.0);
    assert_eq!(
        result.steps,
        [RepairStep::DroppedShells {
            shells: 2,
            triangles: 24
        }]
    );
    assert_eq!(result.mesh.vertices.len(), 8);
}

#[test]
fn crossing_solids_are_united() {
    let result = repaired(joined([cube(), moved(cube(), 0.5, 0.5, 0.5)]), 1.875);
    assert_eq!(result.report.shells.len(), 1);
    assert!(matches!(result.steps[..], [RepairStep::United { .. }]));
    // Inside out as a whole.
    let both = joined([cube(), moved(cube(), 0.5, 0.5, 0.5)]);
    repaired(flipped(both), 1.875);
    // Flush on a face: the wall between them goes.
    let result = repaired(joined([cube(), moved(cube(), 1.0, 0.25, 0.0)]), 2.0);
    assert_eq!(result.report.shells.len(), 1);
}

#[test]
fn solids_that_share_an_edge_become_two() {
    // As an STL file has them: the vertices of the edge are one.
    let mut mesh = joined([cube(), moved(cube(), 1.0, 1.0, 0.0)]);
    for vertex in mesh.triangles.iter_mut().flatten() {
        *vertex = match *vertex {
            8 => 6,
            9 => 7,
            v => v,
        };
    }
    assert!(check(&mesh).complaint("crowded_edges").is_some());
    let result = repaired(mesh, 2.0);
    assert_eq!(result.report.shells.len(), 2);
}

#[test]
fn a_hull_is_taken_only_when_asked_and_needed() {
    let mut open = icosphere(1.0, 2);
    let volume = check(&open).moments.unwrap().volume;
    open.triangles.remove(7);
    let mut options = RepairOptions {
        longest_hole: 0,
        ..RepairOptions::default()
    };
    assert!(!repair(open.clone(), &options).report.is_usable());
    options.hull = true;
    let result = repair(open, &options);
    assert!(matches!(result.steps.last(), Some(RepairStep::Hull { .. })));
    assert!(result.report.is_usable(), "{:?}", result.report.complaints);
    assert!((result.report.moments.unwrap().volume - volume).abs() < 1e-12);
    assert_eq!(repair(cube(), &options).steps, []);
}

#[test]
fn a_surface_with_one_side_is_refused() {
    // A Möbius strip of six quads.
    let mut strip = TriMesh::default();
    for i in 0..6 {
        let turn = f64::from(i) * std::f64::consts::TAU / 6.0;
        let tilt = DVec3::new(
            turn.cos() * (0.5 * turn).cos(),
            turn.sin() * (0.5 * turn).cos(),
            (0.5 * turn).sin(),
        );
        let middle = 3.0 * DVec3::new(turn.cos(), turn.sin(), 0.0);
        strip.vertices.extend([middle - tilt, middle + tilt]);
    }
    for i in 0..6_u32 {
        let [a, b] = [2 * i, 2 * i + 1];
        let [c, d] = if i < 5 { [a + 2, b + 2] } else { [1, 0] };
        strip.triangles.extend([[a, c, b], [b, c, d]]);
    }
    let result = repair(
        strip,
        &RepairOptions {
            longest_hole: 5,
            ..RepairOptions::default()
        },
    );
    assert!(!result.report.is_usable());
}

#[test]
fn what_has_no_geometry_is_left_alone() {
    let mut mesh = cube();
    mesh.vertices[0].x = f64::NAN;
    let result = repair(
        mesh,
        &RepairOptions {
            hull: true,
            ..RepairOptions::default()
        },
    );
    assert!(!result.report.is_usable());
    assert_eq!(result.steps, []);
    assert!(
        !repair(TriMesh::default(), &RepairOptions::default())
            .report
            .is_usable()
    );
}

#[test]
fn random_soup_never_panics_and_never_passes_unsound() {
    let mut random = Random(7);
    for round in 0..200 {
        let vertices = 4 + random.below(8);
        let mesh = TriMesh {
            // A coarse grid, so that coincidences are the rule.
            vertices: (0..vertices)
                .map(|_| {
                    let mut c = || random.below(4) as f64;
                    DVec3::new(c(), c(), c())
                })
                .collect(),
            triangles: (0..4 + random.below(20))
                .map(|_| [(); 3].map(|()| random.below(vertices) as u32))
                .collect(),
        };
        let options = RepairOptions {
            hull: round % 2 == 0,
            ..RepairOptions::default()
        };
        let result = repair(mesh, &options);
        assert_eq!(result.report, check(&result.mesh));
        if result.report.is_usable() {
            let volume = result.report.moments.unwrap().volume;
            assert!(volume > 0.0 && volume <= 27.0 + 1e-9, "{volume}");
        }
    }
}

/// A small generator with a fixed seed [Steele 2014, splitmix64].
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}
