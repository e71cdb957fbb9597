//! Builds the page in `web` with npm and Vite, so that the library embeds it.
//!
//! All of it happens in cargo's output directory; the source tree stays as it
//! is. Without Node.js, or when npm cannot fetch its packages, the build goes
//! on with a warning and without a page.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What Vite needs of `web`.
const SOURCES: [&str; 4] = ["package.json", "package-lock.json", "vite.config.ts", "src"];

/// What the page consists of; empty files say that there is none.
const PRODUCTS: [&str; 2] = ["viewer.js", "viewer.css"];

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let web = manifest.join("web");
    println!("cargo:rerun-if-changed=build.rs");
    for source in SOURCES {
        println!("cargo:rerun-if-changed={}", web.join(source).display());
    }
    for product in PRODUCTS {
        fs::write(out.join(product), "").expect("cargo's output directory can be written");
    }
    if let Err(why) = build(&web, &out) {
        for product in PRODUCTS {
            fs::write(out.join(product), "").expect("cargo's output directory can be written");
        }
        println!(
            "cargo:warning=built without the page of reports and viewer: {why}. \
             Reports will have still pictures only. Remedy: install Node.js 20.19 or later \
             with npm, make sure that npm can fetch packages, then `cargo clean -p volar-view` and build again"
        );
    }
}

fn build(web: &Path, out: &Path) -> Result<(), String> {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    run(Command::new(npm).arg("--version"))?;
    let copy = out.join("web");
    for source in SOURCES {
        let to = copy.join(source);
        if to.is_dir() {
            fs::remove_dir_all(&to).map_err(|e| told(&to, &e))?;
        }
        copy_all(&web.join(source), &to)?;
    }
    install(npm, &copy)?;
    run(Command::new(npm)
        .args(["run", "--silent", "build"])
        .current_dir(&copy))?;
    for product in PRODUCTS {
        let from = copy.join("dist").join(product);
        fs::copy(&from, out.join(product)).map_err(|e| told(&from, &e))?;
    }
    Ok(())
}

/// Installs the locked packages, unless these very ones are there.
fn install(npm: &str, copy: &Path) -> Result<(), String> {
    let lock = copy.join("package-lock.json");
    let wanted = fs::read(&lock).map_err(|e| told(&lock, &e))?;
    let stamp = copy.join("installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    run(Command::new(npm)
        .args(["ci", "--omit=dev", "--ignore-scripts", "--no-audit"])
        .args(["--no-fund", "--prefer-offline", "--fetch-retries=1"])
        .arg("--fetch-timeout=30000")
        .current_dir(copy))?;
    fs::write(&stamp, wanted).map_err(|e| told(&stamp, &e))
}

fn copy_all(from: &Path, to: &Path) -> Result<(), String> {
    if from.is_dir() {
        fs::create_dir_all(to).map_err(|e| told(to, &e))?;
        for entry in fs::read_dir(from).map_err(|e| told(from, &e))? {
            let entry = entry.map_err(|e| told(from, &e))?;
            copy_all(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(|e| told(parent, &e))?;
    }
    fs::copy(from, to).map_err(|e| told(from, &e))?;
    Ok(())
}

fn run(command: &mut Command) -> Result<(), String> {
    let program = format!("{command:?}");
    let done = command
        .output()
        .map_err(|error| format!("{program} does not start ({error})"))?;
    if done.status.success() {
        return Ok(());
    }
    let complaint = String::from_utf8_lossy(&done.stderr);
    let mut lines = complaint.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with("npm warn"));
    Err(format!(
        "{program} failed: {}",
        first.unwrap_or("no reason given")
    ))
}

fn told(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}
