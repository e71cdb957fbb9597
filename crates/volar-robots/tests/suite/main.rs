//! Robot description files.
#![allow(clippy::disallowed_methods)] // the bits of tests do not matter
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]
#![allow(non_snake_case, reason = "frame notation: X_AB")]

mod custom;
mod equalities;
mod mjcf;
mod packages;
mod sdf;
mod shadow;
mod text;
mod urdf;
