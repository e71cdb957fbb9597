//! What scenes of one source have in common: files, meshes, robots and surfaces, each
//! made once however many scenes are compiled.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use volar_assets::{AssetError, AssetSource, Traced};
use volar_geom::ClosedMesh;
use volar_geom::mesh::mass::{MassProperties, SolidMoments};
use volar_meshes::MeshLibrary;
use volar_robots::{ImportReport, Robot};
use volar_sim::SurfaceCache;
use volar_solids::Shape;

use super::{Built, Setup};
use crate::error::{Fault, SceneError};
use crate::scene::Scene;

/// Meshes of bodies and robots that are kept, of each kind so many: a sweep over sizes
/// makes a new one for every run.
const KEPT: usize = 64;

/// Compiles many variants of a scene; meshes are read, checked, united and boxed once.
/// Threads may share it.
///
/// ```
/// use std::sync::Arc;
/// use volar_scene::{Scene, Workshop};
///
/// let scene = Scene::builtin("g2p-cube")?;
/// let workshop = Workshop::of(&scene);
/// let setup = workshop.compile(&scene)?;
/// let shorter = workshop.compile(&scene.with(&["duration=0.5"])?)?;
/// assert!(Arc::ptr_eq(&setup.model, &shorter.model)); // nothing of it has changed
/// # Ok::<(), volar_scene::SceneError>(())
/// ```
#[derive(Debug)]
pub struct Workshop {
    shared: Arc<Shared>,
    /// The last model with what it was built from.
    last: Mutex<Option<Arc<Built>>>,
}

impl Workshop {
    /// For a scene and its variants.
    pub fn of(scene: &Scene) -> Workshop {
        Workshop {
            shared: Arc::new(Shared::new(scene.source().clone())),
            last: Mutex::default(),
        }
    }

    /// What [`Scene::compile`] makes of a scene.
    pub fn compile(&self, scene: &Scene) -> Result<Setup, SceneError> {
        if !Arc::ptr_eq(&self.shared.source, scene.source()) {
            return Workshop::of(scene).compile(scene);
        }
        let key = model_key(scene);
        let last = locked(&self.last).clone();
        let built = match last.filter(|built| built.key == key) {
            Some(built) => built,
            None => {
                let built = Arc::new(Built::new(scene, key, self.shared.clone())?);
                *locked(&self.last) = Some(built.clone());
                built
            }
        };
        built.finish(scene).map_err(|fault| scene.invalid(&fault))
    }
}

/// All of a scene that its model depends on, to the bit; the rest is when it ends, how it
/// is integrated, what happens and what is measured.
pub(super) fn model_key(scene: &Scene) -> String {
    let spec = &scene.spec;
    let parts = (&spec.contact, &spec.materials, &spec.robots, &spec.bodies);
    format!("{:?} {:?} {parts:?}", scene.folder(), spec.gravity)
}

/// Files and solids.
#[derive(Debug)]
pub(super) struct Shared {
    source: Arc<dyn AssetSource>,
    /// Knows which files were read.
    traced: Arc<Traced>,
    pub library: MeshLibrary<'static>,
    pub surfaces: Arc<SurfaceCache>,
    /// By folder and shape, to the bit.
    bodies: Mutex<Vec<(String, Arc<Solid>)>>,
    robots: Mutex<Vec<(RobotKey, Arc<LoadedRobot>)>>,
}

/// The solid of a body in its frame.
#[derive(Debug)]
pub(super) struct Solid {
    pub mesh: Arc<ClosedMesh>,
    pub moments: SolidMoments,
    /// What a person should know of it.
    pub note: Option<String>,
}

/// What a robot is made from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RobotKey {
    pub file: PathBuf,
    pub packages: Vec<PathBuf>,
    pub without: Vec<String>,
    pub detail: f64,
}

/// A robot of a file with the solids of its links.
#[derive(Clone, Debug)]
pub(super) struct LoadedRobot {
    pub robot: Robot,
    pub report: ImportReport,
    /// By link.
    pub solids: Vec<(Option<Arc<ClosedMesh>>, MassProperties)>,
}

impl Shared {
    fn new(source: Arc<dyn AssetSource>) -> Shared {
        let traced = Arc::new(Traced::new(source.clone()));
        Shared {
            library: MeshLibrary::shared(traced.clone()),
            source,
            traced,
            surfaces: Arc::default(),
            bodies: Mutex::default(),
            robots: Mutex::default(),
        }
    }

    /// Files that were read.
    pub fn files(&self) -> Vec<PathBuf> {
        self.traced.files()
    }

    /// The solid of a shape with as much detail; mesh files are relative to the folder.
    pub fn solid(
        &self,
        folder: &Path,
        shape: (&Shape, f64),
        make: impl FnOnce() -> Result<Solid, Fault>,
    ) -> Result<Arc<Solid>, Fault> {
        kept(&self.bodies, &format!("{folder:?} {shape:?}"), make)
    }

    pub fn robot(
        &self,
        key: &RobotKey,
        make: impl FnOnce() -> Result<LoadedRobot, Fault>,
    ) -> Result<Arc<LoadedRobot>, Fault> {
        kept(&self.robots, key, make)
    }
}

/// What is known, or else made; the one that was not used for longest makes room.
/// Two threads that need the same wait for each other.
fn kept<K: Clone + PartialEq, V>(
    all: &Mutex<Vec<(K, Arc<V>)>>,
    key: &K,
    make: impl FnOnce() -> Result<V, Fault>,
) -> Result<Arc<V>, Fault> {
    let mut all = locked(all);
    let found = all.iter().position(|(known, _)| known == key);
    let entry = match found {
        Some(at) => all.remove(at),
        None => (key.clone(), Arc::new(make()?)),
    };
    if all.len() >= KEPT {
        all.remove(0);
    }
    let value = entry.1.clone();
    all.push(entry);
    Ok(value)
}

/// A panic elsewhere leaves whole entries behind.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where the files of a scene are.
#[derive(Clone, Debug)]
pub(crate) struct SceneFiles {
    pub(super) shared: Arc<Shared>,
    pub(super) folder: PathBuf,
}

impl SceneFiles {
    /// The path in the source of a file that the scene names.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// What is in a file that the scene names.
    pub fn read(&self, file: &str) -> Result<Cow<'_, [u8]>, AssetError> {
        self.shared.traced.read(&self.path(file))
    }
}
