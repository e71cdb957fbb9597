//! Finding the files a robot file names.

use std::path::{Path, PathBuf};

use volar_assets::AssetSource;

/// The first of the candidates that is a file, or the names of all of them.
pub(crate) fn first_file(
    source: &dyn AssetSource,
    candidates: Vec<PathBuf>,
) -> Result<PathBuf, Vec<String>> {
    let names = || candidates.iter().map(|path| source.name_of(path)).collect();
    let found = candidates.iter().find(|path| source.contains(path));
    found.cloned().ok_or_else(names)
}

/// Where a mesh of a URDF file may be.
///
/// `package://name/rest` is `name/rest` in a folder of the search path, and
/// `name/rest` or `rest` in the folders above the file: those who hand on a
/// package without its surroundings mean the latter. `$(find name)/rest` is the
/// same. Other names are relative to the file, then to the search path.
pub(crate) fn urdf_candidates(name: &str, folder: &Path, packages: &[PathBuf]) -> Vec<PathBuf> {
    let name = name.trim().replace('\\', "/");
    let name = name.strip_prefix("file://").unwrap_or(&name).to_owned();
    let mut candidates = Vec::new();
    let scheme = ["package://", "model://"]
        .iter()
        .find_map(|scheme| name.strip_prefix(scheme).map(str::to_owned));
    let found = || {
        let (package, rest) = name.strip_prefix("$(find ")?.split_once(')')?;
        Some(format!("{}{rest}", package.trim()))
    };
    if let Some(inside) = &scheme.or_else(found) {
        let rest = inside
            .split_once('/')
            .map_or(inside.as_str(), |(_, rest)| rest);
        for search in packages {
            candidates.push(search.join(inside));
            candidates.push(search.join(rest));
        }
        for above in ancestors(folder) {
            candidates.push(above.join(inside));
            candidates.push(above.join(rest));
        }
    } else {
        candidates.push(folder.join(&name));
        // `/meshes/link.stl` of another machine, or of a tool with a root of its own.
        let inside = name.trim_start_matches('/');
        if inside.len() < name.len() {
            candidates.push(folder.join(inside));
            candidates.extend(packages.iter().map(|search| search.join(inside)));
        }
        candidates.extend(packages.iter().map(|search| search.join(&name)));
    }
    candidates
}

/// A folder and those above it, at most as many as a package is deep.
fn ancestors(folder: &Path) -> impl Iterator<Item = &Path> {
    const MAX_DEPTH: usize = 6;
    folder.ancestors().take(MAX_DEPTH)
}
