//! The `volar` command, as a program.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(volar_cli::main_from(std::env::args_os()))
}
