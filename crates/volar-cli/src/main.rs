//! The `volar` command.

mod check;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Grasp simulation on the exact overlap of closed meshes.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Args),
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Check(args) => check::run(&args),
    }
}
