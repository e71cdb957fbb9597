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
    println!("cargo:rustc-env=VOLAR_COMMIT={}", commit());
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

/// The commit that is built, with a plus where files differ from it; empty outside of a
/// checkout, as in a package.
fn commit() -> String {
    let git = |arguments: &[&str]| -> Option<String> {
        let done = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(done.stdout).ok()?;
        done.status.success().then(|| text.trim().to_owned())
    };
    // Without these cargo would keep the commit of the first build.
    for file in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", file]).map(PathBuf::from);
        if let Some(path) = path.filter(|path| path.exists()) {
            println!("cargo:rerun-if-changed={}", path.display());
        }
    }
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else {
        return String::new();
    };
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]);
    match changed.is_none_or(|files| files.is_empty()) {
        true => commit,
        false => format!("{commit}+"),
    }
}

fn build(web: &Path, out: &Path) -> Result<(), String> {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    run(Command::new(npm).arg("--version"))?;
    let copy = out.join("web");
    let built = PRODUCTS
        .iter()
        .all(|product| copy.join("dist").join(product).exists());
    let same = SOURCES
        .iter()
        .all(|source| equal(&web.join(source), &copy.join(source)));
    // Another commit with the same page needs no other page.
    if !(built && same) {
        bundle(npm, web, &copy)?;
    }
    for product in PRODUCTS {
        let from = copy.join("dist").join(product);
        fs::copy(&from, out.join(product)).map_err(|e| told(&from, &e))?;
    }
    Ok(())
}

/// Copies the sources and makes the page of the copy.
fn bundle(npm: &str, web: &Path, copy: &Path) -> Result<(), String> {
    // Nothing of an earlier page may be taken for this one.
    let _ = fs::remove_dir_all(copy.join("dist"));
    for source in SOURCES {
        let to = copy.join(source);
        if to.is_dir() {
            fs::remove_dir_all(&to).map_err(|e| told(&to, &e))?;
        }
        copy_all(&web.join(source), &to)?;
    }
    install(npm, copy)?;
    run(Command::new(npm)
        .args(["run", "--silent", "build"])
        .current_dir(copy))
}

/// Whether two files, or all files of two folders, are the same.
fn equal(a: &Path, b: &Path) -> bool {
    let names = |folder: &Path| -> Option<Vec<_>> {
        let entries = fs::read_dir(folder).ok()?;
        let mut names: Vec<_> = entries.filter_map(|e| Some(e.ok()?.file_name())).collect();
        names.sort();
        Some(names)
    };
    match (a.is_dir(), b.is_dir()) {
        (true, true) => {
            let own = names(a).unwrap_or_default();
            Some(&own) == names(b).as_ref() && own.iter().all(|n| equal(&a.join(n), &b.join(n)))
        }
        (false, false) => matches!((fs::read(a), fs::read(b)), (Ok(a), Ok(b)) if a == b),
        _ => false,
    }
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
