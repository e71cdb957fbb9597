//! The paper's law, reading by reading: the default does what the method says,
//! and every switch back to the print changes what it should and nothing else.
#![allow(non_snake_case)] // frame notation: X_AB

mod common;

use std::f64::consts::PI;

use common::{Bodies, Motion, block, columns, in_world, numbers, pose, split, stiff, twist_from};
use glam::DVec3;
use volar_contact::paper::{FilterFrequency, Gain, Pulse};
use volar_contact::{Friction, NormalLaw, PairContact, Paper, Patch, PatchState, Wrench};
use volar_geom::Pose;
use volar_testkit::solids::closed;

/// Closed forms of a few products.
const ROUNDING: f64 = 1e-12;

/// A pad of 20 × 20 mm on a block, sunk by some depth; no impact gain unless a
/// test asks for it.
const AREA: f64 = 4e-4;

fn pad(paper: Paper) -> Bodies {
    let mut bodies = Bodies::new(
        block(0.02, 0.02, 0.02),
        block(0.1, 0.1, 0.04),
        [stiff(1e9), stiff(1e9)],
    );
    bodies.law.normal = NormalLaw::Paper(paper);
    bodies.law.friction = Friction::Tanh { slope: 100.0 };
    bodies
}

fn sunk(depth: f64, speed: f64) -> Motion {
    let X_WA = pose(DVec3::ZERO, DVec3::new(0.0, 0.0, 0.03 - depth));
    let mut motion = Motion::still(X_WA, Pose::IDENTITY);
    motion.twist.velocity = -speed * DVec3::Z;
    motion
}

const CALM: fn() -> Paper = || Paper {
    impact_gain: 0.0,
    ..Paper::default()
};

/// The patch a first touch leaves, with the filter's two states.
fn remembered(bodies: &Bodies, motion: &Motion, filter: [f64; 2]) -> (Vec<Patch>, Vec<PatchState>) {
    let (patches, mut states) = split(&bodies.patches(motion));
    for state in &mut states {
        [state[4], state[5]] = filter;
    }
    (patches, states)
}

fn force(contact: &PairContact) -> f64 {
    contact.pressing.wrench().force.z
}

fn close(got: f64, wanted: f64, what: &str) {
    let error = (got - wanted).abs();
    assert!(
        error <= ROUNDING * wanted.abs(),
        "{what}: {got:e} instead of {wanted:e}"
    );
}

#[test]
fn a_first_touch_pushes_with_g1_times_the_volume() {
    let paper = CALM();
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
    assert!(contact.pressing.wrench().torque.length() < 1e-12 * force(&contact));
}

#[test]
fn the_filter_is_equation_4_and_damps_the_force() {
    let (omega, zeta) = (3e3, 0.8);
    let paper = Paper {
        filter_frequency: FilterFrequency::Fixed(omega),
        filter_damping: zeta,
        ..CALM()
    };
    let bodies = pad(paper);
    let motion = sunk(1e-4, 0.1);
    let (v_f, rate) = (0.7e-4 * AREA, 0.05 * AREA);
    let (patches, states) = remembered(&bodies, &motion, [v_f, rate]);
    let contact = bodies.contact(&motion, &patches, &states);
    let volume = 1e-4 * AREA;
    close(
        force(&contact),
        paper.stiffness * volume + paper.damping * rate,
        "Eq. 6",
    );
    close(contact.grips[0].rate[4], rate, "rate of v_f");
    let wanted = -2.0 * zeta * omega * rate + omega * omega * (volume - v_f);
    assert!(
        (contact.grips[0].rate[5] / wanted - 1.0).abs() < 1e-9,
        "Eq. 4"
    );
}

