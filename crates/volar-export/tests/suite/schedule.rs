//! `schedule.json`: what it says of scenes that change with time.

use serde_json::Value;
use volar_export::{Export, Format};
use volar_scene::Scene;

fn schedule(scene: &Scene, to: Format) -> Value {
    let export = Export::new(&scene.compile().unwrap(), to).unwrap();
    let mut files = export.files.files();
    let (_, json) = files
        .find(|(path, _)| path.ends_with("schedule.json"))
        .unwrap();
    serde_json::from_slice(json).unwrap()
}

/// The value of rows `[t, x, …]` at a time, as a reader finds it.
fn at(rows: &Value, t: f64) -> Vec<f64> {
    let rows: Vec<Vec<f64>> = serde_json::from_value(rows.clone()).unwrap();
    let after = rows.iter().position(|row| row[0] > t);
    let (a, b) = match after {
        Some(0) => return rows[0][1..].to_vec(),
        None => return rows[rows.len() - 1][1..].to_vec(),
        Some(after) => (&rows[after - 1], &rows[after]),
    };
    let u = (t - a[0]) / (b[0] - a[0]);
    (1..a.len()).map(|i| a[i] + u * (b[i] - a[i])).collect()
}

#[test]
fn commands_have_the_events_worked_in() {
    let schedule = schedule(&Scene::builtin("lift-cube").unwrap(), Format::Mjcf);
    let command = &schedule["drives"][0]["command"];
    for (t, effort) in [
        (0.0, -0.02),
        (0.3, -0.02),
        (0.35, 0.365),
        (0.4, 0.75),
        (5.0, 0.75),
        (6.1, 0.35),
        (9.0, -0.05),
    ] {
        assert!(
            (at(command, t)[0] - effort).abs() < 1.0e-12,
            "{t}: {:?}",
            at(command, t)
        );
    }
    let motion = &schedule["motions"][0];
    assert_eq!(motion["bodies"], serde_json::json!(["gripper/palm"]));
    let z = |t: f64| at(&motion["samples"], t)[2];
    assert!((z(0.5) - 0.1).abs() < 1.0e-15 && (z(1.75) - 0.15).abs() < 1.0e-12);
    assert!((z(4.0) - 0.2).abs() < 1.0e-15 && (z(9.5) - 0.2).abs() < 1.0e-15);
}

#[test]
fn gravity_turns_as_in_the_scene() {
    let scene = Scene::builtin("shadow-bunny").unwrap();
    let schedule = schedule(&scene, Format::Mjcf);
    let setup = scene.compile().unwrap();
    let mut controls = setup.model.controls().clone();
    setup.events[0].apply(&mut controls);
    for t in [1.0, 1.1, 1.2345, 1.5, 1.77, 2.0, 7.0] {
        let own = controls.gravity.at(t);
        let rows = at(&schedule["gravity"], t);
        let off = (0..3).map(|i| (rows[i] - own[i]).abs()).fold(0.0, f64::max);
        assert!(off < 1.0e-5 * 9.81, "{t}: {off}");
    }
    assert!((at(&schedule["gravity"], 0.5)[2] + 9.81).abs() < 1.0e-15);
}

#[test]
fn loads_begin_and_end() {
    let text = "name = \"pushed\"\nduration = 4.0\n\
        [[body]]\nname = \"ball\"\nmass = 0.1\nshape = { sphere = { radius = 0.03 } }\n\
        [[body]]\nname = \"floor\"\nshape = { ground = {} }\nmaterial = \"steel\"\n\
        [[force]]\nbody = \"ball\"\nforce = [1.0, 0.0, 0.0]\nstart = 1.0\nend = 3.0\nramp = 1.0\n";
    let schedule = schedule(&Scene::parse("pushed", text).unwrap(), Format::Urdf);
    let scale = &schedule["loads"][0]["scale"];
    for (t, x) in [(0.5, 0.0), (1.5, 0.5), (2.5, 1.0), (3.5, 0.0)] {
        assert!(
            (at(scale, t)[0] - x).abs() < 1.0e-12,
            "{t}: {:?}",
            at(scale, t)
        );
    }
    // √(0.4 · 0.3) is not the larger of the two.
    let friction = &schedule["contact"]["friction"][0];
    assert!((friction[2].as_f64().unwrap() - 0.12_f64.sqrt()).abs() < 1.0e-15);
    assert_eq!(schedule["bodies"][1]["ground"], true);
}
