//! The other built-in scenes: lifts, pulls, rows of blocks.

use crate::common::{scene, trial};
use volar_run::{Ended, Options, Summary, execute};

fn executed(name: &str) -> Summary {
    let setup = scene(name, &[]);
    let outcome = execute(&setup, &Options::default(), &mut []).unwrap();
    assert!(matches!(outcome.ended, Ended::Complete));
    outcome.summary
}

/// Up, to the side, down again, let go: the object ends where the palm took it,
/// 100 mm to the side on the table, and at rest.
#[test]
fn what_is_lifted_is_carried_and_put_back() {
    for name in ["lift-cube", "lift-bunny"] {
        let setup = scene(name, &[]);
        let object = setup.grasp.as_ref().unwrap().object;
        let mut highest = 0.0_f64;
        let done = trial(&setup, |simulation| {
            let place = simulation.pose(object).p;
            highest = highest.max(place.z);
        });
        let simulation = done.run.simulation();
        let (end, speed) = (simulation.pose(object).p, simulation.velocity(object));
        let s = &done.summary;
        println!(
            "{name}: held {:?}, slip {:.1e} um, highest {:.1} mm, ends at {:.2?} mm with {:.1e} m/s, {:.1e} rad/s, {} steps, {:.2} s",
            s.held,
            s.slip_um.unwrap(),
            1.0e3 * highest,
            (1.0e3 * end).to_array(),
            speed.linear.length(),
            speed.angular.length(),
            s.steps,
            done.summary.wall_s,
        );
        assert!(
            s.held == Some(true) && s.failure.is_none(),
            "{:?}",
            s.failure
        );
        assert!(s.slip_um.unwrap() < 1.0e-3);
        assert!(highest > 0.095, "lifted");
        assert!((end.y - 0.1).abs() < 0.015 && end.z.abs() < 0.02, "{end}");
        assert!(speed.linear.length() < 1.0e-6 && speed.angular.length() < 1.0e-5);
    }
}

/// The pull that makes a contact slip lies between nothing and what all contacts
/// together can rub, mu times the sum of the normal forces, plus the weight.
#[test]
fn six_pulls_have_six_loads() {
    let s = executed("pull-bunny");
    let loads = s.pull_loads_n.unwrap();
    println!("{loads:?} with {:?}", s.normal_force_n);
    assert_eq!(
        loads.keys().collect::<Vec<_>>(),
        ["+x", "+y", "+z", "-x", "-y", "-z"]
    );
    let most = 30.0 + 0.2 * 9.81;
    for (way, load) in &loads {
        let load = load.expect(way);
        assert!(load > 0.5 && load < most, "{way}: {load} N");
    }
}

/// A row of blocks is squeezed by 100 N for each block and stays [Taylor et al.
/// 2016]. The same force goes through every contact, weight hangs on friction.
#[test]
fn rows_of_blocks_stay() {
    for (blocks, force) in [(1, 100.0), (5, 500.0), (11, 1100.0)] {
        let s = executed(&format!("row-{blocks}"));
        println!(
            "row-{blocks}: drift {:.1e} mm, slip {:.1e} um, largest {:.0} N, {} steps, {:.2} s",
            s.drift_mm.unwrap(),
            s.slip_um.unwrap(),
            s.max_force_n,
            s.steps,
            s.wall_s
        );
        assert!(s.held == Some(true) && s.failure.is_none());
        assert!(s.slip_um.unwrap() < 1.0e-3 && s.drift_mm.unwrap() < 1.0e-6);
        let own = s.normal_force_n.values().copied().fold(0.0, f64::max);
        assert!((own - force).abs() < 1.0e-6 * force, "{own}");
    }
}
