//! Volar as an engine of the NeuroRobotics Platform (NRP).
//!
//! nrp-core drives engines as processes of their own, by six verbs over HTTP with JSON:
//! `initialize`, `run_loop`, `set_datapacks`, `get_datapacks`, `reset` and `shutdown`. An
//! [`Engine`] knows the verbs, a [`Server`] brings them to it. `docs/nrp.md` lists the data
//! packs; `volar.nrp` in Python has the same ones.

mod config;
mod engine;
mod packs;
mod register;
mod server;

pub use config::SCHEMA;
pub use engine::{Defaults, Engine, Refusal};
pub use register::register;
pub use server::{ServeError, Server};
