//! Ten minutes of holding; `VOLAR_HOLD=3600` makes it an hour. docs/grasps.md has
//! the figures and the memory of the whole hour.

use crate::common::{scene, trial};

#[test]
fn a_held_ball_stays_where_it_is() {
    let duration = std::env::var("VOLAR_HOLD").ok();
    let duration: f64 = duration.map_or(600.0, |d| d.parse().unwrap());
    let overrides = [
        format!("duration={duration:?}"),
        "grasp.from=60.0".to_owned(),
    ];
    let done = trial(&scene("g2r-sphere", &overrides), |_| {});
    let s = &done.summary;
    println!(
        "g2r-sphere for {duration} s: drift since 60 s {:.1e} um, slip {:.1e} um, {} steps, {:.2} s",
        1.0e3 * s.drift_mm.unwrap(),
        s.slip_um.unwrap(),
        s.steps,
        done.summary.wall_s,
    );
    assert!(s.held == Some(true) && s.failure.is_none());
    assert!(s.drift_mm.unwrap() < 0.01);
    assert!(s.slip_um.unwrap() < 1.0e-3);
}
