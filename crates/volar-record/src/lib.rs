//! Recordings of runs.

mod frame;

pub use frame::{
    BodyFrame, BodyHeader, ContactFrame, EnergyFrame, Frame, Header, JointFrame, JointHeader, Role,
};
