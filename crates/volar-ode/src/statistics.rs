//! Counts of the work of an integration.

/// What an integration took so far: counts from its start.
///
/// ```
/// use volar_ode::Statistics;
///
/// fn rejected_share(statistics: &Statistics) -> f64 {
///     let tried = statistics.steps + statistics.rejected;
///     statistics.rejected as f64 / tried.max(1) as f64
/// }
/// let statistics = Statistics { steps: 90, rejected: 10, ..Statistics::default() };
/// assert_eq!(rejected_share(&statistics), 0.1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Steps accepted.
    pub steps: u64,
    /// Steps rejected and repeated shorter.
    pub rejected: u64,
    /// Evaluations of the rate f(t, x).
    pub evaluations: u64,
    /// Evaluations of the Jacobian.
    pub jacobians: u64,
    /// Factorisations of the matrix of a linearly implicit step.
    pub factorisations: u64,
}
