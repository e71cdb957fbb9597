//! A force from a potential: no work round a cycle of poses, and the tangent
//! that goes with it.

use std::f64::consts::TAU;

use glam::{DMat3, DVec3};
use volar_geom::overlap::OverlapKernel;
use volar_geom::{ClosedMesh, Pose};
use volar_testkit::corpus::solid;
use volar_testkit::rng::Rng;
use volar_testkit::solids::{closed, cuboid};
use volar_testkit::sweep::{Family, approach};

use super::wrench::{assert_close, cells_of_b, pressure, tangent, wrench};

/// A closed path of B in A's frame: rotated about a fixed axis, moved on an
/// ellipse.
struct Cycle {
    middle: DVec3,
    axes: [DVec3; 2],
    axis: DVec3,
    swing: f64,
    start: DMat3,
}

impl Cycle {
    /// Pose and twist (ω, v about the origin) at time t of 1.
    fn at(&self, t: f64) -> (Pose, [DVec3; 2]) {
        let (sin, cos) = (TAU * t).sin_cos();
        let (sin_2, cos_2) = (2.0 * TAU * t).sin_cos();
        let p = self.middle + self.axes[0] * cos + self.axes[1] * sin;
        let rate = TAU * (self.axes[1] * cos - self.axes[0] * sin);
        let R = DMat3::from_axis_angle(self.axis, self.swing * sin_2) * self.start;
        let angular_velocity = 2.0 * TAU * self.swing * cos_2 * self.axis;
        (
            Pose { R, p },
            [angular_velocity, rate - angular_velocity.cross(p)],
        )
    }

    /// The work round the cycle, by Gauss' rule on equal steps, and the
    /// work done against the force on the way in.
    fn work(&self, a: &ClosedMesh, b: &ClosedMesh, steps: u32) -> (f64, f64) {
        let mut kernel = OverlapKernel::new();
        let (mut sum, mut stored) = (0.0, 0.0_f64);
        for step in 0..steps {
            for (node, weight) in [(-0.6_f64.sqrt(), 5.0), (0.0, 8.0), (0.6_f64.sqrt(), 5.0)] {
                let t = (f64::from(step) + 0.5 + 0.5 * node) / f64::from(steps);
                let (X_AB, [angular_velocity, velocity]) = self.at(t);
                let [force, moment] = wrench(&cells_of_b(&mut kernel, a, b, &X_AB));
                let power = force.dot(velocity) + moment.dot(angular_velocity);
                sum += weight / 18.0 * power / f64::from(steps);
            }
            stored = stored.max(sum.abs());
        }
        (sum, stored)
    }
}

fn check(cycle: &Cycle, a: &ClosedMesh, b: &ClosedMesh, steps: u32, allowed: f64) {
    let (work, stored) = cycle.work(a, b, steps);
    assert!(stored > 0.0, "the path does not touch");
    let loss = work.abs() / stored;
    assert!(
        loss <= allowed,
        "{loss:e} of the energy after {steps} steps"
    );
}

/// Over the edge of a ledge and back under another slope.
#[test]
fn a_block_over_a_ledge() {
    let (a, b) = (
        closed(cuboid(DVec3::splat(0.06))),
        closed(cuboid(DVec3::splat(0.02))),
    );
    let cycle = Cycle {
        middle: DVec3::new(0.034, 0.003, 0.0393),
        axes: [
            DVec3::new(0.008, 0.0, 0.0),
            DVec3::new(0.001, 0.002, 0.0013),
        ],
        axis: DVec3::new(0.48, 0.6, 0.64),
        swing: 0.1,
        start: DMat3::IDENTITY,
    };
    check(&cycle, &a, &b, 4_000, 1e-11);
}

