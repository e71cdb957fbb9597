//! The packages as they would be published: complete, and built from their own
//! contents with the viewer's page in them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::steps::{cargo, command, output, run, succeeds};
use crate::{root, target_dir};

/// The page; empty where it could not be built.
const PAGE: &str = "viewer.js";

/// Packs all crates, unpacks them side by side, and compiles them from there.
///
/// `cargo package` alone would do that once per crate, each with all it depends
/// on; here cargo checks them as one workspace with what is compiled already.
pub fn check() -> Result<()> {
    let packed = target_dir().join("package");
    if packed.exists() {
        std::fs::remove_dir_all(&packed)?;
    }
    let pack = ["package", "--quiet", "--workspace", "--no-verify"];
    run(cargo(&pack)
        .args(["--allow-dirty", "--exclude", "xtask"])
        .args(["--exclude", "volar-testkit", "--exclude", "volar-fuzzer"])
        // It is a package of PyPI, not of crates.io.
        .args(["--exclude", "volar-python"]))?;
    let folder = target_dir().join("unpacked");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    let names = unpack(&packed, &folder)?;
    write_workspace(&folder, &names)?;
    let check = ["check", "--quiet", "--workspace", "--message-format=json"];
    let mut check = cargo(&check);
    check.current_dir(&folder);
    check.env("CARGO_TARGET_DIR", target_dir());
    let messages = output(&mut check)?;
    let page = page(&messages)?;
    let built = std::fs::metadata(&page).is_ok_and(|file| file.len() > 0);
    ensure!(
        built || !succeeds(&mut command("npm", &["--version"])),
        "the packages build without the viewer's page ({} is empty); does `include` or \
         `exclude` of volar-view leave sources out?",
        page.display()
    );
    Ok(())
}

/// Unpacks every package; their folders' names.
fn unpack(packed: &Path, folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(packed)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "crate") {
            // Packages have one date for all files and versions; cargo must see what is new.
            let mut tar = command("tar", &["--extract", "--touch", "--gzip", "--file"]);
            run(tar.arg(&path).arg("--directory").arg(folder))?;
            let name = path.file_stem().context("a package without a name")?;
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort();
    ensure!(!names.is_empty(), "`cargo package` made no packages");
    Ok(names)
}

/// A workspace in which the packages find one another.
fn write_workspace(folder: &Path, names: &[String]) -> Result<()> {
    let version = concat!("-", env!("CARGO_PKG_VERSION"));
    let patches: String = names
        .iter()
        .map(|name| {
            let package = name.strip_suffix(version).unwrap_or(name);
            format!("{package} = {{ path = \"{name}\" }}\n")
        })
        .collect();
    // With the same profiles what is compiled already need not be compiled again.
    let ours = std::fs::read_to_string(root().join("Cargo.toml"))?;
    let profiles = ours.find("[profile.").map_or("", |at| &ours[at..]);
    let manifest = format!(
        "[workspace]\nresolver = \"3\"\nmembers = {names:?}\n\n\
         [patch.crates-io]\n{patches}\n{profiles}"
    );
    std::fs::write(folder.join("Cargo.toml"), manifest)?;
    std::fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(())
}

/// Where the build script of the viewer put the page.
fn page(messages: &str) -> Result<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["reason"] == "build-script-executed")
        .find(|message| {
            let id = message["package_id"].as_str().unwrap_or_default();
            id.contains("volar-view")
        })
        .and_then(|message| Some(Path::new(message["out_dir"].as_str()?).join(PAGE)))
        .context("cargo did not run the build script of volar-view")
}
