//! What a sweep costs beside its runs.

use std::path::Path;
use std::sync::Mutex;

use volar_sweep::{Folder, Journal, RunLimits, Sweep, SweepSpec, axis_entry, run_missing};

use crate::common::threads;

/// A ball that falls for two hundredths of a second: next to nothing.
fn drop_sweep(folder: &Path, rows: u64) -> Sweep {
    let scene = "name = \"drop\"\nduration = 0.02\n[[body]]\nname = \"ball\"\n\
                 shape = { box = [0.1, 0.1, 0.1] }\nmass = 0.1\n";
    std::fs::write(folder.join("drop.toml"), scene).unwrap();
    let spec = SweepSpec {
        name: "drop".into(),
        scene: "drop.toml".into(),
        repeats: 1,
        axes: vec![axis_entry(&format!("body.ball.mass=0.1..1:{rows}")).unwrap()],
        ..SweepSpec::default()
    };
    Sweep::new(spec, folder).unwrap()
}

/// Memory in use, bytes.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(4096 * pages)
}

/// Processor time of this thread, s.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(1.0e-9 * nanoseconds)
}

#[test]
fn memory_is_flat_over_ten_thousand_runs() {
    let temporary = tempfile::tempdir().unwrap();
    let sweep = drop_sweep(temporary.path(), 10_000);
    let folder = Folder::create(&temporary.path().join("out"), &sweep).unwrap();
    let seen = Mutex::new([0_u64; 2]);
    let tally = run_missing(&sweep, &folder, &threads(2), &|tally| {
        // The first part has been written by then.
        let half = usize::from(tally.done > 5_000);
        if let (true, Some(memory)) = (tally.done > 4_500, memory()) {
            let most = &mut seen.lock().unwrap()[half];
            *most = memory.max(*most);
        }
    });
    assert_eq!(tally.unwrap().done, 10_000);
    let [early, late] = seen.into_inner().unwrap();
    println!("{early} bytes after 5,000 runs, at most {late} up to 10,000");
    if early > 0 {
        // Runs that wait for their part take up to 4 MB.
        assert!(late < early + (6 << 20), "{early} {late}");
    }
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
