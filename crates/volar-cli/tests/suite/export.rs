//! `volar export`: the folder, what is refused, and what is said of what a format cannot say.

use serde_json::Value;

use super::common::run;

#[test]
fn an_export_is_a_folder_that_volar_runs() {
    let folder = tempfile::tempdir().unwrap();
    for (to, file) in [
        ("mjcf", "scene.xml"),
        ("urdf", "gripper.urdf"),
        ("sdf", "scene.sdf"),
    ] {
        let (out, err) = run(&["export", "g2p-cube", "--to", to], folder.path(), 0);
        assert_eq!(out.trim(), format!("g2p-cube-{to}"), "{err}");
        // How hard surfaces are: no format has it.
        assert!(err.contains("`material` of the bodies"), "{err}");
        let made = folder.path().join(format!("g2p-cube-{to}"));
        for name in [file, "schedule.json", "scene.toml", "meshes/cube.obj"] {
            assert!(made.join(name).is_file(), "{to}: {name}");
        }
        let scene = format!("g2p-cube-{to}/scene.toml");
        run(&["run", &scene, "--duration", "0.05"], folder.path(), 0);
    }
}

#[test]
fn what_the_format_cannot_say_is_listed_as_json_too() {
    let folder = tempfile::tempdir().unwrap();
    let args = [
        "export",
        "shadow-bunny",
        "--to",
        "urdf",
        "--out",
        "hand",
        "--json",
    ];
    let (out, _) = run(&args, folder.path(), 0);
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(told["folder"], "hand");
    let said = told["not_said"].to_string();
    assert!(said.contains("The tendon `hand/"), "{said}");
    let files = told["files"].to_string();
    assert!(
        files.contains("hand.urdf") && files.contains("bunny.urdf"),
        "{files}"
    );
}

#[test]
fn nothing_is_written_over_and_mistakes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join("taken");
    std::fs::create_dir(&taken).unwrap();
    std::fs::write(taken.join("mine.txt"), "mine").unwrap();
    let args = ["export", "g2p-cube", "--to", "mjcf", "--out", "taken"];
    let (_, err) = run(&args, folder.path(), 2);
    assert!(err.contains("taken") && err.contains("not empty"), "{err}");
    assert_eq!(std::fs::read_dir(&taken).unwrap().count(), 1);
    let (_, err) = run(&["export", "g2p-cube", "--to", "usd"], folder.path(), 2);
    assert!(err.contains("mjcf, urdf, sdf"), "{err}");
    let (_, err) = run(&["export", "g2p-cub", "--to", "sdf"], folder.path(), 2);
    assert!(err.contains("g2p-cube"), "{err}");
    let (_, err) = run(&["export", "no/such.toml", "--to", "sdf"], folder.path(), 2);
    assert!(err.contains("no/such.toml"), "{err}");
}
