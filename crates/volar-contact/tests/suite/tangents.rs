//! Tangents of a pair against central differences of its wrench, from the
//! outside: B fixed, A displaced about a fixed point of the world, its patches
//! and their states in A's frame held.
//!
//! Exact, to the differences' own error: the elastic part per displacement
//! (each field seen from its body, and carried with A where it is A's), and
//! damping per twist. Friction of a patch on its own is exact too, see
//! `src/friction_tests.rs`.
//!
//! Deliberately approximate, and bounded here: the radius and stiffness of a
//! patch are held while it moves, its normal is taken to turn with the body
//! whose field makes it even where that is round, its centre is taken from the
//! moment of the load (which leaves out the strips along its sides), and the
//! share of damping that acts (ramp and clamp) is held.

use crate::common::{
    Bodies, Motion, block, columns, friction, in_world, numbers, pair_materials, pose, split,
    twist_from,
};
use glam::DVec3;
use volar_contact::{Friction, PairContact, PatchState, Tanh};
use volar_geom::ClosedMesh;
use volar_geom::mesh::shapes::icosphere;
use volar_math::{Matrix6, Twist, Wrench};
use volar_testkit::rng::Rng;
use volar_testkit::solids::{closed, l_block};

/// Turns count at this lever, m.
const LEVER: f64 = 0.01;
/// Central differences with 1e-7 m: 1e-6 of the depth squared, and rounding of
/// 1e-14 over 1e-3 of the depth.
const EXACT: f64 = 1e-5;
const STEP: f64 = 1e-7;

fn pairs() -> Vec<(&'static str, ClosedMesh, ClosedMesh, Motion)> {
    let cube = || block(0.04, 0.04, 0.04);
    // B is rotated and away from the origin, so that no frame is another.
    let X_WB = pose(DVec3::new(0.3, -0.4, 0.9), DVec3::new(0.1, 0.2, -0.1));
    let at = |turn: DVec3, p: DVec3| Motion::still(X_WB.compose(&pose(turn, p)), X_WB);
    let small = || block(0.02, 0.02, 0.02);
    vec![
        (
            "face on face",
            small(),
            cube(),
            at(
                DVec3::new(0.01, 0.005, 0.4),
                DVec3::new(0.004, 0.002, 0.0297),
            ),
        ),
        (
            "over an edge",
            small(),
            cube(),
            at(
                DVec3::new(0.02, 0.03, 0.3),
                DVec3::new(0.017, 0.003, 0.0292),
            ),
        ),
        (
            "ball on face",
            closed(icosphere(0.015, 4)),
            cube(),
            at(DVec3::new(0.1, 0.2, 0.3), DVec3::new(0.002, 0.001, 0.0345)),
        ),
        (
            "block in a corner",
            block(0.02, 0.018, 0.016),
            closed(l_block(0.04, 0.01, 0.03)),
            at(
                DVec3::new(0.03, 0.02, 0.05),
                DVec3::new(-0.0003, -0.0012, 0.001),
            ),
        ),
    ]
}

/// Columns of central differences of a wrench, per displacement of A about the
/// contact's point, world axes.
fn by_displacement(
    bodies: &Bodies,
    motion: &Motion,
    tracked: (&[volar_contact::Patch], &[PatchState]),
    of: impl Fn(&PairContact) -> Wrench,
) -> [[f64; 6]; 6] {
    let contact = bodies.contact(motion, tracked.0, tracked.1);
    let p = motion.X_WA.point(contact.point);
    std::array::from_fn(|k| {
        let h = if k < 3 { STEP / LEVER } else { STEP };
        let ends = [-h, h].map(|by| {
            let mut x = [0.0; 6];
            x[k] = by;
            let d = twist_from(x);
            let moved = motion.displaced(p, d.angular, d.linear);
            // The twist is held as A sees it.
            let back = moved.X_WA.R * motion.X_WA.R.transpose();
            let moved = Motion {
                at: moved.X_WA.point(motion.X_WA.inverse().point(motion.at)),
                twist: Twist {
                    angular: back * motion.twist.angular,
                    linear: back * motion.twist.linear,
                },
                ..moved
            };
            let contact = bodies.contact(&moved, tracked.0, tracked.1);
            numbers(&in_world(&of(&contact), &moved, &contact, p))
        });
        std::array::from_fn(|i| (ends[1][i] - ends[0][i]) / (2.0 * h))
    })
}

