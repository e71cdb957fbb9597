//! The paper's filter of the volume's rate: its equation, the frequency below
//! which the loop it closes is unstable, and the tangents of the law.

use crate::common::paper_pad::{AREA, calm, close, force, pad, remembered, sunk};
use crate::common::{columns, in_world, numbers, pose, twist_from};
use glam::DVec3;
use volar_contact::paper::FilterFrequency;
use volar_contact::{Paper, PatchState};
use volar_math::Wrench;

#[test]
fn the_filter_is_equation_4_and_damps_the_force() {
    let (omega, zeta) = (3e3, 0.8);
    let paper = Paper {
        filter_frequency: FilterFrequency::Fixed(omega),
        filter_damping: zeta,
        ..calm()
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
    close(contact.frictions[0].rate[4], rate, "rate of v_f");
    let wanted = -2.0 * zeta * omega * rate + omega * omega * (volume - v_f);
    assert!(
        (contact.frictions[0].rate[5] / wanted - 1.0).abs() < 1e-9,
        "Eq. 4"
    );
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
    let paper = calm();
    let bodies = pad(paper);
    let motion = sunk(1e-4, 0.0);
    let (patches, states) = remembered(&bodies, &motion, [0.0, 0.0]);
    let contact = bodies.contact(&motion, &patches, &states);
    let mass = 0.1 * 0.2 / 0.3;
    let omega = 2.0 * paper.stability_bound(AREA, mass, 1.0);
    close(
        contact.frictions[0].rate[5],
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
        ..calm()
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
        let moved = motion.displaced(p, d.angular, d.linear);
        let c = bodies.contact(&moved, &patches, states);
        let wrench: Wrench = in_world(&c.wrench, &moved, &c, p);
        (numbers(&wrench), c.frictions[0].rate)
    };
    let given = columns(&contact.by_displacement.rotated(&motion.X_WA.R));
    let mut worst = [0.0_f64; 4];
    for k in 0..6 {
        let ends = [-h, h].map(|by| {
            let mut x = [0.0; 6];
            x[k] = by;
            evaluate(x, &states)
        });
        let by = |of: fn(&([f64; 6], PatchState)) -> f64| (of(&ends[1]) - of(&ends[0])) / (2.0 * h);
        // Volume and filter: exact. In A's axes, rotated about z alone.
        let rate = by(|e| e.1[5]);
        let R = &motion.X_WA.R;
        let row = contact.frictions[0].rate_by_displacement[5];
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
            let friction = &contact.frictions[0];
            let world = if i < 3 {
                0.0
            } else {
                friction.wrench_by_state[i][k]
            };
            worst[3] = worst[3].max((wrench - world).abs() / paper.damping);
            worst[3] = worst[3].max((rate - friction.rate_by_state[i][k]).abs() / 4e6);
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
