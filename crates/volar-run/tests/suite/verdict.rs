//! When an object counts as held, and what is said about it.

use std::sync::Arc;

use volar_run::{FailureKind, Options, Summary, execute};
use volar_scene::Scene;

/// A cube of 0.1 kg on a fixed plate, which is both palm and finger.
const RESTING: &str = r#"name = "resting"
duration = 3.0
[materials.smooth]
like = "plastic"
friction = 0.3
[[body]]
name = "cube"
mass = 0.1
material = "smooth"
shape = { box = [0.06, 0.06, 0.06] }
[[body]]
name = "plate"
material = "smooth"
shape = { box = [4.0, 4.0, 0.02] }
position = [0.0, 0.0, -0.04]
fixed = true
[[body]]
name = "far"
shape = { box = [0.1, 0.1, 0.1] }
position = [0.0, 0.0, -5.0]
fixed = true
"#;

fn summary(text: &str) -> Summary {
    let setup = Scene::parse("resting", text).unwrap().compile().unwrap();
    let outcome = execute(&Arc::new(setup), &Options::default(), &mut []).unwrap();
    println!("{:?}: {:?}", outcome.summary.held, outcome.summary.verdict);
    outcome.summary
}

/// Grasped by the plate, seen from the body far below.
fn with(grasp: &str) -> Summary {
    summary(&format!(
        "{RESTING}{grasp}\n[grasp]\nobject = \"cube\"\npalm = \"far\"\nheld_by = 1\n"
    ))
}

#[test]
fn what_rests_is_held_and_nothing_more_is_said() {
    let summary = with("");
    assert_eq!(summary.held, Some(true));
    assert_eq!(summary.verdict.as_deref(), Some("held"));
}

/// Turned about the vertical for a moment: it spins on its spot, by about 90°.
#[test]
fn what_has_turned_is_not_held() {
    let spin = "[[force]]\nbody = \"cube\"\ntorque = [0.0, 0.0, 0.01]\nstart = 1.0\nend = 1.2\n";
    let summary = with(spin);
    assert_eq!(summary.held, Some(false));
    assert!(summary.drift_mm.unwrap() < 25.0);
    assert_eq!(summary.failure.unwrap().kind, FailureKind::Turned);
}

/// Pulled with 9 % more than friction bears at the end, it is still near but slides.
#[test]
fn what_still_slides_is_not_held() {
    let pull = "[[force]]\nbody = \"cube\"\nforce = [0.32, 0.0, 0.0]\nstart = 2.8\n";
    let summary = with(pull);
    assert_eq!(summary.failure.unwrap().kind, FailureKind::Moving);
    assert_eq!(summary.held, Some(false));
}

/// Pulled with 99.9 % of what friction bears, it is held, and the verdict says how nearly not.
#[test]
fn what_is_at_its_friction_limit_is_held_and_the_verdict_says_so() {
    let limit = 0.3 * 0.1 * 9.81;
    let pull = format!(
        "[[force]]\nbody = \"cube\"\nforce = [{}, 0.0, 0.0]\nstart = 0.5\nramp = 1.0\n",
        0.999 * limit
    );
    let summary = with(&pull);
    assert_eq!(summary.held, Some(true));
    let words = summary.verdict.unwrap();
    assert!(words.contains("at the friction limit"), "{words}");
}

/// A push of 300 N for 20 ms is a peak, for 0.5 s a failure.
#[test]
fn a_peak_of_force_is_no_failure_and_a_load_that_stays_is() {
    for (end, fails) in [(1.52, false), (2.0, true)] {
        let push = format!(
            "[[force]]\nbody = \"cube\"\nforce = [0.0, 0.0, -300.0]\nstart = 1.5\nend = {end}\n"
        );
        let summary = with(&push);
        assert!(summary.max_force_n > 290.0);
        let kind = summary.failure.map(|failure| failure.kind);
        assert_eq!(kind == Some(FailureKind::ForceLimit), fails, "{kind:?}");
    }
}

