//! Contacts that no random pose would ever hit, each with its exact answer.
//!
//! All coordinates are multiples of 1/16 m, so nothing rounds before the
//! kernel sees it.

use std::f64::consts::FRAC_PI_2;

use glam::{DMat3, DVec3};
use volar_geom::overlap::{Measure, Overlap, OverlapKernel};
use volar_geom::{ClosedMesh, Pose, TriMesh};
use volar_testkit::corpus::bunny;
use volar_testkit::invariants::violation;
use volar_testkit::solids::{closed, cuboid, hollow_cuboid, merged, subdivide, u_channel};

/// Only the kernel's own arithmetic is left.
const ROUNDING: f64 = 1e-14;

/// A box by its sides in sixteenths of a metre.
fn sixteenths(x: f64, y: f64, z: f64) -> ClosedMesh {
    closed(cuboid(DVec3::new(x, y, z) / 16.0))
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z) / 16.0)
}

/// A quarter turn about z, exactly.
fn quarter_turn() -> DMat3 {
    let R = DMat3::from_rotation_z(FRAC_PI_2);
    DMat3::from_cols(R.x_axis.round(), R.y_axis.round(), R.z_axis.round())
}

/// The overlap, after a look at what must always hold.
fn overlap(a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) -> Overlap {
    let mut kernel = OverlapKernel::new();
    let overlap = kernel.overlap_with_depths(a, b, X_AB).clone();
    assert_eq!(violation(a, b, X_AB, &overlap), None);
    overlap
}

/// Asserts volume (in cubes of a sixteenth), centroid (in sixteenths) and the
/// number of components.
fn assert_overlap(a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose, volumes: &[(f64, [f64; 3])]) {
    let overlap = overlap(a, b, X_AB);
    let mut got: Vec<(f64, DVec3)> = overlap
        .components
        .iter()
        .map(|m| {
            (
                m.volume * 4096.0,
                m.centroid.expect("volume has a centroid") * 16.0,
            )
        })
        .collect();
    got.sort_by(|p, q| p.1.x.total_cmp(&q.1.x));
    assert_eq!(got.len(), volumes.len(), "components {got:?}");
    for ((volume, centroid), (expected, expected_c)) in got.iter().zip(volumes) {
        assert!(
            (volume - expected).abs() <= ROUNDING * expected,
            "{volume}, not {expected}"
        );
        let off = centroid.distance(DVec3::from_array(*expected_c));
        assert!(off <= 1e2 * ROUNDING, "{centroid}, not {expected_c:?}");
    }
}

/// Asserts volume and centroid where pieces are joined by a face of no
/// thickness: whether that makes them one is up to the tie-break.
fn assert_total(a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose, volume: f64, centroid: [f64; 3]) {
    let total = overlap(a, b, X_AB).total;
    assert!(
        (total.volume * 4096.0 - volume).abs() <= ROUNDING * volume,
        "{total:?}"
    );
    let off = (total.centroid.expect("volume has a centroid") * 16.0)
        .distance(DVec3::from_array(centroid));
    assert!(off <= 1e2 * ROUNDING, "{total:?}");
}

fn assert_nothing(a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) {
    for got in [overlap(a, b, X_AB), overlap(b, a, &X_AB.inverse())] {
        assert_eq!(got.total, Measure::default());
        assert!(got.components.is_empty(), "{:?}", got.components);
        assert!(got.facets.iter().all(Vec::is_empty), "{:?}", got.facets);
    }
}

#[test]
fn apart_or_touching_is_nothing() {
    let cube = sixteenths(4.0, 4.0, 4.0);
    let cases = [
        ("far apart", at(90.0, 0.0, 0.0)),
        ("boxes overlap in two axes only", at(1.0, 1.0, 5.0)),
        ("face on the same face", at(4.0, 0.0, 0.0)),
        ("face on face, shifted", at(4.0, 1.0, 2.0)),
        ("edge along edge", at(4.0, 4.0, 0.0)),
        ("edge along edge, shifted", at(4.0, 4.0, 1.0)),
        ("corner on corner", at(4.0, 4.0, 4.0)),
        ("face on face from below", at(0.0, 0.0, -4.0)),
    ];
    for (what, X_AB) in cases {
        println!("{what}");
        assert_nothing(&cube, &cube, &X_AB);
    }
}

#[test]
fn points_and_edges_that_touch_are_nothing() {
    let cube = sixteenths(4.0, 4.0, 4.0);
    let gem = closed(octahedron(2.0));
    for (what, X_AB) in [
        (
            "tip on the middle of a face, on its diagonal",
            at(0.0, 0.0, 4.0),
        ),
        ("tip inside a triangle", at(1.0, 0.5, 4.0)),
        ("tip on an edge", at(2.0, 0.0, 4.0)),
        ("tip on a corner", at(2.0, 2.0, 4.0)),
        ("edge on an edge, crossing", at(3.0, 0.0, 3.0)),
        ("face through a corner", at(2.5, 2.5, 3.0)),
    ] {
        println!("{what}");
        assert_nothing(&cube, &gem, &X_AB);
    }
}

