//! Axes over the rows of a table.

use std::path::Path;

use volar_sweep::{
    AxisEntry, Cell, Column, Folder, RunLimits, Sweep, SweepSpec, Table, report, write_tables,
};

use crate::common::{run, spec, threads};

/// Three rows: a mass and a height each, the second of which cannot be run.
fn table() -> Table {
    let text = |texts: [Option<&str>; 3]| Column::Texts(texts.map(|t| t.map(Into::into)).into());
    Table {
        rows: 3,
        columns: vec![
            (
                "body.cube.mass".into(),
                Column::Numbers(vec![0.1, 0.2, 0.3]),
            ),
            (
                "grasp.held_within".into(),
                Column::Numbers(vec![0.01, f64::NAN, f64::NAN]),
            ),
            ("info/score".into(), Column::Numbers(vec![0.5, 0.25, 0.125])),
            ("failure".into(), text([None, Some("bad_grasp"), None])),
            (
                "failure_what".into(),
                text([None, Some("the quaternion is zero"), None]),
            ),
        ],
    }
}

fn sweep(table: &Table, beside: &Path) -> Sweep {
    std::fs::write(beside.join("variants.parquet"), table.to_parquet().unwrap()).unwrap();
    let axis = AxisEntry {
        name: Some("variant".into()),
        table: Some("variants.parquet".into()),
        ..AxisEntry::default()
    };
    let spec = SweepSpec {
        axes: vec![axis],
        ..spec(&[], 1)
    };
    Sweep::new(spec, beside).unwrap()
}

#[test]
fn a_row_sets_its_entries_and_one_that_cannot_be_run_says_why() {
    let temporary = tempfile::tempdir().unwrap();
    let sweep = sweep(&table(), temporary.path());
    assert_eq!(sweep.plan.rows(), 3);
    let scene = |row: u64| sweep.scene(row).unwrap().spec;
    assert_eq!(scene(0).bodies[0].mass, Some(0.1));
    assert_eq!(scene(2).bodies[0].mass, Some(0.3));
    let within = |row: u64| scene(row).grasp.unwrap().held_within;
    assert!((within(0) - 0.01).abs() < 1e-12);
    assert!(
        (within(2) - 0.025).abs() < 1e-12,
        "null leaves an entry as it is"
    );
    let error = sweep.setup(1).unwrap_err().to_string();
    assert!(
        error.contains("run 1") && error.contains("quaternion"),
        "{error}"
    );
    let record = sweep.run(1, &RunLimits::default()).unwrap();
    assert_eq!(record.failure.unwrap().kind, "bad_grasp");
    assert!(record.figures.iter().all(|cell| *cell == Cell::Null));
}

#[test]
fn results_have_the_columns_of_the_table_and_a_report() {
    let temporary = tempfile::tempdir().unwrap();
    let sweep = sweep(&table(), temporary.path());
    let path = temporary.path().join("out");
    run(&sweep, &path, &threads(2));
    let results = Table::read(&path.join("table.parquet")).unwrap();
    assert_eq!(results.numbers("variant").unwrap(), [0.0, 1.0, 2.0]);
    assert_eq!(results.numbers("info/score").unwrap(), [0.5, 0.25, 0.125]);
    assert_eq!(results.numbers("body.cube.mass").unwrap(), [0.1, 0.2, 0.3]);
    let failures = results.texts("failure").unwrap();
    assert_eq!(failures[1].as_deref(), Some("bad_grasp"));
    let folder = Folder::open(&path).unwrap();
    write_tables(&folder, &folder.plan().unwrap()).unwrap();
    report::write(&folder, 1).unwrap();
    let page = std::fs::read_to_string(path.join("report.html")).unwrap();
    assert!(page.contains("3 rows of variants.parquet"));
    for part in ["why runs failed", "bad grasp", "volar sweep run"] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn a_table_goes_along_and_a_changed_one_is_refused() {
    let temporary = tempfile::tempdir().unwrap();
    let first = sweep(&table(), temporary.path());
    let other = Sweep::unpack(&first.pack().unwrap()).unwrap();
    assert_eq!(first.identity(), other.identity());
    assert_eq!(other.scene(2).unwrap().spec.bodies[0].mass, Some(0.3));
    let path = temporary.path().join("out");
    Folder::create(&path, &first).unwrap();
    let mut changed = table();
    changed.columns[0].1 = Column::Numbers(vec![0.1, 0.2, 0.31]);
    let refused = Folder::create(&path, &sweep(&changed, temporary.path())).unwrap_err();
    let refused = refused.to_string();
    assert!(refused.contains("axis `variant` has changed"), "{refused}");
}

#[test]
fn tables_that_cannot_be_used_are_refused_by_name() {
    let temporary = tempfile::tempdir().unwrap();
    let refused = |bytes: &[u8]| {
        std::fs::write(temporary.path().join("t.parquet"), bytes).unwrap();
        let axis = AxisEntry {
            name: Some("variant".into()),
            table: Some("t.parquet".into()),
            ..AxisEntry::default()
        };
        let spec = SweepSpec {
            axes: vec![axis],
            ..spec(&[], 1)
        };
        Sweep::new(spec, temporary.path()).unwrap_err().to_string()
    };
    let whole = table().to_parquet().unwrap();
    let cut = refused(&whole[..whole.len() / 2]);
    assert!(cut.contains("t.parquet: no Parquet table"), "{cut}");
    let mut none = table();
    none.columns[3].1 = Column::Texts(vec![Some("bad_grasp".into()); 3]);
    let none = refused(&none.to_parquet().unwrap());
    assert!(none.contains("no row can be run"), "{none}");
    let mut unknown = table();
    unknown.columns[0].0 = "body.cube.weight".into();
    let unknown = refused(&unknown.to_parquet().unwrap());
    assert!(unknown.contains("body.cube.weight"), "{unknown}");
    let empty = Table {
        rows: 0,
        columns: vec![("body.cube.mass".into(), Column::Numbers(Vec::new()))],
    };
    assert!(refused(&empty.to_parquet().unwrap()).contains("no rows"));
}
