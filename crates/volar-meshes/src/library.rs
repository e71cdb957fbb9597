//! Meshes of a source, each file read, checked and repaired once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use volar_assets::{AssetSource, normalized};
use volar_geom::TriMesh;
use volar_geom::mesh::check::check;
use volar_solids::{RepairOptions, Repaired, repair};

use crate::{FileError, ReadOptions, read_from};

/// The meshes of a source, kept once they are read: robots and scenes name the
/// same file for several links and bodies. Threads may share a library.
#[derive(Debug)]
pub struct MeshLibrary<'s> {
    source: Source<'s>,
    meshes: Mutex<BTreeMap<PathBuf, Arc<TriMesh>>>,
    solids: Mutex<BTreeMap<PathBuf, Arc<Repaired>>>,
}

#[derive(Debug)]
enum Source<'s> {
    Borrowed(&'s dyn AssetSource),
    Shared(Arc<dyn AssetSource>),
}

impl<'s> MeshLibrary<'s> {
    /// Nothing read yet.
    pub fn new(source: &'s dyn AssetSource) -> MeshLibrary<'s> {
        MeshLibrary::with(Source::Borrowed(source))
    }

    /// The same, of a source that lives as long as the library.
    pub fn shared(source: Arc<dyn AssetSource>) -> MeshLibrary<'static> {
        MeshLibrary::with(Source::Shared(source))
    }

    fn with(source: Source<'_>) -> MeshLibrary<'_> {
        MeshLibrary {
            source,
            meshes: Mutex::default(),
            solids: Mutex::default(),
        }
    }

    /// Where the files are.
    pub fn source(&self) -> &dyn AssetSource {
        match &self.source {
            Source::Borrowed(source) => *source,
            Source::Shared(source) => &**source,
        }
    }

    /// The triangles of a file as it has them.
    pub fn mesh(&self, path: &Path) -> Result<Arc<TriMesh>, FileError> {
        let key = normalized(path);
        if let Some(known) = locked(&self.meshes).get(&key) {
            return Ok(known.clone());
        }
        let mesh = Arc::new(read_from(self.source(), path, &ReadOptions::default())?);
        locked(&self.meshes).insert(key, mesh.clone());
        Ok(mesh)
    }

    /// The same, checked and, where it is not a solid, repaired as far as the
    /// convex hull: what MuJoCo and Bullet take for the shape of any mesh. The
    /// report says whether that made it usable.
    pub fn solid(&self, path: &Path) -> Result<Arc<Repaired>, FileError> {
        let key = normalized(path);
        if let Some(known) = locked(&self.solids).get(&key) {
            return Ok(known.clone());
        }
        let mesh = (*self.mesh(path)?).clone();
        let report = check(&mesh);
        let solid = Arc::new(match report.is_usable() {
            true => Repaired {
                mesh,
                steps: Vec::new(),
                report,
            },
            false => repair(mesh, &RepairOptions::UP_TO_HULL),
        });
        locked(&self.solids).insert(key, solid.clone());
        Ok(solid)
    }
}

/// A panic elsewhere leaves whole entries behind.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
