//! `volar recover`: a recording that was cut off is made whole again.

use std::path::PathBuf;

use crate::Status;
use crate::run::CHECKPOINT;
use crate::terminal::{self, note};

/// Repair the recording of a run that was killed.
///
/// Both files of the recording (recording.mcap, series.parquet) are written anew from
/// everything that is whole. A recording that is whole stays as it is.
#[derive(clap::Args)]
#[command(after_long_help = "\
Example:
  volar recover bunny && volar view bunny

`volar run --resume DIR` goes on with the run itself, and needs no repair before.

Exit status: 0 when the recording is whole now; 2 when nothing can be read of it, or
it cannot be written.")]
pub struct Args {
    /// Folder that `volar run --out` wrote.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub fn run(args: &Args) -> Status {
    match try_recover(args) {
        Ok(()) => crate::SUCCESS,
        Err(error) => {
            terminal::failed(&error);
            2
        }
    }
}

fn try_recover(args: &Args) -> anyhow::Result<()> {
    let folder = args.folder.display();
    let repaired = volar_record::repair(&args.folder)?;
    let (frames, until) = (repaired.frames, repaired.until);
    let what = match &repaired.fault {
        None => "was whole",
        Some(fault) => {
            note(fault);
            "repaired"
        }
    };
    terminal::print(&format!(
        "{folder}: {what}, {frames} frames up to {until} s\n"
    ))?;
    if repaired.fault.is_some() && args.folder.join(CHECKPOINT).is_file() {
        note(format!(
            "`volar run --resume {folder}` goes on with the run"
        ));
    }
    Ok(())
}
