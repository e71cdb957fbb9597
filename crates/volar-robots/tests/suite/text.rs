//! A source of one's own: the robot file from memory, all others from disk.

use std::borrow::Cow;
use std::path::Path;

use volar_assets::{AssetError, AssetSource, Disk};
use volar_meshes::MeshLibrary;
use volar_robots::{ImportReport, LoadOptions, Robot, RobotError, load_from};

/// What errors call the text.
const NAME: &str = "<memory>";

#[derive(Debug)]
struct Text<'a>(&'a str);

impl AssetSource for Text<'_> {
    fn read(&self, path: &Path) -> Result<Cow<'_, [u8]>, AssetError> {
        match path.ends_with(NAME) {
            true => Ok(Cow::Borrowed(self.0.as_bytes())),
            false => Ok(Cow::Owned(Disk::default().read(path)?.into_owned())),
        }
    }

    fn name_of(&self, path: &Path) -> String {
        match path.ends_with(NAME) {
            true => NAME.into(),
            false => Disk::default().name_of(path),
        }
    }
}

/// Reads a robot from text as if it were a file in a folder.
pub fn load_text(
    text: &str,
    folder: &Path,
    options: &LoadOptions,
) -> Result<(Robot, ImportReport), RobotError> {
    let source = Text(text);
    load_from(&MeshLibrary::new(&source), &folder.join(NAME), options)
}
