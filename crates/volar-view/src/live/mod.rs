//! Live runs: viewers watch a run, pause it and change its parameters.
//!
//! ```text
//! viewers ──▶ Commands ──▶ LiveView (an observer of the run) ──▶ Broadcast ──▶ viewers
//! ```

mod broadcast;
mod commands;
mod parameters;
mod push;
mod view;

pub(crate) use broadcast::{Broadcast, Mailbox};
pub(crate) use commands::{Commands, Message as ViewerMessage};
pub(crate) use view::LiveView;
