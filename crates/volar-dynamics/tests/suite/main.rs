//! Trees of rigid bodies against closed forms, differences and another library.
#![allow(clippy::disallowed_methods)] // the bits of tests do not matter
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]
#![allow(non_snake_case, reason = "frame notation: X_AB")]

mod chart;
mod common;
mod dynamics;
mod grippers;
mod joint_forces;
mod kinematics;
mod pinocchio;
mod stiffness;
mod validation;
