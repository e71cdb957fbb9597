//! Neighbours of the nine grasps.
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]

#[path = "common/cases.rs"]
mod cases;
mod common;

use cases::Case;
use common::trial;

#[test]
fn neighbours_are_held_or_lost_for_a_reason() {
    let var = |name: &str, default: usize| {
        std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
    };
    let first = var("VOLAR_FIRST", 0);
    let n = var("VOLAR_NEIGHBOURS", 72);
    let rows = volar_testkit::parallel::map_with(n, || (), |(), k| {
        let folder = tempfile::tempdir().unwrap();
        let Some(case) = Case::draw(first + k, folder.path()) else {
            return format!("{:4} nopose", first + k);
        };
        let mut t = 0.0;
        let clock = std::time::Instant::now();
        let done = trial(&case.setup, |s| t = s.time());
        let wall = clock.elapsed().as_secs_f64();
        let s = &done.summary;
        let bad = s.held != Some(true) || s.slip_um.unwrap_or(9.0) > 1e-3 || s.creep_um_per_s.unwrap_or(9e9) > 0.1 || wall > 5.0;
        let row = format!(
            "{:4} {} {:14} m {:.3} mu {:.2} pad {:.1e} held {:?} drift {:9.2e} rot {:8.1e} creep {:8.1e} slip {:8.1e} margin {:5.2} steps {:5} rej {:5} wall {:.2} {}",
            case.number, case.gripper, case.kind, case.mass, case.friction, case.pad, s.held.unwrap(),
            s.drift_mm.unwrap_or(-1.0), s.rotation_deg.unwrap_or(-1.0), s.creep_um_per_s.unwrap_or(-1.0), s.slip_um.unwrap_or(-1.0), s.friction_margin.unwrap_or(-1.0), s.steps, s.rejected, wall,
            s.failure.as_ref().map_or(String::new(), |f| format!("{} at {:.3}", f.what, f.time_s)),
        );
        if bad { println!("BAD {row}\n  {}", case.command()); } else { println!("ok  {row}"); }
        row
    });
    let _ = rows;
}
