//! A problem as a system with a full matrix, whose tangent can be spoilt.

use std::convert::Infallible;

use volar_ode::System;

use crate::problems::Problem;

/// What the system says its Jacobian is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tangent {
    Exact,
    /// J times a factor, 0 for none at all.
    Scaled(f64),
    /// The Jacobian of the step before.
    Delayed,
}

pub struct Dense<'a> {
    problem: &'a Problem,
    tangent: Tangent,
    rtol: f64,
    atol: f64,
    jacobian: Vec<f64>,
    /// The Jacobian at the last point it was asked for.
    latest: Option<Vec<f64>>,
    lu: Vec<f64>,
    pivots: Vec<usize>,
}

impl<'a> Dense<'a> {
    pub fn new(problem: &'a Problem, tangent: Tangent, rtol: f64, atol: f64) -> Dense<'a> {
        let n = problem.x0.len();
        Dense {
            problem,
            tangent,
            rtol,
            atol,
            jacobian: vec![0.0; n * n],
            latest: None,
            lu: vec![0.0; n * n],
            pivots: vec![0; n],
        }
    }
}

impl System for Dense<'_> {
    type Error = Infallible;

    fn dim(&self) -> usize {
        self.problem.x0.len()
    }

    fn rate(&mut self, t: f64, x: &[f64], rate: &mut [f64]) -> Result<(), Infallible> {
        (self.problem.rate)(t, x, rate);
        Ok(())
    }

    fn linearise(&mut self, t: f64, x: &[f64]) -> Result<(), Infallible> {
        let mut exact = vec![0.0; self.jacobian.len()];
        (self.problem.jacobian)(t, x, &mut exact);
        self.jacobian.copy_from_slice(match self.tangent {
            Tangent::Delayed => self.latest.as_ref().unwrap_or(&exact),
            _ => &exact,
        });
        if let Tangent::Scaled(factor) = self.tangent {
            self.jacobian.iter_mut().for_each(|value| *value *= factor);
        }
        self.latest = Some(exact);
        Ok(())
    }

    /// Gauss with partial pivoting, by rows.
    fn factor(&mut self, c: f64) -> Result<(), Infallible> {
        let n = self.dim();
        let lu = &mut self.lu;
        for i in 0..n * n {
            let unit = if i % (n + 1) == 0 { 1.0 } else { 0.0 };
            lu[i] = unit - c * self.jacobian[i];
        }
        for k in 0..n {
            let largest =
                (k..n).max_by(|&a, &b| lu[a * n + k].abs().total_cmp(&lu[b * n + k].abs()));
            let pivot = largest.unwrap_or(k);
            self.pivots[k] = pivot;
            for j in 0..n {
                lu.swap(k * n + j, pivot * n + j);
            }
            for i in k + 1..n {
                lu[i * n + k] /= lu[k * n + k];
                for j in k + 1..n {
                    lu[i * n + j] -= lu[i * n + k] * lu[k * n + j];
                }
            }
        }
        Ok(())
    }

    fn solve(&mut self, b: &mut [f64]) {
        let n = self.dim();
        for k in 0..n {
            b.swap(k, self.pivots[k]);
        }
        for i in 0..n {
            for j in 0..i {
                b[i] -= self.lu[i * n + j] * b[j];
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                b[i] -= self.lu[i * n + j] * b[j];
            }
            b[i] /= self.lu[i * n + i];
        }
    }

    /// Root mean square against atol + rtol |x|.
    fn error_norm(&self, x0: &[f64], x1: &[f64], error: &[f64]) -> f64 {
        let sum: f64 = (0..error.len())
            .map(|i| {
                let scale =
                    self.atol * self.problem.scale[i] + self.rtol * x0[i].abs().max(x1[i].abs());
                (error[i] / scale).powi(2)
            })
            .sum();
        (sum / error.len() as f64).sqrt()
    }
}
