//! Scenes: their text, and what is made of it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::{Map, Value, json};
use volar::contact::Material;
use volar::scene::spec::SceneSpec;
use volar::scene::{
    AssetError, AssetSource, Commanded, Disk, Finger, Memory, Scene, SceneError, builtin,
    json_schema,
};

use crate::errors::Fault;
use crate::guard::detached;

/// Names and descriptions of the built-in scenes.
#[pyfunction]
pub fn scenes() -> Vec<(String, String)> {
    let all = builtin::all().into_iter();
    all.map(|scene| (scene.name, scene.description)).collect()
}

/// Name, stiffness, shear stiffness, damping time and friction of the materials
/// that every scene knows.
#[pyfunction]
pub fn materials() -> Vec<(&'static str, f64, f64, f64, f64)> {
    let known = Material::names().filter_map(|name| Some((name, Material::named(name)?)));
    known
        .map(|(name, m)| {
            (
                name,
                m.stiffness,
                m.shear_stiffness,
                m.damping_time,
                m.friction,
            )
        })
        .collect()
}

/// The JSON Schema of scene files, as text.
#[pyfunction]
pub fn schema() -> String {
    json_schema().to_string()
}

/// Files in memory first, then those of a folder.
#[derive(Clone, Debug)]
struct Files {
    memory: Memory,
    disk: Disk,
}

impl AssetSource for Files {
    fn read(&self, path: &Path) -> Result<Cow<'_, [u8]>, AssetError> {
        match self.memory.contains(path) {
            true => self.memory.read(path),
            false => self.disk.read(path),
        }
    }

    fn contains(&self, path: &Path) -> bool {
        self.memory.contains(path) || self.disk.contains(path)
    }

    fn name_of(&self, path: &Path) -> String {
        match self.memory.contains(path) {
            true => path.display().to_string(),
            false => self.disk.name_of(path),
        }
    }
}

/// The text of a scene and the files it names.
#[pyclass(frozen, module = "volar._volar")]
pub struct SceneText {
    scene: Scene,
    /// Files that are not on disk.
    memory: Memory,
    /// Other files are relative to it.
    #[pyo3(get)]
    folder: PathBuf,
}

#[pymethods]
impl SceneText {
    /// A scene by the name a person gives it: a file, a built-in scene, a folder.
    #[staticmethod]
    fn open(py: Python<'_>, name: &str) -> PyResult<SceneText> {
        detached(py, || {
            let scene = Scene::open(name)?;
            let path = Path::new(name);
            let (memory, folder) = match (path.is_file(), builtin::find(name)) {
                (true, _) => (Memory::new(), path.parent().unwrap_or(Path::new(""))),
                (false, Some(builtin)) => (builtin.source(), Path::new("")),
                (false, None) => (Memory::new(), path),
            };
            let folder = folder.to_owned();
            Ok(SceneText {
                scene,
                memory,
                folder,
            })
        })
    }

    /// Reads scene text; `name` is what errors call it.
    #[staticmethod]
    fn parse(name: &str, text: &str, folder: PathBuf) -> PyResult<SceneText> {
        let scene = Scene::parse(name, text).map_err(Fault::from)?;
        Ok(SceneText::with_files(scene, Memory::new(), folder))
    }

    /// A scene of a description in JSON, with the keys of scene files.
    #[staticmethod]
    fn from_json(
        json: &str,
        folder: PathBuf,
        files: BTreeMap<String, Vec<u8>>,
    ) -> PyResult<SceneText> {
        let spec: SceneSpec = serde_json::from_str(json)
            .map_err(|error| Fault::from(wrong_description(json, &error)))?;
        let scene = Scene::from_spec(spec).map_err(Fault::from)?;
        let files = files.into_iter();
        let memory = files.fold(Memory::new(), |all, (name, bytes)| all.with(name, bytes));
        Ok(SceneText::with_files(scene, memory, folder))
    }

    /// The scene with entries set, each as `path=value`.
    fn set(&self, overrides: Vec<String>) -> PyResult<SceneText> {
        let scene = self.scene.clone().with(&overrides).map_err(Fault::from)?;
        let (memory, folder) = (self.memory.clone(), self.folder.clone());
        Ok(SceneText {
            scene,
            memory,
            folder,
        })
    }

    /// The description as JSON.
    fn to_json(&self) -> PyResult<String> {
        Ok(serde_json::to_string(&self.scene.spec).map_err(Fault::from)?)
    }

    /// The text of the scene file.
    fn to_toml(&self) -> String {
        self.scene.text.clone()
    }

    /// Contents of the files that are not on disk, by name.
    fn files<'py>(&self, py: Python<'py>) -> BTreeMap<String, Bound<'py, PyBytes>> {
        let files = self.memory.files();
        files
            .map(|(path, bytes)| (path.display().to_string(), PyBytes::new(py, bytes)))
            .collect()
    }

    /// Reads all files and makes the model.
    fn compile(&self, py: Python<'_>) -> PyResult<Setup> {
        detached(py, || {
            let inner = Arc::new(self.scene.compile()?);
            Ok(Setup { inner })
        })
    }
}

impl SceneText {
    fn with_files(scene: Scene, memory: Memory, folder: PathBuf) -> SceneText {
        let disk = Disk::new(&folder);
        let files = Files {
            memory: memory.clone(),
            disk,
        };
        SceneText {
            scene: scene.with_files(Arc::new(files)),
            memory,
            folder,
        }
    }
}

