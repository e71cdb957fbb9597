//! The methods to choose from and their orders.

/// A method of integration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Dormand and Prince's explicit pair of orders 5 and 4. Its steps are
    /// bounded by the fastest damping of the system: h |λ| below 3.3.
    Rk45,
    /// The linearly implicit W-method ROS34PW2 of orders 3 and 2. L-stable:
    /// its steps are bounded by accuracy alone.
    Implicit,
}

impl Method {
    /// The order of the solution that is carried on.
    pub const fn order(self) -> u32 {
        match self {
            Method::Rk45 => 5,
            Method::Implicit => 3,
        }
    }

    /// The power of h with which the error estimate of one step falls: one
    /// more than the order of the embedded solution it is compared with.
    pub const fn error_power(self) -> u32 {
        match self {
            Method::Rk45 => 5,
            Method::Implicit => 3,
        }
    }

    /// How many rates a step asks for, given the rate at its start.
    pub const fn evaluations(self) -> u32 {
        match self {
            Method::Rk45 => 6,
            Method::Implicit => 3,
        }
    }

    /// The number of stages.
    pub(crate) const fn stages(self) -> usize {
        match self {
            Method::Rk45 => crate::dormand_prince::STAGES,
            Method::Implicit => crate::rosenbrock::STAGES,
        }
    }
}
