//! Runs scenes: one loop takes a simulation through its events and tells
//! observers of every step.
//!
//! ```text
//! Setup ──▶ Run::advance_with ──every step──▶ Observer
//!                                               ├─ Measures ──▶ Summary
//!                                               ├─ Recorder ──▶ recording
//!                                               ├─ ThinnedFrames ──▶ report
//!                                               └─ progress, viewers, limits, callbacks
//! ```
//!
//! [`execute`] is the run of a whole scene with its summary, [`Run`] the loop
//! itself. Frames are taken where steps end, and what lies between is
//! interpolated, so that recording does not change the motion by a bit.
#![allow(non_snake_case)] // frame notation: X_WB, V_WB

mod applied;
mod execute;
mod following;
mod frames;
mod mean;
mod measures;
mod memory;
mod observer;
mod pull;
mod quality;
mod recorder;
mod run;
mod sampler;
mod saved;
mod sight;
mod summary;
mod thinned;
mod verdict;
mod wall_limit;

pub use applied::{Applied, ApplyError, change, command, set_commands};
pub use execute::{Execution, Options, Outcome, execute, execute_saving};
pub use frames::{frame, grasp_header, header};
pub use measures::Measures;
pub use memory::MemoryRecorder;
pub use observer::{Context, Ended, Observed, Observer, RunError, Stop};
pub use quality::{GraspQuality, StartOverlap};
pub use recorder::Recorder;
pub use run::Run;
pub use sampler::Sampler;
pub use saved::{Autosave, Saved};
pub use sight::Sight;
pub use summary::{Failure, FailureKind, FileNote, PhaseSummary, Summary};
pub use thinned::ThinnedFrames;
pub use wall_limit::WallLimit;
