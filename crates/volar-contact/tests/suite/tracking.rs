//! Patches from step to step: what their bristles hold is handed on when they
//! grow, shrink, split and merge, no energy is made on the way, and a friction
//! turns with the bodies it holds.

use crate::common::{Bodies, Motion, block, friction, in_world, pose, random_pose, split, stiff};
use glam::{DVec2, DVec3};
use volar_contact::PairContact;
use volar_contact::track::Tracked;
use volar_geom::mesh::shapes::icosphere;
use volar_geom::{ClosedMesh, Pose};
use volar_math::Twist;
use volar_testkit::rng::Rng;
use volar_testkit::solids::{closed, prism, u_channel};

/// Bristle energy of a contact.
fn stored(contact: &PairContact) -> f64 {
    contact
        .frictions
        .iter()
        .map(|friction| friction.stored)
        .sum()
}

/// Force and energy of the friction of old patches and of those they become,
/// at the same place and at rest.
fn handed_on(bodies: &Bodies, motion: &Motion, old: &[Tracked]) -> [(DVec3, f64); 2] {
    let new = bodies.renewed(1.0, motion, old);
    [old, &new].map(|tracked| {
        let (patches, states) = split(tracked);
        let contact = bodies.contact(motion, &patches, &states);
        let force = in_world(&friction(&contact), motion, &contact, DVec3::ZERO).force;
        (force, stored(&contact))
    })
}

/// Patches with a deflection that is a part of what they hold before slipping.
fn deflected(bodies: &Bodies, motion: &Motion, rng: &mut Rng, part: f64) -> Vec<Tracked> {
    let mut tracked = bodies.patches(motion);
    let (patches, states) = split(&tracked);
    let contact = bodies.contact(motion, &patches, &states);
    for (t, friction) in tracked.iter_mut().zip(&contact.frictions) {
        let way = rng
            .direction()
            .reject_from_normalized(t.patch.normal)
            .normalize_or_zero();
        let z = part * friction.limit / t.patch.stiffness * way;
        z.write_to_slice(&mut t.state[..3]);
        t.state[3] =
            0.1 * part * rng.uniform(-1.0, 1.0) * friction.limit / t.patch.stiffness / 0.01;
    }
    tracked
}

fn place(x: f64, z: f64) -> Motion {
    Motion::still(pose(DVec3::ZERO, DVec3::new(x, 0.0, z)), Pose::IDENTITY)
}

/// A prism along x with two feet, 4 mm apart, the floor between them 1 mm up.
fn two_feet() -> ClosedMesh {
    let outline = [
        (-0.012, 0.0),
        (-0.002, 0.0),
        (-0.002, 0.001),
        (0.002, 0.001),
        (0.002, 0.0),
        (0.012, 0.0),
        (0.012, 0.02),
        (-0.012, 0.02),
    ];
    let outline: Vec<DVec2> = outline.iter().map(|&(x, y)| DVec2::new(x, y)).collect();
    closed(prism(&outline, 0.02))
}

/// The feet down on a plate whose top is z = 0, sunk by a depth.
fn standing(depth: f64) -> Motion {
    Motion::still(
        pose(
            std::f64::consts::FRAC_PI_2 * DVec3::X,
            DVec3::new(0.0, 0.0, -depth),
        ),
        pose(DVec3::ZERO, DVec3::new(0.0, 0.0, -0.02)),
    )
}

#[test]
fn a_patch_that_grows_and_shrinks_keeps_its_force_and_makes_no_energy() {
    let materials = [stiff(1e12), stiff(1e9)];
    let shapes = [
        ("ball", closed(icosphere(0.015, 4)), 0.035),
        ("block", block(0.02, 0.02, 0.02), 0.03),
    ];
    println!("shape   from    to     force      energy");
    for (name, mesh, height) in shapes {
        let bodies = Bodies::new(mesh, block(0.1, 0.1, 0.04), materials);
        for (from, to) in [(2e-4, 2e-4), (2e-4, 3e-4), (3e-4, 2e-4)] {
            let mut rng = Rng::for_case("grow", 0);
            let start = place(0.0, height - from);
            let old = deflected(&bodies, &start, &mut rng, 0.2);
            let (patches, states) = split(&old);
            let before = bodies.contact(&start, &patches, &states);
            let [(f_old, e_old), (f_new, e_new)] =
                handed_on(&bodies, &place(0.0, height - to), &old);
            // Handing on changes nothing; moving there made no energy either.
            let error = (f_new - f_old).length() / f_old.length();
            let (kept, moved) = (e_new / e_old, e_old / stored(&before));
            println!("{name:<6} {from:.0e} {to:.0e}  {error:.1e}   {kept:.6} {moved:.6}");
            assert!(error < 1e-12, "{name}: {error:e}");
            assert!(
                kept <= 1.0 + 1e-12,
                "{name}: energy grew by {:e}",
                kept - 1.0
            );
            assert!(
                moved <= 1.0 + 1e-12,
                "{name}: energy grew by {:e}",
                moved - 1.0
            );
        }
    }
}

