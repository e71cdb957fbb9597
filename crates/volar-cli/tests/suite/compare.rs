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
