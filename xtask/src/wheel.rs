//! The Python package: its wheel, and its tests in an environment of their own.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::python::Environment;
use crate::steps::run;
use crate::{root, target_dir};

/// What builds the wheel and looks into it.
const BUILD_TOOLS: &str = "python/requirements-build.txt";

/// What the tests need beside the package.
const TEST_TOOLS: &str = "python/requirements-test.txt";

/// What it is compared with.
const MUJOCO: &str = "bench/requirements-mujoco.txt";

/// Larger wheels are a burden to those who install them, bytes.
const LARGEST: u64 = 25_000_000;

/// Builds the wheel for others into `dist`; refuses one without the viewer's page.
pub fn build() -> Result<()> {
    let python = Environment::named("wheel", &[BUILD_TOOLS])?;
    let folder = root().join("dist");
    let wheel = wheel(
        &python,
        &folder,
        &["--release", "--features", "require-viewer"],
    )?;
    let size = std::fs::metadata(&wheel)?.len();
    ensure!(size < LARGEST, "{} has {size} bytes", wheel.display());
    if cfg!(target_os = "linux") {
        let name = wheel.file_name().unwrap_or_default().to_string_lossy();
        ensure!(
            name.contains("-manylinux_"),
            "{name} is for this machine only"
        );
        run(python.command(&["-m", "auditwheel", "show"]).arg(&wheel))?;
    }
    println!("    {} ({:.1} MB)", wheel.display(), 1e-6 * size as f64);
    Ok(())
}

/// Runs the tests of the package in an environment of its own.
pub fn test() -> Result<()> {
    let python = Environment::named("tests", &[BUILD_TOOLS, TEST_TOOLS])?;
    install(&python)?;
    run(python.command(&["-m", "pytest"]).arg("python/tests"))
}

/// What the package costs, beside Rust and MuJoCo.
pub fn bench() -> Result<()> {
    let python = Environment::named("bench", &[BUILD_TOOLS, MUJOCO])?;
    install(&python)?;
    run(&mut python.command(&["python/bench/cost.py", "--write", "docs/python.md"]))?;
    run(&mut python.command(&["python/bench/nrp.py", "--write", "docs/nrp.md"]))
}

/// Builds the wheel with the profile of the tests, and installs it.
fn install(python: &Environment) -> Result<()> {
    let folder = target_dir().join("wheels");
    let wheel = wheel(python, &folder, &["--profile", "quick"])?;
    // The version stays the same, the contents do not.
    let install = ["-m", "pip", "--quiet", "install", "--force-reinstall"];
    run(python.command(&install).arg("--no-deps").arg(&wheel))
}

/// Runs maturin; the wheel it made.
fn wheel(python: &Environment, folder: &Path, options: &[&str]) -> Result<PathBuf> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    let mut maturin = python.command(&["-m", "maturin", "build", "--quiet", "--locked"]);
    maturin.args(options).arg("--out").arg(folder);
    run(maturin.arg("--interpreter").arg(python.program()))?;
    let mut made = std::fs::read_dir(folder)?;
    let wheel = made.next().context("maturin made no wheel")?;
    Ok(wheel?.path())
}