#[test]
fn adhesion_lets_it_pull_and_nothing_else_does() {
    for (adhesion, wanted) in [(false, 0.0), (true, 7.4e8 * 1e-4 * AREA - 5e7 * 0.1 * AREA)] {
        let bodies = pad(Paper { adhesion, ..CALM() });
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
    let born = 0.5;
    let delta = |paper: &Paper, time: f64, v: f64| {
        let i_v = paper.impact_gain * (0.1 + 0.2) * v;
        let d_v = paper.target_depth / v;
        let t_v = match paper.pulse {
            Pulse::AfterContact => born + paper.impact_delay * d_v,
            Pulse::Printed => paper.impact_delay * d_v - born,
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
                (patches[0].born, patches[0].first_speed) = (born, first_speed);
                for late in [0.0, 5e-3, 1e-2, 1.0] {
                    let contact = bodies.contact_at(born + late, &motion, &patches, &states);
                    let got = force(&contact) / (paper.stiffness * AREA * 1e-4);
                    let v = if latched_speed { first_speed } else { speed };
                    let one = if gain == Gain::OnePlus { 1.0 } else { 0.0 };
                    let wanted = one + delta(&paper, born + late, v);
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
        bodies.law.normal = NormalLaw::Paper(Paper { per_pair, ..CALM() });
        let contact = bodies.fresh(&motion);
        assert_eq!(bodies.patches(&motion).len(), patches);
        assert_eq!(contact.pressing.fragments.len(), fragments);
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
        let first = contact.pressing.pieces[0].centre();
        let from_middle = (X_WA.R * first).x.abs();
        println!(
            "per pair {per_pair}: first contact {:.1} mm from the middle",
            1e3 * from_middle
        );
        let wanted = if per_pair { 0.0 } else { 0.011 };
        assert!((from_middle - wanted).abs() < 1e-9, "{from_middle}");
    }
}

/// Roots of the loop `m s⁴ + 2ζωm s³ + (mω² + k) s² + (2ζωk + k_d ω²) s + kω²`,
/// by Durand and Kerner; the greatest real part over ω.
fn growth(m: f64, k: f64, kd: f64, zeta: f64, omega: f64) -> f64 {
    // In units of ω.
    let c = [
        k / (m * omega * omega),
        (2.0 * zeta * k / omega + kd) / (m * omega),
        1.0 + k / (m * omega * omega),
        2.0 * zeta,
    ];
    type Z = (f64, f64);
    let mul = |a: Z, b: Z| (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0);
    let sub = |a: Z, b: Z| (a.0 - b.0, a.1 - b.1);
    let div = |a: Z, b: Z| {
        let n = b.0 * b.0 + b.1 * b.1;
        ((a.0 * b.0 + a.1 * b.1) / n, (a.1 * b.0 - a.0 * b.1) / n)
    };
    let value = |z: Z| {
        let mut sum = (1.0, 0.0);
        for i in (0..4).rev() {
            sum = mul(sum, z);
            sum.0 += c[i];
        }
        sum
    };
    let mut roots: [Z; 4] = [(0.4, 0.9), (-0.6, 0.7), (-0.9, -0.5), (0.5, -0.8)];
    for _ in 0..4000 {
        for i in 0..4 {
            let others = (0..4).filter(|&j| j != i);
            let product = others.fold((1.0, 0.0), |p, j| mul(p, sub(roots[i], roots[j])));
            roots[i] = sub(roots[i], div(value(roots[i]), product));
        }
    }
    for root in roots {
        let left = value(root);
        assert!(left.0.hypot(left.1) < 1e-9, "not a root");
    }
    roots.iter().map(|z| z.0).fold(f64::NEG_INFINITY, f64::max)
}

/// Reading 4: just above the bound the loop of mass, spring and filter decays,
/// just below it grows.
#[test]
fn the_filters_stability_bound_is_where_the_loop_turns() {
    println!("area      mass   ζ     gain   bound rad/s   growth below, above");
    for (area, mass, zeta, gain) in [
        (AREA, 0.1, 1.0, 1.0),
        (1e-6, 0.2, 0.7, 1.0),
        (AREA, 5.0, 0.5, 20.0),
        (1e-7, 1.0, 1.0, 1.0),
    ] {
        let paper = Paper {
            filter_damping: zeta,
            ..Paper::default()
        };
        let bound = paper.stability_bound(area, mass, gain);
        let (k, kd) = (gain * paper.stiffness * area, gain * paper.damping * area);
        let [below, above] = [0.99, 1.01].map(|f| growth(mass, k, kd, zeta, f * bound));
        println!(
            "{area:.0e}  {mass:>5}  {zeta:<4}  {gain:<5}  {bound:<12.4e}  {below:+.1e} {above:+.1e}"
        );
        assert!(below > 0.0 && above < 0.0, "{below:e} {above:e}");
    }
    // The method's example: 4 cm², 0.1 kg, ζ = 1 needs 1e5 rad/s.
    let bound = Paper::default().stability_bound(AREA, 0.1, 1.0);
    assert!((bound / 1e5 - 1.0).abs() < 0.01, "{bound}");
}

/// The default filter keeps its distance from the bound of each contact.
#[test]
fn the_default_filter_is_twice_the_bound() {
    let paper = CALM();
    let bodies = pad(paper);
    let motion = sunk(1e-4, 0.0);
    let (patches, states) = remembered(&bodies, &motion, [0.0, 0.0]);
    let contact = bodies.contact(&motion, &patches, &states);
    let mass = 0.1 * 0.2 / 0.3;
    let omega = 2.0 * paper.stability_bound(AREA, mass, 1.0);
    close(
        contact.grips[0].rate[5],
        omega * omega * 1e-4 * AREA,
        "ω² V",
    );
}

/// The tangents of the paper's law: the normal force per displacement, the
/// filter's rates and the force per filtered rate exactly. The centroid is held,
/// and with it the whole stiffness against tilt, g₁ ∫ x² dA, is left out: a
/// third of g₁ A at 10 mm. Friction per filtered rate is left out too.
#[test]
fn tangents_against_differences() {
    let paper = Paper {
        filter_frequency: FilterFrequency::Fixed(2e3),
        ..CALM()
    };
    let bodies = pad(paper);
    let mut motion = sunk(1e-4, 0.0);
    motion.X_WA.R = pose(DVec3::new(0.0, 0.0, 0.3), DVec3::ZERO).R;
    let (patches, states) = remembered(&bodies, &motion, [0.9e-4 * AREA, 1e-4 * AREA]);
    let contact = bodies.contact(&motion, &patches, &states);
    let p = motion.X_WA.point(contact.point);
    let h = 1e-8;
    let evaluate = |x: [f64; 6], states: &[PatchState]| {
        let d = twist_from(x);
        let moved = motion.displaced(p, d.spin, d.velocity);
        let c = bodies.contact(&moved, &patches, states);
        let wrench: Wrench = in_world(&c.wrench, &moved, &c, p);
        (numbers(&wrench), c.grips[0].rate)
    };
    let given = columns(&contact.by_displacement.turned(&motion.X_WA.R));
    let mut worst = [0.0_f64; 4];
    for k in 0..6 {
        let ends = [-h, h].map(|by| {
            let mut x = [0.0; 6];
            x[k] = by;
            evaluate(x, &states)
        });
        let by = |of: fn(&([f64; 6], PatchState)) -> f64| (of(&ends[1]) - of(&ends[0])) / (2.0 * h);
        // Volume and filter: exact. In A's axes, turned about z alone.
        let rate = by(|e| e.1[5]);
        let R = &motion.X_WA.R;
        let row = contact.grips[0].rate_by_displacement[5];
        let local = |start: usize| *R * DVec3::from_slice(&row[start..start + 3]);
        let wanted = if k < 3 { local(0)[k] } else { local(3)[k - 3] };
        let scale = 4e6 * AREA * if k < 3 { 0.01 } else { 1.0 };
        worst[0] = worst[0].max((rate - wanted).abs() / scale);
        // The force along the normal.
        let scale = paper.stiffness * AREA * if k < 3 { 0.01 } else { 1.0 };
        worst[1] = worst[1].max((by(|e| e.0[5]) - given[k][5]).abs() / scale);
        // Everything: torques at 10 mm.
        for i in 0..6 {
            let wanted = (ends[1].0[i] - ends[0].0[i]) / (2.0 * h);
            let lever = if i < 3 { 0.01 } else { 1.0 };
            worst[2] = worst[2].max((wanted - given[k][i]).abs() / (scale * lever));
        }
    }
    for k in 4..6 {
        let step = 1e-3 * states[0][k];
        let ends = [-step, step].map(|by| {
            let mut moved = states.clone();
            moved[0][k] += by;
            evaluate([0.0; 6], &moved)
        });
        for i in 0..6 {
            let wrench = (ends[1].0[i] - ends[0].0[i]) / (2.0 * step);
            let rate = (ends[1].1[i] - ends[0].1[i]) / (2.0 * step);
            let grip = &contact.grips[0];
            let world = if i < 3 {
                0.0
            } else {
                grip.wrench_by_state[i][k]
            };
            worst[3] = worst[3].max((wrench - world).abs() / paper.damping);
            worst[3] = worst[3].max((rate - grip.rate_by_state[i][k]).abs() / 4e6);
        }
    }
    println!("filter's rate per displacement       {:.1e}", worst[0]);
    println!("normal force per displacement        {:.1e}", worst[1]);
    println!(
        "whole wrench per displacement        {:.1e}  (direction and centroid held)",
        worst[2]
    );
    println!("wrench and rates per filtered volume {:.1e}", worst[3]);
    assert!(
        worst[2] < 0.5,
        "more is missing than the tilt: {}",
        worst[2]
    );
    assert!(
        worst[0] < 1e-5 && worst[1] < 1e-5 && worst[3] < 1e-5,
        "{worst:?}"
    );
}
