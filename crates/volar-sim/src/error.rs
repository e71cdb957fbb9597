//! How a simulation can end early.

use thiserror::Error;

/// Why a simulation stopped. The state is that of the last good step.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SimError {
    /// No step, however short, kept the error within the tolerance.
    #[error(
        "at t = {time} s a step of {step:.1e} s is still too inaccurate ({quantity}); \
         loosen the tolerance, soften the material or use the implicit integrator"
    )]
    StepTooSmall {
        /// Simulated time, s.
        time: f64,
        /// The step refused, s.
        step: f64,
        /// The quantity with the largest error.
        quantity: String,
    },
    /// A force or acceleration is infinite or not a number.
    #[error("at t = {time} s {quantity} is not finite")]
    NonFinite {
        /// Simulated time, s.
        time: f64,
        /// The quantity, with the body or joint it belongs to.
        quantity: String,
    },
    /// A joint met no inertia.
    #[error("at t = {time} s body `{body}` has no inertia along its joint")]
    Singular {
        /// Simulated time, s.
        time: f64,
        /// Name of the body that the joint moves.
        body: String,
    },
    /// A closed chain that no motion of its joints closes.
    #[error(
        "the closed chain `{closure}` cannot be closed: a gap of {gap:.2e} (m or rad) is left of \
         {before:.2e}; start from a pose in which it is closed, or correct its anchors"
    )]
    Open {
        /// Name of the chain.
        closure: String,
        /// The gap that is left, m or rad.
        gap: f64,
        /// The gap at the start, m or rad.
        before: f64,
    },
    /// Bodies that start too deep in each other to be taken apart.
    #[error(
        "`{a}` and `{b}` start {depth_mm:.2} mm deep in each other, more than a third of what is \
         {thickness_mm:.2} mm thick; move them apart"
    )]
    TooDeep {
        /// Name of one body.
        a: String,
        /// Name of the other body.
        b: String,
        /// How deep they are in each other, mm.
        depth_mm: f64,
        /// Thickness of the thinner one, mm.
        thickness_mm: f64,
    },
    /// Bodies that start in each other did not come apart.
    #[error("the overlaps at the start did not relax within {steps} steps")]
    NotRelaxed {
        /// Number of steps after which it was given up.
        steps: u32,
    },
    /// Asked to go back in time.
    #[error("cannot advance from t = {from} s back to {to} s")]
    BackInTime {
        /// Present time, s.
        from: f64,
        /// Time asked for, s.
        to: f64,
    },
    /// A state or controls that do not belong to the model, or make no sense.
    #[error("the {what}; start from `State::neutral` and the model's own controls")]
    Unfit {
        /// What is wrong, as the rest of a sentence.
        what: String,
    },
    /// Threads could not be started.
    #[error("cannot start threads: {why}")]
    Threads {
        /// What the operating system or the limit on threads says.
        why: String,
    },
    /// A checkpoint that belongs to another model.
    #[error("the checkpoint does not fit the model: {what}")]
    Checkpoint {
        /// What differs: bodies, joints or contacts.
        what: String,
    },
}
