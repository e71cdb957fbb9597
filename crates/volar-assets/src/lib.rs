//! Where the files of scenes, robots and meshes come from: the disk, the
//! program itself, memory, or a source of one's own.
//!
//! Paths are relative to the source: to the folder of [`Disk`], to the root of
//! [`Memory`].
//!
//! ```
//! use std::path::Path;
//! use volar_assets::{AssetSource, Memory};
//!
//! let files = Memory::new().with("parts/wedge.obj", b"v 0 0 0".as_slice());
//! assert_eq!(&*files.read(Path::new("./parts/wedge.obj"))?, b"v 0 0 0");
//! # Ok::<(), volar_assets::AssetError>(())
//! ```

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Something that files can be read from.
///
/// ```
/// use std::borrow::Cow;
/// use std::path::Path;
/// use volar_assets::{AssetError, AssetSource};
///
/// /// Everywhere the same wedge.
/// #[derive(Debug)]
/// struct Wedge;
///
/// impl AssetSource for Wedge {
///     fn read(&self, _: &Path) -> Result<Cow<'_, [u8]>, AssetError> {
///         Ok(Cow::Borrowed(b"v 0 0 0"))
///     }
/// }
///
/// assert!(Wedge.contains(Path::new("parts/wedge.obj")));
/// ```
pub trait AssetSource: fmt::Debug + Send + Sync {
    /// The contents of a file.
    fn read(&self, path: &Path) -> Result<Cow<'_, [u8]>, AssetError>;

    /// Whether there is such a file: names in robot files may mean one of
    /// several places, which are tried in turn.
    fn contains(&self, path: &Path) -> bool {
        self.read(path).is_ok()
    }

    /// What errors call a file.
    fn name_of(&self, path: &Path) -> String {
        path.display().to_string()
    }
}

/// Larger files are not read, bytes: a mesh of ten million triangles has as many.
const LARGEST_FILE: u64 = 512 << 20;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum AssetError {
    /// The operating system, or a source of one's own, refused.
    #[error("{file}: {source}")]
    Io {
        file: String,
        source: std::io::Error,
    },
    /// A folder, a device or a pipe.
    #[error("{file}: not a file")]
    NotAFile { file: String },
    /// More than any scene, robot or mesh needs.
    #[error("{file}: larger than {} MB; is it the right file?", LARGEST_FILE >> 20)]
    TooLarge { file: String },
    /// Not among the files in memory.
    #[error("{file}: there is no such file; there are {}", known.join(", "))]
    Missing { file: String, known: Vec<String> },
}

/// Files on disk, relative to a folder. Absolute paths are taken as they are.
///
/// ```
/// use std::path::Path;
/// use volar_assets::{AssetSource, Disk};
///
/// let disk = Disk::new(env!("CARGO_MANIFEST_DIR"));
/// assert!(disk.contains(Path::new("Cargo.toml")));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disk {
    folder: PathBuf,
}

impl Disk {
    /// Files in a folder; those of `Disk::default()` are in the working folder.
    pub fn new(folder: impl Into<PathBuf>) -> Disk {
        Disk {
            folder: folder.into(),
        }
    }
}

impl AssetSource for Disk {
    fn read(&self, path: &Path) -> Result<Cow<'_, [u8]>, AssetError> {
        let io_error = |source| AssetError::Io {
            file: self.name_of(path),
            source,
        };
        let file = || self.name_of(path);
        let place = self.folder.join(path);
        // A pipe would never end.
        let metadata = std::fs::metadata(&place).map_err(io_error)?;
        if !metadata.is_file() {
            return Err(AssetError::NotAFile { file: file() });
        }
        let too_large = |size: u64| size > LARGEST_FILE;
        let mut contents = Vec::new();
        if !too_large(metadata.len()) {
            // Some files are longer than the system says.
            let opened = std::fs::File::open(place).map_err(io_error)?;
            let mut bounded = opened.take(LARGEST_FILE + 1);
            bounded.read_to_end(&mut contents).map_err(io_error)?;
        }
        match too_large(metadata.len().max(contents.len() as u64)) {
            true => Err(AssetError::TooLarge { file: file() }),
            false => Ok(Cow::Owned(contents)),
        }
    }

    fn contains(&self, path: &Path) -> bool {
        self.folder.join(path).is_file()
    }

    fn name_of(&self, path: &Path) -> String {
        self.folder.join(path).display().to_string()
    }
}

/// Files in memory by their paths, also those embedded in a program
/// (`include_bytes!`), which are not copied.
///
/// See the [example](crate) of the crate.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Memory {
    files: BTreeMap<PathBuf, Cow<'static, [u8]>>,
}

