//! Starting the command and reading what it says.

use std::path::Path;
use std::process::Command;

/// The command in a folder.
pub fn volar(args: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_volar"));
    command.args(args).current_dir(folder);
    command
}

/// Runs the command, expects an exit status, and gives stdout and stderr.
pub fn run(args: &[&str], folder: &Path, status: i32) -> (String, String) {
    let output = volar(args, folder).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "{args:?}: {out}{err}");
    assert!(!err.contains("panicked"), "{err}");
    (out, err)
}
