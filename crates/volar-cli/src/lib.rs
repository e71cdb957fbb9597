//! The `volar` command as a library, for its own program and for the one that
//! comes with the Python package.
#![allow(clippy::disallowed_methods)] // digits of figures in reports
#![allow(non_snake_case)] // frame notation: X_WA, p_A

mod check;
mod compare;
mod eval;
mod export;
mod grasp;
mod hand;
mod inspect;
mod manual;
mod overlap;
mod recover;
mod reproduce;
mod run;
mod sample;
mod scene;
mod serve;
mod stop;
mod sweep;
mod terminal;
mod view;

use std::ffi::OsString;
use std::io::Write;

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
    Sweep(sweep::Args),
    Eval(eval::Args),
    Compare(compare::Args),
    Reproduce(reproduce::Args),
    View(view::Args),
    Recover(recover::Args),
    Serve(serve::Args),
    Scenes(scene::ListArgs),
    New(scene::NewArgs),
    Export(export::Args),
    Schema(scene::SchemaArgs),
    Check(check::Args),
    Inspect(inspect::Args),
    Overlap(overlap::Args),
    #[command(subcommand)]
    Hand(hand::Command),
    Grasp(grasp::Args),
    Sample(sample::Args),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

/// The status a process exits with.
type Status = u8;

const SUCCESS: Status = 0;

/// Does what the arguments say, the first of which is the name of the program,
/// and gives the status to exit with. What is wrong with the arguments, and what
/// `--help` asks for, is printed.
pub fn main_from(args: impl IntoIterator<Item = OsString>) -> u8 {
    let args: Vec<OsString> = args.into_iter().collect();
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) => {
            return wrong(&error);
        }
    };
    match cli.command {
        Command::Run(own) => run::run(&own, &args),
        Command::Sweep(own) => sweep::run(&own, &args),
        Command::Eval(args) => eval::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::View(args) => view::run(&args),
        Command::Recover(args) => recover::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Scenes(args) => scene::list(&args),
        Command::New(args) => scene::new(&args),
        Command::Export(args) => export::run(&args),
        Command::Schema(args) => scene::schema(&args),
        Command::Check(args) => check::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Overlap(args) => overlap::run(&args),
        Command::Hand(command) => hand::run(&command),
        Command::Grasp(own) => grasp::run(&own, &args),
        Command::Sample(args) => sample::run(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
    }
}

/// Prints what is wrong with the arguments, or what `--help` asks for.
fn wrong(error: &clap::Error) -> Status {
    let text = error.to_string();
    let plain = terminal::shown(&text);
    // What was typed is shown again; in colours where nothing in it acts on terminals.
    let printed = match plain == text {
        true => error.print().and_then(|()| std::io::stdout().flush()),
        false => {
            terminal::say(plain.trim_end());
            Ok(())
        }
    };
    match printed {
        Err(why) if !error.use_stderr() && why.kind() != std::io::ErrorKind::BrokenPipe => {
            terminal::error(format!("cannot write the result: {why}"));
            2
        }
        _ => u8::try_from(error.exit_code()).unwrap_or(2),
    }
}