/// `|x| + |y| + |z| ≤ r/16`.
fn octahedron(r: f64) -> TriMesh {
    let tips = [
        DVec3::X,
        DVec3::NEG_X,
        DVec3::Y,
        DVec3::NEG_Y,
        DVec3::Z,
        DVec3::NEG_Z,
    ];
    let mut triangles = Vec::new();
    for octant in 0..8_u32 {
        let [x, y, z] = [octant & 1, 2 + (octant >> 1 & 1), 4 + (octant >> 2 & 1)];
        triangles.push(if octant.count_ones() % 2 == 0 {
            [x, y, z]
        } else {
            [x, z, y]
        });
    }
    TriMesh {
        vertices: tips.map(|tip| tip * (r / 16.0)).into(),
        triangles,
    }
}

#[test]
fn flush_faces_and_shared_planes() {
    let cube = sixteenths(4.0, 4.0, 4.0);
    // Same cube: slabs, bars and corners with two to four common planes.
    assert_overlap(&cube, &cube, &at(3.0, 0.0, 0.0), &[(16.0, [1.5, 0.0, 0.0])]);
    assert_overlap(&cube, &cube, &at(3.0, 3.0, 0.0), &[(4.0, [1.5, 1.5, 0.0])]);
    assert_overlap(&cube, &cube, &at(3.0, 3.0, 3.0), &[(1.0, [1.5, 1.5, 1.5])]);
    // A smaller one in a corner, flush on three sides, from inside.
    let small = sixteenths(2.0, 2.0, 2.0);
    assert_overlap(&cube, &small, &at(1.0, 1.0, 1.0), &[(8.0, [1.0, 1.0, 1.0])]);
    // A bar through it, flush with two faces.
    let bar = sixteenths(2.0, 2.0, 12.0);
    assert_overlap(&cube, &bar, &at(1.0, 1.0, 0.0), &[(16.0, [1.0, 1.0, 0.0])]);
    // Turned about the common axis: same planes, other triangles.
    let rotated = Pose {
        R: quarter_turn(),
        p: DVec3::new(2.0, 0.0, 0.0) / 16.0,
    };
    assert_overlap(&cube, &cube, &rotated, &[(32.0, [1.0, 0.0, 0.0])]);
    // The plane of a face through the equator of an octahedron: half of it.
    let gem = closed(octahedron(2.0));
    assert_overlap(
        &cube,
        &gem,
        &at(0.0, 0.0, 2.0),
        &[(16.0 / 3.0, [0.0, 0.0, 1.5])],
    );
    // An edge of the cube through a diagonal of the octahedron: a quarter.
    assert_overlap(
        &cube,
        &gem,
        &at(2.0, 0.0, 2.0),
        &[(8.0 / 3.0, [1.5, 0.0, 1.5])],
    );
    // A corner of the cube in the middle of the octahedron: an eighth.
    assert_overlap(
        &cube,
        &gem,
        &at(2.0, 2.0, 2.0),
        &[(4.0 / 3.0, [1.5, 1.5, 1.5])],
    );
}

#[test]
fn identical_meshes_share_everything() {
    let solids = [
        closed(cuboid(DVec3::splat(0.25))),
        closed(octahedron(2.0)),
        closed(u_channel(0.5, 0.125, 0.25)),
        closed(hollow_cuboid(DVec3::splat(0.5), DVec3::splat(0.25))),
        closed(bunny()),
    ];
    for solid in &solids {
        let got = overlap(solid, solid, &Pose::IDENTITY);
        let error = (got.total.volume - solid.volume()).abs();
        assert!(error <= ROUNDING * solid.volume(), "off by {error:e}");
        assert_eq!(got.components.len(), 1);
        // Every bit of common surface counts once, for A or for B.
        let surface: f64 = (0..solid.triangles().len() as u32)
            .map(|t| {
                let [a, b, c] = solid.corners(t);
                0.5 * (b - a).cross(c - a).length()
            })
            .sum();
        let area = got.total.surfaces[0].area + got.total.surfaces[1].area;
        assert!(
            (area - surface).abs() <= 1e-12 * surface,
            "area {area:e}, surface {surface:e}"
        );
    }
}

#[test]
fn the_same_solid_in_other_triangles() {
    let cube = sixteenths(4.0, 4.0, 4.0);
    let fine = closed(subdivide(&subdivide(&cube.to_tri_mesh())));
    let rotated = Pose {
        R: quarter_turn(),
        p: DVec3::ZERO,
    };
    for X_AB in [Pose::IDENTITY, rotated] {
        assert_overlap(&cube, &fine, &X_AB, &[(64.0, [0.0; 3])]);
        assert_overlap(&fine, &cube, &X_AB, &[(64.0, [0.0; 3])]);
        assert_overlap(&fine, &fine, &X_AB, &[(64.0, [0.0; 3])]);
    }
}

