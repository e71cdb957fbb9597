//! `volar compare`. With `VOLAR_ENGINES_PYTHON`, a Python that has what
//! `engines/requirements.txt` pins for Bullet and MuJoCo, these are really run.

use serde_json::Value;

use super::common::run;

fn rows(folder: &std::path::Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("compare.json")).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    all["rows"].as_array().unwrap().clone()
}

#[test]
fn an_engine_that_is_not_there_is_a_row_that_says_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let args = [
        ["compare", "g2p-cube", "--duration", "0.05", "--out", "out"].as_slice(),
        &["--engines", "mujoco", "--settings", "default"],
        // A program that is no Python and knows no engine.
        &["--python", env!("CARGO_BIN_EXE_volar")],
    ]
    .concat();
    let (out, err) = run(&args, folder.path(), 0);
    assert!(
        out.contains("volar") && err.contains("pip install numpy=="),
        "{out}{err}"
    );
    let rows = rows(&folder.path().join("out"));
    assert_eq!(rows.len(), 2);
    assert!(rows[0]["cannot"].is_null() && rows[0]["series"]["time"].is_array());
    assert!(
        rows[1]["cannot"]
            .as_str()
            .unwrap()
            .contains("mujoco==3.17.0")
    );
    let page = std::fs::read_to_string(folder.path().join("out/compare.html")).unwrap();
    assert!(page.contains("cannot run this scene") && page.contains("<svg"));
    assert!(
        !page.contains("http://") || !page.contains("src=\"http"),
        "needs the network"
    );
}

#[test]
fn what_cannot_be_compared_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let (_, err) = run(
        &["compare", "g2p-cube", "--engines", "ode"],
        folder.path(),
        2,
    );
    assert!(err.contains("bullet, mujoco, drake"), "{err}");
    let (_, err) = run(
        &["compare", "g2p-cube", "--settings", "best"],
        folder.path(),
        2,
    );
    assert!(err.contains("neither `default` nor `careful`"), "{err}");
    let (out, _) = run(&["compare", "--list"], folder.path(), 0);
    assert!(
        out.contains("pybullet==3.2.7") && out.contains("drake=="),
        "{out}"
    );
}

/// Bullet and MuJoCo, careful, hold the ball; forces on it add up to its weight, and fingers
/// press as hard as ours do.
#[test]
fn other_engines_agree_on_a_grasp_that_they_hold() {
    let Some(python) = std::env::var_os("VOLAR_ENGINES_PYTHON") else {
        eprintln!("skipped: VOLAR_ENGINES_PYTHON is not set, see the top of this file");
        return;
    };
    let python = python.to_string_lossy().into_owned();
    let folder = tempfile::tempdir().unwrap();
    let args = [
        ["compare", "g2r-sphere", "--duration", "3", "--out", "out"].as_slice(),
        &["--engines", "bullet,mujoco", "--python", &python],
    ]
    .concat();
    let (out, err) = run(&args, folder.path(), 0);
    let rows = rows(&folder.path().join("out"));
    assert_eq!(rows.len(), 5, "{out}{err}");
    let force = |row: &Value| {
        row["summary"]["normal_force_n"]["finger_1"]
            .as_f64()
            .unwrap()
    };
    for row in &rows {
        assert!(row["cannot"].is_null(), "{out}{err}");
        if row["engine"] != "volar" && row["setting"] == "default" {
            continue;
        }
        assert_eq!(row["summary"]["held"], Value::Bool(true), "{out}");
        // The weight is 1.96 N.
        assert!(row["unbalanced_n"].as_f64().unwrap() < 0.02, "{out}");
        // Bullet's margins around meshes make the ball larger and the lever longer.
        assert!((force(row) / force(&rows[0]) - 1.0).abs() < 0.1, "{out}");
    }
}

