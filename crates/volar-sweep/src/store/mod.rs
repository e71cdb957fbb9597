//! The folder of a sweep: what it is, and the results so far.
//!
//! ```text
//! manifest.json            what the sweep is; written once, last
//! sweep.packed             scenes, files and axes, for other machines and later runs
//! journal/NAME-000001.jsonl    finished runs, one line each, until there are enough for a part
//! parts/NAME-000001.parquet    finished runs
//! table.parquet            all runs in order, when there are all
//! timing.parquet           what they took
//! ```
//!
//! A run that has ended is a line of the journal before its thread begins another one: who
//! is killed at any instant loses the runs under way and nothing else. A part is written
//! under another name, synced and then renamed; the journal of the same number is removed
//! after that. A line that is not whole is no line. `NAME` is that of the writer, `all` or
//! a shard, which holds a lock while it is at work; several may share the folder.

mod journal;
mod merge;
mod parts;
mod read;
mod table;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::axis::Tables;
use crate::error::SweepError;
use crate::figures::Figure;
use crate::identity::Identity;
use crate::plan::Plan;
use crate::spec::SweepSpec;
use crate::sweep::Sweep;
pub use journal::Journal;
pub use merge::merge;
pub use parts::{Brief, Layout, read_records};
pub use read::{Column, Table};
pub use table::write_tables;

/// What a sweep is, for people and for comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Of the program.
    pub version: String,
    /// One hash of the identity.
    pub hash: String,
    /// Number of runs.
    pub rows: u64,
    /// As it was written.
    pub spec: SweepSpec,
    /// What is kept of every run.
    pub figures: Vec<Figure>,
    /// What results depend on.
    pub identity: Identity,
}

/// The folder of a sweep.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
    /// What is in it.
    pub manifest: Manifest,
}

const MANIFEST: &str = "manifest.json";
const PACKED: &str = "sweep.packed";

impl Folder {
    /// The folder for a sweep: a new one, or one with results of the same sweep.
    pub fn create(path: &Path, sweep: &Sweep) -> Result<Folder, SweepError> {
        let identity = sweep.identity();
        let manifest = Manifest {
            version: crate::VERSION.into(),
            hash: identity.hash(),
            rows: sweep.plan.rows(),
            spec: sweep.spec.clone(),
            figures: sweep.figures.clone(),
            identity,
        };
        if path.join(MANIFEST).exists() {
            let folder = Folder::open(path)?;
            if folder.manifest.hash != manifest.hash {
                let earlier = &folder.manifest.identity;
                return Err(SweepError::Changed {
                    folder: path.to_owned(),
                    changes: manifest.identity.changes_since(earlier),
                });
            }
            return Ok(folder);
        }
        for inner in ["journal", "parts"] {
            let inner = path.join(inner);
            std::fs::create_dir_all(&inner).map_err(SweepError::io("make the folder", &inner))?;
        }
        write_whole(&path.join(PACKED), &sweep.pack()?)?;
        let text = serde_json::to_string_pretty(&manifest)
            .map_err(|error| SweepError::Invalid(error.to_string()))?;
        write_whole(&path.join(MANIFEST), text.as_bytes())?;
        Ok(Folder {
            path: path.to_owned(),
            manifest,
        })
    }

    /// The folder of a sweep that was begun.
    pub fn open(path: &Path) -> Result<Folder, SweepError> {
        let file = path.join(MANIFEST);
        let text = std::fs::read(&file).map_err(SweepError::io("read", &file))?;
        let manifest = serde_json::from_slice(&text)
            .map_err(|error| SweepError::damaged(&file, format!("no manifest: {error}")))?;
        Ok(Folder {
            path: path.to_owned(),
            manifest,
        })
    }

