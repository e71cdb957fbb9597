//! Report and viewer in a real browser.

use anyhow::{Context, Result, bail};

use crate::steps::{cargo, command, run, succeeds};
use crate::{root, target_dir};

/// Names under which Chromium is installed.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A Chromium; Debian's is installed where there is none.
pub fn find() -> Result<String> {
    if let Ok(named) = std::env::var("CHROMIUM") {
        return Ok(named);
    }
    let installed = || {
        NAMES
            .into_iter()
            .find(|name| succeeds(&mut command(name, &["--version"])))
    };
    if installed().is_none() {
        // Without a password or not at all.
        let update = ["-n", "apt-get", "update", "--quiet"];
        let install = [
            "-n",
            "apt-get",
            "install",
            "--quiet",
            "--yes",
            "--no-install-recommends",
            "chromium",
        ];
        let plain = |args: &[&str]| succeeds(&mut command(args[1], &args[2..]));
        let sudo = |args: &[&str]| succeeds(&mut command("sudo", args));
        let _ = plain(&update) || sudo(&update);
        let _ = plain(&install) || sudo(&install);
    }
    let name = installed().context(
        "no Chromium found, and it could not be installed; install the package `chromium`, \
         or set CHROMIUM to the program",
    )?;
    full_path(name)
}

/// Playwright wants a path.
fn full_path(name: &str) -> Result<String> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file());
    let path = found.with_context(|| format!("`{name}` starts, but is in no folder of PATH"))?;
    Ok(path.to_string_lossy().into_owned())
}

/// All tests of the page.
pub fn test(chromium: &str) -> Result<()> {
    if !succeeds(&mut command("npm", &["--version"])) {
        bail!("npm is missing; install Node.js 20.19 or later");
    }
    // Of the whole workspace, so that features and with them what is compiled
    // are those of the Rust tests.
    let build = ["build", "--profile", "quick", "--quiet", "--workspace"];
    run(cargo(&build).args(["--bin", "volar"]))?;
    let web = root().join("crates/volar-view/web");
    let quiet = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
    run(command("npm", &quiet).current_dir(&web))?;
    let volar = target_dir().join("quick/volar");
    run(command("npm", &["test"])
        .current_dir(&web)
        .env("CHROMIUM", chromium)
        .env("VOLAR", volar))
}
