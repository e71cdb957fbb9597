//! Results of different sweeps are never mixed, and it is said what has changed.

use std::path::Path;

use volar_sweep::{Folder, Journal, Sweep, SweepError, SweepSpec};

use crate::common::{run, spec, sweep, threads};

fn refusal(path: &Path, spec: SweepSpec, beside: &Path) -> String {
    let other = Sweep::new(spec, beside).unwrap();
    Folder::create(path, &other).unwrap_err().to_string()
}

#[test]
fn a_changed_axis_seed_or_setting_is_refused_and_named() {
    let axes = ["body.cube.mass=0.1,0.2"];
    let temporary = tempfile::tempdir().unwrap();
    let path = temporary.path().join("sweep");
    run(&sweep(&axes, 1), &path, &threads(1));
    let refused = |spec: SweepSpec| refusal(&path, spec, Path::new(""));
    let axis = refused(spec(&["body.cube.mass=0.1,0.3"], 1));
    assert!(axis.contains("axis `body.cube.mass` has changed"), "{axis}");
    let mut other = spec(&axes, 1);
    other.seed = 6;
    assert!(refused(other).contains("seed was 5, is 6"));
    let mut other = spec(&axes, 1);
    other.set.insert("duration".into(), 0.2.into());
    assert!(refused(other).contains("setting `duration` was 0.1, is 0.2"));
    let mut other = spec(&axes, 1);
    other.figures = vec!["held".into()];
    assert!(refused(other).contains("figures has changed"));
    // What is the same goes on.
    assert_eq!(run(&sweep(&axes, 1), &path, &threads(1)).done, 2);
}

#[test]
fn a_changed_scene_or_mesh_is_refused_and_named() {
    let temporary = tempfile::tempdir().unwrap();
    let scenes = temporary.path().join("bunny");
    volar_scene::builtin::find("g2p-bunny")
        .unwrap()
        .write(&scenes)
        .unwrap();
    let spec = || SweepSpec {
        scene: "bunny/scene.toml".into(),
        ..spec(&["body.bunny.mass=0.1,0.2"], 1)
    };
    let path = temporary.path().join("sweep");
    let first = Sweep::new(spec(), temporary.path()).unwrap();
    Folder::create(&path, &first).unwrap();
    let append = |file: &str, text: &str| {
        let file = scenes.join(file);
        let before = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("{before}{text}")).unwrap();
        before
    };
    let mesh = append("bunny.obj", "# new\n");
    let refused = refusal(&path, spec(), temporary.path());
    assert!(
        refused.contains("file bunny.obj of scene bunny/scene.toml has changed"),
        "{refused}"
    );
    std::fs::write(scenes.join("bunny.obj"), mesh).unwrap();
    append("scene.toml", "# new\n");
    let refused = refusal(&path, spec(), temporary.path());
    assert!(refused.contains("file scene.toml of scene"), "{refused}");
}

#[test]
fn a_sweep_from_its_bytes_is_the_same_and_needs_no_files() {
    let temporary = tempfile::tempdir().unwrap();
    let scenes = temporary.path().join("bunny");
    volar_scene::builtin::find("g2p-bunny")
        .unwrap()
        .write(&scenes)
        .unwrap();
    let spec = SweepSpec {
        scene: "bunny".into(),
        ..spec(&["body.bunny.mass=0.1,0.2"], 1)
    };
    let sweep = Sweep::new(spec, temporary.path()).unwrap();
    let bytes = sweep.pack().unwrap();
    std::fs::remove_dir_all(&scenes).unwrap();
    let other = Sweep::unpack(&bytes).unwrap();
    assert_eq!(sweep.identity(), other.identity());
    let limits = volar_sweep::RunLimits::default();
    let (a, b) = (
        sweep.run(1, &limits).unwrap(),
        other.run(1, &limits).unwrap(),
    );
    assert_eq!((a.figures, a.failure), (b.figures, b.failure));
}

#[test]
fn two_at_once_are_told_apart() {
    let temporary = tempfile::tempdir().unwrap();
    let sweep = sweep(&["body.cube.mass=0.1,0.2"], 1);
    let folder = Folder::create(temporary.path(), &sweep).unwrap();
    let first = Journal::open(&folder, &sweep.plan, "all").unwrap();
    let second = Journal::open(&folder, &sweep.plan, "all").unwrap_err();
    assert!(matches!(second, SweepError::Busy { .. }));
    drop(first);
    Journal::open(&folder, &sweep.plan, "all").unwrap();
}

#[test]
fn what_makes_no_scene_at_all_is_an_error_at_once() {
    let error = |axis: &str| {
        Sweep::new(spec(&[axis], 1), Path::new(""))
            .unwrap_err()
            .to_string()
    };
    assert!(error("body.cube.weight=1,2").contains("body.cube.weight"));
    assert!(error("body.ball.mass=1,2").contains("ball"));
    let mut wrong = spec(&["body.cube.mass=1,2"], 1);
    wrong.figures = vec!["heat".into()];
    let error = Sweep::new(wrong, Path::new("")).unwrap_err().to_string();
    assert!(
        error.contains("no figure `heat`; there are held, drift_mm"),
        "{error}"
    );
}