    /// The sweep itself, from the files that were kept.
    pub fn sweep(&self) -> Result<Sweep, SweepError> {
        let file = self.path.join(PACKED);
        let bytes = std::fs::read(&file).map_err(SweepError::io("read", &file))?;
        Sweep::unpack(&bytes).map_err(|error| SweepError::damaged(&file, error))
    }

    /// What the columns of its files are.
    pub fn layout(&self, plan: &Plan) -> Result<Layout, SweepError> {
        Layout::new(plan, &self.manifest.figures)
    }

    /// The runs of the sweep.
    pub fn plan(&self) -> Result<Plan, SweepError> {
        let spec = &self.manifest.spec;
        match spec.axes.iter().any(|axis| axis.table.is_some()) {
            true => Ok(self.sweep()?.plan),
            false => Plan::new(spec, &Tables::new()),
        }
    }

    /// Parts and journals by writer and number: the parts that are there, and journals
    /// without a part.
    pub fn pieces(&self) -> Result<Vec<Piece>, SweepError> {
        let mut pieces = BTreeMap::new();
        for (inner, end) in [("journal", "jsonl"), ("parts", "parquet")] {
            let folder = self.path.join(inner);
            let listed = std::fs::read_dir(&folder).map_err(SweepError::io("list", &folder))?;
            for entry in listed {
                let path = entry.map_err(SweepError::io("list", &folder))?.path();
                let Some((writer, number)) = named(&path, end) else {
                    continue;
                };
                let is_journal = end == "jsonl";
                let key = (writer.clone(), number);
                let piece = Piece {
                    writer,
                    number,
                    path,
                    is_journal,
                };
                // Parts come after journals.
                pieces.insert(key, piece);
            }
        }
        Ok(pieces.into_values().collect())
    }

    pub(crate) fn journal_path(&self, writer: &str, number: u64) -> PathBuf {
        self.path
            .join(format!("journal/{writer}-{number:06}.jsonl"))
    }

    pub(crate) fn part_path(&self, writer: &str, number: u64) -> PathBuf {
        self.path
            .join(format!("parts/{writer}-{number:06}.parquet"))
    }

    /// The right to write under a name, until it is dropped or the process ends.
    pub(crate) fn lock(&self, writer: &str) -> Result<File, SweepError> {
        let path = self.path.join(format!("journal/{writer}.lock"));
        let file = File::create(&path).map_err(SweepError::io("create", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(std::fs::TryLockError::WouldBlock) => Err(SweepError::Busy {
                folder: self.path.clone(),
            }),
            Err(std::fs::TryLockError::Error(error)) => Err(SweepError::io("lock", &path)(error)),
        }
    }
}

/// A file with results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Who wrote it.
    pub writer: String,
    /// Its number.
    pub number: u64,
    /// Where it is.
    pub path: PathBuf,
    /// Whether it is a journal rather than a part.
    pub is_journal: bool,
}

fn named(path: &Path, end: &str) -> Option<(String, u64)> {
    let name = path.file_name()?.to_str()?;
    let (writer, number) = name
        .strip_suffix(end)?
        .strip_suffix('.')?
        .rsplit_once('-')?;
    Some((writer.to_owned(), number.parse().ok()?))
}

/// Writes a file so that it is there whole or not at all.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), SweepError> {
    replaced(path, |file| {
        std::io::Write::write_all(file, bytes).map_err(SweepError::io("write", path))
    })
}

/// Writes a file under another name, syncs and renames it. What fails leaves nothing.
pub(crate) fn replaced(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), SweepError>,
) -> Result<(), SweepError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".tmp");
    let other = path.with_file_name(name);
    let mut file = File::create(&other).map_err(SweepError::io("create", &other))?;
    let written = write(&mut file).and_then(|()| {
        file.sync_all().map_err(SweepError::io("write", path))?;
        std::fs::rename(&other, path).map_err(SweepError::io("rename", &other))
    });
    if written.is_err() {
        // The first error is the one to tell.
        let _ = std::fs::remove_file(&other);
    }
    written
}
