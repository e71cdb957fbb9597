//! A sweep with everything it needs: scenes, files, axes, figures.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use volar_assets::{AssetSource, Disk};
use volar_scene::{Scene, SceneError, Setup, Workshop, builtin};

use crate::axis::{Tables, Variants};
use crate::error::SweepError;
use crate::figures::{Figure, figures};
use crate::files::{KeptFiles, memory};
use crate::identity::Identity;
use crate::plan::{Plan, assignments};
use crate::spec::SweepSpec;

/// A sweep that can be run: here, or elsewhere from its bytes.
///
/// ```
/// use std::path::Path;
/// use volar_sweep::{Sweep, SweepSpec, axis_entry};
///
/// let spec = SweepSpec {
///     name: "mass".into(),
///     scene: "g2p-cube".into(),
///     repeats: 1,
///     axes: vec![axis_entry("body.cube.mass=0.1,0.2")?],
///     ..SweepSpec::default()
/// };
/// let sweep = Sweep::new(spec, Path::new("."))?;
/// assert_eq!(sweep.plan.rows(), 2);
/// assert_eq!(sweep.setup(1)?.scene.spec.bodies[0].mass, Some(0.2));
/// # Ok::<(), volar_sweep::SweepError>(())
/// ```
#[derive(Debug)]
pub struct Sweep {
    /// As it was written.
    pub spec: SweepSpec,
    /// Its runs.
    pub plan: Plan,
    /// What is kept of every run.
    pub figures: Vec<Figure>,
    scenes: Vec<Stock>,
    tables: Tables,
}

/// The source of a scene, and its path there.
type Found = (Arc<dyn AssetSource>, PathBuf);

/// A scene of the sweep, which its runs vary.
#[derive(Debug)]
struct Stock {
    /// As the sweep names it.
    name: String,
    /// In its source.
    path: PathBuf,
    scene: Scene,
    files: Vec<(PathBuf, Arc<[u8]>)>,
    workshop: Workshop,
}

/// A sweep as it goes to other machines.
#[derive(Serialize, Deserialize)]
struct Packed {
    version: String,
    spec: SweepSpec,
    figures: Vec<Figure>,
    scenes: Vec<PackedScene>,
    /// In base 64.
    #[serde(default)]
    tables: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
struct PackedScene {
    name: String,
    path: PathBuf,
    /// In base 64.
    files: BTreeMap<PathBuf, String>,
}

impl Sweep {
    /// Reads everything a sweep needs; scenes and tables are relative to a folder.
    pub fn new(spec: SweepSpec, folder: &Path) -> Result<Sweep, SweepError> {
        let tables = tables(&spec, &Disk::new(folder))?;
        Sweep::of(spec, tables, &|name| find(folder, name))
    }

    /// The same of a scene and tables that are in a source.
    pub fn from_source(spec: SweepSpec, source: Arc<dyn AssetSource>) -> Result<Sweep, SweepError> {
        let tables = tables(&spec, &*source)?;
        Sweep::of(spec, tables, &|name| Ok((source.clone(), name.into())))
    }

