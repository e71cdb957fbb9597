//! The `volar` command as its users meet it.
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]

mod bounded;
mod check;
mod common;
mod compare;
mod export;
mod inspect;
mod kept;
mod kills;
mod manual;
mod overlap;
mod run;
mod scenes;
mod sweep;
mod watched;
mod words;