#[test]
fn one_inside_the_other() {
    let cube = sixteenths(8.0, 8.0, 8.0);
    let small = sixteenths(2.0, 2.0, 2.0);
    let inside = [(8.0, [1.0, 2.0, 0.5])];
    assert_overlap(&cube, &small, &at(1.0, 2.0, 0.5), &inside);
    assert_overlap(&small, &cube, &at(-1.0, -2.0, -0.5), &[(8.0, [0.0; 3])]);
    // Touching a face, an edge, a corner from inside.
    assert_overlap(&cube, &small, &at(3.0, 0.0, 0.0), &[(8.0, [3.0, 0.0, 0.0])]);
    assert_overlap(&cube, &small, &at(3.0, 3.0, 0.0), &[(8.0, [3.0, 3.0, 0.0])]);
    assert_overlap(&cube, &small, &at(3.0, 3.0, 3.0), &[(8.0, [3.0, 3.0, 3.0])]);
}

#[test]
fn cavities() {
    let hollow = closed(hollow_cuboid(DVec3::splat(0.5), DVec3::splat(0.25)));
    // Inside the cavity, with air around, on its wall, filling it: nothing.
    assert_nothing(&hollow, &sixteenths(2.0, 2.0, 2.0), &Pose::IDENTITY);
    assert_nothing(&hollow, &sixteenths(2.0, 2.0, 2.0), &at(1.0, 0.0, 0.0));
    assert_nothing(&hollow, &sixteenths(4.0, 4.0, 4.0), &Pose::IDENTITY);
    // Larger than the cavity: a shell, one piece with a hole in it.
    let plug = sixteenths(6.0, 6.0, 6.0);
    assert_overlap(&hollow, &plug, &Pose::IDENTITY, &[(216.0 - 64.0, [0.0; 3])]);
    // Larger than everything: the hollow solid itself.
    let room = sixteenths(12.0, 12.0, 12.0);
    assert_overlap(&hollow, &room, &Pose::IDENTITY, &[(512.0 - 64.0, [0.0; 3])]);
    assert_overlap(
        &room,
        &hollow,
        &at(1.0, 2.0, 1.0),
        &[(512.0 - 64.0, [1.0, 2.0, 1.0])],
    );
    // A rod through it: one piece per wall.
    let rod = sixteenths(12.0, 2.0, 2.0);
    let pieces = [(8.0, [-3.0, 0.0, 0.0]), (8.0, [3.0, 0.0, 0.0])];
    assert_overlap(&hollow, &rod, &Pose::IDENTITY, &pieces);
    // A rod as wide as the cavity: the same volume, flush with its walls.
    let rod = sixteenths(12.0, 4.0, 4.0);
    assert_total(&hollow, &rod, &Pose::IDENTITY, 64.0, [0.0; 3]);
}

#[test]
fn several_shells_are_one_solid() {
    let shift = |mesh: TriMesh, x: f64| mesh.transformed(1.0, &at(x, 0.0, 0.0));
    let block = || cuboid(DVec3::splat(0.25));
    let pair = closed(merged(&[shift(block(), -4.0), shift(block(), 4.0)]));
    let bar = sixteenths(16.0, 2.0, 2.0);
    let pieces = [(16.0, [-4.0, 0.0, 0.0]), (16.0, [4.0, 0.0, 0.0])];
    assert_overlap(&pair, &bar, &Pose::IDENTITY, &pieces);
    // A piece in each: one inside, one cut.
    let crumbs = closed(merged(&[
        shift(cuboid(DVec3::splat(0.125)), -4.0),
        shift(cuboid(DVec3::splat(0.125)), 6.0),
    ]));
    let pieces = [(8.0, [-4.0, 0.0, 0.0]), (4.0, [5.5, 0.0, 0.0])];
    assert_overlap(&pair, &crumbs, &Pose::IDENTITY, &pieces);
}

#[test]
fn two_ears_on_one_face_are_two_components() {
    // A U of walls 2 on a side of 8, open upwards, pressed 1 deep into a slab.
    let u = closed(u_channel(0.5, 0.125, 0.25));
    let slab = sixteenths(16.0, 4.0, 16.0);
    let ears = [(8.0, [-3.0, 3.5, 0.0]), (8.0, [3.0, 3.5, 0.0])];
    assert_overlap(&u, &slab, &at(0.0, 5.0, 0.0), &ears);
    // A hair above the floor of the U: still two. On the floor: as much.
    let hair = 1.0 / 1024.0;
    let ears = [-3.0, 3.0].map(|x| (32.0, [x, hair, 0.0]));
    assert_overlap(&u, &slab, &at(0.0, hair, 0.0), &ears);
    assert_total(&u, &slab, &Pose::IDENTITY, 64.0, [0.0; 3]);
}