/// The same per twist of A relative to B.
fn by_twist(
    bodies: &Bodies,
    motion: &Motion,
    tracked: (&[volar_contact::Patch], &[PatchState]),
    step: f64,
    of: impl Fn(&PairContact) -> Wrench,
) -> [[f64; 6]; 6] {
    let contact = bodies.contact(motion, tracked.0, tracked.1);
    let p = motion.X_WA.point(contact.point);
    let here = motion.twist.at(p - motion.at).linear;
    std::array::from_fn(|k| {
        let h = if k < 3 { step / LEVER } else { step };
        let ends = [-h, h].map(|by| {
            let mut x = [0.0; 6];
            x[k] = by;
            let d = twist_from(x);
            let moved = Motion {
                at: p,
                twist: Twist {
                    angular: motion.twist.angular + d.angular,
                    linear: here + d.linear,
                },
                ..*motion
            };
            let contact = bodies.contact(&moved, tracked.0, tracked.1);
            numbers(&in_world(&of(&contact), &moved, &contact, p))
        });
        std::array::from_fn(|i| (ends[1][i] - ends[0][i]) / (2.0 * h))
    })
}

/// Largest number of a map, with turns and torques at the lever.
fn size(m: &[[f64; 6]; 6]) -> f64 {
    let mut largest = 0.0_f64;
    for (k, column) in m.iter().enumerate() {
        for (i, value) in column.iter().enumerate() {
            let lever = if k < 3 { LEVER } else { 1.0 } * if i < 3 { LEVER } else { 1.0 };
            largest = largest.max(value.abs() / lever);
        }
    }
    largest
}

fn minus(a: &[[f64; 6]; 6], b: &[[f64; 6]; 6]) -> [[f64; 6]; 6] {
    std::array::from_fn(|k| std::array::from_fn(|i| a[k][i] - b[k][i]))
}

fn in_world_axes(m: &Matrix6, motion: &Motion) -> [[f64; 6]; 6] {
    columns(&m.rotated(&motion.X_WA.R))
}

fn sum(a: Matrix6, b: Matrix6) -> Matrix6 {
    let mut sum = a;
    sum += b;
    sum
}

#[test]
fn the_elastic_wrench_per_displacement() {
    println!("{:<18} {:<10} stiffness   error", "pair", "field");
    for (name, a, b, motion) in pairs() {
        for (pair_material, materials) in pair_materials() {
            let bodies = Bodies::new(a.clone(), b.clone(), materials);
            let contact = bodies.fresh(&motion);
            let wanted = by_displacement(&bodies, &motion, (&[], &[]), |c| {
                c.normal_contact.elastic[0] + c.normal_contact.elastic[1]
            });
            // What follows A's field turns with A.
            let carried = Matrix6::carrying(contact.normal_contact.elastic[0]);
            let got = in_world_axes(
                &sum(contact.normal_contact.by_displacement, carried),
                &motion,
            );
            let error = size(&minus(&got, &wanted)) / size(&wanted);
            println!(
                "{name:<18} {pair_material:<10} {:.1e} N/m {error:.1e}",
                size(&wanted)
            );
            assert!(error < EXACT, "{name}, {pair_material}: {error:e}");
            // At rest, without friction, that is the whole tangent.
            let whole = in_world_axes(&contact.by_displacement, &motion);
            assert!(size(&minus(&got, &whole)) < 1e-12 * size(&got));
        }
    }
}

