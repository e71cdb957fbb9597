//! Grasp simulation: bodies, contacts and time.
//!
//! [`Model`] is what does not change, [`State`] what does, and a
//! [`Simulation`] takes one through time. One evaluation of the equations of
//! motion reads from top to bottom in [`evaluate`], one step in [`step`].
//!
//! Units SI. Frames as in `docs/notation.md`.
#![allow(non_snake_case)] // frame notation: X_WB, V_WB

pub mod build;
pub mod checkpoint;
pub mod contacts;
pub mod controls;
pub mod energy_balance;
pub mod error;
pub mod evaluate;
pub mod layout;
mod lu;
pub mod model;
mod relax;
pub mod simulation;
pub mod stage;
pub mod state;
pub mod step;
mod system;
pub mod tangent;
mod tolerance;
pub mod warning;

pub use build::{BodySpec, ModelBuilder, ModelError, Parent};
pub use checkpoint::Checkpoint;
pub use contacts::Contact;
pub use controls::{Controls, Gravity, Load};
pub use energy_balance::{Energies, EnergyBalance};
pub use error::SimError;
pub use model::{Model, Motion, Surface};
pub use simulation::{Integrator, MAX_THREADS, Settings, Simulation};
pub use state::State;
pub use warning::Warning;

/// The code in the README is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
