//! `volar completions` and `volar man`: what shells and `man` know of the
//! command, written from its own description.

use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{Status, terminal};

/// Print a completion script for a shell.
///
/// For example, for bash:
/// volar completions bash > ~/.local/share/bash-completion/completions/volar
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Write the manual pages, one per command.
///
/// For example: volar man ~/.local/share/man/man1, then man volar-run.
#[derive(clap::Args)]
pub struct ManArgs {
    /// Folder for the pages; made if it is not there.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub fn completions(args: &CompletionsArgs) -> Status {
    let mut command = crate::Cli::command();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "volar", &mut script);
    match terminal::print(&String::from_utf8_lossy(&script)) {
        Ok(()) => crate::SUCCESS,
        Err(error) => {
            terminal::failed(&error);
            2
        }
    }
}

pub fn man(args: &ManArgs) -> Status {
    match write_pages(&args.folder) {
        Ok(()) => crate::SUCCESS,
        Err(error) => {
            let folder = args.folder.display();
            terminal::error(format!(
                "cannot write the manual pages into {folder}: {error}"
            ));
            2
        }
    }
}

fn write_pages(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    clap_mangen::generate_to(crate::Cli::command(), folder)
}
