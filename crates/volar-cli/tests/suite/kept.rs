//! The folder of `--out` has everything that a run needs.

use std::path::Path;

use serde_json::Value;

use crate::common;

/// A link that slides, with its mesh in a package, and one by its full path.
fn robot(full_path: &Path) -> String {
    format!(
        r#"<robot name="pusher">
  <link name="base"/>
  <link name="plate">
    <inertial><mass value="0.2"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><mesh filename="package://parts/meshes/plate.obj"/></geometry></collision>
    <collision><origin xyz="0 0 0.2"/><geometry><mesh filename="file://{}"/></geometry></collision>
  </link>
  <joint name="slide" type="prismatic"><parent link="base"/><child link="plate"/>
    <axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="10" velocity="1"/></joint>
</robot>"#,
        full_path.display()
    )
}

const SCENE: &str = r#"
name = "push"
duration = 0.2
[[robot]]
name = "pusher"
file = "../robots/pusher.urdf"
packages = ["../packages", "../other"]
[robot.joints]
slide = { effort = 3.0 }
[[body]]
name = "wedge"
position = [0.1, 0.0, 0.0]
mass = 0.1
shape = { mesh = { file = "wedge.obj" } }
[[body]]
name = "tray"
position = [0.0, 0.0, -0.5]
shape = { box = [0.1, 0.1, 0.1] }
motion = { csv = { file = "tray.csv" } }
"#;

const TETRAHEDRON: &str = "v 0 0 0\nv 0.05 0 0\nv 0 0.05 0\nv 0 0 0.05\n\
                           f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

fn summary(args: &[&str], folder: &Path) -> Value {
    let (out, _) = common::run(&[&["run", "--json"], args].concat(), folder, 0);
    let mut summary: Value = serde_json::from_str(&out).unwrap();
    for key in ["wall_s", "real_time_factor"] {
        summary.as_object_mut().unwrap().remove(key).unwrap();
    }
    summary
}

fn state(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("checkpoint.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["simulation"].clone()
}

#[test]
fn a_run_can_be_repeated_from_its_folder_alone() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let source = here.join("source");
    for (name, text) in [
        ("scenes/push.toml", SCENE),
        ("scenes/wedge.obj", TETRAHEDRON),
        (
            "scenes/tray.csv",
            "t,x,y,z\n0,0,0,0\n1,0.1,0,0\n2,0.1,0,0\n",
        ),
        ("packages/parts/meshes/plate.obj", TETRAHEDRON),
        ("elsewhere/pin.obj", TETRAHEDRON),
        (
            "robots/pusher.urdf",
            &robot(&source.join("elsewhere/pin.obj")),
        ),
    ] {
        let path = source.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let first = summary(
        &[
            "source/scenes/push.toml",
            "--out",
            "kept",
            "--set",
            "body.wedge.mass=0.15",
        ],
        here,
    );
    // As if it had been mailed.
    std::fs::remove_dir_all(&source).unwrap();
    std::fs::create_dir(here.join("far")).unwrap();
    std::fs::rename(here.join("kept"), here.join("far/away")).unwrap();
    let again = summary(&["far/away", "--out", "second"], here);
    assert_eq!(first, again);
    assert_eq!(state(&here.join("far/away")), state(&here.join("second")));
    // It can also be run in its own place, and be the source of its own copy.
    assert_eq!(summary(&["far/away", "--out", "far/away"], here), first);
    assert_eq!(summary(&["second"], here), first);
}

#[test]
fn built_in_scenes_are_kept_whole_too() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let short = ["--duration", "0.02"];
    let first = summary(
        &[&["g2r-bunny", "--out", "kept"], &short[..]].concat(),
        here,
    );
    assert_eq!(summary(&["kept"], here), first);
    // A scene that a person wrote stays.
    let mine = here.join("mine");
    std::fs::create_dir(&mine).unwrap();
    std::fs::write(mine.join("scene.toml"), "name = \"mine\"\n").unwrap();
    let args = ["run", "g2p-cube", "--duration", "0.01", "--out", "mine"];
    let (_, err) = common::run(&args, here, 2);
    assert!(err.contains("would be overwritten"), "{err}");
    let text = std::fs::read_to_string(mine.join("scene.toml")).unwrap();
    assert_eq!(text, "name = \"mine\"\n");
}
