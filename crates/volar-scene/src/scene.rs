//! A scene: its text, what it says, and where its files come from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use volar_assets::{AssetSource, Disk, Memory};

use crate::builtin;
use crate::error::{Fault, OverrideError, SceneError};
use crate::read::{leads_to, line_of, read, shown};
use crate::spec::SceneSpec;

/// The scene of a folder.
pub(crate) const FILE: &str = "scene.toml";

/// A scene as it was written, with the source of the files it names.
///
/// ```
/// use volar_scene::Scene;
///
/// let scene = Scene::builtin("g2p-cube")?.with(&["body.cube.mass=0.5"])?;
/// assert_eq!(scene.spec.bodies[0].mass, Some(0.5));
/// let setup = scene.compile()?;
/// # Ok::<(), volar_scene::SceneError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scene {
    /// What errors call it.
    pub name: String,
    /// The text, overrides worked in.
    pub text: String,
    /// What the text says.
    pub spec: SceneSpec,
    /// The text as it was given: lines in errors are its lines.
    original: String,
    /// Entries that were set, in order.
    overrides: Vec<String>,
    source: Arc<dyn AssetSource>,
    /// In the source; files that the scene names are relative to it.
    folder: PathBuf,
}

impl Scene {
    /// Reads a scene file on disk.
    pub fn load(path: impl AsRef<Path>) -> Result<Scene, SceneError> {
        Scene::load_from(Arc::new(Disk::default()), path)
    }

    /// Reads a scene file; the files it names come from the same source.
    pub fn load_from(
        source: Arc<dyn AssetSource>,
        path: impl AsRef<Path>,
    ) -> Result<Scene, SceneError> {
        let path = path.as_ref();
        let name = source.name_of(path);
        let bytes = source.read(path)?.into_owned();
        let text = String::from_utf8(bytes).map_err(|error| SceneError::Syntax {
            file: name.clone(),
            message: format!("not UTF-8 text: {}", error.utf8_error()),
        })?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Scene {
            folder,
            ..Scene::parse(&name, &text)?.with_files(source)
        })
    }

    /// A built-in scene by name; dashes and underscores are the same.
    pub fn builtin(name: &str) -> Result<Scene, SceneError> {
        let scene = builtin::find(name).ok_or_else(|| SceneError::unknown(name.into()))?;
        let files = Arc::new(scene.source());
        Ok(Scene::parse(&scene.name, &scene.text)?.with_files(files))
    }

    /// A scene as a person names it: a file on disk, or else a built-in scene,
    /// or else a folder with a `scene.toml`.
    pub fn open(name: impl AsRef<Path>) -> Result<Scene, SceneError> {
        let path = name.as_ref();
        if path.is_file() {
            return Scene::load(path);
        }
        match Scene::builtin(&path.to_string_lossy()) {
            Err(SceneError::Unknown { .. }) if path.is_dir() => match path.join(FILE) {
                file if file.is_file() => Scene::load(file),
                _ => Err(SceneError::NoSceneIn {
                    folder: path.display().to_string(),
                }),
            },
            // A device or a pipe; the error says so.
            Err(SceneError::Unknown { .. }) if path.exists() => Scene::load(path),
            other => other,
        }
    }

    /// Reads scene text that names no files, or see [`Scene::with_files`].
    /// `name` is what errors call it.
    pub fn parse(name: &str, text: &str) -> Result<Scene, SceneError> {
        let (text, spec) = read::<&str>(name, text, &[])?;
        Ok(Scene {
            name: name.to_owned(),
            original: text.clone(),
            overrides: Vec::new(),
            text,
            spec,
            source: Arc::new(Memory::new()),
            folder: PathBuf::new(),
        })
    }

    /// A scene made in code. Its text is written from the description, so that
    /// places in errors can be found in [`Scene::text`].
    ///
    /// ```
    /// use volar_scene::Scene;
    ///
    /// let mut spec = Scene::builtin("g2p-cube")?.spec;
    /// spec.bodies[0].mass = Some(0.5); // kg
    /// let scene = Scene::from_spec(spec)?;
    /// assert!(scene.text.contains("mass = 0.5"));
    /// # Ok::<(), volar_scene::SceneError>(())
    /// ```
    pub fn from_spec(spec: SceneSpec) -> Result<Scene, SceneError> {
        let text = toml::to_string(&spec).map_err(|error| SceneError::Syntax {
            file: spec.name.clone(),
            message: error.to_string(),
        })?;
        Scene::parse(&spec.name, &text)
    }

    /// The scene with the files it names from a source.
    pub fn with_files(self, source: Arc<dyn AssetSource>) -> Scene {
        Scene { source, ..self }
    }

    /// The scene with some entries set, each as `path=value`: keys joined by
    /// dots, entries of lists by number or name, as in `body.cube.mass=0.5`.
    /// What was set before stays set.
    ///
    /// ```
    /// use volar_scene::Scene;
    ///
    /// let heavy = Scene::builtin("g2p-cube")?.with(&["body.cube.mass=0.5"])?;
    /// let short = heavy.with(&["duration=0.5"])?;
    /// assert_eq!(short.spec.bodies[0].mass, Some(0.5)); // kg
    /// # Ok::<(), volar_scene::SceneError>(())
    /// ```
    pub fn with<S: AsRef<str>>(mut self, overrides: &[S]) -> Result<Scene, SceneError> {
        let new = overrides.iter().map(|set| set.as_ref().to_owned());
        self.overrides.extend(new);
        let (text, spec) = read(&self.name, &self.original, &self.overrides)?;
        Ok(Scene { text, spec, ..self })
    }

    /// Where the files that the scene names come from.
    pub fn source(&self) -> &Arc<dyn AssetSource> {
        &self.source
    }

    /// The folder in the source that they are relative to.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A fault with the line it is on, or with the override that made it.
    pub(crate) fn invalid(&self, fault: &Fault) -> SceneError {
        let mut overrides = self.overrides.iter().rev();
        if let Some(assignment) = overrides.find(|set| leads_to(set, &fault.path, &self.text)) {
            return SceneError::Set {
                assignment: assignment.clone(),
                why: OverrideError::NotAScene {
                    problem: fault.message.clone(),
                },
            };
        }
        let line = line_of(&self.original, &fault.path);
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        let entry = match fault.path.is_empty() {
            true => String::new(),
            false => format!(": {}", shown(&fault.path)),
        };
        SceneError::Invalid {
            place: format!("{}{line}{entry}", self.name),
            message: fault.message.clone(),
        }
    }
}
