//! Depth integrals with a formula.

use glam::{DMat3, DVec3};
use volar_geom::Pose;
use volar_geom::overlap::{Fields, OverlapKernel};
use volar_testkit::corpus::solid;
use volar_testkit::rng::Rng;
use volar_testkit::solids::{closed, cuboid, icosphere, subdivide};

use super::wrench::{assert_close, cells_of_b, pressure, wrench};

/// Block B, 20 mm wide, on block A, 60 mm wide, sunk in by `depth`.
fn sunk(depth: f64, x: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, 0.0, 0.03 + 0.01 - depth))
}

#[test]
fn a_block_on_a_block() {
    let a = closed(cuboid(DVec3::splat(0.06)));
    let fine = closed(subdivide(&subdivide(&cuboid(DVec3::splat(0.06)))));
    let b = closed(cuboid(DVec3::splat(0.02)));
    let mut kernel = OverlapKernel::new();
    for depth in [1e-6, 3e-5, 1e-3] {
        for a in [&a, &fine] {
            let cells = cells_of_b(&mut kernel, a, &b, &sunk(depth, 0.0));
            // Its lower face, two triangles, and four sides of two pieces each.
            assert_eq!(cells.len(), 10);
            let faces = 4e-4 * depth;
            let sides = 4.0 * 0.02 * 0.5 * depth * depth;
            let exact = faces + sides;
            assert!((pressure(&cells) - exact).abs() <= 1e-12 * exact);
            let [force, _] = wrench(&cells);
            assert_close(force, faces * DVec3::Z, 1e-11 * faces, "force");
        }
    }
}

/// Where the block hangs over the edge of A, A's nearest face changes along
/// its lower face: within `depth` of the edge it is A's side.
#[test]
fn an_overhanging_block() {
    let a = closed(cuboid(DVec3::splat(0.06)));
    let b = closed(cuboid(DVec3::splat(0.02)));
    let mut kernel = OverlapKernel::new();
    for depth in [3e-5, 1e-3, 4e-3] {
        let cells = cells_of_b(&mut kernel, &a, &b, &sunk(depth, 0.03));
        // Lower face: φ = min(depth, distance from the side).
        let down = 0.02 * (depth * (0.01 - depth) + 0.5 * depth * depth);
        // The face of B inside A, at x = 0.02 there: φ from 0 to depth.
        let left = 0.02 * 0.5 * depth * depth;
        let [force, _] = wrench(&cells);
        let exact = DVec3::new(left, 0.0, down);
        assert_close(force, exact, 1e-12 * down, "force");
    }
}

/// A tilted flat face into a flat face: force g V along the flat face's
/// normal, through the centroid of the overlap.
#[test]
fn a_tilted_block_in_a_flat_field_feels_the_volume() {
    let a = closed(cuboid(DVec3::new(0.3, 0.3, 0.06)));
    let mut kernel = OverlapKernel::new();
    let names = ["cube", "finger", "sphere_1280", "bunny", "torus", "star"];
    for (index, name) in names.into_iter().enumerate() {
        let b = solid(name);
        for case in 0..50 {
            let mut rng = Rng::for_case(name, case + 100 * index);
            let R = rng.rotation();
            let lowest = b.vertices().iter().map(|&p| (R * p).z);
            let lowest = lowest.fold(f64::INFINITY, f64::min);
            let depth = rng.log_uniform(1e-5, 5e-3);
            let p = DVec3::new(0.0, 0.0, 0.03 - lowest - depth);
            let X_AB = Pose { R, p };
            let cells = cells_of_b(&mut kernel, &a, &b, &X_AB);
            let measure = kernel.overlap(&a, &b, &X_AB).total;
            let exact = measure.volume * DVec3::Z;
            let [force, moment] = wrench(&cells);
            let what = format!("{name} {case}, depth {depth:e}");
            // The rounding of the coordinates over the depth is the floor.
            let digits = (1e-15 / depth).max(1e-12);
            assert_close(force, exact, digits * exact.z, &what);
            let exact_moment = measure.first_moment.cross(DVec3::Z);
            assert_close(moment, exact_moment, digits * 0.06 * exact.z, &what);
        }
    }
}

