//! The `volar` command.
fn main() {}
