//! Grasp simulation: bodies, contacts and time.
//!
//! [`Model`] is what does not change, [`State`] what does, and a
//! [`Simulation`] takes one through time. One evaluation of the equations of
//! motion reads from top to bottom in `evaluate.rs`, one step in `step.rs`.
//!
//! Units SI. Frames as in `docs/notation.md`.
#![allow(non_snake_case)] // frame notation: X_WB, V_WB

mod bearing_contacts;
mod body;
mod build;
mod causes;
mod checkpoint;
mod closing;
mod closure;
mod contact_fields;
mod contacts;
mod controls;
mod coupled_states;
mod energy_balance;
mod error;
mod evaluate;
mod ids;
mod layout;
mod model;
mod passing;
mod relax;
mod simulation;
mod stage;
mod start;
mod state;
mod step;
mod surfaces;
mod switching;
mod system;
mod tangent;
mod tolerance;
mod warning;

#[cfg(test)]
extern crate self as volar_sim;
#[cfg(test)]
#[path = "../tests/suite/scenes/mod.rs"]
#[allow(
    dead_code,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "shared with the other tests"
)]
mod scenes;
#[cfg(test)]
mod tangent_tests;

pub use bearing_contacts::{BearingContact, PairOverlap};
pub use body::{Body, Parent};
pub use build::{Coupling, ModelBuilder, ModelError};
pub use causes::StepCauses;
pub use checkpoint::Checkpoint;
pub use closure::{Anchor, Closure};
pub use contact_fields::{ContactField, Interpolation, Shape};
pub use contacts::{Contact, pressure};
pub use controls::{Controls, Gravity, Load};
pub use energy_balance::{Energies, EnergyBalance};
pub use error::SimError;
pub use ids::{ActuatorId, BodyId, DofId, JointId, MotionId, PairId};
pub use model::{Model, Motion, Surface};
pub use simulation::{Integrator, MAX_THREADS, Settings, Simulation};
pub use start::{Release, Start};
pub use state::{PairPatches, State};
pub use surfaces::SurfaceCache;
pub use volar_ode::Statistics;
pub use warning::Warning;
