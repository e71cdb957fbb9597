//! The paper's law, reading by reading: the default does what the method says,
//! and every switch back to the print changes what it should and nothing else.

use std::f64::consts::PI;

use crate::common::paper_pad::{AREA, calm, close, force, pad, remembered, sunk};
use crate::common::{Bodies, Motion, block, in_world, pose, stiff};
use glam::DVec3;
use volar_contact::paper::{Gain, Pulse};
use volar_contact::{NormalLaw, Paper};
use volar_geom::Pose;
use volar_testkit::solids::closed;

#[test]
fn a_first_touch_pushes_with_g1_times_the_volume() {
    let paper = calm();
    let bodies = pad(paper);
    let motion = sunk(1e-4, 0.0);
    let contact = bodies.fresh(&motion);
    close(force(&contact), paper.stiffness * AREA * 1e-4, "g₁ V");
    // 10 N on 4 cm² sinks 0.034 mm: reading 3.
    close(
        10.0 / (paper.stiffness * AREA),
        3.378_378_378_378_378e-5,
        "depth under 10 N",
    );
    // A new patch starts with v_f = V and no rate.
    let tracked = bodies.patches(&motion);
    close(tracked[0].state[4], AREA * 1e-4, "v_f(t_c)");
    assert!(tracked[0].state[5].abs() <= 0.0);
    // At the centroid of the volume.
    assert!(contact.normal_contact.wrench().torque.length() < 1e-12 * force(&contact));
}

#[test]
fn adhesion_lets_it_pull_and_nothing_else_does() {
    for (adhesion, wanted) in [(false, 0.0), (true, 7.4e8 * 1e-4 * AREA - 5e7 * 0.1 * AREA)] {
        let bodies = pad(Paper { adhesion, ..calm() });
        let motion = sunk(1e-4, -0.1);
        let (patches, states) = remembered(&bodies, &motion, [1e-4 * AREA, -0.1 * AREA]);
        let got = force(&bodies.contact(&motion, &patches, &states));
        println!("adhesion {adhesion}: {got} N");
        assert!(
            (got - wanted).abs() <= 1e-9 * wanted.abs(),
            "{got} instead of {wanted}"
        );
        // Pressed, the switch makes no difference.
        let (patches, states) = remembered(&bodies, &motion, [1e-4 * AREA, 1e-6 * AREA]);
        let pressed = force(&bodies.contact(&motion, &patches, &states));
        close(pressed, 7.4e8 * 1e-4 * AREA + 5e7 * 1e-6 * AREA, "pressed");
    }
}

/// δ_i by its formula, with both readings of the gain, of the pulse and of the
/// speed, along the time of an impact.
#[test]
fn the_transient_gain_is_equation_5() {
    let speed = 0.2;
    let first_speed = 0.3;
    let created_at = 0.5;
    let delta = |paper: &Paper, time: f64, v: f64| {
        let i_v = paper.impact_gain * (0.1 + 0.2) * v;
        let d_v = paper.target_depth / v;
        let t_v = match paper.pulse {
            Pulse::AfterContact => created_at + paper.impact_delay * d_v,
            Pulse::Printed => paper.impact_delay * d_v - created_at,
        };
        i_v / (PI.sqrt() * d_v) * (-((time - t_v) / d_v).powi(2)).exp()
    };
    println!("gain      pulse         latched   t − t_c   gain of the force");
    let mut seen = Vec::new();
    for gain in [Gain::OnePlus, Gain::Printed] {
        for pulse in [Pulse::AfterContact, Pulse::Printed] {
            for latched_speed in [false, true] {
                let paper = Paper {
                    gain,
                    pulse,
                    latched_speed,
                    ..Paper::default()
                };
                let bodies = pad(paper);
                let motion = sunk(1e-4, speed);
                let (mut patches, states) = remembered(&bodies, &motion, [1e-4 * AREA, 0.0]);
                (patches[0].created_at, patches[0].first_speed) = (created_at, first_speed);
                for late in [0.0, 5e-3, 1e-2, 1.0] {
                    let contact = bodies.contact_at(created_at + late, &motion, &patches, &states);
                    let got = force(&contact) / (paper.stiffness * AREA * 1e-4);
                    let v = if latched_speed { first_speed } else { speed };
                    let one = if gain == Gain::OnePlus { 1.0 } else { 0.0 };
                    let wanted = one + delta(&paper, created_at + late, v);
                    if late > 1e-3 && late < 1e-1 {
                        println!(
                            "{:<9} {:<13} {latched_speed:<9} {late:<9} {got:.3}",
                            format!("{gain:?}"),
                            format!("{pulse:?}")
                        );
                    }
                    assert!(
                        (got - wanted).abs() < 1e-9 * wanted.max(1e-3),
                        "{got} {wanted}"
                    );
                    seen.push(got);
                }
            }
        }
    }
    // After the impact the printed gain leaves nothing to hold a load with.
    assert!((seen[3] - 1.0).abs() < 1e-9, "ours: {}", seen[3]);
    assert!(seen[19] < 1e-9, "the print: {}", seen[19]);
    // The printed pulse is centred before the contact: nothing is left of it.
    assert!(
        seen[1] > 5.0 && seen[9] < 1.0 + 1e-9,
        "{} {}",
        seen[1],
        seen[9]
    );
}

