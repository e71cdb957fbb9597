//! Files in the layouts of datasets, as numpy, h5py and PyYAML write them (`tests/data/make.py`).

use std::path::{Path, PathBuf};

use glam::DVec3;
use volar_grasps::{
    Format, Grasp, GraspList, Header, ReadOptions, Row, Verdict, relabel, write, write_as,
};
use volar_math::{Pose, rotation};

use crate::common::{assert_same, header, poses_differ, read, read_with, refusal, rows};

/// Rounding of single precision.
const SINGLE: f64 = 1.0e-7;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

/// The pose of grasp k in all files.
fn pose(k: usize) -> Pose {
    let k = k as f64;
    Pose {
        R: rotation::about_z(0.1 * k) * rotation::about_y(0.2 * k) * rotation::about_x(0.3 * k),
        p: DVec3::new(0.01 * k, -0.02 * k, 0.1),
    }
}

/// Asserts that rows 0 and 2 are at their poses, and row 1 is bad for a reason.
#[track_caller]
fn assert_poses(rows: &[Row], within: f64, reason: &str) {
    assert_eq!(rows.len(), 3);
    for k in [0, 2] {
        let off = poses_differ(&rows[k].as_ref().unwrap().X_OH, &pose(k));
        assert!(off <= within, "{k}: {off:e}");
    }
    let told = rows[1].as_ref().unwrap_err();
    assert!(told.row == 1 && told.reason.contains(reason), "{told}");
}

fn labels(rows: &[Row]) -> Vec<Option<bool>> {
    let rows = rows.iter().map(|row| row.as_ref().ok()?.label);
    rows.collect()
}

#[test]
fn acronym_is_read() {
    let (header, rows) = read(&data("acronym.h5"));
    assert_poses(&rows, 1.0e-15, "the matrix is no rotation");
    assert_eq!(labels(&rows), [Some(true), None, Some(false)]);
    assert_eq!(header.object.file.as_deref(), Some("meshes/Mug/a.obj"));
    let object = &header.object;
    let numbers = (object.scale, object.mass, object.friction);
    assert_eq!(numbers, (Some(0.002), Some(0.25), Some(1.0)));
    assert_eq!(header.hand.as_deref(), Some("panda"));
}

#[test]
fn graspgen_is_read() {
    let (header, rows) = read(&data("graspgen.json"));
    for (k, row) in rows.iter().enumerate() {
        assert!(poses_differ(&row.as_ref().unwrap().X_OH, &pose(k)) < 1.0e-15);
    }
    assert_eq!(labels(&rows), [Some(true), Some(false), Some(true)]);
    assert_eq!(header.object.scale, Some(0.5));
}

#[test]
fn isaac_is_read() {
    let (header, rows) = read(&data("isaac.yaml"));
    assert_poses(&rows, 1.0e-15, "`grasp_1`: `orientation` is not");
    assert_eq!(header.joints, ["finger_joint", "other"]);
    let last = rows[2].as_ref().unwrap();
    assert_eq!(last.grasp.as_ref().unwrap().joints, [2.4, 1.0]);
    assert_eq!(last.pregrasp.as_ref().unwrap().joints, [0.0, 0.5]);
    assert_eq!(last.score, Some(0.7));
}

#[test]
fn dexgraspnet_is_read() {
    let (header, rows) = read(&data("dexgraspnet.npy"));
    assert_poses(&rows, 1.0e-15, "its `qpos` has no number `WRJTy`");
    assert_eq!(header.joints, ["robot0:FFJ3", "robot0:THJ0"]);
    let last = rows[2].as_ref().unwrap();
    assert_eq!(last.grasp.as_ref().unwrap().joints, [0.2, -0.2]);
    assert_eq!(last.scale, Some(0.08));
}

#[test]
fn dexgraspbench_is_read() {
    let options = ReadOptions {
        joints: vec!["FFJ3".into(), "THJ1".into()],
        ..ReadOptions::default()
    };
    let (header, rows) = read_with(&data("dexgraspbench.npy"), &options);
    let grasp = rows[0].as_ref().unwrap();
    assert!(poses_differ(&grasp.X_OH, &pose(2)) < SINGLE);
    let pregrasp = grasp.pregrasp.as_ref().unwrap();
    assert!(poses_differ(&pregrasp.X_OH.unwrap(), &pose(1)) < SINGLE);
    assert!((pregrasp.joints[1] - 0.2).abs() < SINGLE);
    let squeeze = grasp.squeeze.as_ref().unwrap();
    assert!(squeeze.X_OH.is_none() && (squeeze.joints[0] - 0.5).abs() < SINGLE);
    assert_eq!(header.joints, options.joints);
    assert_eq!(header.object.scale, Some(0.06));
    assert_eq!(header.object.file.as_deref(), Some("assets/bottle"));
}

