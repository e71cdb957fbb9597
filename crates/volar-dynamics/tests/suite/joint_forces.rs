//! Efforts of joints: tangents against differences, energy, friction that does
//! not creep.
#![allow(clippy::float_cmp)] // exactly zero and exactly v are meant

use crate::common;
use glam::DVec3;
use proptest::prelude::*;
use volar_dynamics::{
    Actuator, Bristle, Coupling, DofParams, Joint, JointEfforts, JointForceError, JointForces,
    Late, Lines, Signal, Spring, Switches, Tree, TreeBuilder,
};
use volar_testkit::rng::Rng;

/// Three hinges and a ball.
fn tree() -> Tree {
    let mut rng = Rng::for_case("hinges", 0);
    let mut builder = TreeBuilder::new();
    for number in 0..3 {
        let joint = Joint::Revolute { axis: DVec3::X };
        builder.add(common::random_body(
            &format!("{number}"),
            None,
            joint,
            &mut rng,
        ));
    }
    builder.add(common::random_body("ball", None, Joint::Ball, &mut rng));
    builder.build().unwrap()
}

fn everything() -> JointForces {
    let limited = DofParams {
        limits: Some([-0.5, 0.5]),
        limit_stiffness: 50.0,
        limit_damping: 2.0,
        damping: 0.3,
        friction: 0.7,
        spring: Some(Spring {
            stiffness: 4.0,
            rest: 0.2,
        }),
        ..DofParams::default()
    };
    let damped = DofParams {
        damping: 0.1,
        ..DofParams::default()
    };
    let rubbing = DofParams {
        friction: 0.2,
        breakaway: 1e-3,
        ..damped
    };
    let params = vec![limited, limited, rubbing, damped, damped, rubbing];
    let actuators = vec![
        (
            0,
            Actuator::Position {
                target: Signal::Constant(0.4),
                kp: 30.0,
                kd: 1.0,
                effort_limit: Some([-10.0, 5.0]),
            },
        ),
        (
            1,
            Actuator::Velocity {
                target: Signal::Constant(0.5),
                kd: 3.0,
                effort_limit: Some([-1.0, 2.0]),
            },
        ),
        (2, Actuator::effort(0.8)),
        (4, Actuator::effort(-0.1)),
    ];
    let mimic = Coupling {
        terms: vec![(0, 1.0), (2, -0.5)],
        offset: 0.1,
        range: [0.0, 0.0],
        stiffness: 20.0,
        damping: 0.5,
    };
    let tendon = Coupling {
        terms: vec![(1, 0.7), (2, 1.2)],
        offset: 0.0,
        range: [-0.3, 0.4],
        stiffness: 35.0,
        damping: 1.5,
    };
    JointForces::new(&tree(), params, actuators, vec![mimic, tendon]).unwrap()
}

fn random_state(rng: &mut Rng) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let tree = tree();
    let mut q = tree.neutral_q();
    (0..3).for_each(|k| q[k] = rng.uniform(-1.0, 1.0));
    let v = (0..tree.nv()).map(|_| rng.uniform(-2.0, 2.0)).collect();
    // Deflections within reach: slipping, they do not pass F / s₀.
    let reach = [1e-4, 1e-4, 1e-3, 1e-3];
    let z = reach.iter().map(|r| rng.uniform(-r, *r)).collect();
    (q, v, z)
}

fn calc(forces: &JointForces, q: &[f64], v: &[f64], z: &[f64]) -> JointEfforts {
    let mut out = JointEfforts::default();
    forces.calc(0.0, q, v, z, &sides(forces, q, v), &mut out);
    out
}

fn sides(forces: &JointForces, q: &[f64], v: &[f64]) -> Switches {
    let mut sides = Switches::default();
    forces.switch(0.0, q, v, &mut sides);
    sides
}

