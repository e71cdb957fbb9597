//! Checks of the repository's text: what the documents name exists, files
//! stay short, and nothing names a folder of somebody's machine.
//!
//! Only files that git tracks are looked at: what runs wrote into the tree is
//! nobody's to mend.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

/// Longer source files are hard to follow.
const MAX_LINES: usize = 500;

/// Built or downloaded, so not looked into and not demanded.
const GENERATED: [&str; 10] = [
    "target",
    "out",
    ".venv",
    "node_modules",
    "__pycache__",
    ".git",
    "corpus",
    "artifacts",
    "DIR",
    "scene.toml",
];

/// Folders that hold people's homes.
const HOMES: [&str; 3] = ["home", "root", "Users"];

/// Reports everything that is untidy.
pub fn check(root: &Path) -> Result<()> {
    let files = files_of(root)?;
    let mut complaints = Vec::new();
    for file in &files {
        // Files that are not text have nothing to say here.
        let Ok(text) = std::fs::read_to_string(root.join(file)) else {
            continue;
        };
        let here = file.display();
        if has_extension(file, &["rs", "py", "js", "ts", "css", "html"]) {
            let lines = text.lines().count();
            if lines > MAX_LINES {
                complaints.push(format!("{here} has {lines} lines; split it ({MAX_LINES})"));
            }
        }
        if has_extension(file, &["md"]) {
            for path in named_paths(&text, &files) {
                if !exists(&path, file, &files) {
                    complaints.push(format!("{here} names `{path}`, which does not exist"));
                }
            }
        }
        for (line, text) in (1..).zip(text.lines()) {
            if let Some(path) = machine_path(text, root) {
                complaints.push(format!("{here}:{line} names a machine's folder, {path}"));
            }
        }
    }
    if !complaints.is_empty() {
        bail!("not tidy:\n  {}", complaints.join("\n  "));
    }
    Ok(())
}

/// The files to look at, relative to `root`, sorted: those that git tracks, or
/// all where there is no git, as in an unpacked archive.
pub fn files_of(root: &Path) -> Result<Vec<PathBuf>> {
    let mut git = Command::new("git");
    let listed = git.args(["ls-files", "-z"]).current_dir(root).output();
    let listed = listed.map(|git| git.stdout).unwrap_or_default();
    let listed = String::from_utf8_lossy(&listed);
    // Those that were deleted and not yet committed are still listed.
    let mut files: Vec<PathBuf> = listed
        .split('\0')
        .filter(|name| !name.is_empty())
        .map(PathBuf::from)
        .filter(|file| root.join(file).is_file())
        .collect();
    if files.is_empty() {
        list_files(root, Path::new(""), &mut files)?;
    }
    files.sort();
    Ok(files)
}

/// Every file below `folder` that was not generated.
fn list_files(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(root.join(folder))? {
        names.push(entry?.file_name());
    }
    names.sort();
    for name in names {
        if GENERATED.iter().any(|generated| name == *generated) {
            continue;
        }
        let path = folder.join(&name);
        if root.join(&path).is_dir() {
            list_files(root, &path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// The paths between single backticks, outside code blocks, and the targets
/// of links.
fn named_paths(markdown: &str, files: &[PathBuf]) -> Vec<String> {
    let mut paths = Vec::new();
    let mut in_code_block = false;
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            in_code_block = !in_code_block;
        } else if !in_code_block {
            let spans = line.split('`').skip(1).step_by(2);
            paths.extend(spans.filter(|span| looks_like_path(span, files)));
            let targets = line.split("](").skip(1);
            paths.extend(
                targets
                    .filter_map(|rest| rest.split([')', '#', ' ']).next())
                    .filter(|target| !target.is_empty() && !target.contains(':')),
            );
        }
    }
    paths.into_iter().map(str::to_owned).collect()
}

/// Whether the author means a file or folder of this repository: it is told
/// by its ending, or by where it starts.
fn looks_like_path(span: &str, files: &[PathBuf]) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    let generated = span.split('/').any(|part| GENERATED.contains(&part));
    if !span.chars().all(plain) || span.starts_with('/') || generated {
        return false;
    }
    let path = Path::new(span);
    match span.split_once('/') {
        Some((first, _)) => {
            let known = files.iter().any(|file| file.starts_with(first));
            known || span.ends_with('/') || path.extension().is_some_and(is_word)
        }
        None => has_extension(path, &["rs", "md", "py", "toml"]),
    }
}

fn is_word(extension: &std::ffi::OsStr) -> bool {
    let text = extension.to_string_lossy();
    text.chars().all(|c| c.is_ascii_alphabetic())
}

/// Whether there is such a file or folder: from the top of the repository,
/// from the folder of the document, or further down (`overlap/mod.rs`).
fn exists(path: &str, document: &Path, files: &[PathBuf]) -> bool {
    let beside = document.parent().unwrap_or(Path::new("")).join(path);
    let beside = without_dots(&beside);
    let wanted = Path::new(path);
    files.iter().any(|file| {
        file.starts_with(&beside)
            || file
                .ancestors()
                .any(|folder| folder != Path::new("") && folder.ends_with(wanted))
    })
}

/// Resolves `.` and `..`.
fn without_dots(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                clean.pop();
            }
            std::path::Component::CurDir => {}
            part => clean.push(part),
        }
    }
    clean
}

