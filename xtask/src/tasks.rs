//! What each task does, step by step.

use anyhow::{Result, bail};

use crate::python::Environment;
use crate::steps::{Steps, cargo, command, run, succeeds};
use crate::{root, tidy};

/// Everything that must hold before a change lands.
pub fn test() -> Result<()> {
    let mut steps = Steps::new();
    steps.step("tools", check_tools)?;
    steps.step("tidy", || tidy::check(&root()))?;
    steps.step("format", || {
        run(&mut cargo(&["fmt", "--all", "--", "--check"]))
    })?;
    steps.step("lints", || {
        let lint = ["clippy", "--quiet", "--workspace", "--all-targets"];
        run(cargo(&lint).args(["--", "-D", "warnings"]))
    })?;
    steps.step("documentation", || {
        let doc = ["doc", "--quiet", "--workspace", "--no-deps"];
        run(cargo(&doc).env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    let python = steps.step("Python packages", Environment::prepare)?;
    steps.step("Python lints", || python.lint("bench"))?;
    let hand_links = steps.step("hand meshes", || python.fetch_hand_links())?;
    steps.step("Rust tests", || {
        let test = ["test", "--workspace", "--release", "--no-fail-fast"];
        run(cargo(&test).env("VOLAR_HAND_LINKS", &hand_links))
    })?;
    steps.step("benchmark, in short", || {
        run(&mut python.command(&["bench/overlap.py", "--quick"]))
    })?;
    steps.finish();
    Ok(())
}

/// Exactness, against exact arithmetic.
pub fn accuracy() -> Result<()> {
    let mut steps = Steps::new();
    let python = steps.step("Python packages", Environment::prepare)?;
    let hand_links = steps.step("hand meshes", || python.fetch_hand_links())?;
    steps.step("accuracy", || {
        let accuracy = [
            "run",
            "--release",
            "-p",
            "volar-testkit",
            "--bin",
            "accuracy",
        ];
        run(cargo(&accuracy).env("VOLAR_HAND_LINKS", &hand_links))
    })?;
    steps.finish();
    Ok(())
}

/// Speed, against the peers.
pub fn bench() -> Result<()> {
    let mut steps = Steps::new();
    let python = steps.step("Python packages", Environment::prepare)?;
    steps.step("benchmark", || {
        run(&mut python.command(&["bench/overlap.py", "--write", "docs/performance.md"]))
    })?;
    steps.finish();
    Ok(())
}

/// Adds the parts of the Rust toolchain that a minimal one lacks.
fn check_tools() -> Result<()> {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        let works = || succeeds(&mut cargo(&[tool, "--version"]));
        let add = &["component", "add", component];
        let available = works() || succeeds(&mut command("rustup", add)) && works();
        if !available {
            bail!("`cargo {tool}` is missing; install it with `rustup component add {component}`");
        }
    }
    Environment::find_python()?;
    Ok(())
}