#[test]
fn the_damping_wrench_per_twist() {
    println!("{:<18} {:<10} damping      error", "pair", "field");
    for (name, a, b, motion) in pairs() {
        for (pair_material, materials) in pair_materials() {
            let bodies = Bodies::new(a.clone(), b.clone(), materials);
            let contact = bodies.fresh(&motion);
            // So slow that nothing is clamped: linear in the twist.
            let wanted = by_twist(&bodies, &motion, (&[], &[]), 1e-7, |c| {
                c.normal_contact.damping
            });
            let got = in_world_axes(&contact.normal_contact.by_twist, &motion);
            let error = size(&minus(&got, &wanted)) / size(&wanted);
            println!(
                "{name:<18} {pair_material:<10} {:.1e} N s/m {error:.1e}",
                size(&wanted)
            );
            assert!(error < EXACT, "{name}, {pair_material}: {error:e}");
        }
    }
}

/// The damper of a release grows with the depth of what is round: along the way out the
/// tangents have that.
#[test]
fn the_release_per_displacement_on_the_way_out() {
    let X_WB = pose(DVec3::new(0.3, -0.4, 0.9), DVec3::new(0.1, 0.2, -0.1));
    let on_top = pose(DVec3::ZERO, DVec3::new(0.002, 0.001, 0.0345));
    println!("{:<10} change      error", "field");
    for (pair_material, materials) in pair_materials() {
        let ball = closed(icosphere(0.015, 4));
        let mut bodies = Bodies::new(ball, block(0.04, 0.04, 0.04), materials);
        bodies.pair_material.release_time = 5.0e-3;
        let still = Motion::still(X_WB.compose(&on_top), X_WB);
        let twist = Twist {
            angular: DVec3::ZERO,
            linear: 0.1 * (X_WB.R * DVec3::Z),
        };
        let motion = Motion { twist, ..still };
        let mut got = bodies.fresh(&motion).normal_contact.by_displacement;
        got += -1.0 * bodies.fresh(&still).normal_contact.by_displacement;
        let got = in_world_axes(&got, &motion);
        let wanted = by_displacement(&bodies, &motion, (&[], &[]), |c| c.normal_contact.release);
        let force = |m: &[[f64; 6]; 6]| {
            let column = |k: usize| DVec3::new(m[k][3], m[k][4], m[k][5]);
            let d = twist.linear;
            column(3) * d.x + column(4) * d.y + column(5) * d.z
        };
        let error = (force(&got) - force(&wanted)).length() / force(&wanted).length();
        let size = force(&wanted).length();
        println!("{pair_material:<10} {size:.1e} N/s {error:.1e}");
        assert!(error < 0.1, "{pair_material}: {error:e}");
    }
}

/// A pair with deflected patches: at rest when they stick, sliding across the
/// first patch when they slip.
fn gripped(
    bodies: &Bodies,
    motion: &Motion,
    slips: bool,
) -> (Motion, Vec<volar_contact::Patch>, Vec<PatchState>) {
    let mut rng = Rng::for_case("gripped", 0);
    let mut tracked = bodies.patches(motion);
    let (patches, states) = split(&tracked);
    let contact = bodies.contact(motion, &patches, &states);
    for (t, friction) in tracked.iter_mut().zip(&contact.frictions) {
        let way = rng
            .direction()
            .reject_from_normalized(t.patch.normal)
            .normalize_or_zero();
        let z = 0.3 * friction.limit / t.patch.stiffness * way;
        z.write_to_slice(&mut t.state[..3]);
        // Held as in a patch that has grown: the stiffness does not follow.
        t.patch.stiffness *= 0.7;
        t.patch.torsional_stiffness *= 0.7;
    }
    let (patches, states) = split(&tracked);
    let mut moving = *motion;
    if slips {
        let across = motion.X_WA.R * patches[0].normal.any_orthonormal_vector();
        moving.twist.linear = 0.5 * across;
    }
    (moving, patches, states)
}