/// Two jaws on slides, as somebody else might have written them.
const JAWS: &str = r#"<robot name="jaws">
  <link name="palm"><inertial><mass value="0.5"/>
      <inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.16 0.04 0.02"/></geometry></collision></link>
  <link name="left"><inertial><origin xyz="0 0 0.05"/><mass value="0.1"/>
      <inertia ixx="1e-4" iyy="1e-4" izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 0.06"/><geometry><box size="0.01 0.02 0.1"/></geometry></collision></link>
  <link name="right"><inertial><origin xyz="0 0 0.05"/><mass value="0.1"/>
      <inertia ixx="1e-4" iyy="1e-4" izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 0.06"/><geometry><box size="0.01 0.02 0.1"/></geometry></collision></link>
  <joint name="left" type="prismatic"><origin xyz="-0.05 0 0"/><parent link="palm"/>
    <child link="left"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.045" effort="20" velocity="0.2"/></joint>
  <joint name="right" type="prismatic"><origin xyz="0.05 0 0"/><parent link="palm"/>
    <child link="right"/><axis xyz="-1 0 0"/>
    <limit lower="0" upper="0.045" effort="20" velocity="0.2"/></joint>
</robot>"#;

/// A mug without a handle as an STL file in text: 60 mm wide, 80 mm high, walls of 4 mm.
fn mug() -> String {
    const SIDES: usize = 16;
    let point = |[radius, z]: [f64; 2], side: usize| {
        let angle = std::f64::consts::TAU * (side % SIDES) as f64 / SIDES as f64;
        let turn = glam::DVec2::from_angle(angle);
        [radius * turn.x, radius * turn.y, z]
    };
    // From the middle of the foot around the rim to the middle of the bottom inside.
    let outline = [
        [0.0, 0.0],
        [0.03, 0.0],
        [0.03, 0.08],
        [0.026, 0.08],
        [0.026, 0.005],
        [0.0, 0.005],
    ];
    let mut text = "solid mug\n".to_owned();
    for (a, b) in outline.iter().zip(&outline[1..]) {
        for i in 0..SIDES {
            let [a0, a1, b0, b1] = [
                point(*a, i),
                point(*a, i + 1),
                point(*b, i),
                point(*b, i + 1),
            ];
            // One of the two is none where the ring is a point.
            let mut corners = Vec::new();
            if a[0] > 0.0 {
                corners.push([a0, a1, b1]);
            }
            if b[0] > 0.0 {
                corners.push([a0, b1, b0]);
            }
            for corners in corners {
                text += "facet normal 0 0 0\nouter loop\n";
                for [x, y, z] in corners {
                    text += &format!("vertex {x} {y} {z}\n");
                }
                text += "endloop\nendfacet\n";
            }
        }
    }
    text + "endsolid mug\n"
}

/// A gripper and a mug that Volar has never seen: two commands, nothing made by hand.
#[test]
fn files_of_a_users_own_go_through_without_a_step_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("jaws.urdf"), JAWS).unwrap();
    std::fs::write(folder.path().join("mug.stl"), mug()).unwrap();
    let grasp = ["grasp", "jaws.urdf", "mug.stl", "--scene", "scene.toml"];
    run(&grasp, folder.path(), 0);
    let python = std::env::var_os("VOLAR_ENGINES_PYTHON");
    let python = python.map_or_else(
        // No Python: the engines' rows say so.
        || env!("CARGO_BIN_EXE_volar").to_owned(),
        |python| python.to_string_lossy().into_owned(),
    );
    let args = [
        [
            "compare",
            "scene.toml",
            "--out",
            "out",
            "--engines",
            "bullet,mujoco",
        ]
        .as_slice(),
        &["--settings", "default", "--python", &python],
    ]
    .concat();
    let (out, err) = run(&args, folder.path(), 0);
    let rows = rows(&folder.path().join("out"));
    assert_eq!(rows.len(), 3, "{out}{err}");
    assert_eq!(rows[0]["summary"]["held"], Value::Bool(true), "{out}");
    if std::env::var_os("VOLAR_ENGINES_PYTHON").is_none() {
        eprintln!("engines not run: VOLAR_ENGINES_PYTHON is not set, see the top of this file");
        return;
    }
    for row in &rows[1..] {
        assert!(row["cannot"].is_null(), "{out}{err}");
        // The object's centre was followed to the end: 21.5 s in four phases.
        let seconds = row["summary"]["duration_s"].as_f64().unwrap();
        let lost = !row["lost_at_s"].is_null();
        assert!(seconds > 21.0 || lost, "{out}{err}");
        // A hollow mug is a hull to both; that is said.
        assert!(row["notes"].to_string().contains("hull"), "{row}");
    }
}