/// A body that cannot move has no mass to count (reading 11).
#[test]
fn only_masses_that_move_count_in_the_gain() {
    let mut bodies = pad(Paper {
        impact_delay: 0.0,
        ..Paper::default()
    });
    let motion = sunk(1e-4, 0.2);
    let gain_of = |bodies: &Bodies| force(&bodies.fresh(&motion)) / (7.4e8 * AREA * 1e-4) - 1.0;
    let both = gain_of(&bodies);
    bodies.masses = [Some(0.1), None];
    let one = gain_of(&bodies);
    bodies.masses = [None, None];
    close(gain_of(&bodies).abs() + 1.0, 1.0, "none moves");
    assert!(
        (both / one - 3.0).abs() < 1e-9,
        "0.3 kg against 0.1 kg: {both} {one}"
    );
}

/// Two patches of one pair: one contact each, or as printed one between them,
/// in the air.
#[test]
fn per_pair_puts_one_contact_between_two_patches() {
    let feet = volar_testkit::solids::u_channel(0.03, 0.008, 0.02);
    let mut bodies = Bodies::new(
        closed(feet),
        block(0.1, 0.1, 0.04),
        [stiff(1e9), stiff(1e9)],
    );
    // Its ears down: +y of the channel is −z of the world.
    let X_WA = pose(-0.5 * PI * DVec3::X, DVec3::new(0.0, 0.0, 0.035 - 1e-4));
    let motion = Motion::still(X_WA, Pose::IDENTITY);
    for (per_pair, patches, fragments) in [(false, 2, 2), (true, 1, 1)] {
        bodies.law.normal = NormalLaw::Paper(Paper { per_pair, ..calm() });
        let contact = bodies.fresh(&motion);
        assert_eq!(bodies.patches(&motion).len(), patches);
        assert_eq!(contact.normal_contact.fragments.len(), fragments);
        let wanted = 7.4e8 * 1e-4 * 2.0 * 0.008 * 0.02;
        assert!(
            (in_world(&contact.wrench, &motion, &contact, DVec3::ZERO)
                .force
                .z
                / wanted
                - 1.0)
                .abs()
                < 1e-9
        );
        let first = contact.normal_contact.pieces[0].centre();
        let from_middle = (X_WA.R * first).x.abs();
        println!(
            "per pair {per_pair}: first contact {:.1} mm from the middle",
            1e3 * from_middle
        );
        let wanted = if per_pair { 0.0 } else { 0.011 };
        assert!((from_middle - wanted).abs() < 1e-9, "{from_middle}");
    }
}