/// Into a corner of a box and out, turning.
#[test]
fn a_block_at_a_corner() {
    let (a, b) = (
        closed(cuboid(DVec3::splat(0.06))),
        closed(cuboid(DVec3::new(0.02, 0.03, 0.05))),
    );
    let cycle = Cycle {
        middle: DVec3::new(0.041, 0.043, 0.045),
        axes: [DVec3::splat(0.006), DVec3::new(0.005, -0.005, 0.002)],
        axis: DVec3::new(0.0, 0.6, 0.8),
        swing: 0.4,
        start: DMat3::from_axis_angle(DVec3::X, 0.2),
    };
    check(&cycle, &a, &b, 4_000, 1e-11);
}

/// A sphere and a box, in either one's field; and a body that is not convex,
/// whose depth is a function of the place as well but for pits.
#[test]
fn spheres_and_valleys() {
    let (sphere, cube) = (solid("sphere_320"), solid("cube"));
    let cycle = Cycle {
        middle: DVec3::new(0.024, 0.022, 0.056),
        axes: [DVec3::new(0.006, 0.001, 0.0), DVec3::new(0.0, 0.004, 0.002)],
        axis: DVec3::new(0.6, 0.0, 0.8),
        swing: 0.2,
        start: DMat3::IDENTITY,
    };
    check(&cycle, &cube, &sphere, 1_000, 1e-10);
    check(&cycle, &sphere, &cube, 1_000, 1e-10);
    // A block pushed into the inner edge of an L.
    let (l_block, block) = (solid("l_block"), closed(cuboid(DVec3::splat(0.02))));
    let cycle = Cycle {
        middle: DVec3::new(0.0002, 0.0003, 0.001),
        axes: [
            DVec3::new(0.0009, -0.0004, 0.0),
            DVec3::new(0.0005, 0.0007, 0.001),
        ],
        axis: DVec3::Z,
        swing: 0.05,
        start: DMat3::IDENTITY,
    };
    check(&cycle, &l_block, &block, 2_000, 2e-8);
}

#[test]
fn the_tangent_is_the_derivative_of_the_wrench() {
    let mut kernel = OverlapKernel::new();
    for (a, b) in [
        ("cube", "finger"),
        ("cube", "sphere_1280"),
        ("sphere_1280", "finger"),
        ("finger", "bunny"),
        ("bunny", "finger"),
    ] {
        let (a, b) = (solid(a), solid(b));
        for case in 0..20 {
            let mut rng = Rng::for_case("cells/tangent", case);
            let toward = rng.uniform(2e-4, 1e-3);
            let approach = approach(&a, &b, toward, &mut rng);
            // Where edges lie on edges the two sides have their own slopes.
            if approach.family == Family::Flush {
                continue;
            }
            let X_AB = approach.X_AB;
            let cells = cells_of_b(&mut kernel, &a, &b, &X_AB);
            if cells.is_empty() {
                continue;
            }
            let centre = cells[0].centroid;
            let (angular_velocity, slide) = (20.0 * rng.direction(), rng.direction());
            let velocity = slide - angular_velocity.cross(centre);
            let h = 1e-8;
            let mut at = |t: f64| {
                let turn = DMat3::from_axis_angle(
                    angular_velocity.normalize_or_zero(),
                    t * angular_velocity.length(),
                );
                // Turned about the centre, then moved.
                let p = turn * (X_AB.p - centre) + centre + t * slide;
                wrench(&cells_of_b(
                    &mut kernel,
                    &a,
                    &b,
                    &Pose {
                        R: turn * X_AB.R,
                        p,
                    },
                ))
            };
            let (after, before) = (at(h), at(-h));
            let exact = tangent(&cells, [angular_velocity, velocity]);
            let area: f64 = cells.iter().map(|cell| cell.area).sum();
            for k in 0..2 {
                let numeric = (after[k] - before[k]) / (2.0 * h);
                let arm = [1.0, 0.1][k];
                // Where the rim moves fast the second derivative shows, and
                // rounding over h; both are small against the whole.
                let scale = area * (1.0 + pressure(&cells) / area / toward);
                assert_close(
                    exact[k],
                    numeric,
                    1e-5 * arm * scale,
                    &format!("case {case}"),
                );
            }
        }
    }
}
