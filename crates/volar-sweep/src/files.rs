//! The files of a sweep, read once and kept, so that they can be named in its identity,
//! stay as they are while it runs, and go with it to other machines.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use volar_assets::{AssetError, AssetSource, Memory, normalized};

/// Files of another source that are kept once they are read.
#[derive(Debug)]
pub struct KeptFiles {
    source: Arc<dyn AssetSource>,
    kept: Mutex<BTreeMap<PathBuf, Arc<[u8]>>>,
}

impl KeptFiles {
    /// Nothing read yet.
    pub fn new(source: Arc<dyn AssetSource>) -> KeptFiles {
        KeptFiles {
            source,
            kept: Mutex::default(),
        }
    }

    /// All that was read so far.
    pub fn files(&self) -> Vec<(PathBuf, Arc<[u8]>)> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let files = kept.iter();
        files
            .map(|(path, bytes)| (path.clone(), bytes.clone()))
            .collect()
    }
}

impl AssetSource for KeptFiles {
    fn read(&self, path: &Path) -> Result<Cow<'_, [u8]>, AssetError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let key = normalized(path);
        if let Some(bytes) = kept.get(&key) {
            return Ok(Cow::Owned(bytes.to_vec()));
        }
        let bytes = self.source.read(path)?.into_owned();
        kept.insert(key, bytes.clone().into());
        Ok(Cow::Owned(bytes))
    }

    /// What is there is kept too: where the sweep goes, the same places must be found.
    fn contains(&self, path: &Path) -> bool {
        self.source.contains(path) && self.read(path).is_ok()
    }

    fn name_of(&self, path: &Path) -> String {
        path.display().to_string()
    }
}

/// Files that came with a sweep.
pub fn memory(files: impl IntoIterator<Item = (PathBuf, Vec<u8>)>) -> Memory {
    let files = files.into_iter();
    files.fold(Memory::new(), |all, (path, bytes)| all.with(path, bytes))
}
