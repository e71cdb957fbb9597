//! The messages of the MCAP file, by their standard schemas.
//!
//! Written here by hand rather than taken from Foxglove's SDK: seven messages
//! are needed of it, and it brings channels, sinks and a logger with it.

pub mod contacts;
pub mod descriptors;
pub mod foxglove;
pub mod frame;
pub mod joint_state;

pub use foxglove::{FRICTION_FORCE_COLOUR, NORMAL_FORCE_COLOUR};
