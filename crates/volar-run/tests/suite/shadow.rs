//! A Shadow Hand closes on the bunny, is turned over and holds it: the built-in
//! hand, and the one of the PyPI package gymnasium-robotics 1.4.2, which is not
//! part of this project: set `VOLAR_GYM_ASSETS` to its folder
//! `gymnasium_robotics/envs/assets`. Without it that test says so and passes.

use std::path::Path;
use std::sync::Arc;

use crate::common::{scene, trial};
use volar_run::Outcome;
use volar_scene::Setup;

fn check(name: &str, setup: &Arc<Setup>) -> Outcome {
    let done = trial(setup, |_| {});
    let s = &done.summary;
    println!(
        "{name}: held {:?}, drift {:.4} mm, {:.4} deg, creep {:.1e} um/s, slip {:.1e} um, {:.2} N, {} steps, {} rejected, {:.1} s",
        s.held,
        s.drift_mm.unwrap(),
        s.rotation_deg.unwrap(),
        s.creep_um_per_s.unwrap(),
        s.slip_um.unwrap(),
        s.normal_force_n.values().sum::<f64>(),
        s.steps,
        s.rejected,
        done.summary.wall_s,
    );
    for (finger, force) in &s.normal_force_n {
        println!("    {finger:8} {force:.2} N");
    }
    assert!(
        s.held == Some(true) && s.failure.is_none(),
        "{:?}",
        s.failure
    );
    assert!(s.slip_um.unwrap() < 0.01);
    assert!(s.creep_um_per_s.unwrap() < 1.0);
    // Fingers and thumb all take part.
    assert_eq!(s.normal_force_n.len(), 5);
    assert!(s.normal_force_n.values().all(|force| *force > 0.5));
    done
}

#[test]
fn the_built_in_hand_holds_the_bunny() {
    check("shadow-bunny", &scene("shadow-bunny", &[]));
}

#[test]
fn the_published_hand_holds_the_bunny() {
    let Some(folder) = std::env::var_os("VOLAR_GYM_ASSETS") else {
        eprintln!("skipped: VOLAR_GYM_ASSETS is not set, see the top of this file");
        return;
    };
    let hand = Path::new(&folder).join("hand/reach.xml");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shadow-gymnasium.toml");
    let overrides = [format!("robot.hand.file={:?}", hand.to_str().unwrap())];
    let setup = Setup::load(&file, &overrides).unwrap();
    check("shadow-gymnasium", &Arc::new(setup));
}