impl Memory {
    /// No files.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// One more file; one of the same path is replaced.
    pub fn with(
        mut self,
        path: impl AsRef<Path>,
        contents: impl Into<Cow<'static, [u8]>>,
    ) -> Memory {
        let path = normalized(path.as_ref());
        self.files.insert(path, contents.into());
        self
    }

    /// All files in order of their paths.
    pub fn files(&self) -> impl Iterator<Item = (&Path, &[u8])> {
        let files = self.files.iter();
        files.map(|(path, contents)| (path.as_path(), &**contents))
    }
}

/// Names and sizes: contents may be megabytes.
impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = self.files().map(|(path, contents)| (path, contents.len()));
        f.debug_map().entries(sizes).finish()
    }
}

impl AssetSource for Memory {
    fn read(&self, path: &Path) -> Result<Cow<'_, [u8]>, AssetError> {
        match self.files.get(&normalized(path)) {
            Some(contents) => Ok(Cow::Borrowed(contents)),
            None => Err(AssetError::Missing {
                file: self.name_of(path),
                known: self.files().map(|(p, _)| p.display().to_string()).collect(),
            }),
        }
    }

    fn contains(&self, path: &Path) -> bool {
        self.files.contains_key(&normalized(path))
    }
}

/// A source that remembers which of its files were read.
///
/// ```
/// use std::path::Path;
/// use std::sync::Arc;
/// use volar_assets::{AssetSource, Memory, Traced};
///
/// let files = Memory::new().with("wedge.obj", b"v 0 0 0".as_slice()).with("other", vec![]);
/// let traced = Traced::new(Arc::new(files));
/// traced.read(Path::new("./wedge.obj"))?;
/// assert_eq!(traced.files(), [Path::new("wedge.obj")]);
/// # Ok::<(), volar_assets::AssetError>(())
/// ```
#[derive(Debug)]
pub struct Traced {
    source: Arc<dyn AssetSource>,
    read: Mutex<BTreeSet<PathBuf>>,
}

impl Traced {
    /// Nothing read yet.
    pub fn new(source: Arc<dyn AssetSource>) -> Traced {
        Traced {
            source,
            read: Mutex::default(),
        }
    }

    /// The files that were read, each once, by their [`normalized`] paths in order.
    pub fn files(&self) -> Vec<PathBuf> {
        let read = self.read.lock();
        let read = read.unwrap_or_else(PoisonError::into_inner);
        read.iter().cloned().collect()
    }
}

impl AssetSource for Traced {
    fn read(&self, path: &Path) -> Result<Cow<'_, [u8]>, AssetError> {
        let contents = self.source.read(path)?;
        let read = self.read.lock();
        let mut read = read.unwrap_or_else(PoisonError::into_inner);
        read.insert(normalized(path));
        Ok(contents)
    }

    fn contains(&self, path: &Path) -> bool {
        self.source.contains(path)
    }

    fn name_of(&self, path: &Path) -> String {
        self.source.name_of(path)
    }
}

/// Writes a file so that whoever reads it finds the old one or the new one whole, also
/// after a kill or a loss of power. Its folder is made.
pub fn replace_file(path: &Path, contents: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".unfinished");
    let unfinished = path.with_file_name(name);
    let write = || {
        let mut file = std::fs::File::create(&unfinished)?;
        file.write_all(contents)?;
        file.sync_all()?;
        std::fs::rename(&unfinished, path)
    };
    write().inspect_err(|_| {
        // What is left of it is of no use to anybody.
        let _ = std::fs::remove_file(&unfinished);
    })
}

/// A path without `.` and with `name/..` taken out, by its text alone.
pub fn normalized(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lose_what_says_nothing() {
        for (path, plain) in [
            ("./a//b/../c.obj", "a/c.obj"),
            ("../x/./y", "../x/y"),
            ("../../x", "../../x"),
            ("/a/../b", "/b"),
            ("", ""),
        ] {
            assert_eq!(normalized(Path::new(path)), Path::new(plain), "{path}");
        }
    }

    #[test]
    fn missing_files_folders_and_others_are_told_apart() {
        let disk = Disk::new(env!("CARGO_MANIFEST_DIR"));
        assert!(disk.contains(Path::new("Cargo.toml")) && !disk.contains(Path::new("src")));
        let error = |path: &str| disk.read(Path::new(path)).unwrap_err();
        assert!(matches!(error("src"), AssetError::NotAFile { .. }));
        assert!(matches!(error("none"), AssetError::Io { .. }));
        let memory = Memory::new().with("a/b", vec![1]).with("a/b", vec![2, 3]);
        assert_eq!(&*memory.read(Path::new("a/./b")).unwrap(), [2, 3]);
        let error = memory.read(Path::new("b")).unwrap_err().to_string();
        assert_eq!(error, "b: there is no such file; there are a/b");
    }
}
