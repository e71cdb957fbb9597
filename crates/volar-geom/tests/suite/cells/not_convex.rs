//! Bodies with valleys and pits.

use glam::{DMat3, DVec2, DVec3};
use volar_geom::overlap::OverlapKernel;
use volar_geom::{ClosedMesh, Pose, TriMesh};
use volar_testkit::brute::nearest;
use volar_testkit::corpus::solid;
use volar_testkit::rng::Rng;
use volar_testkit::solids::{closed, cuboid, l_block, subdivide};
use volar_testkit::sweep::approach;

use super::wrench::{assert_close, cells_of_b, pressure, wrench};

/// A tray: a box of 60 × 60 × 20 mm with a pit of 40 × 40 × 10 mm in its top.
fn tray() -> ClosedMesh {
    let corner = |h: f64, z: f64| {
        [(-h, -h), (h, -h), (h, h), (-h, h)].map(|(x, y)| DVec2::new(x, y).extend(z))
    };
    let rings = [
        corner(0.03, -0.01),
        corner(0.03, 0.01),
        corner(0.02, 0.01),
        corner(0.02, 0.0),
    ];
    let vertices = rings.concat();
    let mut triangles = vec![[0, 2, 1], [0, 3, 2], [12, 13, 14], [12, 14, 15]];
    for ring in 0..3_u32 {
        for k in 0..4_u32 {
            let (a, b) = (4 * ring + k, 4 * ring + (k + 1) % 4);
            triangles.push([a, b, b + 4]);
            triangles.push([a, b + 4, a + 4]);
        }
    }
    closed(TriMesh {
        vertices,
        triangles,
    })
}

#[test]
fn a_tray_is_what_it_should_be() {
    let tray = tray();
    assert!((tray.volume() - (0.06 * 0.06 * 0.02 - 0.04 * 0.04 * 0.01)).abs() < 1e-15);
    assert!(!tray.is_convex());
    assert_eq!(tray.faces().len(), 11);
}

/// A block in the corner of a tray, `sunk` into the floor and both walls.
fn in_corner(sunk: DVec3) -> Pose {
    Pose::from_translation(DVec3::new(0.01, 0.01, 0.01) + sunk * DVec3::new(1.0, 1.0, -1.0))
}

/// Floor, walls and the valleys between them, where the depth is the distance
/// from the edge: within what the planes through the edge leave of it.
#[test]
fn a_block_in_the_corner_of_a_tray() {
    let (tray, block) = (tray(), closed(cuboid(DVec3::splat(0.02))));
    let mut kernel = OverlapKernel::new();
    for d in [3e-5, 5e-4, 2e-3] {
        // Floor only.
        let cells = cells_of_b(
            &mut kernel,
            &tray,
            &block,
            &in_corner(DVec3::new(-1e-3, -2e-3, d)),
        );
        let exact = 4e-4 * d * DVec3::Z;
        assert_close(wrench(&cells)[0], exact, 1e-12 * exact.z, "floor");
        // Floor and one wall: in the valley φ is the distance from the edge.
        let cells = cells_of_b(
            &mut kernel,
            &tray,
            &block,
            &in_corner(DVec3::new(d, -1e-3, d)),
        );
        // ∫_0^d √(x² + d²) dx
        let valley = 0.5 * d * d * (2.0_f64.sqrt() + 1.0_f64.asinh());
        let normal = 0.02 * ((0.02 - d) * d + valley);
        // The part of the wall above z = 0 is only 10 mm high; above that the
        // block sticks out of the tray. Its top edge is a ridge of the tray.
        let right = (0.01 - d) * d + 0.5 * d * d + valley;
        // The block's left side is in the floor.
        let left = 0.5 * d * d;
        let side = 0.02 * (right - left);
        let [force, _] = wrench(&cells);
        let exact = DVec3::new(-side, 0.0, normal);
        assert_close(force, exact, 0.02 * 0.02 * valley, "floor and wall");
    }
}

/// Along any path the force has no jumps.
#[test]
fn the_force_is_continuous_in_a_tray() {
    let (tray, block) = (tray(), closed(cuboid(DVec3::splat(0.02))));
    let mut kernel = OverlapKernel::new();
    for case in 0..20 {
        let mut rng = Rng::for_case("cells/tray", case);
        let (axis, turn) = (rng.direction(), rng.uniform(0.0, 0.05));
        let mut last: Option<[DVec3; 2]> = None;
        let steps = 2_000;
        let (from, to) = (rng.in_cube(5e-4), rng.in_cube(5e-4));
        for step in 0..=steps {
            let t = f64::from(step) / f64::from(steps);
            let mut X_AB = in_corner(from + t * (to - from));
            X_AB.R = DMat3::from_axis_angle(axis, turn * t);
            let now = wrench(&cells_of_b(&mut kernel, &tray, &block, &X_AB));
            if let Some(last) = last {
                // A step is 0.5 µm and 25 µrad: at most that times the area.
                let travel = (to - from).length() + turn * 0.05;
                let allowed = 3.0 * travel / f64::from(steps) * 3.0 * 4e-4;
                assert_close(
                    now[0],
                    last[0],
                    allowed,
                    &format!("case {case}, step {step}"),
                );
                assert_close(
                    now[1],
                    last[1],
                    0.03 * allowed,
                    &format!("case {case}, step {step}"),
                );
            }
            last = Some(now);
        }
    }
}

/// The depth is a function of the place: cutting the surface finer changes
/// nothing. And it is the distance, but for rounded valleys.
#[test]
fn the_depth_is_a_function_of_the_place() {
    let mut kernel = OverlapKernel::new();
    let mesh = cuboid(DVec3::new(0.02, 0.02, 0.06));
    let fine = closed((0..3).fold(mesh.clone(), |mesh, _| subdivide(&mesh)));
    let finger = closed(mesh);
    let (mut same, mut exact): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    let solids = [
        ("l_block", closed(l_block(0.05, 0.015, 0.03))),
        ("tray", tray()),
        ("bunny", solid("bunny")),
        ("torus", solid("torus")),
        ("proximal", solid("proximal")),
    ];
    for (name, a) in &solids {
        for case in 0..40 {
            let mut rng = Rng::for_case(name, case);
            let depth = rng.log_uniform(3e-5, 2e-3);
            let X_AB = approach(a, &finger, depth, &mut rng).X_AB;
            let coarse = cells_of_b(&mut kernel, a, &finger, &X_AB);
            let fine = cells_of_b(&mut kernel, a, &fine, &X_AB);
            let difference = wrench(&coarse)[0] - wrench(&fine)[0];
            same.push(difference.length() / pressure(&coarse));
            let mut distances = 0.0;
            for cell in &fine {
                let (distance, _) = nearest(a, &Pose::IDENTITY, cell.centroid, 0.0);
                distances += distance * cell.area;
            }
            exact.push((pressure(&fine) - distances).abs() / distances);
        }
    }
    for (errors, most, worst) in [(&mut same, 1e-12, 1e-4), (&mut exact, 1e-12, 5e-3)] {
        errors.sort_by(f64::total_cmp);
        let (ninth, last) = (errors[errors.len() * 9 / 10], errors[errors.len() - 1]);
        assert!(
            ninth <= most && last <= worst,
            "nine in ten {ninth:e}, worst {last:e}"
        );
    }
}
