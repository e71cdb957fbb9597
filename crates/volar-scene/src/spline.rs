//! Cubic splines through points.

/// A cubic spline with continuous second derivative, at rest beyond its ends.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spline {
    times: Vec<f64>,
    values: Vec<f64>,
    /// Slope at each point; zero at both ends, so that the motion starts and
    /// ends at rest.
    slopes: Vec<f64>,
}

impl Spline {
    /// Through at least one point; times ascend.
    pub fn through(times: &[f64], values: &[f64]) -> Spline {
        let n = times.len();
        let mut slopes = vec![0.0; n];
        // Second derivatives meet at inner points: a tridiagonal system for
        // the slopes (Thomas's algorithm), clamped ends.
        let mut above = vec![0.0; n];
        let mut right = vec![0.0; n];
        for i in 1..n.saturating_sub(1) {
            let (h0, h1) = (times[i] - times[i - 1], times[i + 1] - times[i]);
            let (d0, d1) = (
                (values[i] - values[i - 1]) / h0,
                (values[i + 1] - values[i]) / h1,
            );
            let (lower, upper) = (1.0 / h0, 1.0 / h1);
            let pivot = 2.0 * (lower + upper) - lower * above[i - 1];
            above[i] = upper / pivot;
            right[i] = (3.0 * (d0 * lower + d1 * upper) - lower * right[i - 1]) / pivot;
        }
        for i in (1..n.saturating_sub(1)).rev() {
            slopes[i] = right[i] - above[i] * slopes[i + 1];
        }
        Spline {
            times: times.to_vec(),
            values: values.to_vec(),
            slopes,
        }
    }

    /// Value and first two derivatives at a time.
    pub fn at(&self, t: f64) -> [f64; 3] {
        let n = self.times.len();
        let after = self.times.partition_point(|time| *time <= t);
        if after == 0 {
            return [self.values[0], 0.0, 0.0];
        }
        if after == n {
            return [self.values[n - 1], 0.0, 0.0];
        }
        let i = after - 1;
        let h = self.times[after] - self.times[i];
        let u = (t - self.times[i]) / h;
        let (x0, x1) = (self.values[i], self.values[after]);
        let (m0, m1) = (h * self.slopes[i], h * self.slopes[after]);
        // x = x0 + m0 u + c u² + d u³ (Hermite).
        let c = 3.0 * (x1 - x0) - 2.0 * m0 - m1;
        let d = 2.0 * (x0 - x1) + m0 + m1;
        [
            x0 + u * (m0 + u * (c + u * d)),
            (m0 + u * (2.0 * c + 3.0 * u * d)) / h,
            (2.0 * c + 6.0 * u * d) / (h * h),
        ]
    }
}