/// What still slides at the end of a phase that allows it is held.
#[test]
fn a_phase_may_end_in_motion() {
    let pull = "[[force]]\nbody = \"cube\"\nforce = [0.32, 0.0, 0.0]\nstart = 2.8\n";
    for may_move in [false, true] {
        let phase = format!(
            "[[grasp.phase]]\nname = \"pulled\"\nfrom = 0.0\nuntil = 3.0\nmay_move = {may_move}\n"
        );
        let text = format!(
            "{RESTING}{pull}\n[grasp]\nobject = \"cube\"\npalm = \"far\"\nheld_by = 1\n{phase}"
        );
        assert_eq!(summary(&text).held, Some(may_move));
    }
}

/// Of what flies off it is said when its finger last touched it.
#[test]
fn what_is_lost_is_said_to_have_left_the_hand() {
    let kick = "[[force]]\nbody = \"cube\"\nforce = [0.0, 0.0, 40.0]\nstart = 0.5\nend = 0.7\n";
    let text = format!(
        "{RESTING}{kick}\n[grasp]\nobject = \"cube\"\npalm = \"far\"\nheld_by = 1\nuntil = 0.75\n"
    );
    let words = summary(&text).verdict.unwrap();
    assert!(words.contains("left the hand at 0.5"), "{words}");
}

/// Shoved 30 mm in the first phase and left alone in the second: each is judged by itself.
#[test]
fn phases_are_judged_one_by_one() {
    let shove = "[[force]]\nbody = \"cube\"\nforce = [2.0, 0.0, 0.0]\nstart = 0.2\nend = 0.3\n";
    let phases = "[[grasp.phase]]\nname = \"shoved\"\nfrom = 0.0\nuntil = 1.5\n\
                  [[grasp.phase]]\nname = \"alone\"\nfrom = 1.5\nuntil = 3.0\nheld_within = 0.001\n";
    let text = format!(
        "{RESTING}{shove}\n[grasp]\nobject = \"cube\"\npalm = \"far\"\nheld_by = 1\n{phases}"
    );
    let summary = summary(&text);
    let held: Vec<_> = summary.phases.iter().map(|phase| phase.held).collect();
    assert_eq!(held, [Some(false), Some(true)]);
    assert_eq!(summary.held, Some(false));
    let failure = summary.failure.unwrap();
    assert!(failure.what.contains("`shoved`"), "{}", failure.what);
}

/// Three pushes, each for half a second, with 30 % more than friction bears, at rest, and again.
/// With returns each begins where the cube was at 0.5 s; the schedule is what the phases see.
#[test]
fn phases_begin_anew_where_the_state_returns() {
    let limit = 0.3 * 0.1 * 9.81;
    let mut text = String::new();
    for (from, share) in [(0.5, 1.3), (1.0, 0.9), (1.5, 1.3)] {
        let until = from + 0.5;
        text += &format!(
            "[[force]]\nbody = \"cube\"\nforce = [{}, 0.0, 0.0]\nstart = {from}\nend = {until}\n\
             [[schedule]]\nat = {until}\nreturn_to = 0.5\n\
             [[grasp.phase]]\nname = \"{share} from {from}\"\nfrom = {from}\nuntil = {until}\nheld_within = 0.002\n",
            share * limit
        );
    }
    let pushed = |text: &str| {
        let grasp = "[grasp]\nobject = \"cube\"\npalm = \"far\"\nheld_by = 1\nfrom = 0.5\n";
        summary(&format!("{RESTING}{grasp}{text}"))
    };
    let returned = pushed(&text);
    let held: Vec<_> = returned.phases.iter().map(|phase| phase.held).collect();
    assert_eq!(held, [Some(false), Some(true), Some(false)]);
    // ½ a t² = ½ · 0.3 · μ g · 0.5²; the third push does what the first one did.
    let drifts: Vec<f64> = returned
        .phases
        .iter()
        .map(|p| p.drift_mm.unwrap())
        .collect();
    let expected = 1.0e3 * 0.5 * 0.3 * 0.3 * 9.81 * 0.25;
    assert!((drifts[0] - expected).abs() < 0.02 * expected, "{drifts:?}");
    assert!(
        (drifts[2] - drifts[0]).abs() < 1.0e-3 * expected,
        "{drifts:?}"
    );
    assert!(drifts[1] < 0.05, "{drifts:?}");
    assert!(returned.drift_mm.unwrap() < 1.0e-3, "it is back at the end");

    // Without them the second phase sees the cube slide on from the first.
    let kept_on = pushed(&text.replace("return_to = 0.5", ""));
    assert_eq!(kept_on.phases[1].held, Some(false));
}
