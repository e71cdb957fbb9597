//! A closed cycle of poses does no work: the foundation's elastic wrench comes
//! from a potential.
//!
//! The work along a path is integrated by Gauss–Legendre panels that are
//! halved until two of them agree with one, because the wrench has corners in
//! its derivatives wherever a vertex touches down or the nearest face changes:
//! near those the panels shrink, and what is left is what the integral itself
//! resolves. Every path starts and ends apart, so the largest part of the
//! integral is the largest stored energy.

use std::f64::consts::TAU;

use crate::common::{Bodies, Motion, block, in_world, pair_materials, pose};
use glam::{DMat3, DQuat, DVec3};
use volar_geom::{ClosedMesh, Pose};
use volar_math::Twist;
use volar_testkit::corpus::bunny;
use volar_testkit::solids::{closed, l_block};

/// The method asks for 1e-9 of the stored energy; 2e-12 is reached, which is
/// [`AGREE`] times the number of panels at corners.
const WORK: f64 = 1e-10;
/// Panels are halved until they agree to this part of the stored energy.
const AGREE: f64 = 1e-12;

/// Ten points of Gauss and Legendre on −1..1: the positive ones, their weights.
const GAUSS: [(f64, f64); 5] = [
    (0.148_874_338_981_631_22, 0.295_524_224_714_752_87),
    (0.433_395_394_129_247_2, 0.269_266_719_309_996_35),
    (0.679_409_568_299_024_4, 0.219_086_362_515_982_04),
    (0.865_063_366_688_984_5, 0.149_451_349_150_580_6),
    (0.973_906_528_517_171_7, 0.066_671_344_308_688_14),
];

/// A path of A: the place, and turns about two axes one after the other, each
/// with its rate, as functions of s in 0..1.
struct Path {
    place: fn(f64) -> [DVec3; 2],
    turns: fn(f64) -> [(DVec3, f64, f64); 2],
}

impl Path {
    fn at(&self, s: f64) -> Motion {
        let [p, dp] = (self.place)(s);
        let [(first, a, da), (second, b, db)] = (self.turns)(s);
        let R = |axis: DVec3, angle: f64| DMat3::from_quat(DQuat::from_axis_angle(axis, angle));
        let outer = R(first, a);
        Motion {
            X_WA: Pose {
                R: outer * R(second, b),
                p,
            },
            X_WB: Pose::IDENTITY,
            at: p,
            twist: Twist {
                angular: da * first + outer * (db * second),
                linear: dp,
            },
        }
    }
}

/// Work of the elastic wrench along a path.
struct Work<'a> {
    bodies: &'a Bodies,
    path: &'a Path,
    energy: f64,
    sum: f64,
    largest: f64,
    evaluations: usize,
}

impl Work<'_> {
    /// Power per s: the velocity does not enter the elastic wrench.
    fn power(&mut self, s: f64) -> f64 {
        self.evaluations += 1;
        let motion = self.path.at(s);
        let contact = self.bodies.fresh(&motion);
        let elastic = contact.normal_contact.elastic[0] + contact.normal_contact.elastic[1];
        in_world(&elastic, &motion, &contact, motion.at).dot(motion.twist)
    }

    fn panel(&mut self, from: f64, to: f64) -> f64 {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let sum = GAUSS
            .iter()
            .map(|&(x, w)| w * (self.power(middle - half * x) + self.power(middle + half * x)));
        half * sum.sum::<f64>()
    }

    fn add(&mut self, from: f64, to: f64, whole: f64, depth: u32) {
        let middle = 0.5 * (from + to);
        let (low, high) = (self.panel(from, middle), self.panel(middle, to));
        if depth == 0 || (low + high - whole).abs() < AGREE * self.energy {
            self.sum += low + high;
            self.largest = self.largest.max(-self.sum);
            return;
        }
        self.add(from, middle, low, depth - 1);
        self.add(middle, to, high, depth - 1);
    }
}

/// Largest stored energy, work over the cycle against it, evaluations.
fn cycle(bodies: &Bodies, path: &Path, halvings: u32) -> (f64, f64, usize) {
    let mut work = Work {
        bodies,
        path,
        energy: 1e-3,
        sum: 0.0,
        largest: 0.0,
        evaluations: 0,
    };
    // Once roughly for the scale, once well.
    for depth in [4, halvings] {
        (work.sum, work.largest, work.evaluations) = (0.0, 0.0, 0);
        for k in 0..16 {
            let (from, to) = (f64::from(k) / 16.0, f64::from(k + 1) / 16.0);
            let whole = work.panel(from, to);
            work.add(from, to, whole, depth);
        }
        work.energy = work.largest;
    }
    (work.largest, work.sum / work.largest, work.evaluations)
}

/// Down onto a face, over the edge, and back up beside it.
const OVER_AN_EDGE: Path = Path {
    place: |s| {
        let (sin, cos) = (TAU * s).sin_cos();
        [
            DVec3::new(0.024 - 0.008 * cos, 0.002 * sin, 0.033 - 0.007 * sin),
            TAU * DVec3::new(0.008 * sin, 0.002 * cos, -0.007 * cos),
        ]
    },
    turns: |_| [(DVec3::X, 0.03, 0.0), (DVec3::Z, 0.4, 0.0)],
};

/// The same, turning about two axes on the way.
const OVER_AN_EDGE_TURNING: Path = Path {
    place: OVER_AN_EDGE.place,
    turns: |s| {
        let (sin, cos) = (TAU * s).sin_cos();
        [
            (DVec3::Y, 0.3 * sin, 0.3 * TAU * cos),
            (DVec3::X, 0.2 * cos, -0.2 * TAU * sin),
        ]
    },
};