/// One patch under the whole foot becomes two as the block rises off the floor
/// between its feet, and one again.
#[test]
fn a_patch_that_splits_and_merges_keeps_its_force_and_makes_no_energy() {
    let bodies = Bodies::new(two_feet(), block(0.1, 0.1, 0.04), [stiff(1e12), stiff(1e9)]);
    let mut rng = Rng::for_case("split", 0);
    let (deep, shallow) = (standing(1.2e-3), standing(0.9e-3));
    let whole = deflected(&bodies, &deep, &mut rng, 0.1);
    assert_eq!(whole.len(), 1, "one patch while the floor touches");
    let parted = bodies.renewed(1.0, &shallow, &whole);
    assert_eq!(parted.len(), 2, "one for each foot");
    let merged = bodies.renewed(2.0, &deep, &parted);
    assert_eq!(merged.len(), 1);
    println!("          force      energy");
    for (name, motion, old) in [("split", &shallow, &whole), ("merge", &deep, &parted)] {
        let [(f_old, e_old), (f_new, e_new)] = handed_on(&bodies, motion, old);
        let error = (f_new - f_old).length() / f_old.length();
        println!("{name:<8}  {error:.1e}    {:.9}", e_new / e_old);
        // The normals of the parts differ by rounding; what lies across the new one is lost.
        assert!(error < 1e-10, "{name}: {error:e}");
        assert!(
            e_new <= e_old * (1.0 + 1e-12),
            "{name}: {:e}",
            e_new / e_old - 1.0
        );
    }
    // Age and slip go on.
    assert!(merged[0].patch.created_at <= 0.0);
    let mut slipped = parted.clone();
    slipped[0].slip = 1e-3;
    assert!((bodies.renewed(2.0, &deep, &slipped)[0].slip - 1e-3).abs() < 1e-18);
}

/// The same where the two parts do not lie in one plane: a ball in a groove of
/// 60° is one patch deep down (its floor) and two on the walls.
#[test]
fn parts_in_different_planes_do_not_multiply_what_they_share() {
    let outline = [
        (-0.03, -0.02),
        (0.03, -0.02),
        (0.03, 0.008),
        (0.0, 0.0),
        (-0.03, 0.008),
    ];
    let outline: Vec<DVec2> = outline.iter().map(|&(x, y)| DVec2::new(x, y)).collect();
    let groove = closed(prism(&outline, 0.06));
    let bodies = Bodies::new(
        closed(icosphere(0.015, 4)),
        groove,
        [stiff(1e12), stiff(1e9)],
    );
    let at = |height: f64| {
        Motion::still(
            pose(DVec3::ZERO, DVec3::new(0.0, height, 0.0)),
            Pose::IDENTITY,
        )
    };
    // The walls are inclined by 15°: touched at 15 mm / cos 15° = 15.53 mm.
    let (deep, shallow) = (at(0.0146), at(0.01545));
    println!("case  patches  force      energy");
    for index in 0..20 {
        let mut rng = Rng::for_case("groove", index);
        let whole = deflected(&bodies, &deep, &mut rng, 0.05);
        let parted = bodies.renewed(1.0, &shallow, &whole);
        assert_eq!((whole.len(), parted.len()), (1, 2));
        let [(f_old, e_old), (f_new, e_new)] = handed_on(&bodies, &shallow, &whole);
        let error = (f_new - f_old).length() / f_old.length();
        if index < 3 {
            println!(
                "{index:>4}  {:>7}  {error:.1e}    {:.6}",
                parted.len(),
                e_new / e_old
            );
        }
        assert!(
            e_new <= e_old * (1.0 + 1e-12),
            "energy grew by {:e}",
            e_new / e_old - 1.0
        );
        // Two small patches in planes 15° off cannot carry both the force and the torque
        // of one patch between them: they come as close to both as they can.
        assert!(error < 0.07, "case {index}: {error:e}");
        let [(_, e_old), (_, e_new)] = handed_on(&bodies, &deep, &parted);
        assert!(
            e_new <= e_old * (1.0 + 1e-12),
            "merging: {:e}",
            e_new / e_old - 1.0
        );
    }
}

