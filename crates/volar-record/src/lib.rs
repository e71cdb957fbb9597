//! Recordings of runs: a folder with `recording.mcap`, for viewers and for
//! reading back, and `series.parquet`, a table for data frames. What is in them
//! is described in `docs/recordings.md`. SI units, world axes.
//!
//! ```
//! use volar_record::{Frame, Header, Recording, RecordingWriter};
//!
//! let folder = std::env::temp_dir().join(format!("volar-record-{}", std::process::id()));
//! let mut writer = RecordingWriter::create(&folder, &Header::default())?;
//! writer.push(&Frame::default())?;
//! writer.finish()?;
//! assert_eq!(Recording::open(&folder)?.frames.len(), 1);
//! # std::fs::remove_dir_all(&folder).ok();
//! # Ok::<(), volar_record::RecordError>(())
//! ```

mod check;
mod columns;
mod curves;
mod error;
pub mod figures;
mod frame;
mod header;
mod mcap_file;
mod messages;
mod read;
mod records;
mod repair;
mod series;
mod thinning;
mod windows;
mod writer;

pub use check::{FrameFault, HeaderFault};
pub use columns::{Columns, Row};
pub use curves::{Curves, Point, Scales};
pub use error::RecordError;
pub use frame::{
    BodyFrame, BodyHeader, EnergyFrame, Frame, GraspFrame, GraspHeader, Header, JointFrame,
    JointHeader, LAST_SECOND, Role,
};
pub use messages::{FRICTION_FORCE_COLOUR, NORMAL_FORCE_COLOUR};
pub use read::Recording;
pub use repair::{RepairedRecording, repair};
pub use thinning::Thinned;
pub use volar_sim::{Contact, ContactField, Shape};
pub use windows::Window;
pub use writer::RecordingWriter;

/// The file of a recording that viewers and [`Recording::open`] read.
pub const MCAP_FILE: &str = "recording.mcap";
/// The file of a recording that data frames are read from.
pub const SERIES_FILE: &str = "series.parquet";
