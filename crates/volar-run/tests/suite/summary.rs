//! Figures of the summary in scenes with a known answer.

use std::sync::Arc;

use volar_run::{Options, Summary, execute};
use volar_scene::Scene;

/// A cube of 0.1 kg on a fixed plate.
const RESTING: &str = r#"name = "resting"
duration = 2.0
[[body]]
name = "cube"
mass = 0.1
shape = { box = [0.06, 0.06, 0.06] }
[[body]]
name = "plate"
shape = { box = [0.2, 0.2, 0.02] }
position = [0.0, 0.0, -0.04]
fixed = true
"#;

fn summary(text: &str) -> Summary {
    let setup = Scene::parse("resting", text).unwrap().compile().unwrap();
    let outcome = execute(&Arc::new(setup), &Options::default(), &mut []).unwrap();
    outcome.summary
}

#[test]
fn a_palm_below_the_object_carries_its_weight() {
    let grasp = "[grasp]\nobject = \"cube\"\npalm = \"plate\"\n";
    let load = summary(&format!("{RESTING}{grasp}")).palm_load_n.unwrap();
    assert!((load - 0.981).abs() < 1.0e-3, "{load} N");
}

#[test]
fn without_a_grasp_there_is_no_load_of_the_palm() {
    assert_eq!(summary(RESTING).palm_load_n, None);
}
