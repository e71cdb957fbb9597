//! Every block of friction's tangents is the derivative it says it is, for
//! random patches, sticking and slipping.
//!
//! The tangents hold the radius and stiffness of a piece, and what moving the
//! piece adds is tested on pairs. Here all of it is held in the differences as
//! well, so that what remains is exact.

use glam::DVec3;

use super::*;

/// Central differences with a step of 1e-5 to 1e-4 of what changes the load by
/// its own size: 1e-8 from the third derivative, 1e-11 from rounding, both
/// times the lever over the radius, up to 20.
const DIFFERENCES: f64 = 2e-6;

/// A column of central differences: (wrench, rate).
fn difference(at: impl Fn(f64) -> PatchFriction, step: f64) -> ([f64; 6], PatchState) {
    let (low, high) = (at(-step), at(step));
    let numbers = |w: &Wrench| {
        [
            w.torque.x, w.torque.y, w.torque.z, w.force.x, w.force.y, w.force.z,
        ]
    };
    let (a, b) = (numbers(&low.wrench), numbers(&high.wrench));
    let by = |i: usize, a: &[f64; 6], b: &[f64; 6]| (b[i] - a[i]) / (2.0 * step);
    (
        std::array::from_fn(|i| by(i, &a, &b)),
        std::array::from_fn(|i| by(i, &low.rate, &high.rate)),
    )
}

/// The worst error of a block in units of one length (so that rotations and translations
/// compare), against its largest number; `natural` is what that number is when
/// nothing cancels.
fn worst_of(
    block: &Block,
    columns: &[[f64; 6]],
    [row, column]: [[f64; 6]; 2],
    natural: f64,
) -> f64 {
    let (mut error, mut largest) = (0.0_f64, 0.0_f64);
    for i in 0..6 {
        for (k, wanted) in columns.iter().enumerate() {
            let unit = row[i] * column[k];
            error = error.max((unit * (block[i][k] - wanted[i])).abs());
            largest = largest.max((unit * wanted[i]).abs());
        }
    }
    error / (largest + 1e-9 * natural)
}

fn sum(mut a: Matrix6, b: Matrix6) -> Matrix6 {
    a += b;
    a
}

fn block_of(m: &Matrix6) -> Block {
    let mut block = [[0.0; 6]; 6];
    for k in 0..6 {
        let unit = DVec3::AXES[k % 3];
        let twist = if k < 3 {
            Twist {
                angular: unit,
                linear: DVec3::ZERO,
            }
        } else {
            Twist {
                angular: DVec3::ZERO,
                linear: unit,
            }
        };
        set_column(&mut block, k, m * twist);
    }
    block
}

/// Worst errors of the six blocks over many cases, slipping or sticking.
fn check_blocks(
    name: &'static str,
    low: f64,
    high: f64,
    slips: bool,
    law: impl Fn(&Case) -> PatchFriction,
) {
    let names = [
        "W/displ", "W/twist", "W/state", "ż/displ", "ż/twist", "ż/state",
    ];
    let mut worst = [0.0_f64; 6];
    let mut used = 0;
    for (_, case) in cases(name, low, high) {
        let friction = law(&case);
        if (friction.slip_rate > 0.0) != slips {
            continue;
        }
        used += 1;
        // Steps small against what changes the load by its own size.
        let length = friction.limit / case.patch.stiffness;
        let radius = case.piece.friction_radius();
        let scale = |k: usize| if k < 3 { 1.0 / radius } else { 1.0 };
        let turn_first: [f64; 6] = std::array::from_fn(scale);
        let deflection = [1.0, 1.0, 1.0, radius, 1.0, 1.0];
        let per_deflection = deflection.map(|unit| 1.0 / unit);
        let (sigma, tau) = (case.patch.stiffness, case.pair_material.damping_time);
        let units = [
            // Terms of the load's lever that cancel.
            (
                [turn_first, turn_first],
                sigma + 1e4 * (0.02 / radius).powi(2),
            ),
            ([turn_first, turn_first], sigma * tau),
            ([turn_first, per_deflection], sigma),
            ([deflection, turn_first], 1.0 / tau),
            ([deflection, turn_first], 1.0),
            ([deflection, per_deflection], 1.0 / tau),
        ];
        let z = DVec3::from_slice(&case.state[..3]).length();
        let mut blocks: [Vec<[f64; 6]>; 6] = Default::default();
        for k in 0..6 {
            let h = 1e-5 * scale(k) * length;
            let (wrench, rate) = difference(|by| law(&case.displaced(k, by)), h);
            blocks[0].push(wrench);
            blocks[3].push(rate);
            let h = h / case.pair_material.damping_time;
            let (wrench, rate) = difference(|by| law(&case.twisted(k, by)), h);
            blocks[1].push(wrench);
            blocks[4].push(rate);
        }
        for k in 0..4 {
            let h = 1e-4 * z * per_deflection[k];
            let (wrench, rate) = difference(|by| law(&case.deflected(k, by)), h);
            blocks[2].push(wrench);
            blocks[5].push(rate);
        }
        // What the moving of the patch itself adds is tested on pairs.
        let mut moved = PatchFriction::NONE;
        moved.wrench = friction.wrench;
        move_patch(&mut moved, &case.piece);
        let given = [
            block_of(&sum(friction.by_displacement, -1.0 * moved.by_displacement)),
            block_of(&friction.by_twist),
            friction.wrench_by_state,
            friction.rate_by_displacement,
            friction.rate_by_twist,
            friction.rate_by_state,
        ];
        for (b, given) in given.iter().enumerate() {
            let (units, natural) = units[b];
            worst[b] = worst[b].max(worst_of(given, &blocks[b], units, natural));
        }
    }
    println!("{name}: {used} cases");
    for (name, error) in names.iter().zip(worst) {
        println!("  {name:<8} {error:.1e}");
    }
    assert!(used > 100, "only {used} cases");
    for (block, error) in names.iter().zip(worst) {
        assert!(error < DIFFERENCES, "{name}, {block}: {error:e}");
    }
}

#[test]
fn tangents_of_sticking_bristles_are_derivatives() {
    check_blocks("sticking", 1e-3, 0.3, false, Case::bristle);
}

#[test]
fn tangents_of_slipping_bristles_are_derivatives() {
    check_blocks("slipping", 1.5, 30.0, true, Case::bristle);
}

#[test]
fn tangents_of_tanh_are_derivatives() {
    // Slip speeds are about 1 limit per stiffness and damping time: γ to suit.
    check_blocks("tanh tangents", 0.1, 3.0, true, |case| {
        let speed = case.pair_material.friction * case.piece.load
            / case.patch.stiffness
            / case.pair_material.damping_time;
        tanh(&case.piece, &case.pair_material, 1.0 / speed, &case.twist)
    });
}
