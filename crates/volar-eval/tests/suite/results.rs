//! From the list to the tables and back.

use std::path::PathBuf;

use volar_eval::{GRASPS, Noise, Request, finish, is_evaluation, plan, write_labels};
use volar_grasps::{GraspList, ReadOptions};
use volar_sweep::{Folder, Sweep, Table, Work, merge, run_missing};

use crate::{gripper, request, rows, run};

#[test]
fn grasps_are_judged_summed_up_and_labelled() {
    let temporary = tempfile::tempdir().unwrap();
    let hand = gripper(temporary.path());
    let request = request(temporary.path(), rows(&hand), "acronym");
    let sweep = plan(&request).unwrap();
    let folder = run(&sweep, &temporary.path().join("out"));
    finish(&folder).unwrap();
    let grasps = Table::read(&folder.path.join(GRASPS)).unwrap();
    assert_eq!(grasps.numbers("success_rate").unwrap(), [1.0, 0.0, 0.0]);
    let failures = grasps.texts("failure").unwrap();
    assert_eq!(failures[0], None);
    assert!(failures[1].is_some());
    assert_eq!(failures[2].as_deref(), Some("bad_grasp"));
    let what = grasps.texts("failure_what").unwrap()[2].as_deref();
    assert!(what.unwrap().contains("quaternion"), "{what:?}");
    let margin = grasps.numbers("friction_margin").unwrap()[0];
    assert!(margin > 0.0 && margin < 1.0, "{margin}");

    let labelled = temporary.path().join("labelled.csv");
    write_labels(&folder, &request.grasps, &request.options, &labelled).unwrap();
    let list = GraspList::open(&labelled, &ReadOptions::default()).unwrap();
    let labels: Vec<Option<bool>> = list.map(|row| row.ok().and_then(|g| g.label)).collect();
    assert_eq!(labels, [Some(true), Some(false), None]);
}

#[test]
fn shards_are_merged_into_the_same_table_of_grasps() {
    let temporary = tempfile::tempdir().unwrap();
    let hand = gripper(temporary.path());
    let sweep = plan(&request(temporary.path(), rows(&hand), "acronym")).unwrap();
    let whole = run(&sweep, &temporary.path().join("whole"));
    finish(&whole).unwrap();
    let shards: Vec<PathBuf> = (0..2)
        .map(|number| {
            let path = temporary.path().join(format!("shard {number}"));
            let folder = Folder::create(&path, &sweep).unwrap();
            let work = Work {
                shard: Some((number, 2)),
                ..Work::default()
            };
            run_missing(&sweep, &folder, &work, &|_| ()).unwrap();
            path
        })
        .collect();
    let merged = temporary.path().join("merged");
    merge(&shards, &merged).unwrap();
    let merged = Folder::open(&merged).unwrap();
    assert!(is_evaluation(&merged));
    finish(&merged).unwrap();
    let bytes = |folder: &Folder| std::fs::read(folder.path.join(GRASPS)).unwrap();
    assert!(bytes(&merged) == bytes(&whole));
}

#[test]
fn an_evaluation_needs_no_files_of_the_machine() {
    let temporary = tempfile::tempdir().unwrap();
    let hand = gripper(temporary.path());
    let sweep = plan(&request(temporary.path(), rows(&hand), "acronym")).unwrap();
    let packed = sweep.pack().unwrap();
    let other = tempfile::tempdir().unwrap();
    let hand = gripper(other.path());
    let elsewhere = plan(&request(other.path(), rows(&hand), "acronym")).unwrap();
    assert_eq!(sweep.identity(), elsewhere.identity());
    drop((temporary, other));
    let unpacked = Sweep::unpack(&packed).unwrap();
    assert_eq!(unpacked.identity(), sweep.identity());
    unpacked.setup(0).unwrap();
}

#[test]
fn noise_is_drawn_anew_for_every_trial_and_hands_close_as_planned() {
    let temporary = tempfile::tempdir().unwrap();
    let hand = gripper(temporary.path());
    let request = Request {
        noise: Noise::parse("position=0.002,mass=0.1,force=0.1,friction=0.1").unwrap(),
        repeats: 3,
        // With a density, which a mass takes the place of.
        ..request(temporary.path(), rows(&hand), "acronym")
    };
    let sweep = plan(&request).unwrap();
    assert_eq!(sweep.plan.rows(), 9);
    let scene = |row: u64| sweep.scene(row).unwrap().spec;
    let (first, second) = (scene(0), scene(1));
    let bits = |spec: &volar_scene::spec::SceneSpec| spec.bodies[0].position.map(f64::to_bits);
    assert_ne!(bits(&first), bits(&second));
    assert_ne!(first.bodies[0].mass, second.bodies[0].mass);
    assert_ne!(
        first.materials["hand"].friction,
        second.materials["hand"].friction
    );
    let joint = |spec: &volar_scene::spec::SceneSpec| spec.robots[0].joints["slide_1"].clone();
    assert_eq!(joint(&first).target, joint(&second).target);
    assert_ne!(joint(&first).kp, joint(&second).kp);
    // The same again, whatever else was drawn.
    assert_eq!(plan(&request).unwrap().identity(), sweep.identity());
}

#[test]
fn what_cannot_be_evaluated_is_refused() {
    let temporary = tempfile::tempdir().unwrap();
    let hand = gripper(temporary.path());
    let good = request(temporary.path(), rows(&hand), "acronym");
    let repeats = Request {
        repeats: 2,
        ..good.clone()
    };
    assert!(
        plan(&repeats)
            .unwrap_err()
            .to_string()
            .contains("need noise")
    );
    let bad = rows(&hand).split_off(2);
    let none = request(temporary.path(), bad, "acronym");
    let error = plan(&none).unwrap_err().to_string();
    assert!(error.contains("quaternion"), "{error}");
}
