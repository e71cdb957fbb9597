//! How much a pressed patch resists torsion about its normal.
//!
//! The friction radius of a patch follows from the second moments of its pressure. It is
//! exact for a disc under uniform pressure, ⅔ R, and for a line; for the cap of a ball
//! and for strips it is within 1 % of the true limit, `μ ∫ p r dA`.

use crate::common::{self, Bodies, Motion, block, pose, round, stiff, twist_of};
use glam::DVec3;
use volar_contact::PairContact;
use volar_geom::mesh::shapes::icosphere;
use volar_math::Twist;
use volar_testkit::solids::closed;

/// The contact of A pressed into the top of a soft box B at z = 0, spinning
/// fast about z, or turning with a rolling speed across.
fn spinning(
    bodies: &Bodies,
    depth_at: f64,
    angular_velocity: f64,
    slide: f64,
) -> (Motion, PairContact) {
    let X_WA = pose(DVec3::ZERO, DVec3::new(0.0, 0.0, depth_at));
    let X_WB = pose(DVec3::ZERO, DVec3::new(0.0, 0.0, -0.02));
    let mut motion = Motion::still(X_WA, X_WB);
    let tracked = bodies.patches(&motion);
    assert_eq!(tracked.len(), 1, "one face, one patch");
    motion.at = DVec3::ZERO;
    motion.twist = Twist {
        angular: angular_velocity * DVec3::Z,
        linear: slide * DVec3::X,
    };
    let (patches, states) = common::split(&tracked);
    let contact = bodies.contact(&motion, &patches, &states);
    (motion, contact)
}

/// Torsional limit over `μ N`: the arm at which friction acts against torsion.
fn arm(bodies: &Bodies, height: f64) -> f64 {
    let (motion, contact) = spinning(bodies, height, 1e6, 0.0);
    let [friction] = &contact.frictions[..] else {
        panic!("one patch")
    };
    let about = contact.normal_contact.pieces[0].centre();
    let torque = friction.wrench.about(about).torque.dot(DVec3::Z);
    assert!(torque < 0.0, "friction resists the angular_velocity");
    assert!(twist_of(&motion, &contact).angular.z > 0.0);
    -torque / friction.limit
}

fn on_a_box(a: volar_geom::ClosedMesh) -> Bodies {
    // B alone is soft, and wide: the pressure is the depth below its top.
    Bodies::new(a, block(0.3, 0.3, 0.04), [stiff(1e13), stiff(1e9)])
}

/// A patch that only spins slips, with the speed of its friction radius.
#[test]
fn torsional_slip_counts_as_slip() {
    let bodies = on_a_box(round(0.01, 0.02, 64));
    let spin = 1e6;
    let radius = arm(&bodies, 0.01 - 1e-7);
    let (_, contact) = spinning(&bodies, 0.01 - 1e-7, spin, 0.0);
    let slip = contact.frictions[0].slip_rate / (radius * spin);
    assert!((slip - 1.0).abs() < 1e-6, "{slip}");
    let (_, contact) = spinning(&bodies, 0.01 - 1e-7, 1e-9, 0.0);
    assert!(contact.frictions[0].slip_rate <= 0.0, "it sticks");
}

/// A polygon with many sides comes close to the disc; its own moments are
/// known. The strips of its side that are inside count as pressed surface, which
/// adds half of depth over radius.
#[test]
fn a_disc_resists_with_two_thirds_of_its_radius() {
    let radius = 0.01;
    println!("sides  depth / R  arm / R");
    for (sides, depth) in [(16, 1e-3), (16, 1e-5), (64, 1e-5), (256, 1e-5)] {
        let bodies = on_a_box(round(radius, 0.02, sides));
        let got = arm(&bodies, 0.01 - depth * radius) / radius;
        println!("{sides:>5}  {depth:>9}  {got:.8}");
        // ∫ r² dA / A = R² (1 + 2 cos²(π/n)) / 6.
        let cos = (std::f64::consts::PI / f64::from(sides)).cos();
        let gyration = ((1.0 + 2.0 * cos * cos) / 6.0).sqrt();
        let exact = 8.0_f64.sqrt() / 3.0 * gyration;
        assert!(
            (got / exact - 1.0).abs() < 0.6 * depth,
            "{got} instead of {exact}"
        );
        if sides == 256 {
            assert!((1.5 * got - 1.0).abs() < 1e-4, "⅔ R: {got}");
        }
    }
}

#[test]
fn the_limit_joins_slip_and_spin_in_an_ellipsoid() {
    let bodies = on_a_box(round(0.01, 0.02, 64));
    let radius = arm(&bodies, 0.01 - 1e-6);
    println!("slip/angular_velocity  force/limit  torque/limit");
    for ratio in [0.0, 0.3, 1.0, 3.0, 1e3] {
        let (_, contact) = spinning(&bodies, 0.01 - 1e-6, 1e6, 1e6 * ratio * radius);
        let friction = &contact.frictions[0];
        let about = contact.normal_contact.pieces[0].centre();
        let wrench = friction.wrench.about(about);
        let (f, t) = (
            wrench.force.length() / friction.limit,
            -wrench.torque.z / (radius * friction.limit),
        );
        println!("{ratio:>9}  {f:.6}     {t:.6}");
        assert!((f.hypot(t) - 1.0).abs() < 1e-12, "on the ellipse: {f} {t}");
        assert!((f - ratio * t).abs() < 1e-3, "the slip decides which point");
    }
}

/// Pressure `p ∝ δ − r²/2R` over the cap: `∫ p r dA / ∫ p dA = 8a/15`.
#[test]
fn a_balls_cap_resists_as_coulomb_says() {
    let (radius, depth) = (0.03, 1e-3);
    let bodies = on_a_box(closed(icosphere(radius, 5)));
    let got = arm(&bodies, radius - depth);
    // The patch by quadrature over the true sphere.
    let (mut load, mut moment) = (0.0, 0.0);
    let rim = (radius * radius - (radius - depth) * (radius - depth)).sqrt();
    let rings = 20_000;
    for k in 0..rings {
        let r = (f64::from(k) + 0.5) / f64::from(rings) * rim;
        let p = (radius * radius - r * r).sqrt() - (radius - depth);
        load += p * r;
        moment += p * r * r;
    }
    let exact = moment / load;
    let excess = got / exact - 1.0;
    println!(
        "cap: arm {:.4e} m, true {:.4e} m: {:+.2} %",
        got,
        exact,
        100.0 * excess
    );
    assert!(excess.abs() < 0.01, "{excess}");
}

/// With the ratio of a disc a strip of 1 to 6 would be 7 % too strong, a line 8.9 %.
#[test]
fn strips_resist_as_coulomb_says() {
    println!("length / width  excess");
    for ratio in [1.0, 1.5, 2.0, 3.0, 6.0, 12.0, 25.0] {
        let (length, width) = (0.1, 0.1 / ratio);
        let bodies = on_a_box(block(length, width, 0.02));
        let got = arm(&bodies, 0.01 - 1e-6);
        let (mut sum, n) = (0.0, 400);
        for i in 0..n {
            for j in 0..n {
                let at = |k: i32, size: f64| ((f64::from(k) + 0.5) / f64::from(n) - 0.5) * size;
                sum += at(i, length).hypot(at(j, width));
            }
        }
        let excess = got / (sum / f64::from(n * n)) - 1.0;
        println!("{ratio:>14}  {:+.2} %", 100.0 * excess);
        assert!(excess.abs() < 0.01, "{excess}");
    }
}
