//! Static quality and overlap at the start in scenes with a known answer.

use std::sync::Arc;

use volar_run::{Options, Summary, execute};
use volar_scene::Scene;

#[track_caller]
fn close(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1.0e-12, "{value} {expected}");
}

fn run(scene: &Scene) -> Summary {
    let setup = Arc::new(scene.compile().unwrap());
    execute(&setup, &Options::default(), &mut [])
        .unwrap()
        .summary
}

/// Two plates hold a box: each of the plates' edges is in contact, 20 mm × 30 mm.
const PLATES: &str = r#"name = "plates"
duration = 0.6
gravity = [0.0, 0.0, -9.81]
[materials.pad]
like = "rubber"
friction = 0.5
[[body]]
name = "box"
mass = 0.1
material = "pad"
shape = { box = [0.06, 0.06, 0.06] }
[[body]]
name = "left"
material = "pad"
shape = { box = [0.02, 0.02, 0.03] }
position = [-0.0399, 0.0, 0.0]
fixed = true
[[body]]
name = "right"
material = "pad"
shape = { box = [0.02, 0.02, 0.03] }
position = [0.0399, 0.0, 0.0]
fixed = true
[grasp]
object = "box"
palm = "left"
from = 0.5
quality = { at = 0.5, length = 0.03 }
"#;

#[test]
fn a_box_between_two_plates() {
    let summary = run(&Scene::parse("plates", PLATES).unwrap());
    let quality = summary.quality.unwrap();
    assert_eq!(quality.problem, None);
    assert_eq!(quality.contacts, 2);
    assert!(
        (quality.area_mm2 / 1200.0 - 1.0).abs() < 1.0e-3,
        "{quality:?}"
    );
    assert!((quality.time_s - 0.5).abs() < 1.0e-12);
    let [point, soft, patch] = [quality.point, quality.soft_finger, quality.patch];
    let [point, soft, patch] = [point, soft, patch].map(Option::unwrap);
    assert!(!point.force_closure && soft.force_closure && patch.force_closure);
    assert!(point.epsilon_l1.unwrap() < 1.0e-6);
    assert!(patch.epsilon_l1 > soft.epsilon_l1);
    // The weight on two fingers with a friction of 0.5.
    let needed = 0.1 * 9.81 / (2.0 * 0.5);
    for found in [soft, patch] {
        let force = found.balancing_force_n.unwrap();
        assert!((force / needed - 1.0).abs() < 5.0e-3, "{force} {needed}");
    }
    // Four points at √2 radii of gyration of a rectangle of 20 mm × 30 mm: a rank of 6, and the
    // singular values of the torques about the line of the plates.
    let squares: f64 = (0.02 * 0.02 + 0.03 * 0.03) / 12.0 / (0.03 * 0.03);
    let about_line = (2.0 * 4.0 * squares).sqrt();
    assert!((patch.min_singular_value / about_line - 1.0).abs() < 5.0e-3);
}

#[test]
fn overlap_at_the_start() {
    for start in ["as-is", "gentle", "relaxed"] {
        let text = PLATES.replace(
            "duration = 0.6",
            &format!("duration = 0.6\nstart = \"{start}\""),
        );
        let summary = run(&Scene::parse("plates", &text).unwrap());
        let overlap = summary.start_overlap.unwrap();
        assert!(
            (overlap.object_depth_mm - 0.1).abs() < 1.0e-6,
            "{overlap:?}"
        );
        // 20 mm × 30 mm × 0.1 mm, twice.
        assert!(
            (overlap.object_volume_mm3 - 120.0).abs() < 1.0e-6,
            "{overlap:?}"
        );
        close(overlap.hand_volume_mm3, 0.0);
    }
}

#[test]
fn when_it_is_measured() {
    let at = |changes: &[&str]| {
        let scene = Scene::builtin("g2p-cube").unwrap().with(changes).unwrap();
        let setup = scene.compile().unwrap();
        setup.grasp.unwrap().quality.unwrap().at
    };
    close(at(&["grasp.quality={}", "grasp.from=1.25"]), 1.25);
    close(at(&["grasp.quality={}", "duration=0.5"]), 0.5);
    close(at(&["grasp.quality.at=0.3"]), 0.3);
    let scene = Scene::builtin("g2p-cube").unwrap();
    let scene = scene.with(&["grasp.quality.at=11.0"]).unwrap();
    let error = scene.compile().unwrap_err().to_string();
    assert!(error.contains("after the end"), "{error}");
    let scene = scene.with(&["grasp.quality.at=1.0", "grasp.quality.edges=2"]);
    let error = scene.unwrap().compile().unwrap_err().to_string();
    assert!(error.contains("3 to 64"), "{error}");
}

/// Whether it is measured or not does not change a bit of a run whose steps end there anyway.
#[test]
fn measuring_changes_nothing() {
    let scene = Scene::builtin("g2p-cube").unwrap();
    let scene = scene.with(&["duration=0.5", "grasp.from=0.25"]).unwrap();
    let plain = run(&scene);
    let measured = run(&scene.with(&["grasp.quality={}"]).unwrap());
    assert!(plain.quality.is_none() && measured.quality.is_some());
    let rest = |summary: &Summary| Summary {
        quality: None,
        wall_s: 0.0,
        real_time_factor: 0.0,
        ..summary.clone()
    };
    assert_eq!(rest(&plain), rest(&measured));
}
