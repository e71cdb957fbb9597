//! What an integrator asks of a system of differential equations.

/// A system of differential equations x' = f(t, x), with what a linearly
/// implicit method asks of it.
///
/// The explicit method calls `dim`, `rate` and `error_norm` only.
///
/// An error ends the integration. A trial step that merely went too far, into
/// states where f makes no sense, should give a rate (or a solution of
/// [`System::solve`]) that is not finite: then the step is retried shorter.
pub trait System {
    /// Why the system could not answer.
    type Error;

    /// The number of components of x.
    fn dim(&self) -> usize;

    /// rate = f(t, x). `x` is finite; every component of `rate` is to be written.
    fn rate(&mut self, t: f64, x: &[f64], rate: &mut [f64]) -> Result<(), Self::Error>;

    /// Take J = ∂f/∂x at (t, x), or an approximation of it.
    ///
    /// Called once per step, right after `rate` was asked at the same point,
    /// so what that left behind may be reused. When a step is retried shorter
    /// this is not called again, though `rate` was asked elsewhere since.
    fn linearise(&mut self, t: f64, x: &[f64]) -> Result<(), Self::Error>;

    /// Write ∂f/∂t at (t, x), where f itself is `rate0`, and say whether there
    /// is any; called once per step, after `linearise`. Without it a system
    /// whose fast part follows a given motion loses accuracy.
    fn time_rate(
        &mut self,
        t: f64,
        x: &[f64],
        rate0: &[f64],
        out: &mut [f64],
    ) -> Result<bool, Self::Error> {
        let _ = (t, x, rate0, out);
        Ok(false)
    }

    /// Factor W = I - c J, with J of the last `linearise`.
    fn factor(&mut self, c: f64) -> Result<(), Self::Error>;

    /// b ← W⁻¹ b, with W of the last `factor`.
    fn solve(&mut self, b: &mut [f64]);

    /// Size of an error against the tolerance: a step with at most 1 is
    /// accepted. `error` is an estimate of the error of `x1`, reached from
    /// `x0`. The norm is to be homogeneous in `error`.
    fn error_norm(&self, x0: &[f64], x1: &[f64], error: &[f64]) -> f64;
}
