//! Files that are there whole or not at all.

use std::fs::File;
use std::path::Path;

use crate::error::GraspFileError;

/// Writes a file under another name, syncs and renames it. What fails leaves nothing.
pub(crate) fn replaced(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), GraspFileError>,
) -> Result<(), GraspFileError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".tmp");
    let other = path.with_file_name(name);
    let mut file = File::create(&other).map_err(GraspFileError::io("create", &other))?;
    let written = write(&mut file).and_then(|()| {
        file.sync_all().map_err(GraspFileError::io("write", path))?;
        std::fs::rename(&other, path).map_err(GraspFileError::io("rename", &other))
    });
    if written.is_err() {
        // The first error is the one to tell.
        let _ = std::fs::remove_file(&other);
    }
    written
}
