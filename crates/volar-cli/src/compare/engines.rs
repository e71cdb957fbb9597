//! The engines: their adapters, which are carried in the program, and their packages.

use std::path::Path;

use anyhow::{Context, bail};
use volar_assets::replace_file;

/// What is pinned, for all engines.
pub const REQUIREMENTS: &str = include_str!("../../engines/requirements.txt");

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../engines/", $name)))),*]
    };
}

/// A package of Python with a module for each engine.
const FILES: [(&str, &str); 9] = files![
    "__init__.py",
    "__main__.py",
    "schedule.py",
    "record.py",
    "pieces.py",
    "bullet.py",
    "mujoco.py",
    "bullet_hinges.py",
    "drake.py",
];

/// An engine to compare with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// As it is asked for; the module of its adapter.
    pub name: String,
    /// The format of `volar export` that its adapter reads.
    pub format: String,
    /// What pip installs for it, `name==version`.
    pub packages: Vec<String>,
}

/// All engines, in the order of the requirements.
pub fn all() -> Vec<Engine> {
    let mut common = Vec::new();
    let mut engines: Vec<Engine> = Vec::new();
    for line in REQUIREMENTS.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match (words.as_slice(), engines.last_mut()) {
            (["#", "engine", name, "reads", format], _) => engines.push(Engine {
                name: (*name).to_owned(),
                format: (*format).to_owned(),
                packages: common.clone(),
            }),
            ([package], Some(engine)) => engine.packages.push((*package).to_owned()),
            ([package], None) => common.push((*package).to_owned()),
            _ => {}
        }
    }
    engines
}

/// Engines by name.
pub fn chosen(names: &[String]) -> anyhow::Result<Vec<Engine>> {
    let all = all();
    let find = |name: &String| match all.iter().find(|engine| engine.name == *name) {
        Some(engine) => Ok(engine.clone()),
        None => {
            let known: Vec<&str> = all.iter().map(|engine| &*engine.name).collect();
            bail!(
                "no engine is called `{name}`: there are {}",
                known.join(", ")
            )
        }
    };
    names.iter().map(find).collect()
}

/// Writes the adapters as the package `engines` into a folder.
pub fn write(folder: &Path) -> anyhow::Result<()> {
    let inner = folder.join("engines");
    std::fs::create_dir_all(&inner)
        .with_context(|| format!("cannot make the folder {}", inner.display()))?;
    for (name, text) in FILES {
        let path = inner.join(name);
        replace_file(&path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_has_an_adapter_a_format_and_pinned_packages() {
        let engines = all();
        assert_eq!(engines.len(), 3);
        for engine in engines {
            let adapter = format!("{}.py", engine.name);
            assert!(FILES.iter().any(|(name, _)| *name == adapter), "{adapter}");
            assert!(["mjcf", "urdf", "sdf"].contains(&&*engine.format));
            assert!(engine.packages.len() >= 2, "{engine:?}");
            assert!(
                engine.packages.iter().all(|p| p.contains("==")),
                "{engine:?}"
            );
        }
        let wrong = chosen(&["bulet".into()]).unwrap_err().to_string();
        assert!(wrong.contains("bullet, mujoco, drake"), "{wrong}");
    }
}
