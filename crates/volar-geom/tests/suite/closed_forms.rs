//! Overlaps with a formula: polyhedra to rounding, spheres with the order of
//! convergence of their meshes.

use std::f64::consts::FRAC_1_SQRT_2;

use glam::{DMat3, DQuat, DVec3};
use volar_geom::overlap::{Measure, OverlapKernel};
use volar_geom::{ClosedMesh, Pose};
use volar_testkit::closed_form::box_overlap;
use volar_testkit::convergence;
use volar_testkit::rng::Rng;
use volar_testkit::solids::{closed, cuboid, icosphere};

/// Polyhedra in poses without rounding: only the kernel's own arithmetic is
/// left, a few hundred operations of 1e-16 each.
const POLYHEDRON: f64 = 1e-12;

fn overlap(a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) -> Measure {
    OverlapKernel::new().overlap(a, b, X_AB).total
}

fn assert_measure(what: &str, got: &Measure, volume: f64, centroid: DVec3, size: f64) {
    let error = (got.volume - volume).abs() / volume;
    assert!(
        error <= POLYHEDRON,
        "{what}: volume {:e}, not {volume:e}",
        got.volume
    );
    let off = got
        .centroid
        .expect("a volume has a centroid")
        .distance(centroid);
    assert!(
        off <= POLYHEDRON * size,
        "{what}: centroid off by {off:e}, size {size:e}"
    );
}

/// Corners, edges, slabs, bars and boxes inside each other, from 1 µm (2⁻²⁰ m)
/// deep to through and through. All coordinates are multiples of 2⁻²², so the
/// closed form has no rounding to speak of.
#[test]
fn boxes_with_parallel_axes() {
    const STEP: f64 = 1.0 / 4_194_304.0;
    let mut rng = Rng::new(1);
    let mut kernel = OverlapKernel::new();
    let mut seen = 0;
    for _ in 0..5_000 {
        let mut side = || STEP * rng.log_uniform(8.0, 4e5).round();
        let [half_a, half_b] = [0; 2].map(|_| DVec3::from_array([0; 3].map(|_| side())));
        // How far B reaches into A along each axis, from either side.
        let offset = (half_a + half_b).to_array().map(|reach| {
            let depth = STEP * (rng.log_uniform(4.0, reach / STEP)).round();
            if rng.below(2) == 0 {
                reach - depth
            } else {
                depth - reach
            }
        });
        let p = DVec3::from_array(offset);
        let expected = box_overlap([-half_a, half_a], [p - half_b, p + half_b]);
        let (a, b) = (closed(cuboid(2.0 * half_a)), closed(cuboid(2.0 * half_b)));
        let got = kernel.overlap(&a, &b, &Pose::from_translation(p)).total;
        let Some([min, max]) = expected else {
            assert_eq!(got, Measure::default());
            continue;
        };
        seen += 1;
        let what = format!("half sides {half_a} and {half_b} at {p}");
        let size = max - min;
        let (volume, centroid) = (size.element_product(), 0.5 * (min + max));
        assert_measure(&what, &got, volume, centroid, size.length());
    }
    assert!(seen > 4_000, "only {seen} boxes overlapped");
}

/// A cube standing on its corner, `h` deep in a face: the tip is a pyramid of
/// volume `√3/2 h³` with its centroid a quarter of the way up.
#[test]
fn corner_of_a_cube_in_a_face() {
    let (a, b) = (
        closed(cuboid(DVec3::splat(0.25))),
        closed(cuboid(DVec3::splat(0.0625))),
    );
    let diagonal = DVec3::ONE / 3.0_f64.sqrt();
    let R = DMat3::from_quat(DQuat::from_rotation_arc(diagonal, DVec3::NEG_Z));
    for h in [0.001, 0.003, 0.01, 0.02] {
        let tip = DVec3::new(0.013, -0.007, 0.125 - h);
        let X_AB = Pose {
            R,
            p: tip - R * DVec3::splat(0.03125),
        };
        let got = overlap(&a, &b, &X_AB);
        let volume = 0.5 * 3.0_f64.sqrt() * h.powi(3);
        let centroid = tip + 0.75 * h * DVec3::Z;
        assert_measure(&format!("{h} m deep"), &got, volume, centroid, h);
    }
}

/// A cube on its edge, `h` deep in a face: a prism of volume `h² L`.
#[test]
fn edge_of_a_cube_in_a_face() {
    let (a, b) = (
        closed(cuboid(DVec3::splat(0.25))),
        closed(cuboid(DVec3::splat(0.0625))),
    );
    let R = DMat3::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let half_diagonal = 0.0625 * FRAC_1_SQRT_2;
    for h in [0.001, 0.003, 0.01, 0.02] {
        let p = DVec3::new(0.013, -0.007, 0.125 - h + half_diagonal);
        let got = overlap(&a, &b, &Pose { R, p });
        let centroid = DVec3::new(p.x, p.y, 0.125 - h / 3.0);
        assert_measure(
            &format!("{h} m deep"),
            &got,
            h * h * 0.0625,
            centroid,
            0.0625,
        );
    }
}

/// Errors at successive subdivisions fall by four: order two in the length of
/// the triangles' sides, since a chord misses the arc by the square of its
/// length.
fn assert_second_order(what: &str, errors: &[f64]) {
    let orders = convergence::orders(errors);
    println!("{what}: errors {errors:?}, orders {orders:.2?}");
    assert!(
        orders.iter().all(|order| (1.7..2.3).contains(order)),
        "{what}: orders {orders:?} of {errors:?}"
    );
}

#[test]
fn spherical_cap_converges() {
    let errors = convergence::cap();
    let (volume, centroid): (Vec<f64>, Vec<f64>) =
        errors.iter().map(|e| (e.volume, e.centroid)).unzip();
    assert_second_order("volume of a cap", &volume);
    assert_second_order("centroid of a cap", &centroid);
}

#[test]
fn lens_of_two_spheres_converges() {
    let errors = convergence::lens();
    let (volume, centroid): (Vec<f64>, Vec<f64>) =
        errors.iter().map(|e| (e.volume, e.centroid)).unzip();
    assert_second_order("volume of a lens", &volume);
    assert_second_order("centroid of a lens", &centroid);
}

/// A ball wholly inside the other body: its own mesh, exactly.
#[test]
fn ball_inside_a_box() {
    let ball = closed(icosphere(0.03, 3));
    let room = closed(cuboid(DVec3::splat(0.2)));
    let p = DVec3::new(0.01, 0.02, -0.03);
    let R = DMat3::from_axis_angle(DVec3::new(0.36, 0.48, 0.8), 0.7);
    for got in [
        overlap(&room, &ball, &Pose { R, p }),
        overlap(&ball, &room, &Pose::from_translation(-p)),
    ] {
        assert!((got.volume - ball.volume()).abs() <= POLYHEDRON * ball.volume());
    }
}
