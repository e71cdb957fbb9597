//! States that ride along with velocities: eliminated from the linear system of the
//! implicit method, see [`crate::tangent`].

use volar_contact::memory::MAX_STATES;
use volar_math::lu;

use crate::layout::Layout;

/// The states of a patch or of a joint's friction, seen by the dofs that they
/// act on.
#[derive(Clone, Debug, Default)]
pub struct Coupled {
    /// Where its states are in x, and how many.
    pub at: usize,
    pub size: usize,
    /// The dofs.
    pub dofs: Vec<usize>,
    /// B (dofs × size), H (size × size), G and E (size × dofs), row-major.
    pub effort: Vec<f64>,
    pub by_state: Vec<f64>,
    pub by_velocity: Vec<f64>,
    pub by_position: Vec<f64>,
    /// P, and P (c G + c² E).
    pub inverse: Vec<f64>,
    pub reduced: Vec<f64>,
}

impl Coupled {
    /// P and P (c G + c² E).
    pub fn invert(&mut self, c: f64) -> bool {
        let (n, count) = (self.size, self.dofs.len());
        let mut matrix = [0.0; MAX_STATES * MAX_STATES];
        for i in 0..n {
            for j in 0..n {
                let unit = if i == j { 1.0 } else { 0.0 };
                matrix[i * n + j] = unit - c * self.by_state[i * n + j];
            }
        }
        let mut pivots = Vec::with_capacity(MAX_STATES);
        if !lu::factor(&mut matrix[..n * n], n, &mut pivots) {
            return false;
        }
        self.inverse.clear();
        self.inverse.resize(n * n, 0.0);
        for j in 0..n {
            let mut column = [0.0; MAX_STATES];
            column[j] = 1.0;
            lu::solve(&matrix[..n * n], n, &pivots, &mut column[..n]);
            for i in 0..n {
                self.inverse[i * n + j] = column[i];
            }
        }
        self.reduced.clear();
        for i in 0..n {
            for j in 0..count {
                let sum: f64 = (0..n)
                    .map(|k| {
                        let rate = c * self.by_velocity[k * count + j]
                            + c * c * self.by_position[k * count + j];
                        self.inverse[i * n + k] * rate
                    })
                    .sum();
                self.reduced.push(sum);
            }
        }
        true
    }

    /// `P (r_z + c E r_q)`.
    pub fn settle(&self, c: f64, b: &[f64], layout: &Layout, out: &mut Vec<f64>) {
        let (n, count) = (self.size, self.dofs.len());
        let chart = &b[layout.chart()];
        let mut right = [0.0; MAX_STATES];
        for k in 0..n {
            let row = &self.by_position[k * count..(k + 1) * count];
            let moved: f64 = row
                .iter()
                .zip(&self.dofs)
                .map(|(e, &dof)| e * chart[dof])
                .sum();
            right[k] = b[self.at + k] + c * moved;
        }
        out.clear();
        for i in 0..n {
            out.push(dot(&self.inverse[i * n..(i + 1) * n], &right[..n]));
        }
    }
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
