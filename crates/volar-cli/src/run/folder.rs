//! The folder of a run (`--out`): the scene with all its files, recording, checkpoint,
//! summary and report. A run whose process was killed can be resumed from it.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use volar_assets::{AssetSource, Disk, replace_file};
use volar_run::Saved;
use volar_scene::Setup;

/// The checkpoint of a folder.
pub const CHECKPOINT: &str = "checkpoint.json";

/// What `--resume` names: a checkpoint, or the folder of a run.
pub struct Resume {
    /// None in the folder of a run that was killed before its first checkpoint.
    pub saved: Option<Saved>,
    /// The folder, if it is one.
    pub folder: Option<PathBuf>,
}

impl Resume {
    pub fn read(path: &Path) -> anyhow::Result<Resume> {
        if !path.is_dir() {
            return Ok(Resume {
                saved: Some(read_checkpoint(path)?),
                folder: None,
            });
        }
        if !path.join("scene.toml").is_file() {
            bail!(
                "{} is no folder that `volar run --out` wrote: it has no scene.toml",
                path.display()
            );
        }
        let file = path.join(CHECKPOINT);
        Ok(Resume {
            saved: file.is_file().then(|| read_checkpoint(&file)).transpose()?,
            folder: Some(path.to_owned()),
        })
    }
}

fn read_checkpoint(path: &Path) -> anyhow::Result<Saved> {
    let disk = Disk::default();
    let bytes = disk.read(path).context("cannot read the checkpoint")?;
    serde_json::from_slice(&bytes)
        .with_context(|| format!("{} is no checkpoint of `volar run`", path.display()))
}

/// Prepares a folder for a run from its start: the scene and its files, and no
/// checkpoint of an earlier run.
pub fn prepare(folder: &Path, setup: &Setup) -> anyhow::Result<()> {
    setup.keep(folder)?;
    let old = folder.join(CHECKPOINT);
    match std::fs::remove_file(&old) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", old.display()))
        }
        _ => Ok(()),
    }
}

/// Writes a checkpoint; a kill leaves the one before or this one.
pub fn write_checkpoint(path: &Path, saved: &Saved) -> anyhow::Result<()> {
    write(path, &serde_json::to_string(saved)?)
}

pub fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    replace_file(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// An hour of simulation should not end at a folder that does not exist.
pub fn can_be_written(path: &Path) -> anyhow::Result<()> {
    if path.is_dir() {
        bail!("{} is a folder: give the name of a file", path.display());
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => {
            bail!(
                "{}: there is no folder {}",
                path.display(),
                folder.display()
            )
        }
        _ => Ok(()),
    }
}
