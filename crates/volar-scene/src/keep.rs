//! A scene as a folder that needs nothing else: `scene.toml`, and in `files` every
//! robot, mesh and table that it was made of, laid out as they were to each other.
//!
//! ```text
//! work/scenes/mug.toml                file = "../robots/hand.urdf"
//! work/robots/hand.urdf               filename="meshes/tip.stl"
//! work/robots/meshes/tip.stl
//!
//! kept/scene.toml                    file = "files/hand.urdf"
//! kept/files/hand.urdf               as it was
//! kept/files/meshes/tip.stl
//! ```

use std::path::{Path, PathBuf};

use toml::Value;
use volar_assets::{AssetSource, Disk, normalized, replace_file};

use crate::compile::Setup;
use crate::error::SceneError;
use crate::scene::FILE;

/// The folder of the files.
const FOLDER: &str = "files";
/// First line of a scene that was kept, by which it is told from one that a person wrote.
const MARK: &str = "# As it was run; all files are beside it.\n";

impl Setup {
    /// Writes the scene, as it is run, and all its files into a folder, which is made.
    /// The scene of the folder gives the same bits on any machine.
    ///
    /// ```
    /// use volar_scene::Scene;
    ///
    /// let setup = Scene::open("g2p-cube")?.with(&["body.cube.mass=0.5"])?.compile()?;
    /// let folder = std::env::temp_dir().join(format!("volar-keep-{}", std::process::id()));
    /// setup.keep(&folder)?;
    /// let same = Scene::load(folder.join("scene.toml"))?;
    /// assert_eq!(same.spec.bodies, setup.scene.spec.bodies);
    /// # std::fs::remove_dir_all(&folder).ok();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is a scene that a person wrote, which would be overwritten; when
    /// files cannot be written.
    pub fn keep(&self, folder: &Path) -> Result<(), SceneError> {
        let file = folder.join(FILE);
        if file.exists() && !is_kept(&file) {
            let taken = "would be overwritten; give another folder";
            let taken = std::io::Error::new(std::io::ErrorKind::AlreadyExists, taken);
            return Err(SceneError::write(&file, taken));
        }
        let (source, scene_folder) = (self.scene.source(), self.scene.folder());
        let layout = Layout::new(self, scene_folder, folder);
        for path in &self.files {
            let contents = source.read(path)?;
            let to = layout.to(path);
            let contents = layout.with_own_names(path, &contents);
            write_file(&folder.join(to), &contents)?;
        }
        let text = layout.scene_text(self, scene_folder)?;
        write_file(&file, format!("{MARK}{text}").as_bytes())
    }
}

/// Whether a scene was written by [`Setup::keep`].
fn is_kept(file: &Path) -> bool {
    let disk = Disk::default();
    disk.read(file)
        .is_ok_and(|text| text.starts_with(MARK.as_bytes()))
}

/// Writes a file of a scene; its folder is made.
pub(crate) fn write_file(path: &Path, contents: &[u8]) -> Result<(), SceneError> {
    replace_file(path, contents).map_err(|error| SceneError::write(path, error))
}

/// Where files go: their common folder becomes [`FOLDER`].
struct Layout {
    /// Files as full paths.
    files: Vec<PathBuf>,
    common: PathBuf,
}

impl Layout {
    fn new(setup: &Setup, scene_folder: &Path, kept: &Path) -> Layout {
        let files: Vec<PathBuf> = setup.files.iter().map(|path| full(path)).collect();
        let mut common = match files.first() {
            Some(first) => first.parent().unwrap_or(Path::new("")).to_owned(),
            None => PathBuf::new(),
        };
        let packages = setup.scene.spec.robots.iter().flat_map(|r| &r.packages);
        let packages = packages.map(|package| full(&scene_folder.join(package)));
        let used = packages.filter(|package| files.iter().any(|file| file.starts_with(package)));
        let own = full(&kept.join(FOLDER));
        for folder in files.iter().filter_map(|file| file.parent()) {
            common = shared(&common, folder);
        }
        for package in used {
            common = shared(&common, &package);
        }
        // A scene that is run from the folder it is kept in stays where it is.
        if common.starts_with(&own) {
            common = own;
        }
        Layout { files, common }
    }

    /// The path of a file or folder, in the folder of the scene.
    fn to(&self, path: &Path) -> PathBuf {
        let path = full(path);
        Path::new(FOLDER).join(path.strip_prefix(&self.common).unwrap_or(&path))
    }

    /// Whether a path is a file that is kept, or a folder of such.
    fn has(&self, path: &Path) -> bool {
        self.files.iter().any(|file| file.starts_with(path))
    }

    /// The scene with the new names of its files.
    fn scene_text(&self, setup: &Setup, scene_folder: &Path) -> Result<String, SceneError> {
        let failed = |message: String| SceneError::Syntax {
            file: setup.scene.name.clone(),
            message,
        };
        let mut scene = Value::try_from(&setup.scene.spec).map_err(|e| failed(e.to_string()))?;
        self.rename(&mut scene, scene_folder);
        toml::to_string(&scene).map_err(|e| failed(e.to_string()))
    }

    /// Entries `file` name files, `packages` folders; everything else stays.
    fn rename(&self, value: &mut Value, folder: &Path) {
        let new = |name: &str| {
            let path = folder.join(name);
            let text = || self.to(&path).to_string_lossy().replace('\\', "/");
            self.has(&full(&path)).then(text)
        };
        match value {
            Value::Array(list) => list.iter_mut().for_each(|entry| self.rename(entry, folder)),
            Value::Table(table) => {
                for (key, entry) in table.iter_mut() {
                    match (key.as_str(), &mut *entry) {
                        ("file", Value::String(name)) => {
                            if let Some(new) = new(name) {
                                *name = new;
                            }
                        }
                        ("packages", Value::Array(packages)) => {
                            packages.retain_mut(|package| {
                                let new = package.as_str().and_then(new);
                                let used = new.is_some();
                                *package = Value::String(new.unwrap_or_default());
                                used
                            });
                        }
                        _ => self.rename(entry, folder),
                    }
                }
            }
            _ => {}
        }
    }

    /// A robot file with the full paths in it made relative: those are of this machine.
    fn with_own_names(&self, path: &Path, contents: &[u8]) -> Vec<u8> {
        let is_xml = path
            .extension()
            .is_some_and(|end| ["urdf", "xml", "mjcf"].iter().any(|xml| end == *xml));
        let (true, Ok(text)) = (is_xml, std::str::from_utf8(contents)) else {
            return contents.to_vec();
        };
        let here = self.to(path);
        let up = "../".repeat(here.components().count() - 1);
        let mut out = String::with_capacity(text.len());
        for part in text.split_inclusive(['"', '\'']) {
            let value = part.trim_end_matches(['"', '\'']);
            let quote = &part[value.len()..];
            let named = Path::new(value.strip_prefix("file://").unwrap_or(value));
            match named.is_absolute() && self.has(&full(named)) {
                true => out.push_str(&format!("{up}{}", self.to(named).to_string_lossy())),
                false => out.push_str(value),
            }
            out.push_str(quote);
        }
        out.into_bytes()
    }
}

/// A path that can be compared with others, wherever they start from.
fn full(path: &Path) -> PathBuf {
    let from_root = std::path::absolute(path);
    normalized(from_root.as_deref().unwrap_or(path))
}

/// The deepest folder that both are in.
fn shared(a: &Path, b: &Path) -> PathBuf {
    let both = a.components().zip(b.components());
    let same = both.take_while(|(a, b)| a == b);
    same.map(|(component, _)| component).collect()
}
