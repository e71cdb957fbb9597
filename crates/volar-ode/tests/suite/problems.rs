//! Problems with known solutions.

use std::f64::consts::TAU;

pub struct Problem {
    pub name: &'static str,
    pub rate: fn(f64, &[f64], &mut [f64]),
    /// ∂f/∂x by rows.
    pub jacobian: fn(f64, &[f64], &mut [f64]),
    pub x0: Vec<f64>,
    pub t1: f64,
    /// The state at `t1`, begun with `x0` at 0.
    pub x1: Vec<f64>,
    /// What an absolute tolerance of 1 means for each component.
    pub scale: Vec<f64>,
}

impl Problem {
    /// The largest error of a component at `t1`, relative to its size or scale.
    pub fn error(&self, x: &[f64]) -> f64 {
        (0..x.len())
            .map(|i| (x[i] - self.x1[i]).abs() / self.x1[i].abs().max(self.scale[i]))
            .fold(0.0, f64::max)
    }
}

/// x' = -x
pub fn exponential() -> Problem {
    Problem {
        name: "exponential",
        rate: |_, x, rate| rate[0] = -x[0],
        jacobian: |_, _, j| j[0] = -1.0,
        x0: vec![1.0],
        t1: 2.0,
        x1: vec![(-2f64).exp()],
        scale: vec![1.0],
    }
}

/// x'' = -x
pub fn oscillator() -> Problem {
    Problem {
        name: "oscillator",
        rate: |_, x, rate| {
            rate[0] = x[1];
            rate[1] = -x[0];
        },
        jacobian: |_, _, j| j.copy_from_slice(&[0.0, 1.0, -1.0, 0.0]),
        x0: vec![1.0, 0.0],
        t1: 10.0,
        x1: vec![10f64.cos(), -(10f64.sin())],
        scale: vec![1.0; 2],
    }
}

/// x' = x cos t, x = exp(sin t): time enters the rate and its Jacobian.
pub fn driven() -> Problem {
    Problem {
        name: "driven",
        rate: |t, x, rate| rate[0] = x[0] * t.cos(),
        jacobian: |t, _, j| j[0] = t.cos(),
        x0: vec![1.0],
        t1: 4.0,
        x1: vec![4f64.sin().exp()],
        scale: vec![1.0],
    }
}

/// x' = x (1 - x)
pub fn logistic() -> Problem {
    let exact = |t: f64| 1.0 / (1.0 + 9.0 * (-t).exp());
    Problem {
        name: "logistic",
        rate: |_, x, rate| rate[0] = x[0] * (1.0 - x[0]),
        jacobian: |_, x, j| j[0] = 1.0 - 2.0 * x[0],
        x0: vec![exact(0.0)],
        t1: 3.0,
        x1: vec![exact(3.0)],
        scale: vec![1.0],
    }
}

/// A plane spiral onto the unit circle: in polar coordinates r' = r (1 - r²),
/// φ' = 1. Its Jacobians at different points do not commute, so an error in
/// any order condition shows.
pub fn spiral() -> Problem {
    let exact = |t: f64| {
        let r = 1.0 / (1.0 + 3.0 * (-2.0 * t).exp()).sqrt();
        vec![r * t.cos(), r * t.sin()]
    };
    Problem {
        name: "spiral",
        rate: |_, x, rate| {
            let growth = 1.0 - x[0] * x[0] - x[1] * x[1];
            rate[0] = growth * x[0] - x[1];
            rate[1] = growth * x[1] + x[0];
        },
        jacobian: |_, x, j| {
            let growth = 1.0 - x[0] * x[0] - x[1] * x[1];
            let mixed = -2.0 * x[0] * x[1];
            j[0] = growth - 2.0 * x[0] * x[0];
            j[1] = mixed - 1.0;
            j[2] = mixed + 1.0;
            j[3] = growth - 2.0 * x[1] * x[1];
        },
        x0: exact(0.0),
        t1: 3.0,
        x1: exact(3.0),
        scale: vec![1.0; 2],
    }
}