#[test]
fn tangents_are_what_differences_show() {
    let forces = everything();
    let nv = tree().nv();
    let pattern = volar_math::BlockPattern::dense(nv);
    let h = 1e-7;
    let mut compared = 0;
    for seed in 0..300 {
        let (q, v, z) = random_state(&mut Rng::for_case("tangents", seed));
        let (mut by_q, mut by_v) = (vec![0.0; nv * nv], vec![0.0; nv * nv]);
        let held = sides(&forces, &q, &v);
        forces.add_tangents(0.0, &q, &v, &z, &held, &pattern, &mut by_q, &mut by_v);
        for j in 0..nv {
            let shifted = |x: &[f64], h: f64| {
                let mut x = x.to_vec();
                x[j] += h;
                x
            };
            let mut columns = vec![(
                &by_v,
                calc(&forces, &q, &shifted(&v, -h), &z).tau,
                calc(&forces, &q, &shifted(&v, h), &z).tau,
            )];
            if j < 3 {
                columns.push((
                    &by_q,
                    calc(&forces, &shifted(&q, -h), &v, &z).tau,
                    calc(&forces, &shifted(&q, h), &v, &z).tau,
                ));
            }
            let middle = calc(&forces, &q, &v, &z).tau;
            for (tangent, before, after) in columns {
                for i in 0..nv {
                    let (low, high) = ((middle[i] - before[i]) / h, (after[i] - middle[i]) / h);
                    // A corner lies between: there is no tangent there.
                    if (high - low).abs() > 1e-4 * (1.0 + low.abs()) {
                        continue;
                    }
                    let got = tangent[i * nv + j];
                    let seen = 0.5 * (low + high);
                    assert!(
                        (got - seen).abs() < 1e-5 * (1.0 + seen.abs()),
                        "{got} {seen}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 15_000, "{compared}");
}

#[test]
fn power_is_put_in_lost_or_stored() {
    let forces = everything();
    for seed in 0..1000 {
        let (q, v, z) = random_state(&mut Rng::for_case("power", seed));
        let out = calc(&forces, &q, &v, &z);
        let power: f64 = out.tau.iter().zip(&v).map(|(tau, v)| tau * v).sum();
        let balance = out.actuator_power - out.dissipated - out.stored_rate;
        assert!((power - balance).abs() < 1e-11 * (1.0 + power.abs()));
        assert!(out.dissipated >= 0.0 && out.stored >= 0.0);
        // The rate of the stored energy is that of what is stored.
        let h = 1e-7;
        let at = |h: f64| {
            let mut q = q.clone();
            (0..3).for_each(|k| q[k] += h * v[k]);
            let z: Vec<f64> = z
                .iter()
                .zip(&out.bristles)
                .map(|(z, b)| z + h * b.zdot)
                .collect();
            calc(&forces, &q, &v, &z).stored
        };
        let seen = (at(h) - at(-h)) / (2.0 * h);
        assert!(
            (seen - out.stored_rate).abs() < 1e-5 * (1.0 + seen.abs()),
            "{seen} is not {}",
            out.stored_rate
        );
    }
}

#[test]
fn limits_push_and_never_pull() {
    let params = DofParams {
        limits: Some([-0.1, 0.2]),
        limit_stiffness: 100.0,
        limit_damping: 1.0,
        ..DofParams::default()
    };
    let mut all = vec![DofParams::default(); 6];
    all[0] = params;
    let forces = JointForces::new(&tree(), all, vec![], vec![]).unwrap();
    let effort = |x: f64, rate: f64| {
        let mut q = tree().neutral_q();
        q[0] = x;
        let mut v = vec![0.0; 6];
        v[0] = rate;
        calc(&forces, &q, &v, &[]).tau[0]
    };
    assert_eq!(effort(0.15, 3.0), 0.0);
    assert!((effort(0.25, 0.0) + 5.0).abs() < 1e-12);
    assert!((effort(0.25, 2.0) + 7.0).abs() < 1e-12);
    assert!((effort(0.25, -2.0) + 3.0).abs() < 1e-12);
    assert_eq!(effort(0.25, -8.0), 0.0);
    assert!((effort(-0.2, -1.0) - 11.0).abs() < 1e-12);
    assert_eq!(effort(-0.2, 20.0), 0.0);
}

/// What `late` finds on the way from one coordinate and rate of the first hinge
/// to others.
fn late(forces: &JointForces, from: [f64; 2], to: [f64; 2]) -> Vec<Late> {
    let state = |[x, rate]: [f64; 2]| {
        let mut q = tree().neutral_q();
        let mut v = vec![0.0; 6];
        (q[0], v[0]) = (x, rate);
        (q, v)
    };
    let ((q0, v0), (q, v)) = (state(from), state(to));
    let mut found = Vec::new();
    let held = sides(forces, &q0, &v0);
    forces.late(&held, [0.0, 0.1], [&q0, &v0], [&q, &v], |late| {
        found.push(late)
    });
    found
}

#[test]
fn stops_tell_when_they_were_entered_and_left() {
    let mut all = vec![DofParams::default(); 6];
    all[0] = DofParams {
        limits: Some([-0.1, 0.2]),
        limit_stiffness: 100.0,
        limit_damping: 1.0,
        ..DofParams::default()
    };
    let forces = JointForces::new(&tree(), all, vec![], vec![]).unwrap();
    assert_eq!(late(&forces, [0.0, 1.0], [0.15, 1.0]), []);
    let [
        Late::Entered {
            dof: 0,
            depth,
            rate,
        },
    ] = late(&forces, [0.0, 1.0], [0.25, 2.0])[..]
    else {
        panic!("not entered");
    };
    assert!((depth - 0.05).abs() < 1e-15 && rate == 2.0);
    let [Late::Entered { depth, rate, .. }] = late(&forces, [0.0, 1.0], [-0.3, -2.0])[..] else {
        panic!("not entered");
    };
    assert!((depth - 0.2).abs() < 1e-15 && rate == 2.0);
    // Pushes with 5 at the start; at the end the damper would pull with 1.
    let [
        Late::Off {
            dof: 0,
            effort,
            share,
        },
    ] = late(&forces, [0.25, 0.0], [0.21, -2.0])[..]
    else {
        panic!("not left");
    };
    assert!((effort - 1.0).abs() < 1e-12 && (share - 1.0 / 6.0).abs() < 1e-12);
}

#[test]
fn servos_tell_when_they_reach_or_leave_their_limit() {
    let servo = Actuator::Position {
        target: Signal::Constant(1.0),
        kp: 10.0,
        kd: 0.0,
        effort_limit: Some([-4.0, 4.0]),
    };
    let free = vec![DofParams::default(); 6];
    let forces = JointForces::new(&tree(), free, vec![(0, servo)], vec![]).unwrap();
    // At its limit up to 0.6, 3 below it at 0.9.
    assert_eq!(late(&forces, [0.0, 1.0], [0.5, 1.0]), []);
    let [Late::Off { effort, share, .. }] = late(&forces, [0.0, 1.0], [0.9, 1.0])[..] else {
        panic!("not left");
    };
    assert!((effort - 3.0).abs() < 1e-12 && (share - 1.0 / 3.0).abs() < 1e-12);
}

#[test]
fn an_actuator_on_a_tendon_reaches_every_joint_by_its_coefficient() {
    let free = vec![DofParams::default(); 6];
    let mut forces = JointForces::new(&tree(), free, vec![], vec![]).unwrap();
    let servo = Actuator::Position {
        target: Signal::Constant(1.0),
        kp: 10.0,
        kd: 2.0,
        effort_limit: Some([-5.0, 5.0]),
    };
    forces
        .add_actuator(vec![(0, 0.5), (2, -2.0)], servo)
        .unwrap();
    let mut q = tree().neutral_q();
    (q[0], q[2]) = (0.8, -0.2);
    let out = calc(&forces, &q, &[0.4, 0.0, 0.1, 0.0, 0.0, 0.0], &[]);
    // s = 0.8 and its rate is 0: 10 (1 − 0.8) = 2.
    let wanted = [1.0, 0.0, -4.0];
    assert!(
        out.tau
            .iter()
            .zip(wanted)
            .all(|(tau, w)| (tau - w).abs() < 1e-12)
    );
    assert!(out.actuator_power.abs() < 1e-12);
}

#[test]
fn a_table_is_followed() {
    let table = Lines::new(vec![(1.0, 2.0), (2.0, 4.0), (4.0, -2.0)]).unwrap();
    assert_eq!(Signal::Lines(table.clone()).corners(), [1.0, 2.0, 4.0]);
    let actuator = Actuator::Effort(Signal::Lines(table.clone()));
    let at = |t: f64| (actuator.effort_at(t, 0.3, 0.1), table.at(t).1);
    assert_eq!(at(0.0), (2.0, 0.0));
    assert_eq!(at(1.5), (3.0, 2.0));
    assert_eq!(at(2.0), (4.0, -3.0));
    assert_eq!(at(3.0), (1.0, -3.0));
    assert_eq!(at(9.0), (-2.0, 0.0));
    assert_eq!(Lines::new(vec![(1.0, 0.0), (1.0, 2.0)]), None);
    assert_eq!(Lines::new(vec![]), None);
}

#[test]
fn bad_parameters_are_refused() {
    let tree = tree();
    let new = |params: Vec<DofParams>| JointForces::new(&tree, params, vec![], vec![]).unwrap_err();
    assert!(matches!(
        new(vec![]),
        JointForceError::WrongCount { given: 0, dofs: 6 }
    ));
    let one = |dof: usize, bad: DofParams| {
        let mut params = vec![DofParams::default(); 6];
        params[dof] = bad;
        new(params)
    };
    let free = DofParams::default();
    let negative = DofParams {
        damping: -1.0,
        ..free
    };
    assert!(matches!(
        one(1, negative),
        JointForceError::BadValue { dof: 1, .. }
    ));
    let limited = DofParams {
        limits: Some([0.0, 1.0]),
        ..free
    };
    assert!(matches!(
        one(0, limited),
        JointForceError::BadValue { dof: 0, .. }
    ));
    // A ball has no angle to limit.
    let limited = DofParams {
        limit_stiffness: 1.0,
        ..limited
    };
    assert!(matches!(
        one(4, limited),
        JointForceError::NoCoordinate { dof: 4, .. }
    ));
    let nowhere = vec![(9, Actuator::effort(1.0))];
    let error = JointForces::new(&tree, vec![free; 6], nowhere, vec![]).unwrap_err();
    assert!(matches!(error, JointForceError::UnknownDof { dof: 9, .. }));
    let mut fine = JointForces::new(
        &tree,
        vec![free; 6],
        vec![(0, Actuator::effort(1.0))],
        vec![],
    )
    .unwrap();
    assert!(fine.set_actuator(0, Actuator::effort(f64::NAN)).is_err());
    fine.set_actuator(0, Actuator::effort(2.0)).unwrap();
    assert_eq!(fine.actuators()[0].1, Actuator::effort(2.0));
}

/// One hinge with inertia 1e-3 kg m² under a torque, by small steps; returns
/// its coordinate at the end.
fn turn(bristle: Bristle, torque: f64, seconds: f64) -> f64 {
    let (mut q, mut v, mut z, h) = (0.0_f64, 0.0_f64, 0.0_f64, 2e-6);
    for _ in 0..(seconds / h) as usize {
        let effort = bristle.calc(z, v);
        v += h * (torque - effort.f) / 1e-3;
        z += h * bristle.calc(z, v).zdot;
        q += h * v;
    }
    q
}

#[test]
fn friction_holds_without_creep_and_gives_way_at_its_limit() {
    let bristle = Bristle::new(0.5, 1e-4);
    // Held: it leans on the bristle by torque / s₀ and stays there. (A torque
    // that comes at once swings beyond its own height, so it is kept well
    // below the limit.)
    let lean = 0.35 / bristle.stiffness;
    let (early, late) = (turn(bristle, 0.35, 0.5), turn(bristle, 0.35, 1.0));
    assert!((early - lean).abs() < 1e-9 * lean && (late - early).abs() < 1e-12 * lean);
    // Beyond: it accelerates with what is left.
    let moved = turn(bristle, 0.6, 0.1);
    let free = 0.5 * (0.1 / 1e-3) * 0.1 * 0.1;
    assert!((moved / free - 1.0).abs() < 0.02, "{moved} of {free}");
}

proptest! {
    #[test]
    fn a_bristle_only_loses(
        limit in 1e-3..1e3_f64,
        breakaway in 1e-6..1e-2_f64,
        reach in -3.0..3.0_f64,
        speed in -1e3..1e3_f64,
    ) {
        // Also from deflections beyond the limit, as when F falls.
        let bristle = Bristle::new(limit, breakaway);
        let (z, v) = (reach * breakaway, speed * breakaway / 1e-3);
        let b = bristle.calc(z, v);
        prop_assert!(b.dissipated >= 0.0);
        prop_assert!(b.f.abs() <= limit);
        let power = b.f * v;
        let scale = limit * v.abs() + bristle.damping * (b.zdot * b.zdot) + b.stored_rate.abs();
        prop_assert!((power - b.dissipated - b.stored_rate).abs() <= 1e-12 * scale);
        if b.f.abs() < limit {
            prop_assert_eq!(b.zdot, v);
        }
        // Slipping or not, z comes back within ±F / s₀.
        if z.abs() > breakaway && b.f.abs() >= limit && b.f * z > 0.0 {
            prop_assert!(b.zdot * z <= 0.0);
        }
    }

    #[test]
    fn a_bristle_s_derivatives_are_what_differences_show(
        reach in -1.5..1.5_f64,
        speed in -2.0..2.0_f64,
    ) {
        let bristle = Bristle::new(2.0, 0.1);
        let (z, v, h) = (0.1 * reach, 100.0 * speed, 1e-6);
        // Not across the corner.
        let y = bristle.stiffness * z + bristle.damping * v;
        prop_assume!((y.abs() - bristle.limit).abs() > 1e-3);
        let b = bristle.calc(z, v);
        let close = |got: f64, after: f64, before: f64| {
            let seen = (after - before) / (2.0 * h);
            (got - seen).abs() < 1e-6 * (1.0 + seen.abs())
        };
        let (p, m) = (bristle.calc(z + h, v), bristle.calc(z - h, v));
        prop_assert!(close(b.df_dz, p.f, m.f) && close(b.dzdot_dz, p.zdot, m.zdot));
        let (p, m) = (bristle.calc(z, v + h), bristle.calc(z, v - h));
        prop_assert!(close(b.df_dv, p.f, m.f) && close(b.dzdot_dv, p.zdot, m.zdot));
    }
}
