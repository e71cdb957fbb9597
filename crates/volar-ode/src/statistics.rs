//! Counts of the work of an integration.

/// What an integration took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Steps accepted.
    pub steps: u64,
    /// Steps tried in vain.
    pub rejected: u64,
    /// Rates asked for.
    pub evaluations: u64,
    /// Jacobians taken.
    pub jacobians: u64,
    /// Matrices factored.
    pub factorisations: u64,
}
