//! The version, completion scripts and manual pages.

use std::path::Path;

use crate::common::run;

/// Commands as the help lists them.
fn commands() -> Vec<String> {
    let (help, _) = run(&["--help"], Path::new("."), 0);
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let lines = list.lines().take_while(|line| line.starts_with("  "));
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| *name != "help")
        .map(Into::into)
        .collect()
}

#[test]
fn the_version_is_that_of_the_package() {
    let (out, _) = run(&["--version"], Path::new("."), 0);
    assert_eq!(out, format!("volar {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_know_every_command() {
    let commands = commands();
    assert!(commands.len() > 8, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (script, _) = run(&["completions", shell], Path::new("."), 0);
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    let (_, err) = run(&["completions", "tcsh"], Path::new("."), 2);
    assert!(err.contains("bash"), "{err}");
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    run(&["man", "man1"], folder.path(), 0);
    let page = |name: &str| {
        let path = folder.path().join("man1").join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    assert!(page("volar.1").contains(".TH volar 1"));
    for command in commands() {
        assert!(page(&format!("volar-{command}.1")).contains(".SH SYNOPSIS"));
    }
    std::fs::write(folder.path().join("file"), "").unwrap();
    let (_, err) = run(&["man", "file"], folder.path(), 2);
    assert!(
        err.starts_with("error: cannot write the manual pages"),
        "{err}"
    );
}
