//! What the command says, and where it can say it.

use std::path::Path;
use std::process::Stdio;

use crate::common::{run, volar};

const FALL: &str = "name = \"fall\"\nduration = 0.02\n[[body]]\nname = \"b\"\n\
                    shape = { box = [0.1, 0.1, 0.1] }\n";

fn scene(folder: &Path, text: &str) {
    std::fs::write(folder.join("scene.toml"), text).unwrap();
}

#[test]
fn escape_characters_never_reach_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // In names of scenes and bodies, in files that do not exist, in arguments.
    scene(here, &FALL.replace("\"fall\"", "\"\\u001b[2Jfall\\u009b\""));
    let calls: [&[&str]; 6] = [
        &["run", "scene.toml"],
        &["run", "scene.toml", "--json"],
        &["run", "\u{1b}[31mred"],
        &["check", "\u{1b}]0;title\u{7}.obj"],
        &["inspect", "\u{1b}[1m.urdf"],
        &["\u{1b}[5mblink"],
    ];
    for args in calls {
        let output = volar(args, here).output().unwrap();
        for text in [&output.stdout, &output.stderr] {
            let text = String::from_utf8(text.clone()).unwrap();
            let bad = |c: char| c.is_control() && c != '\n' && c != '\t';
            assert!(!text.contains(bad), "{args:?}: {text:?}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    scene(here, FALL);
    std::fs::write(
        here.join("t.obj"),
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
    )
    .unwrap();
    let calls: [&[&str]; 9] = [
        &["run", "scene.toml"],
        &["run", "scene.toml", "--json"],
        &["scenes"],
        &["schema"],
        &["check", "t.obj"],
        &["overlap", "t.obj", "t.obj"],
        &["completions", "bash"],
        &["run", "--help"],
        &["--version"],
    ];
    for args in calls {
        let full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let output = volar(args, here)
            .stdout(Stdio::from(full))
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {err}");
        assert!(err.contains("cannot write the result"), "{args:?}: {err}");
    }
}

#[test]
fn the_result_is_printed_even_when_files_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    scene(here, FALL);
    // The checkpoint's place turns into a folder only when it is too late.
    std::fs::create_dir_all(here.join("out/report.html")).unwrap();
    let (out, err) = run(&["run", "scene.toml", "--out", "out"], here, 2);
    assert!(out.starts_with("fall: ran for 0.02 s"), "{out}");
    assert!(err.contains("report.html"), "{err}");
}

#[test]
#[cfg(unix)]
fn paths_need_not_be_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"odd-\xff");
    let odd = folder.path().join(name);
    std::fs::create_dir(&odd).unwrap();
    scene(&odd, FALL);
    let call = |args: &[&str], file: &str| {
        let output = volar(args, folder.path())
            .arg(odd.join(file))
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{args:?}: {err}");
    };
    call(&["run"], "scene.toml");
    call(&["run"], "");
    call(&["run", "--duration", "0.01", "g2p-cube", "--out"], "kept");
    call(&["run", "--duration", "0.02", "--resume"], "kept");
    call(&["recover"], "kept");
    call(&["man"], "man");
}

#[test]
fn numbers_may_be_negative_and_names_misspelt() {
    let here = Path::new(".");
    for (args, words) in [
        (
            &["run", "g2p-cube", "--duration", "-1"][..],
            &["duration", "-1"][..],
        ),
        (
            &["run", "g2p-cube", "--tolerance", "-1e-3"],
            &["tolerance", "-0.001"],
        ),
        (&["run", "g2p-cube", "--limit-wall", "-1"], &["not below 0"]),
        (&["run", "g2r-buny"], &["did you mean `g2r-bunny`?"]),
        (&["new", "g2r-buny"], &["did you mean `g2r-bunny`?"]),
        (
            &["run", "g2p-cube", "--set", "body.cub.mass=1"],
            &["--set body.cub.mass=1", "did you mean `cube`?"],
        ),
        (
            &["run", "g2p-cube", "--set", "body.cube.mass=-1"],
            &["--set body.cube.mass=-1"],
        ),
        (
            &["run", "g2p-cube", "--set", "contact.friction=0.4"],
            &["--set contact.friction=0.4", "`materials.NAME.friction`"],
        ),
    ] {
        let (_, err) = run(args, here, 2);
        for word in words {
            assert!(err.contains(word), "{args:?}: {err}");
        }
    }
}

#[test]
fn causes_are_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    scene(
        here,
        &FALL.replace("box = [0.1, 0.1, 0.1]", "mesh = { file = \"none.obj\" }"),
    );
    for args in [
        &["run", "scene.toml"][..],
        &["run", "g2p-cube", "--resume", "none.json"],
        &["recover", "none"],
        &["check", "none.obj"],
    ] {
        let (_, err) = run(args, here, 2);
        let cause = "No such file";
        assert!(err.matches(cause).count() <= 1, "{args:?}: {err}");
    }
}

#[test]
#[cfg(unix)]
fn endless_files_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let large = std::fs::File::create(here.join("large.obj")).unwrap();
    large.set_len(1 << 40).unwrap();
    for args in [
        &["run", "/dev/zero"][..],
        &["run", "large.obj"],
        &["run", "g2p-cube", "--resume", "/dev/zero"],
        &["run", "g2p-cube", "--resume", "large.obj"],
        &["check", "/dev/urandom"],
        &["check", "large.obj"],
        &["inspect", "/dev/zero"],
        &["inspect", "large.obj"],
        &["overlap", "/dev/zero", "/dev/zero"],
    ] {
        let begun = std::time::Instant::now();
        let (_, err) = run(args, here, 2);
        assert!(
            err.contains("not a file") || err.contains("larger than"),
            "{args:?}: {err}"
        );
        assert!(begun.elapsed().as_secs() < 60, "{args:?}");
    }
}