/// What is held leaves out terms of the size of the friction force over the
/// size of the patch, here 10 mm: small against the stiffness, which is that
/// force over the depth. (With the centre of pressure held as well they were
/// ten times larger: a tilt by θ moves it by θ times 0.1 m.)
#[test]
fn friction_per_displacement_is_right_but_for_what_is_held() {
    println!(
        "{:<18} {:<10} {:<6} error / friction over 10 mm, / stiffness",
        "pair", "field", ""
    );
    for (name, a, b, motion) in pairs() {
        for (pair_material, materials) in pair_materials() {
            for (slips, law) in [
                (false, Friction::Bristle),
                (true, Friction::Bristle),
                (true, Friction::Tanh(Tanh { slope: 5.0 })),
            ] {
                let mut bodies = Bodies::new(a.clone(), b.clone(), materials);
                bodies.law.friction = law;
                bodies.pair_material.damping_time = 1e-6;
                let (motion, patches, states) = gripped(&bodies, &motion, slips);
                let contact = bodies.contact(&motion, &patches, &states);
                let elastic =
                    |c: &PairContact| c.normal_contact.elastic[0] + c.normal_contact.elastic[1];
                let wanted = by_displacement(&bodies, &motion, (&patches, &states), |c| {
                    elastic(c) + friction(c)
                });
                let mut tangent = sum(
                    contact.normal_contact.by_displacement,
                    Matrix6::carrying(contact.normal_contact.elastic[0]),
                );
                tangent += Matrix6::carrying(friction(&contact));
                for friction in &contact.frictions {
                    tangent += friction.by_displacement;
                }
                let off = minus(&in_world_axes(&tangent, &motion), &wanted);
                let held: f64 = contact
                    .frictions
                    .iter()
                    .map(|friction| friction.used)
                    .sum::<f64>()
                    / LEVER;
                let (error, share) = (size(&off) / held, size(&off) / size(&wanted));
                let what = match (law, slips) {
                    (Friction::Tanh(_), _) => "tanh",
                    (_, true) => "slips",
                    _ => "sticks",
                };
                println!("{name:<18} {pair_material:<10} {what:<6} {error:>8.3}  {share:.1e}");
                let allowed = if what == "tanh" { 2.0 } else { 1.0 };
                assert!(error < allowed, "{name}, {pair_material}, {what}: {error}");
            }
        }
    }
}

#[test]
fn friction_per_twist() {
    println!(
        "{:<18} {:<10} {:<6} damping      error",
        "pair", "field", ""
    );
    for (name, a, b, motion) in pairs() {
        for (pair_material, materials) in pair_materials() {
            for (what, law) in [
                ("sticks", Friction::Bristle),
                ("slips", Friction::Bristle),
                ("tanh", Friction::Tanh(Tanh { slope: 5.0 })),
            ] {
                let mut bodies = Bodies::new(a.clone(), b.clone(), materials);
                bodies.law.friction = law;
                let (motion, patches, states) = gripped(&bodies, &motion, what != "sticks");
                let contact = bodies.contact(&motion, &patches, &states);
                let wanted = by_twist(&bodies, &motion, (&patches, &states), 1e-7, friction);
                let mut tangent = Matrix6::ZERO;
                for friction in &contact.frictions {
                    tangent += friction.by_twist;
                }
                let error =
                    size(&minus(&in_world_axes(&tangent, &motion), &wanted)) / size(&wanted);
                println!(
                    "{name:<18} {pair_material:<10} {what:<6} {:.1e} N s/m {error:.1e}",
                    size(&wanted)
                );
                let allowed = if what == "sticks" { 1e-2 } else { 0.15 };
                assert!(
                    error < allowed,
                    "{name}, {pair_material}, {what}: {error:e}"
                );
            }
        }
    }
}
