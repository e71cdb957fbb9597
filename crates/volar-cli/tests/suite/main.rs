//! The `volar` command as its users meet it.
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]

mod check;
mod common;
mod inspect;
mod manual;
mod overlap;
mod run;
mod scenes;
mod sweep;
