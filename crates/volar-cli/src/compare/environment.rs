//! A private Python environment for each engine, in the user's cache folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, bail};
use volar_assets::replace_file;

use super::engines::Engine;
use super::process::{Child, Limits};
use crate::terminal::note;

/// Beside an environment: what was installed into it, once all of it was.
const INSTALLED: &str = "installed.txt";
/// Downloads of hundreds of MB over slow lines, s.
const INSTALL_LIMIT: f64 = 1800.0;

/// The Python that runs an engine.
pub struct Environment {
    pub python: PathBuf,
}

impl Environment {
    /// A Python of the user's own, which has the engine.
    pub fn own(python: &Path, engine: &Engine) -> anyhow::Result<Environment> {
        let environment = Environment {
            python: python.to_owned(),
        };
        let check = format!("import {}", import_name(engine));
        match environment.output(&["-c", &check]) {
            Ok(output) if output.status.success() => Ok(environment),
            Ok(_) => bail!(
                "{} has no {}: install it with `pip install {}`",
                python.display(),
                engine.name,
                engine.packages.join(" ")
            ),
            Err(error) => Err(error).with_context(|| format!("cannot run {}", python.display())),
        }
    }

    /// The private environment of an engine; made and filled unless it is there.
    pub fn private(engine: &Engine, limits: &Limits<'_>) -> anyhow::Result<Environment> {
        let folder = cache_folder()?.join(&engine.name);
        let bin = if cfg!(windows) {
            "Scripts/python.exe"
        } else {
            "bin/python"
        };
        let environment = Environment {
            python: folder.join(bin),
        };
        let wanted = engine.packages.join("\n");
        let installed = folder.join(INSTALLED);
        let has = std::fs::read_to_string(&installed).is_ok_and(|text| text == wanted);
        if has && environment.output(&["--version"]).is_ok() {
            return Ok(environment);
        }
        note(format!(
            "installing {} into {} (once)",
            engine.packages.join(", "),
            folder.display()
        ));
        environment.fill(&folder, engine, limits).with_context(|| {
            format!(
                "cannot install {} (is PyPI within reach? Where it is not, install `{}` into a \
                     Python of your own and give it as --python)",
                engine.name,
                engine.packages.join(" ")
            )
        })?;
        replace_file(&installed, wanted.as_bytes())?;
        Ok(environment)
    }

    fn fill(&self, folder: &Path, engine: &Engine, limits: &Limits<'_>) -> anyhow::Result<()> {
        if let Some(parent) = folder.parent() {
            std::fs::create_dir_all(parent)
                .with_context(|| format!("cannot make the folder {}", parent.display()))?;
        }
        let limits = Limits {
            seconds: INSTALL_LIMIT,
            ..*limits
        };
        let mut venv = Command::new(find_python()?);
        venv.args(["-m", "venv", "--clear"]).arg(folder);
        let made = Child::run(&mut venv, &limits)?;
        if !made.success() {
            bail!(
                "cannot make a Python environment (on Debian and Ubuntu the package python3-venv is \
                 needed for it): {}",
                made.last_words()
            );
        }
        let mut pip = Command::new(&self.python);
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]);
        pip.args(&engine.packages);
        let done = Child::run(&mut pip, &limits)?;
        if !done.success() {
            bail!("pip: {}", done.last_words());
        }
        Ok(())
    }

    fn output(&self, args: &[&str]) -> std::io::Result<Output> {
        Command::new(&self.python).args(args).output()
    }
}

/// Packages and modules have the same name, but for Drake's.
fn import_name(engine: &Engine) -> &str {
    let package = engine.packages.get(1).map_or("", |p| p.as_str());
    match package.split("==").next().unwrap_or(package) {
        "drake" => "pydrake",
        name => name,
    }
}

fn find_python() -> anyhow::Result<&'static str> {
    let recent = "import sys; sys.exit(sys.version_info < (3, 10))";
    let works = |name: &&str| {
        let output = Command::new(name).args(["-c", recent]).output();
        output.is_ok_and(|output| output.status.success())
    };
    ["python3", "python"]
        .into_iter()
        .find(works)
        .context("other engines come as packages of Python: no Python 3.10 or newer is found as `python3` or `python`")
}

/// Where environments are kept.
fn cache_folder() -> anyhow::Result<PathBuf> {
    let of = |name: &str| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    let base = of("XDG_CACHE_HOME")
        .or_else(|| match cfg!(windows) {
            true => of("LOCALAPPDATA"),
            false if cfg!(target_os = "macos") => Some(of("HOME")?.join("Library/Caches")),
            false => Some(of("HOME")?.join(".cache")),
        })
        .context("there is no home folder to keep environments in: set XDG_CACHE_HOME")?;
    Ok(base.join("volar").join("engines"))
}
