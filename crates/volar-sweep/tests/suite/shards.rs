//! Shards, in one folder or in several, make the same table.

use volar_sweep::{Folder, SweepError, Work, merge};

use crate::common::{run, sweep, table, threads};

const AXES: [&str; 2] = [
    "body.cube.mass=0.1..0.4:5",
    "materials.pad.friction=normal:0.6:0.05",
];

#[test]
fn shards_in_one_folder_or_several_make_the_same_table() {
    let sweep = sweep(&AXES, 3);
    let temporary = tempfile::tempdir().unwrap();
    let at = |name: &str| temporary.path().join(name);
    run(&sweep, &at("whole"), &threads(2));
    let mut apart = Vec::new();
    for number in 0..4 {
        let work = Work {
            shard: Some((number, 4)),
            ..Work::default()
        };
        let own = at(&format!("part-{number}"));
        run(&sweep, &own, &work);
        run(&sweep, &at("together"), &work);
        apart.push(own);
    }
    merge(&[at("together")], &at("together")).unwrap();
    assert_eq!(table(&at("whole")), table(&at("together")));
    merge(&apart, &at("merged")).unwrap();
    assert_eq!(table(&at("whole")), table(&at("merged")));
    let missing = merge(&apart[1..], &at("less")).unwrap_err();
    assert!(matches!(
        missing,
        SweepError::Incomplete {
            missing: 3,
            total: 15
        }
    ));
}

#[test]
fn shards_of_other_sweeps_are_refused() {
    let temporary = tempfile::tempdir().unwrap();
    let at = |name: &str| temporary.path().join(name);
    Folder::create(&at("a"), &sweep(&AXES, 3)).unwrap();
    Folder::create(&at("b"), &sweep(&AXES, 4)).unwrap();
    let error = merge(&[at("a"), at("b")], &at("c"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("repeats was 3, is 4"), "{error}");
}
