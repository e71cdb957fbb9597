//! Where scenes are run in other engines: exports, adapters, environments.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use volar_export::{Export, Format};

use super::engines::{self, Engine};
use super::environment::Environment;
use super::process::{Child, Limits};
use super::result::{Answer, Compared, Row};
use crate::sweep::file_name;
use crate::terminal::note;

/// Status of an adapter that cannot run a scene.
const CANNOT: i32 = 3;
/// One core each, as Volar has.
const THREADS: [&str; 3] = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"];

/// A folder with the adapters, and what runs them.
pub struct Bench<'a> {
    folder: PathBuf,
    /// The user's own, which has the engines.
    python: Option<&'a Path>,
    pub limits: Limits<'a>,
}

impl<'a> Bench<'a> {
    /// In a folder, which is made.
    pub fn new(
        folder: &Path,
        python: Option<&'a Path>,
        limits: Limits<'a>,
    ) -> anyhow::Result<Bench<'a>> {
        // Adapters are run from their own folder.
        let folder = std::path::absolute(folder)?;
        engines::write(&folder.join("adapters"))?;
        Ok(Bench {
            folder,
            python,
            limits,
        })
    }

    /// The Python that has an engine.
    pub fn environment(&self, engine: &Engine) -> anyhow::Result<Environment> {
        match self.python {
            Some(python) => Environment::own(python, engine),
            None => Environment::private(engine, &self.limits),
        }
    }

    /// Exports a scene as an engine reads it; the folder.
    pub fn export(&self, scene: &Compared, engine: &Engine) -> anyhow::Result<PathBuf> {
        let name = file_name(&scene.setup.scene.spec.name);
        let name = format!("{name}-{}", engine.format);
        let folder = self.folder.join("exports").join(name);
        let format = Format::named(&engine.format)
            .with_context(|| format!("nothing is exported to {}", engine.format))?;
        // That of an earlier comparison; nothing is written over.
        if folder.is_dir() {
            std::fs::remove_dir_all(&folder)
                .with_context(|| format!("cannot remove {}", folder.display()))?;
        }
        Export::new(&scene.setup, format)?.write(&folder)?;
        Ok(folder)
    }

    /// Runs an exported scene by the adapter of a name, which may be another one of the engine
    /// whose environment it is.
    pub fn run(
        &self,
        scene: &Compared,
        exported: &Path,
        environment: &Environment,
        adapter: &str,
        setting: &str,
    ) -> anyhow::Result<Row> {
        note(format!(
            "{} in {adapter} ({setting}) …",
            scene.setup.scene.spec.name
        ));
        let answer = exported.join(format!("{adapter}.json"));
        let adapters = self.folder.join("adapters");
        let mut command = Command::new(&environment.python);
        command.args(["-m", "engines", adapter]).arg(exported);
        command.arg(setting).arg(&answer);
        command.current_dir(&adapters);
        command.envs(THREADS.map(|name| (name, "1")));
        let child = Child::run(&mut command, &self.limits)?;
        if child.status.is_none() {
            let why = format!("not done after {} s of wall time", self.limits.seconds);
            return Ok(Row::cannot(adapter, setting, why));
        }
        if !child.success() {
            let code = child.status.and_then(|status| status.code());
            let how = if code == Some(CANNOT) {
                ""
            } else {
                "ended in a crash: "
            };
            let why = format!("{how}{}", child.last_words());
            return Ok(Row::cannot(adapter, setting, why));
        }
        let bytes =
            std::fs::read(&answer).with_context(|| format!("cannot read {}", answer.display()))?;
        let read = serde_json::from_slice::<Answer>(&bytes)
            .with_context(|| format!("{} is no answer of an adapter", answer.display()))?;
        std::fs::remove_file(&answer)
            .with_context(|| format!("cannot remove {}", answer.display()))?;
        Ok(Row::answered(adapter, setting, scene, read))
    }
}
