//! What a sweep costs beside its runs.

use std::path::Path;

use volar_sweep::{Folder, Journal, RunLimits, Sweep, SweepSpec, axis_entry};

/// Processor time of this thread, s.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(1.0e-9 * nanoseconds)
}

/// Everything but the simulation: the scene with its values, the model, the record and its
/// line, a share of a part.
#[test]
fn a_run_costs_less_than_a_millisecond_beside_the_simulation() {
    let spec = SweepSpec {
        name: "cost".into(),
        scene: "g2r-sphere".into(),
        repeats: 1,
        axes: vec![axis_entry("body.sphere.mass=0.1..1:400").unwrap()],
        ..SweepSpec::default()
    };
    let sweep = Sweep::new(spec, Path::new("")).unwrap();
    let temporary = tempfile::tempdir().unwrap();
    let folder = Folder::create(temporary.path(), &sweep).unwrap();
    let mut journal = Journal::open(&folder, &sweep.plan, "all").unwrap();
    let mut record = sweep.run(0, &RunLimits::default()).unwrap();
    let Some(start) = processor_time() else {
        println!("skipped: this system does not tell the processor time of a thread");
        return;
    };
    for row in 0..400 {
        sweep.setup(row).unwrap();
        record.row = row;
        journal.append(record.clone()).unwrap();
    }
    journal.seal().unwrap();
    let each = (processor_time().unwrap() - start) / 400.0;
    println!("{:.0} µs for each run", 1.0e6 * each);
    assert!(each < 1.0e-3, "{each} s");
}