/// Random walks of a block in a channel, with patches that come and go: at no
/// renewal does the bristles' energy grow.
#[test]
fn no_renewal_makes_energy() {
    let bodies = Bodies::new(
        block(0.0201, 0.02, 0.02),
        closed(u_channel(0.04, 0.01, 0.03)),
        [stiff(2e9), stiff(1e9)],
    );
    let (mut renewals, mut changes, mut worst) = (0, 0, 0.0_f64);
    for index in 0..20 {
        let mut rng = Rng::for_case("walk", index);
        let mut tracked: Vec<Tracked> = Vec::new();
        for step in 0..60 {
            let turn = rng.in_cube(0.01);
            let p = DVec3::new(0.0, -0.0001, 0.0) + rng.in_cube(2e-4);
            let motion = Motion::still(pose(turn, p), Pose::IDENTITY);
            for t in &mut tracked {
                let z = rng.in_cube(1e-5).reject_from_normalized(t.patch.normal);
                z.write_to_slice(&mut t.state[..3]);
                t.state[3] = rng.uniform(-1e-3, 1e-3);
            }
            if !tracked.is_empty() {
                let [(_, e_old), (_, e_new)] = handed_on(&bodies, &motion, &tracked);
                renewals += 1;
                worst = worst.max(e_new / e_old - 1.0);
                assert!(
                    e_new <= e_old * (1.0 + 1e-9),
                    "walk {index}, step {step}: {e_old:e} J became {e_new:e} J"
                );
            }
            let before = tracked.len();
            tracked = bodies.renewed(f64::from(step), &motion, &tracked);
            changes += usize::from(tracked.len() != before);
        }
    }
    println!("{renewals} renewals, {changes} with another number of patches; growth {worst:.1e}");
    assert!(changes > 50, "patches must come and go: {changes}");
}

/// Turned together, the bodies see nothing of it: the rate of the deflection is
/// zero in A's frame and the friction force turns with them.
#[test]
fn a_grip_turns_with_the_bodies_it_holds() {
    let bodies = Bodies::new(
        block(0.02, 0.02, 0.02),
        block(0.1, 0.1, 0.04),
        [stiff(1e9), stiff(1e9)],
    );
    let mut rng = Rng::for_case("turn", 0);
    let motion = place(0.001, 0.0298);
    let tracked = deflected(&bodies, &motion, &mut rng, 0.3);
    let (patches, states) = split(&tracked);
    let here = bodies.contact(&motion, &patches, &states);
    let force = in_world(&friction(&here), &motion, &here, DVec3::ZERO).force;
    assert!(force.length() > 0.1);
    let mut worst = 0.0_f64;
    for _ in 0..50 {
        let X = random_pose(&mut rng, 1.0);
        let there = motion.carried(&X);
        let contact = bodies.contact(&there, &patches, &states);
        let rotated = in_world(&friction(&contact), &there, &contact, DVec3::ZERO).force;
        worst = worst.max((rotated - X.R * force).length() / force.length());
        assert_eq!(
            contact.frictions[0].states.rate[..4],
            [0.0; 4],
            "no relative motion, no rate"
        );
    }
    println!("force of a rotated pair: {worst:.1e}");
    assert!(worst < 1e-11, "{worst:e}");
}

/// When A alone turns about the normal, the deflection turns half as far: from
/// A's frame it turns back by half the angular velocity, whichever body is called A.
#[test]
fn the_deflection_turns_with_the_mean_of_both_spins() {
    let bodies = Bodies::new(
        block(0.02, 0.02, 0.02),
        block(0.1, 0.1, 0.04),
        [stiff(1e9), stiff(1e9)],
    );
    let mut motion = place(0.0, 0.0298);
    let mut rng = Rng::for_case("mean angular_velocity", 0);
    let tracked = deflected(&bodies, &motion, &mut rng, 0.3);
    let (patches, states) = split(&tracked);
    motion.twist = Twist {
        angular: 0.1 * DVec3::Z,
        linear: DVec3::ZERO,
    };
    let contact = bodies.contact(&motion, &patches, &states);
    let z = DVec3::from_slice(&states[0][..3]);
    let rate = DVec3::from_slice(&contact.frictions[0].states.rate[..3]);
    let r = contact.normal_contact.pieces[0].centre() + contact.point;
    let u = motion
        .twist
        .at(motion.X_WA.R * r)
        .linear
        .reject_from_normalized(DVec3::Z);
    let wanted = u - 0.05 * DVec3::Z.cross(z);
    assert!(
        (rate - wanted).length() < 1e-12 * wanted.length().max(1e-6),
        "{rate} {wanted}"
    );
    assert!(contact.frictions[0].slip_rate <= 0.0, "it sticks");
}