#[test]
fn bodex_is_read() {
    let (header, rows) = read(&data("bodex.npy"));
    assert_eq!(rows.len(), 3);
    let told = rows[1].as_ref().unwrap_err();
    assert!(told.reason.contains("its grasp: [NaN"), "{told}");
    let last = rows[2].as_ref().unwrap();
    assert!(poses_differ(&last.X_OH, &pose(2)) < SINGLE);
    assert_eq!(last.squeeze.as_ref().unwrap().joints, [0.5, 2.0]);
    assert_eq!(header.joints, ["FFJ3", "THJ1"]);
    assert_eq!(header.object.scale, Some(0.08));
    assert_eq!(header.object.file.as_deref(), Some("bottle/mesh.obj"));
}

/// What a format has a place for, of a list.
fn kept(format: Format, grasp: &Grasp) -> Grasp {
    let mut grasp = grasp.clone();
    let (joints, score) = match format {
        Format::Acronym | Format::GraspGen => (0, false),
        Format::DexGraspNet => (1, true),
        Format::Isaac => (2, true),
        _ => (3, true),
    };
    if joints < 3 {
        (grasp.squeeze, grasp.width) = (None, None);
    }
    if joints < 2 {
        grasp.pregrasp = None;
    }
    if joints < 1 {
        grasp.grasp = None;
    }
    if joints == 2 {
        // Poses of postures have no place.
        let pregrasp = grasp.pregrasp.as_mut().unwrap();
        pregrasp.X_OH = None;
    }
    if !matches!(format, Format::DexGraspNet | Format::Bodex) {
        grasp.scale = None;
    }
    if !score {
        grasp.score = None;
    }
    grasp.width = None;
    grasp
}

#[test]
fn every_format_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let first = rows().remove(0).unwrap();
    let other = Grasp {
        X_OH: pose(2),
        label: Some(false),
        ..first.clone()
    };
    let files = [
        ("a.h5", Format::Acronym),
        ("a.json", Format::GraspGen),
        ("b.yaml", Format::GraspGen),
        ("a.yaml", Format::Isaac),
        ("b.json", Format::Isaac),
        ("a.npy", Format::Bodex),
        ("b.npy", Format::DexGraspNet),
    ];
    for (name, format) in files {
        let path = folder.path().join(name);
        let expected: Vec<Row> = [&first, &other]
            .map(|grasp| Ok(kept(format, grasp)))
            .to_vec();
        write_as(&path, format, &header(), expected.clone()).unwrap();
        let mut list = GraspList::open(&path, &ReadOptions::default()).unwrap();
        assert_eq!(list.format, format, "{name}");
        assert_eq!(list.rows, Some(2), "{name}");
        let read: Vec<Row> = list.by_ref().collect();
        assert_same(&read, &expected, 1.0e-15);
        if !matches!(format, Format::Isaac | Format::DexGraspNet | Format::Bodex) {
            assert_eq!(list.header.object.file, header().object.file, "{name}");
            assert_eq!(list.header.object.scale, header().object.scale, "{name}");
        }
    }
    let told = write_as(
        &folder.path().join("c.csv"),
        Format::Isaac,
        &header(),
        rows(),
    );
    assert!(told.unwrap_err().to_string().contains("no file of `isaac`"));
}

#[test]
fn labels_go_back_into_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        "acronym.h5",
        "graspgen.json",
        "isaac.yaml",
        "dexgraspnet.npy",
        "bodex.npy",
    ];
    let verdict = |label: bool| Verdict {
        label: Some(label),
        score: None,
    };
    for name in files {
        let out = folder.path().join(name);
        // The second is a bad row in most, the third gets no verdict.
        relabel(&data(name), &out, &[verdict(false), verdict(true)]).unwrap();
        let (old_header, old) = read(&data(name));
        let (header, new) = read(&out);
        assert_eq!(header, old_header, "{name}");
        assert_eq!(new.len(), old.len(), "{name}");
        assert_eq!(labels(&new)[0], Some(false), "{name}");
        assert_eq!(labels(&new)[2], labels(&old)[2], "{name}");
        let differ = |k: usize| {
            let pose = |rows: &[Row]| rows[k].as_ref().unwrap().X_OH;
            poses_differ(&pose(&new), &pose(&old))
        };
        assert!(differ(0) == 0.0 && differ(2) == 0.0, "{name}");
    }
    let out = folder.path().join("dexgraspbench.npy");
    relabel(&data("dexgraspbench.npy"), &out, &[verdict(true)]).unwrap();
    assert_eq!(labels(&read(&out).1), [Some(true)]);
    let table = folder.path().join("a.csv");
    write(&table, &header(), rows()).unwrap();
    relabel(&table, &folder.path().join("b.csv"), &[verdict(false)]).unwrap();
    assert_eq!(
        labels(&read(&folder.path().join("b.csv")).1)[0],
        Some(false)
    );
}