/// Into the inner corner of an L along its floor, out along its wall. Its
/// floor is at y = −10 mm, its wall at x = −10 mm.
const INTO_A_CORNER: Path = Path {
    place: |s| {
        let (sin, cos) = (TAU * s).sin_cos();
        [
            DVec3::new(0.0015 + 0.004 * cos, 0.0015 + 0.004 * sin, 0.001 * sin),
            TAU * DVec3::new(-0.004 * sin, 0.004 * cos, 0.001 * cos),
        ]
    },
    turns: |_| [(DVec3::Z, 0.02, 0.0), (DVec3::X, 0.01, 0.0)],
};

const INTO_A_CORNER_TURNING: Path = Path {
    place: INTO_A_CORNER.place,
    turns: |s| {
        let (sin, cos) = (TAU * s).sin_cos();
        [
            (DVec3::Z, 0.1 * sin, 0.1 * TAU * cos),
            (DVec3::X, 0.1 * cos, -0.1 * TAU * sin),
        ]
    },
};

fn check(name: &str, a: &ClosedMesh, b: &ClosedMesh, path: &Path) {
    for (pair_material, materials) in pair_materials() {
        let bodies = Bodies::new(a.clone(), b.clone(), materials);
        let (energy, work, evaluations) = cycle(&bodies, path, 14);
        println!("{name:<24} {pair_material:<10} {energy:.2e} J   {work:+.1e}   {evaluations:>7}");
        assert!(energy > 1e-6, "{name} must press");
        assert!(
            work.abs() < WORK,
            "{name}, {pair_material}: {work:e} of {energy:e} J"
        );
    }
}

#[test]
fn over_an_edge() {
    let (a, b) = (block(0.02, 0.02, 0.02), block(0.04, 0.04, 0.04));
    check("over an edge", &a, &b, &OVER_AN_EDGE);
    check("over an edge, turning", &a, &b, &OVER_AN_EDGE_TURNING);
}

#[test]
fn into_and_out_of_a_corner() {
    let (a, b) = (
        block(0.018, 0.018, 0.016),
        closed(l_block(0.04, 0.01, 0.03)),
    );
    check("into a corner", &a, &b, &INTO_A_CORNER);
    check("into a corner, turning", &a, &b, &INTO_A_CORNER_TURNING);
}

/// A bunny that nods on a plate: its own depth is replaced by planes in its
/// valleys and cut up in its pits, but it is a function of the place in the
/// bunny, and no more is needed for its force to have a potential.
#[test]
fn a_bunny_on_a_plate() {
    let low = bunny()
        .vertices
        .iter()
        .map(|p| p.z)
        .fold(f64::INFINITY, f64::min);
    let rabbit =
        closed(bunny().transformed(1.0, &Pose::from_translation(DVec3::new(0.0, 0.0, -low))));
    let path = Path {
        place: |s| {
            let (sin, cos) = (TAU * s).sin_cos();
            let p = DVec3::new(0.003 * cos, 0.002 * sin, 0.027 - 0.008 * sin);
            [p, TAU * DVec3::new(-0.003 * sin, 0.002 * cos, -0.008 * cos)]
        },
        // Out of step with the height, so that it does not go back as it came.
        turns: |s| {
            let (sin, cos) = (TAU * s).sin_cos();
            [
                (DVec3::X, 0.1 * cos, -0.1 * TAU * sin),
                (DVec3::Y, 0.05 * cos + 0.05 * sin, 0.05 * TAU * (cos - sin)),
            ]
        },
    };
    let plate = block(0.2, 0.2, 0.04);
    for (pair_material, materials) in pair_materials() {
        let bodies = Bodies::new(rabbit.clone(), plate.clone(), materials);
        let (energy, work, evaluations) = cycle(&bodies, &path, 6);
        println!(
            "{:<24} {pair_material:<10} {energy:.2e} J   {work:+.1e}   {evaluations:>7}",
            "bunny on a plate"
        );
        assert!(energy > 1e-6);
        assert!(work.abs() < WORK, "{pair_material}: {work:e}");
    }
}

/// The paths are what they say: apart at both ends, and their twists are the
/// derivatives of their poses.
#[test]
fn the_paths_are_sound() {
    let blocks = (block(0.02, 0.02, 0.02), block(0.04, 0.04, 0.04));
    let corner = (
        block(0.018, 0.018, 0.016),
        closed(l_block(0.04, 0.01, 0.03)),
    );
    for (path, (a, b)) in [
        (&OVER_AN_EDGE, &blocks),
        (&OVER_AN_EDGE_TURNING, &blocks),
        (&INTO_A_CORNER, &corner),
        (&INTO_A_CORNER_TURNING, &corner),
    ] {
        let bodies = Bodies::new(a.clone(), b.clone(), pair_materials()[0].1);
        for s in [0.0, 1.0] {
            assert!(bodies.fresh(&path.at(s)).volume <= 0.0, "apart at the ends");
        }
        let h = 1e-6;
        for s in [0.1, 0.4, 0.8] {
            let (motion, low, high) = (path.at(s), path.at(s - h), path.at(s + h));
            let velocity = (high.X_WA.p - low.X_WA.p) / (2.0 * h);
            assert!((velocity - motion.twist.linear).length() < 1e-7);
            let angular_velocity = pose(2.0 * h * motion.twist.angular, DVec3::ZERO).R * low.X_WA.R;
            let off = angular_velocity - high.X_WA.R;
            assert!(off.x_axis.length() + off.y_axis.length() < 1e-9);
        }
    }
}