    fn of(
        spec: SweepSpec,
        tables: Tables,
        find: &dyn Fn(&str) -> Result<Found, SweepError>,
    ) -> Result<Sweep, SweepError> {
        let plan = Plan::new(&spec, &tables)?;
        let mut names = vec![spec.scene.clone()];
        let rows = plan.representatives();
        for row in &rows {
            let named = plan.row(*row).scene().map(str::to_owned);
            names.extend(named.filter(|name| !names.contains(name)));
        }
        let mut kept = Vec::new();
        let mut scenes = Vec::new();
        for name in names {
            let (source, path) = find(&name)?;
            let files = Arc::new(KeptFiles::new(source));
            scenes.push(Stock::new(name, path, files.clone(), &spec)?);
            kept.push(files);
        }
        let mut sweep = Sweep {
            spec,
            plan,
            figures: Vec::new(),
            scenes,
            tables,
        };
        if rows.is_empty() {
            return Err(SweepError::Invalid(match sweep.plan.row(0).failure() {
                Some(failure) => format!("no row can be run; of row 0: {}", failure.what),
                None => "no row can be run".into(),
            }));
        }
        let mut setups = Vec::new();
        let mut first_error = None;
        for row in rows {
            match sweep.setup(row) {
                Ok(setup) => setups.push(setup),
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
        if let (true, Some(error)) = (setups.is_empty(), first_error) {
            return Err(error.into());
        }
        sweep.figures = figures(&setups, &sweep.spec.figures)?;
        for (stock, kept) in sweep.scenes.iter_mut().zip(kept) {
            stock.files = kept.files();
        }
        // Scenes that no run has need not go anywhere.
        sweep.scenes.retain(|stock| !stock.files.is_empty());
        Ok(sweep)
    }

    /// All of the sweep as bytes, with its scenes and files.
    pub fn pack(&self) -> Result<Vec<u8>, SweepError> {
        let scenes = self.scenes.iter().map(|stock| {
            let files = stock.files.iter();
            PackedScene {
                name: stock.name.clone(),
                path: stock.path.clone(),
                files: files
                    .map(|(path, bytes)| (path.clone(), STANDARD.encode(bytes)))
                    .collect(),
            }
        });
        let packed = Packed {
            version: crate::VERSION.into(),
            spec: self.spec.clone(),
            figures: self.figures.clone(),
            scenes: scenes.collect(),
            tables: self
                .tables
                .iter()
                .map(|(name, table)| (name.clone(), STANDARD.encode(table.bytes())))
                .collect(),
        };
        serde_json::to_vec(&packed).map_err(|error| SweepError::Invalid(error.to_string()))
    }

    /// A sweep from its bytes. Those of another version of the program are refused: its
    /// results may differ.
    pub fn unpack(bytes: &[u8]) -> Result<Sweep, SweepError> {
        let damaged = |error: String| SweepError::Invalid(format!("not a packed sweep: {error}"));
        let packed: Packed =
            serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
        if packed.version != crate::VERSION {
            return Err(SweepError::Invalid(format!(
                "the sweep is of version {}, this program is version {}",
                packed.version,
                crate::VERSION
            )));
        }
        let mut tables = Tables::new();
        for (name, text) in packed.tables {
            let bytes = STANDARD.decode(text).map_err(|e| damaged(e.to_string()))?;
            let table = Variants::read(&name, bytes.into())?;
            tables.insert(name, Arc::new(table));
        }
        let plan = Plan::new(&packed.spec, &tables)?;
        let mut scenes = Vec::new();
        for scene in packed.scenes {
            let files = scene.files.into_iter().map(|(path, text)| {
                let bytes = STANDARD.decode(text).map_err(|e| damaged(e.to_string()))?;
                Ok((path, bytes))
            });
            let files = files.collect::<Result<Vec<_>, SweepError>>()?;
            let source = Arc::new(memory(files.clone()));
            let stock = Stock::new(scene.name, scene.path, source, &packed.spec)?;
            let files = files.into_iter().map(|(path, bytes)| (path, bytes.into()));
            scenes.push(Stock {
                files: files.collect(),
                ..stock
            });
        }
        Ok(Sweep {
            plan,
            spec: packed.spec,
            figures: packed.figures,
            scenes,
            tables,
        })
    }

    /// What results depend on.
    pub fn identity(&self) -> Identity {
        let scenes = self.scenes.iter();
        let files = scenes.flat_map(|stock| {
            let files = stock.files.iter();
            files.map(|(path, bytes)| (stock.name.as_str(), path.as_path(), &**bytes))
        });
        Identity::new(&self.spec, &self.plan, &self.figures, files)
    }

    /// The scene of a run.
    pub fn scene(&self, row: u64) -> Result<Scene, SceneError> {
        Ok(self.variant(row)?.1)
    }

    /// A run, ready to start; what runs have in common is made once.
    pub fn setup(&self, row: u64) -> Result<Setup, SceneError> {
        let (stock, scene) = self.variant(row)?;
        stock.workshop.compile(&scene)
    }

    fn variant(&self, row: u64) -> Result<(&Stock, Scene), SceneError> {
        let number = row;
        let row = self.plan.row(row);
        if let Some(failure) = row.failure() {
            return Err(SceneError::Invalid {
                place: format!("run {number}"),
                message: failure.what,
            });
        }
        let name = row.scene().unwrap_or(&self.spec.scene);
        let stock = self.scenes.iter().find(|stock| stock.name == name);
        let stock = stock.ok_or_else(|| SceneError::unknown(name.into()))?;
        let scene = stock.scene.clone().with(&row.assignments(&self.plan))?;
        Ok((stock, scene))
    }
}

impl Stock {
    fn new(
        name: String,
        path: PathBuf,
        source: Arc<dyn AssetSource>,
        spec: &SweepSpec,
    ) -> Result<Stock, SweepError> {
        let scene = Scene::load_from(source, &path)?.with(&assignments(&spec.set))?;
        Ok(Stock {
            workshop: Workshop::of(&scene),
            name,
            path,
            scene,
            files: Vec::new(),
        })
    }
}

/// The tables that axes name.
fn tables(spec: &SweepSpec, source: &dyn AssetSource) -> Result<Tables, SweepError> {
    let mut tables = Tables::new();
    for file in spec.axes.iter().filter_map(|axis| axis.table.as_ref()) {
        let bytes = source.read(Path::new(file)).map_err(SceneError::from)?;
        let table = Variants::read(file, bytes.into_owned().into())?;
        tables.insert(file.clone(), Arc::new(table));
    }
    Ok(tables)
}

/// A scene by its name, and the source of its files: a file, relative to its own folder;
/// a built-in scene; or a folder with a `scene.toml`.
fn find(folder: &Path, name: &str) -> Result<Found, SweepError> {
    let path = folder.join(name);
    if !path.is_file()
        && let Some(scene) = builtin::find(name)
    {
        let files = scene
            .source()
            .with(&scene.name, scene.text.clone().into_bytes());
        return Ok((Arc::new(files), PathBuf::from(&scene.name)));
    }
    let path = match path.is_dir() {
        true => path.join("scene.toml"),
        false => path,
    };
    let unknown = || SceneError::unknown(name.into());
    let (true, Some(file)) = (path.is_file(), path.file_name()) else {
        return Err(unknown().into());
    };
    let own = path.parent().unwrap_or(Path::new(""));
    Ok((Arc::new(Disk::new(own)), PathBuf::from(file)))
}