/// The first absolute path on a line that leads into a home or to where this
/// repository happens to lie.
fn machine_path<'a>(line: &'a str, root: &Path) -> Option<&'a str> {
    let part_of_path = |c: char| c.is_ascii_alphanumeric() || "._-/:*~>)]}".contains(c);
    let around = root
        .parent()
        .filter(|folder| folder.parent().is_some() && !std::env::temp_dir().starts_with(folder));
    line.match_indices('/')
        .filter(|(at, _)| !line[..*at].ends_with(part_of_path))
        .map(|(at, _)| {
            let path = &line[at..];
            let end = path.find(|c: char| c.is_whitespace() || "\"'`,;)".contains(c));
            &path[..end.unwrap_or(path.len())]
        })
        .find(|path| {
            let mut parts = path.split('/').skip(1);
            let home = parts.next().is_some_and(|first| HOMES.contains(&first));
            (home && parts.next().is_some())
                || around.is_some_and(|folder| {
                    Path::new(path).starts_with(folder) && Path::new(path) != folder
                })
        })
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension()
        .is_some_and(|found| extensions.iter().any(|wanted| found == *wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Vec<PathBuf> {
        [
            "README.md",
            "docs/notes.md",
            "crates/geom/src/overlap/mod.rs",
        ]
        .map(PathBuf::from)
        .to_vec()
    }

    #[test]
    fn the_repository_is_tidy() {
        check(&crate::root()).unwrap();
    }

    /// The first command of README writes a report into the tree; its second one
    /// begins with these checks.
    #[test]
    fn what_a_run_wrote_into_a_clone_is_not_looked_at() {
        let folder = crate::target_dir().join("tmp/tidy-clone");
        let _ = std::fs::remove_dir_all(&folder);
        for file in files_of(&crate::root()).unwrap() {
            let copy = folder.join(&file);
            std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
            std::fs::copy(crate::root().join(&file), copy).unwrap();
        }
        for words in [&["init", "--quiet"][..], &["add", "--all"]] {
            let mut git = Command::new("git");
            assert!(
                git.args(words)
                    .current_dir(&folder)
                    .status()
                    .unwrap()
                    .success()
            );
        }
        std::fs::create_dir(folder.join("bunny")).unwrap();
        let report = format!("/{}/me/run\n", HOMES[0]).repeat(MAX_LINES + 1);
        std::fs::write(folder.join("bunny/report.html"), report).unwrap();
        check(&folder).unwrap();
        std::fs::remove_dir_all(folder.join(".git")).unwrap();
        let complaints = check(&folder).unwrap_err().to_string();
        assert!(complaints.contains("bunny/report.html"), "{complaints}");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn paths_are_told_from_other_code() {
        let text = "See `docs/notes.md`, `crates/geom`, `gone/`, `lib.rs` and [that](x.md#part).\n\
                    Not `m/s`, `A | B`, `docs/out/x.md`, `cargo test`, `f64` or [a](https://b.c/d).\n\
                    ```\n`not/this.rs`\n```";
        let expected = ["docs/notes.md", "crates/geom", "gone/", "lib.rs", "x.md"];
        assert_eq!(named_paths(text, &files()), expected);
    }

    #[test]
    fn paths_are_found_from_the_top_beside_the_document_and_by_their_end() {
        let from_docs = |path| exists(path, Path::new("docs/notes.md"), &files());
        for path in [
            "docs/",
            "docs/notes.md",
            "notes.md",
            "../README.md",
            "overlap/mod.rs",
        ] {
            assert!(from_docs(path), "{path}");
        }
        for path in ["docs/gone.md", "gone.rs", "lap/mod.rs", "../docs.md"] {
            assert!(!from_docs(path), "{path}");
        }
    }

    #[test]
    fn homes_and_this_checkout_are_machine_paths() {
        let root = Path::new("/srv/checkout/volar");
        let mine = format!("see \"/{}/me/mesh.obj\"", HOMES[0]);
        assert!(machine_path(&mine, root).is_some());
        assert!(machine_path("see /srv/checkout/other", root).is_some());
        assert_eq!(machine_path("see crates/home/x or a /dev/null", root), None);
        assert_eq!(machine_path("// a comment, 1/root/2", root), None);
    }
}