/// Kepler's ellipse of eccentricity 1/2, once around.
pub fn kepler() -> Problem {
    let start = vec![0.5, 0.0, 0.0, 3f64.sqrt()];
    Problem {
        name: "kepler",
        rate: |_, x, rate| {
            let r = x[0].hypot(x[1]);
            let pull = -1.0 / (r * r * r);
            rate.copy_from_slice(&[x[2], x[3], pull * x[0], pull * x[1]]);
        },
        jacobian: |_, x, j| {
            let r2 = x[0] * x[0] + x[1] * x[1];
            let r5 = r2 * r2 * r2.sqrt();
            j.fill(0.0);
            j[2] = 1.0;
            j[7] = 1.0;
            j[8] = (3.0 * x[0] * x[0] - r2) / r5;
            j[9] = 3.0 * x[0] * x[1] / r5;
            j[12] = j[9];
            j[13] = (3.0 * x[1] * x[1] - r2) / r5;
        },
        x0: start.clone(),
        t1: TAU,
        x1: start,
        scale: vec![1.0; 4],
    }
}

/// The speed at which `prothero_robinson` is drawn to its solution.
pub const PULL: f64 = 1e4;

/// x' = -10⁴ (x - cos t) - sin t, x = cos t: stiff, and driven by time, of
/// which the implicit method takes no derivative [HW §IV.15].
pub fn prothero_robinson() -> Problem {
    Problem {
        name: "prothero-robinson",
        rate: |t, x, rate| rate[0] = -PULL * (x[0] - t.cos()) - t.sin(),
        jacobian: |_, _, j| j[0] = -PULL,
        x0: vec![1.0],
        t1: 2.0,
        x1: vec![2f64.cos()],
        scale: vec![1.0],
    }
}

/// Van der Pol's equation with μ = 1000 in the time t/μ: x'' = μ² ((1 - x²) x' - x),
/// from (2, 0) to 2 [HW §IV.10]. The reference is the one of the authors' test
/// set (`res_exact_pic`).
pub fn van_der_pol() -> Problem {
    Problem {
        name: "van der pol 1000",
        rate: |_, x, rate| {
            rate[0] = x[1];
            rate[1] = 1e6 * ((1.0 - x[0] * x[0]) * x[1] - x[0]);
        },
        jacobian: |_, x, j| {
            j[0] = 0.0;
            j[1] = 1.0;
            j[2] = 1e6 * (-2.0 * x[0] * x[1] - 1.0);
            j[3] = 1e6 * (1.0 - x[0] * x[0]);
        },
        x0: vec![2.0, 0.0],
        t1: 2.0,
        x1: vec![1.706_167_732_170_456, -0.892_809_701_024_825_7],
        scale: vec![1.0; 2],
    }
}

/// Robertson's reactions [HW §IV.10].
fn robertson(name: &'static str, t1: f64, x1: Vec<f64>) -> Problem {
    Problem {
        name,
        rate: |_, x, rate| {
            let slow = 0.04 * x[0];
            let back = 1e4 * x[1] * x[2];
            let fast = 3e7 * x[1] * x[1];
            rate.copy_from_slice(&[back - slow, slow - back - fast, fast]);
        },
        jacobian: |_, x, j| {
            let (by_1, by_2) = (1e4 * x[2], 1e4 * x[1]);
            let fast = 6e7 * x[1];
            j.copy_from_slice(&[-0.04, by_1, by_2, 0.04, -by_1 - fast, -by_2, 0.0, fast, 0.0]);
        },
        x0: vec![1.0, 0.0, 0.0],
        t1,
        scale: vec![x1[0].min(1.0), x1[1], 1.0],
        x1,
    }
}

/// To 40, as first published; digits from Hairer and Wanner's test set.
pub fn robertson_40() -> Problem {
    robertson(
        "robertson 40",
        40.0,
        vec![
            0.715_827_068_719_3,
            9.185_534_764_53e-6,
            0.284_163_745_746_2,
        ],
    )
}

/// To 10¹¹, where an unstable method would have left the positive numbers;
/// digits from the Test Set for IVP Solvers.
pub fn robertson_1e11() -> Problem {
    robertson(
        "robertson 1e11",
        1e11,
        vec![
            2.083_340_149_701_255e-8,
            8.333_360_770_334_713e-14,
            0.999_999_979_166_505,
        ],
    )
}

/// Those that either method solves.
pub fn gentle() -> Vec<Problem> {
    vec![
        exponential(),
        oscillator(),
        driven(),
        logistic(),
        spiral(),
        kepler(),
    ]
}

/// Those for the implicit method alone.
pub fn stiff() -> Vec<Problem> {
    vec![van_der_pol(), robertson_40(), robertson_1e11()]
}
