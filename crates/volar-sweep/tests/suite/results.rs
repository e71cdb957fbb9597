//! Every run is a row, whatever becomes of it; the table is the same to the bit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use volar_run::{Options, execute};
use volar_sweep::{
    Cell, Done, Folder, Journal, RunLimits, Sweep, Work, read_records, run_missing, write_tables,
};

use crate::common::{files, run, spec, sweep, table, threads};

const AXES: [&str; 2] = [
    "body.cube.mass=0.05..0.5:log:4",
    "materials.pad.friction=0.3,0.9",
];

#[test]
fn figures_are_those_of_a_run_on_its_own() {
    let sweep = sweep(&AXES, 1);
    let scene = volar_scene::Scene::builtin("g2p-cube").unwrap();
    let set = [
        "duration=0.1",
        "grasp.from=0.05",
        "body.cube.mass=0.05",
        "materials.pad.friction=0.9",
    ];
    let setup = Arc::new(scene.with(&set).unwrap().compile().unwrap());
    let alone = execute(&setup, &Options::default(), &mut [])
        .unwrap()
        .summary;
    let row = sweep.run(1, &RunLimits::default()).unwrap();
    let figure = |name: &str| {
        let at = sweep.figures.iter().position(|f| f.name == name);
        row.figures[at.unwrap()].clone()
    };
    assert_eq!(figure("max_force_n"), Cell::Number(alone.max_force_n));
    assert_eq!(figure("evaluations"), Cell::Count(alone.evaluations));
    let force = alone.normal_force_n["finger_1"];
    assert_eq!(figure("normal_force_n/finger_1"), Cell::Number(force));
}

#[test]
fn any_number_of_threads_any_interruption_gives_the_same_table() {
    let sweep = sweep(&AXES, 1);
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    run(&sweep, &at("one"), &threads(1));
    run(&sweep, &at("four"), &threads(4));
    assert_eq!(table(&at("one")), table(&at("four")));
    // Stopped after every run, and started again.
    for already in 0..sweep.plan.rows() {
        let stop = Arc::new(AtomicBool::new(false));
        let work = Work {
            threads: 1,
            limits: RunLimits {
                stop: stop.clone(),
                ..RunLimits::default()
            },
            ..Work::default()
        };
        let part = Folder::create(&at("often"), &sweep).unwrap();
        let tally = run_missing(&sweep, &part, &work, &|tally| {
            // What has ended is on disk before the next one begins.
            let kept = Done::read(&part, 0..sweep.plan.rows()).unwrap();
            assert_eq!(kept.tally, *tally);
            if tally.done > already {
                stop.store(true, Ordering::Relaxed);
            }
        });
        assert_eq!(tally.unwrap().done, already + 1);
    }
    run(&sweep, &at("often"), &threads(1));
    assert_eq!(table(&at("one")), table(&at("often")));
}

#[test]
fn what_was_written_by_halves_is_run_again() {
    let sweep = sweep(&AXES, 1);
    let temporary = tempfile::tempdir().unwrap();
    let at = |name: &str| temporary.path().join(name);
    run(&sweep, &at("whole"), &threads(1));
    let folder = Folder::create(&at("half"), &sweep).unwrap();
    let mut journal = Journal::open(&folder, &sweep.plan, "all").unwrap();
    for row in [0, 3, 5] {
        journal
            .append(sweep.run(row, &RunLimits::default()).unwrap())
            .unwrap();
    }
    drop(journal);
    // The last line lost its end, and a part was being written.
    let file = at("half").join("journal/all-000001.jsonl");
    let text = std::fs::read(&file).unwrap();
    std::fs::write(&file, &text[..text.len() - 9]).unwrap();
    std::fs::write(at("half").join("parts/all-000001.parquet.tmp"), b"PAR1").unwrap();
    let done = Done::read(&folder, 0..sweep.plan.rows()).unwrap();
    assert_eq!(done.tally.done, 2);
    assert!(done.has(0) && done.has(3) && !done.has(5));
    run(&sweep, &at("half"), &threads(2));
    assert_eq!(table(&at("whole")), table(&at("half")));
}

