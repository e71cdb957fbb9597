//! The paper's friction: its formula, its power, and that it creeps.

use glam::DVec3;
use volar_testkit::rng::Rng;

use super::bristle_tests::{ROUNDING, cases, close};
use super::*;

#[test]
fn tanh_is_the_papers_formula_and_dissipates() {
    for (index, case) in cases("tanh", 1e-4, 1e2) {
        let slope = Rng::for_case("slope", index).log_uniform(1.0, 1e4);
        let friction = Tanh { slope }.resist(&case.sliding());
        let n = case.piece.normal();
        let u = case
            .twist
            .at(case.piece.centre())
            .linear
            .reject_from_normalized(n);
        let speed = u.length();
        let limit = case.pair_material.friction * case.piece.normal_force();
        let size = limit * (slope * speed).tanh() + case.pair_material.viscous_friction * speed;
        let error = (friction.wrench.force + size * u.normalize_or_zero()).length();
        assert!(
            error <= ROUNDING * size,
            "case {index}: {error:e} of {size:e} N"
        );
        assert!(friction.lost >= 0.0);
        close(
            friction.lost,
            -friction.wrench.force.dot(u),
            size * speed,
            ROUNDING,
            "power",
        );
        close(
            friction.lost,
            size * speed,
            size * speed,
            ROUNDING,
            "power lost",
        );
    }
    // Slower than the series needs: still linear, never stuck.
    let (_, mut case) = cases("tanh", 1e-4, 1e2).next().unwrap();
    let speed = 1e-14;
    case.twist = Twist {
        angular: DVec3::ZERO,
        linear: speed * case.piece.normal().any_orthonormal_vector(),
    };
    case.pair_material.viscous_friction = 0.0;
    let law = Tanh::default();
    let friction = law.resist(&case.sliding());
    let force = friction.limit * law.slope * speed;
    close(friction.wrench.force.length(), force, force, 1e-9, "slow");
}

/// Two pads of 10 N, μ = 0.2, hold 0.2 kg: the method says it creeps with
/// 0.5 m/s when γ = 1 s/m and with 5 mm/s when γ = 100 s/m. Bristles do not.
#[test]
fn what_tanh_holds_creeps() {
    let (_, mut case) = cases("creep", 0.1, 0.2).next().unwrap();
    let n = case.piece.normal();
    case.piece.force = 10.0 * n;
    case.pair_material.friction = 0.2;
    case.pair_material.viscous_friction = 0.0;
    let weight = 0.2 * 9.81 / 2.0;
    for (slope, creep) in [(1.0, 0.5367), (100.0, 5.367e-3)] {
        let down = n.any_orthonormal_vector();
        let (mut low, mut high) = (0.0, 10.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            case.twist = Twist {
                angular: DVec3::ZERO,
                linear: middle * down,
            };
            let friction = Tanh { slope }.resist(&case.sliding());
            if friction.wrench.force.length() < weight {
                low = middle
            } else {
                high = middle
            }
        }
        println!("γ = {slope} s/m: creeps with {low:.4e} m/s");
        close(low, creep, creep, 1e-3, "creep");
    }
}
