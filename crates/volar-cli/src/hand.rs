//! `volar hand`: what a robot file does not say about a hand.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use volar_scene::Hand;

use crate::Status;

/// Describe a hand: its palm, its fingers, how it closes.
#[derive(clap::Subcommand)]
pub enum Command {
    New(NewArgs),
}

/// Guess the hand in a URDF, MJCF or SDF file and write it down.
///
/// The file that is written says which link is the palm, which links make each
/// finger, which joints close them and from where to where, and where an object
/// belongs (the tool frame). All of it is guessed from the geometry, and every line may be
/// changed. `volar grasp` takes it in place of the robot file.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  volar hand new gripper.urdf
  volar hand new allegro.xml --out allegro.toml
  volar grasp hand.toml sphere:0.03

Exit status: 0 when the file was written, 2 when the robot file cannot be read or
has no hand that closes on a ball of 10 to 60 mm.")]
pub struct NewArgs {
    /// URDF, MJCF or SDF file.
    file: PathBuf,

    /// Folder in which `package://NAME/…` looks for NAME; may be repeated.
    #[arg(long = "packages", value_name = "DIR")]
    packages: Vec<PathBuf>,

    /// File to write; hand.toml beside the robot file if not given.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(command: &Command) -> Status {
    let Command::New(args) = command;
    match new(args) {
        Ok(path) => {
            // A reader that went away is no error of ours.
            let _ = writeln!(std::io::stdout(), "{}", path.display());
            crate::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            2
        }
    }
}

fn new(args: &NewArgs) -> anyhow::Result<PathBuf> {
    let folder = args.file.parent().unwrap_or(Path::new(""));
    let path = args.out.clone().unwrap_or_else(|| folder.join("hand.toml"));
    if path.exists() {
        bail!(
            "{} is there already: give --out another name",
            path.display()
        );
    }
    let mut hand = Hand::guess(&args.file, &args.packages)?;
    if path.parent() != Some(folder) {
        hand.file.file = std::path::absolute(&args.file)?
            .to_string_lossy()
            .into_owned();
    }
    let text = format!(
        "# A hand, guessed by `volar hand new`; every line may be changed.\n# Lengths in m, angles \
         in rad; quaternions (w, x, y, z).\n{}",
        hand.file.to_toml()?
    );
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}