#[test]
fn grasps_that_nobody_judged_have_no_label() {
    let folder = tempfile::tempdir().unwrap();
    let grasp = |label: Option<bool>| {
        Ok(Grasp {
            label,
            ..Grasp::at(Pose::IDENTITY)
        })
    };
    for name in ["a.h5", "a.json"] {
        let path = folder.path().join(name);
        let rows = [Some(true), None, Some(false)];
        write(&path, &Header::default(), rows.into_iter().map(grasp)).unwrap();
        assert_eq!(labels(&read(&path).1), rows, "{name}");
        // As a file that says nothing of any.
        write(&path, &Header::default(), [None; 2].into_iter().map(grasp)).unwrap();
        let out = folder.path().join(format!("b{name}"));
        let held = Verdict {
            label: Some(true),
            score: None,
        };
        relabel(&path, &out, &[held]).unwrap();
        assert_eq!(labels(&read(&out).1), [Some(true), None], "{name}");
    }
}

#[test]
fn cut_files_are_named_errors() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "graspgen.json",
        "isaac.yaml",
        "dexgraspnet.npy",
        "dexgraspbench.npy",
        "bodex.npy",
        "acronym.h5",
    ] {
        let bytes = std::fs::read(data(name)).unwrap();
        let path = folder.path().join(name);
        for part in 0..20 {
            let cut = bytes.len() * part / 20;
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let list = GraspList::open(&path, &ReadOptions::default());
            match list {
                Err(error) => assert!(error.to_string().contains(name), "{error}"),
                // YAML that is cut at the end of a line is YAML, with fewer rows.
                Ok(list) if name == "isaac.yaml" => assert!(list.count() <= 3),
                Ok(_) => panic!("{name}: {cut} of {} bytes are read", bytes.len()),
            }
        }
    }
}

#[test]
fn foreign_files_are_named_errors() {
    let folder = tempfile::tempdir().unwrap();
    let laughs = {
        // Lists of lists of the same list: 2^40 of them.
        let mut pickle = b"\x80\x03]q\x00".to_vec();
        for level in 0..40_u8 {
            pickle.extend([b']', b'q', level + 1, b'(', b'h', level, b'h', level, b'e']);
        }
        pickle.push(b'.');
        pickle
    };
    let npy = |pickle: &[u8]| {
        let mut bytes = b"\x93NUMPY\x01\x00\x40\x00".to_vec();
        let head = "{'descr': '|O', 'fortran_order': False, 'shape': (), }";
        bytes.extend(format!("{head:<63}\n").bytes());
        bytes.extend(pickle);
        bytes
    };
    let cases: [(&str, Vec<u8>, &str); 12] = [
        (
            "a.json",
            b"[1, 2]".to_vec(),
            "its keys: no list of grasps that is known",
        ),
        (
            "b.json",
            b"{\"grasps\": {\"transforms\": 1}}".to_vec(),
            "not a list of matrices",
        ),
        (
            "c.json",
            b"{\"grasps\": ".to_vec(),
            "line 1, column 11: not JSON, or cut",
        ),
        ("d.yaml", b"a: [1, 2".to_vec(), "not YAML, or cut"),
        (
            "e.yaml",
            b"a: &x 1\nb: *x\n".to_vec(),
            "line 2, column 4: an alias",
        ),
        (
            "f.npy",
            b"PK\x03\x04".to_vec(),
            "it does not start as NPY files do",
        ),
        (
            "g.npy",
            npy(b"\x80\x03cos\nsystem\nX\x04\0\0\0true\x85R."),
            "it needs `os.system`",
        ),
        (
            "h.npy",
            npy(b"\x80\x03}."),
            "no list of grasps that is known",
        ),
        ("i.npy", npy(&laughs), "deep"),
        ("j.npy", npy(b"\x80\x03]q\x00h\x00a."), "deep"),
        ("k.npy", npy(b"\x80\x03e."), "a mark is missing"),
        (
            "l.h5",
            b"\x89HDF\r\n\x1a\n".to_vec(),
            "is it an HDF5 file of ACRONYM, and whole?",
        ),
    ];
    for (name, bytes, expected) in cases {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let told = refusal(&path);
        assert!(told.contains(name) && told.contains(expected), "{told}");
    }
}