#[test]
fn a_journal_that_became_a_part_counts_once() {
    let sweep = sweep(&AXES, 1);
    let temporary = tempfile::tempdir().unwrap();
    let path = temporary.path().join("sweep");
    let folder = Folder::create(&path, &sweep).unwrap();
    let mut journal = Journal::open(&folder, &sweep.plan, "all").unwrap();
    journal
        .append(sweep.run(0, &RunLimits::default()).unwrap())
        .unwrap();
    let file = path.join("journal/all-000001.jsonl");
    let text = std::fs::read(&file).unwrap();
    journal.seal().unwrap();
    drop(journal);
    // Killed between the two.
    std::fs::write(&file, &text).unwrap();
    std::fs::remove_file(path.join("journal/all-000002.jsonl")).unwrap();
    let pieces = folder.pieces().unwrap();
    assert_eq!(pieces.len(), 1);
    assert!(!pieces[0].is_journal);
    let runs = read_records(&pieces[0], &sweep.figures).unwrap();
    assert_eq!(runs.len(), 1);
    run(&sweep, &path, &threads(1));
    assert!(!file.exists());
}

#[test]
fn failing_runs_are_rows_with_their_kinds() {
    let mut small = spec(
        &["body.cube.mass=-1.0,0.2", "materials.pad.friction=0.5"],
        1,
    );
    small.limit_evaluations = Some(40);
    let sweep = Sweep::new(small, std::path::Path::new("")).unwrap();
    let wrong = sweep.run(0, &RunLimits::default()).unwrap();
    let failure = wrong.failure.unwrap();
    assert_eq!(failure.kind, "scene_error");
    assert!(failure.what.contains("mass"), "{}", failure.what);
    let limited = sweep.run(1, &RunLimits::default()).unwrap();
    let failure = limited.failure.clone().unwrap();
    assert_eq!(
        (failure.kind.as_str(), limited.is_provisional()),
        ("evaluation_limit", false)
    );
    assert_eq!(
        limited.figures,
        sweep.run(1, &RunLimits::default()).unwrap().figures
    );
}

#[test]
fn runs_that_a_clock_ended_are_marked_and_run_again() {
    let sweep = sweep(&AXES, 1);
    let temporary = tempfile::tempdir().unwrap();
    let at = |name: &str| temporary.path().join(name);
    run(&sweep, &at("whole"), &threads(1));
    let hasty = Work {
        limits: RunLimits {
            wall: Some(Duration::ZERO),
            ..RunLimits::default()
        },
        ..Work::default()
    };
    let tally = run(&sweep, &at("hasty"), &hasty);
    assert_eq!(tally.failures["wall_limit"], sweep.plan.rows());
    let folder = Folder::open(&at("hasty")).unwrap();
    assert_eq!(Done::read(&folder, 0..8).unwrap().tally.done, 0);
    run(&sweep, &at("hasty"), &threads(1));
    assert_eq!(table(&at("whole")), table(&at("hasty")));
}

#[test]
fn random_draws_and_alternatives_make_a_table() {
    let mut small = spec(
        &["scene=g2p-cube,g2p-sphere", "gravity=[0,0,-9.81],[0,0,0]"],
        3,
    );
    small
        .axes
        .push(volar_sweep::axis_entry("duration=sobol:0.05..0.1").unwrap());
    small.set.clear();
    small.figures = vec!["held".into(), "normal_force_n".into(), "duration_s".into()];
    let sweep = Sweep::new(small, std::path::Path::new("")).unwrap();
    assert_eq!(sweep.plan.rows(), 12);
    let temporary = tempfile::tempdir().unwrap();
    let path = temporary.path().join("sweep");
    let tally = run(&sweep, &path, &threads(2));
    assert_eq!((tally.done, tally.judged), (12, 12));
    let folder = Folder::open(&path).unwrap();
    write_tables(&folder, &folder.sweep().unwrap().plan).unwrap();
    assert_eq!(files(&path.join("parts")).len(), 1);
}
