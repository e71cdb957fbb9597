//! Results of shards in one folder.

use std::path::{Path, PathBuf};

use crate::error::SweepError;

use super::{Folder, Journal, MANIFEST, PACKED, write_tables};

/// Brings the results of several folders of the same sweep together in one of them or in a
/// new one, and writes the tables. Nothing is removed from the folders.
pub fn merge(folders: &[PathBuf], into: &Path) -> Result<(), SweepError> {
    let folders = folders.iter().map(|path| Folder::open(path));
    let folders = folders.collect::<Result<Vec<Folder>, SweepError>>()?;
    let Some(first) = folders.first() else {
        return Err(SweepError::Invalid("no folder to merge".into()));
    };
    for inner in ["journal", "parts"] {
        let inner = into.join(inner);
        std::fs::create_dir_all(&inner).map_err(SweepError::io("make the folder", &inner))?;
    }
    for name in [PACKED, MANIFEST] {
        let (from, to) = (first.path.join(name), into.join(name));
        if !to.exists() {
            std::fs::copy(&from, &to).map_err(SweepError::io("write", &to))?;
        }
    }
    let whole = Folder::open(into)?;
    let plan = whole.sweep()?.plan;
    for (number, folder) in folders.iter().enumerate() {
        if folder.manifest.hash != whole.manifest.hash {
            let earlier = &whole.manifest.identity;
            return Err(SweepError::Changed {
                folder: into.to_owned(),
                changes: folder.manifest.identity.changes_since(earlier),
            });
        }
        if same_place(&folder.path, into) {
            continue;
        }
        for piece in folder.pieces()? {
            if piece.is_journal {
                Journal::open(folder, &plan, &piece.writer)?.seal()?;
            }
            let from = folder.part_path(&piece.writer, piece.number);
            let writer = format!("merged-{}-{}", number + 1, piece.writer);
            let to = whole.part_path(&writer, piece.number);
            if from.exists() {
                let bytes = std::fs::read(&from).map_err(SweepError::io("read", &from))?;
                super::write_whole(&to, &bytes)?;
            }
        }
    }
    write_tables(&whole, &plan)
}

fn same_place(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}
