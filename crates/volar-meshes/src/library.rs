//! Meshes of a source, each file read, checked and repaired once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use volar_assets::{AssetSource, normalized};
use volar_geom::TriMesh;
use volar_geom::mesh::check::check;
use volar_solids::{RepairOptions, Repaired, repair};

use crate::{FileError, ReadOptions, read_from};

/// The meshes of a source, kept once they are read: robots and scenes name the
/// same file for several links and bodies.
#[derive(Debug)]
pub struct MeshLibrary<'s> {
    source: &'s dyn AssetSource,
    meshes: RefCell<BTreeMap<PathBuf, Arc<TriMesh>>>,
    solids: RefCell<BTreeMap<PathBuf, Arc<Repaired>>>,
}

impl<'s> MeshLibrary<'s> {
    /// Nothing read yet.
    pub fn new(source: &'s dyn AssetSource) -> MeshLibrary<'s> {
        MeshLibrary {
            source,
            meshes: RefCell::default(),
            solids: RefCell::default(),
        }
    }

    /// Where the files are.
    pub fn source(&self) -> &'s dyn AssetSource {
        self.source
    }

    /// The triangles of a file as it has them.
    pub fn mesh(&self, path: &Path) -> Result<Arc<TriMesh>, FileError> {
        let key = normalized(path);
        if let Some(known) = self.meshes.borrow().get(&key) {
            return Ok(known.clone());
        }
        let mesh = Arc::new(read_from(self.source, path, &ReadOptions::default())?);
        self.meshes.borrow_mut().insert(key, mesh.clone());
        Ok(mesh)
    }

    /// The same, checked and, where it is not a solid, repaired as far as the
    /// convex hull: what MuJoCo and Bullet take for the shape of any mesh. The
    /// report says whether that made it usable.
    pub fn solid(&self, path: &Path) -> Result<Arc<Repaired>, FileError> {
        let key = normalized(path);
        if let Some(known) = self.solids.borrow().get(&key) {
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
        self.solids.borrow_mut().insert(key, solid.clone());
        Ok(solid)
    }
}