/// What is wrong with a description, and where: entries are read one by one until one fails.
fn wrong_description(json: &str, error: &serde_json::Error) -> SceneError {
    let syntax = |place: String, error: &serde_json::Error| {
        let text = error.to_string();
        // Places in the JSON are nobody's places.
        let message = text.split(" at line ").next().unwrap_or_default();
        SceneError::Syntax {
            file: place,
            message: message.to_owned(),
        }
    };
    let all: Map<String, Value> = serde_json::from_str(json).unwrap_or_default();
    for (key, value) in &all {
        let entries = match value {
            Value::Array(list) if list.iter().all(Value::is_object) => {
                let entry = |(at, entry)| (format!("scene: {key}[{at}]"), json!([entry]));
                list.iter().enumerate().map(entry).collect()
            }
            value => vec![(format!("scene: {key}"), value.clone())],
        };
        for (place, entry) in entries {
            let mut alone = Map::from_iter([("name".into(), Value::from("scene"))]);
            alone.insert(key.clone(), entry);
            if let Err(error) = serde_json::from_value::<SceneSpec>(Value::Object(alone)) {
                return syntax(place, &error);
            }
        }
    }
    syntax("scene".into(), error)
}

/// A scene with its model, ready to be simulated any number of times.
#[pyclass(frozen, module = "volar._volar")]
pub struct Setup {
    pub inner: Arc<volar::scene::Setup>,
}

/// Name, whether it slides, index in q, index in v.
type JointRow = (String, bool, usize, usize);

/// Joint, actuator of the file or nothing, what is commanded, whether it has a
/// control of its own.
type DriveRow = (String, String, &'static str, bool);

#[pymethods]
impl Setup {
    /// Names of the bodies in order.
    fn bodies(&self) -> Vec<String> {
        let model = &self.inner.model;
        let names = model.bodies().map(|body| model.name(body).to_owned());
        names.collect()
    }

    /// Number of coordinates and of velocities of a body's joint: (start, end)
    /// in q, (start, end) in v.
    fn ranges(&self, body: usize) -> PyResult<[usize; 4]> {
        let tree = self.inner.model.tree();
        if body >= tree.bodies().len() {
            return Err(PyValueError::new_err("no such body"));
        }
        let (q, v) = (tree.q_range(body), tree.v_range(body));
        Ok([q.start, q.end, v.start, v.end])
    }

    /// The joints with one degree of freedom.
    fn joints(&self) -> Vec<JointRow> {
        let tree = self.inner.model.tree();
        let joints = self.inner.joints.iter().map(|joint| {
            let v = tree.v_range(joint.joint.body().index()).start;
            let q = tree.coordinate(v).unwrap_or_default();
            (joint.name.clone(), joint.slides, q, v)
        });
        joints.collect()
    }

    /// The actuators, in order of their numbers.
    fn drives(&self) -> Vec<DriveRow> {
        let drives = self.inner.drives.iter().map(|drive| {
            let commands = match drive.commands {
                Commanded::Effort => "effort",
                Commanded::Target => "target",
                Commanded::Speed => "speed",
            };
            let control = drive.control.is_some();
            (
                drive.joint.clone(),
                drive.actuator.clone(),
                commands,
                control,
            )
        });
        drives.collect()
    }

    /// The command of an actuator that has a control, at a value of the control.
    fn command_of(&self, drive: usize, control: f64) -> PyResult<f64> {
        let drive = self.inner.drives.get(drive);
        let map = drive.and_then(|drive| drive.control);
        let map = map.ok_or_else(|| PyValueError::new_err("no such control"))?;
        Ok(map.command(control))
    }

    /// Least and greatest command of an actuator that makes sense, where the
    /// robot's file says so.
    fn drive_range(&self, drive: usize) -> Option<[f64; 2]> {
        self.inner.drives.get(drive)?.range
    }

    /// Names of the fingers of the grasp, with the numbers of their links.
    fn fingers(&self) -> Vec<(String, Vec<usize>)> {
        let grasp = self.inner.grasp.as_ref();
        let fingers = grasp.map_or(&[][..], |grasp| &grasp.fingers).iter();
        let links = |finger: &Finger| finger.links.iter().map(|link| link.index()).collect();
        fingers
            .map(|finger| (finger.name.clone(), links(finger)))
            .collect()
    }

    /// How long the scene runs, s.
    #[getter]
    fn duration(&self) -> f64 {
        self.inner.scene.spec.duration
    }

    /// Names of the grasped body and of its palm.
    fn grasp(&self) -> Option<(String, String)> {
        let grasp = self.inner.grasp.as_ref()?;
        let name = |body| self.inner.model.name(body).to_owned();
        Some((name(grasp.object), name(grasp.palm)))
    }

    /// What a person should know of the scene, as sentences.
    fn notes(&self) -> Vec<String> {
        self.inner.notes.clone()
    }

    /// Mass, centre of mass and inertia about it (six numbers) of a body.
    fn mass(&self, body: usize) -> PyResult<(f64, [f64; 3], [[f64; 3]; 3])> {
        let model = &self.inner.model;
        let id = model.bodies().nth(body);
        let id = id.ok_or_else(|| PyValueError::new_err("no such body"))?;
        let mass = model.mass(id);
        let inertia = mass.inertia.transpose().to_cols_array_2d();
        Ok((mass.mass, mass.centre_of_mass.to_array(), inertia))
    }
}