/// The divergence theorem on all faces: `−∫_{Γ_B} φ n dA = ∫_Ω e dV`, where the
/// overlap is cut by hand into the parts below each face of A's corner.
#[test]
fn a_block_in_a_corner() {
    let a = closed(cuboid(DVec3::splat(0.06)));
    let b = closed(cuboid(DVec3::splat(0.02)));
    let mut kernel = OverlapKernel::new();
    for depth in [1e-4, 2e-3, 0.01] {
        // B overlaps A in a cube of edge `depth` at A's corner. Each of the
        // three faces of A is nearest in a third of it.
        let X_AB = Pose::from_translation(DVec3::splat(0.03 + 0.01 - depth));
        let cells = cells_of_b(&mut kernel, &a, &b, &X_AB);
        let third = depth.powi(3) / 3.0;
        let [force, moment] = wrench(&cells);
        assert_close(force, DVec3::splat(third), 1e-12 * third, "force");
        assert_close(moment, DVec3::ZERO, 1e-12 * 0.06 * third, "moment");
        // φ on the three inner faces: min of two coordinates, over a square.
        assert!((pressure(&cells) - 3.0 * third).abs() <= 1e-12 * third);
        assert_eq!(cells.len(), 3 * 2);
    }
}

/// Far from the origin nothing changes but rounding of the coordinates.
#[test]
fn far_from_the_origin() {
    let far = Pose {
        R: DMat3::from_axis_angle(DVec3::new(0.36, 0.48, 0.8), 0.7),
        p: DVec3::new(10.0, -7.0, 3.0),
    };
    let mut kernel = OverlapKernel::new();
    for (at, b) in [cuboid(DVec3::splat(0.02)), icosphere(0.03, 3)]
        .into_iter()
        .enumerate()
    {
        let a = cuboid(DVec3::splat(0.06));
        let half = [0.01, 0.03][at];
        let X_AB = Pose {
            R: DMat3::from_axis_angle(DVec3::X, 0.01),
            p: DVec3::new(0.025, 0.0, 0.03 + half - 3e-4),
        };
        let here = cells_of_b(&mut kernel, &closed(a.clone()), &closed(b.clone()), &X_AB);
        // The same solids, both meshes far from the origin of their frames.
        let (far_a, far_b) = (
            closed(a.transformed(1.0, &far)),
            closed(b.transformed(1.0, &far)),
        );
        let X_far = far.compose(&X_AB).compose(&far.inverse());
        let there = cells_of_b(&mut kernel, &far_a, &far_b, &X_far);
        let ([f, _], [g, _]) = (wrench(&here), wrench(&there));
        let scale = f.length();
        assert_close(far.R.transpose() * g, f, 1e-9 * scale, "force");
        // Only the pose is far: a body frame beside its body.
        let off = Pose::from_translation(DVec3::new(0.0, 10.0, 0.0));
        let shifted = closed(b_mesh(at).transformed(1.0, &off));
        let X_off = X_AB.compose(&off.inverse());
        let there = cells_of_b(
            &mut kernel,
            &closed(cuboid(DVec3::splat(0.06))),
            &shifted,
            &X_off,
        );
        assert_close(wrench(&there)[0], f, 1e-9 * scale, "force");
    }
}

fn b_mesh(at: usize) -> volar_geom::TriMesh {
    [cuboid(DVec3::splat(0.02)), icosphere(0.03, 3)][at].clone()
}

/// Which body is called A makes no difference.
#[test]
fn swapped_bodies() {
    let mut kernel = OverlapKernel::new();
    for (a, b) in [
        ("cube", "finger"),
        ("sphere_1280", "finger"),
        ("bunny", "finger"),
        ("u_channel", "cube"),
    ] {
        let (a, b) = (solid(a), solid(b));
        for case in 0..30 {
            let mut rng = Rng::for_case("swapped", case);
            let X_AB = volar_testkit::sweep::approach(&a, &b, 5e-4, &mut rng).X_AB;
            let X_BA = X_AB.inverse();
            let one = kernel
                .overlap_with_cells(&a, &b, &X_AB, Fields::BOTH)
                .clone();
            let other = kernel.overlap_with_cells(&b, &a, &X_BA, Fields::BOTH);
            for body in 0..2 {
                let [f, m] = wrench(&one.cells[body]);
                let [g, n] = wrench(&other.cells[1 - body]);
                let g = X_AB.vector(g);
                let n = X_AB.vector(n) + X_AB.p.cross(g);
                let scale = 1e-9 * one.total.volume + 1e-19;
                assert_close(g, f, scale, "force");
                assert_close(n, m, 0.1 * scale, "moment");
            }
        }
    }
}
