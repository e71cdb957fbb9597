//! The `volar` command.
#![allow(clippy::disallowed_methods)] // digits of figures in reports
#![allow(non_snake_case)] // frame notation: X_WA, p_A

mod check;
mod inspect;
mod manual;
mod overlap;
mod run;
mod scene;
mod view;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Grasp simulation on the exact overlap of closed meshes.
#[derive(Parser)]
#[command(name = "volar", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Args),
    View(view::Args),
    Scenes(scene::ListArgs),
    New(scene::NewArgs),
    Schema(scene::SchemaArgs),
    Check(check::Args),
    Inspect(inspect::Args),
    Overlap(overlap::Args),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::View(args) => view::run(&args),
        Command::Scenes(args) => scene::list(&args),
        Command::New(args) => scene::new(&args),
        Command::Schema(args) => scene::schema(&args),
        Command::Check(args) => check::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Overlap(args) => overlap::run(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
    }
}
