//! Our tables, as CSV and Parquet.

use volar_grasps::{Grasp, GraspList, Header, ReadOptions, write};
use volar_math::Pose;

use crate::common::*;

#[test]
fn tables_are_read_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["grasps.csv", "grasps.parquet"] {
        let path = folder.path().join(name);
        write(&path, &header(), rows()).unwrap();
        let (head, read_rows) = read(&path);
        assert_eq!(head, header(), "{name}");
        assert_same(&read_rows, &rows(), ROUNDING);
        // Once more: what was read is written to the same table.
        let again = folder.path().join(format!("again-{name}"));
        write(&again, &head, read_rows.clone()).unwrap();
        assert_same(&read(&again).1, &read_rows, ROUNDING);
    }
}

#[test]
fn the_frame_of_a_file_is_taken_to_that_of_the_hand() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grasps.csv");
    write(&path, &header(), rows()).unwrap();
    let options = ReadOptions {
        X_GH: pose(4),
        ..ReadOptions::default()
    };
    let (_, turned) = read_with(&path, &options);
    let first = turned[0].as_ref().unwrap();
    assert!(poses_differ(&first.X_OH, &pose(1).compose(&pose(4))) < 1.0e-15);
    let pregrasp = first.pregrasp.as_ref().unwrap().X_OH.unwrap();
    assert!(poses_differ(&pregrasp, &pose(7).compose(&pose(4))) < 1.0e-15);
}

#[test]
fn bad_rows_of_text_are_rows_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grasps.csv");
    let pose =
        "position_x,position_y,position_z,orientation_w,orientation_x,orientation_y,orientation_z";
    let text = format!(
        "# hand = g2p.urdf\n# anything else\n{pose},note,grasp/a,grasp/b,width,label\n\
         0,0,0,1,0,0,0,fine,0.1,0.2,0.05,True\n\
         0,0,0,0,0,0,0,no turn,0.1,0.2,,\n\
         0,0,0,1,0,0,0,half a posture,0.1,,,\n\
         \n\
         0,0,x,1,0,0,0,letters,0.1,0.2,,\n\
         0,0,0,1,0,0,0,wide,0.1,0.2,-1,\n\
         0,0,nan,1,0,0,0,no number,0.1,0.2,,\n\
         ,,,,,,,nothing,,,,\n\
         0,0,,1,0,0,0,part,,,,\n\
         0,0,0,1,0,0,0,label,,,,maybe\n\
         0,0,0,1,0,0,0,last,,,,0\n\
         0,0,0,1,0"
    );
    std::fs::write(&path, text).unwrap();
    let (header, rows) = read(&path);
    assert_eq!(header.hand.as_deref(), Some("g2p.urdf"));
    assert_eq!(header.joints, ["a", "b"]);
    let told: Vec<String> = rows
        .iter()
        .map(|row| {
            row.as_ref()
                .map_or_else(ToString::to_string, |_| "grasp".into())
        })
        .collect();
    let expected = [
        "grasp",
        "row 1: [0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0] is no pose",
        "row 2: its grasp has joints without a number",
        "row 3: line 8: `x` is no number",
        "row 4: its width is -1",
        "row 5: [0.0, 0.0, NaN]",
        "row 6: it has no pose",
        "row 7: a part of its pose is missing",
        "row 8: line 13: label `maybe`",
        "grasp",
        "row 10: line 15: 5 fields, the first line names 12; is the file cut?",
    ];
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for (told, expected) in told.iter().zip(expected) {
        assert!(told.starts_with(expected), "{told}");
    }
    let first = rows[0].as_ref().unwrap();
    assert_eq!((first.label, first.width), (Some(true), Some(0.05)));
}

#[test]
fn files_that_are_no_lists_are_named_errors() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let long = vec![b'a'; 3 << 20];
    let cases: [(&str, &[u8], &str); 6] = [
        ("a.csv", b"", "line 1: the file has no row with the names"),
        (
            "b.csv",
            b"x,y,z\n1,2,3\n",
            "line 1: there is no column `position_x`",
        ),
        ("c.csv", &long, "line 1: a line of more than 1024 kB"),
        ("d.csv", b"\xff\xfe\n", "line 1: not text"),
        ("e.parquet", b"PAR1 something else", "the end of the file: "),
        (
            "f.grasps",
            b"",
            "ends in .grasps; there are .csv, .parquet, .h5",
        ),
    ];
    for (name, bytes, expected) in cases {
        let told = refusal(&put(name, bytes));
        assert!(told.contains(name) && told.contains(expected), "{told}");
    }
    let told = refusal(&folder.path().join("none.csv"));
    assert!(
        told.contains("cannot open") && told.contains("none.csv"),
        "{told}"
    );
}

#[test]
fn a_cut_table_is_an_error_or_ends_in_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grasps.parquet");
    let many = (0..10_000).map(|k| Ok(Grasp::at(pose(k))));
    write(&path, &Header::default(), many).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let cut = folder.path().join("cut.parquet");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    assert!(refusal(&cut).contains("is it a Parquet file, and whole?"));
    // Damaged inside: the footer is there.
    let mut damaged = bytes.clone();
    for byte in &mut damaged[bytes.len() / 4..bytes.len() / 2] {
        *byte ^= 0x5a;
    }
    std::fs::write(&cut, damaged).unwrap();
    let list = GraspList::open(&cut, &ReadOptions::default()).unwrap();
    assert_eq!(list.rows, Some(10_000));
    let last = list.last().unwrap().unwrap_err();
    assert!(last.reason.contains("cannot be read"), "{last}");
}

#[test]
fn a_grasp_that_the_list_does_not_hold_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grasps.csv");
    let told = write(&path, &Header::default(), rows()).unwrap_err();
    assert!(
        told.to_string().contains("the list holds no pregrasp"),
        "{told}"
    );
    assert!(!path.exists());
    let mut one = header();
    one.joints.pop();
    let told = write(&path, &one, rows()).unwrap_err();
    assert!(told.to_string().contains("2 joints, the list 1"), "{told}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_grasp_of_unknown_joints_has_a_pose() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grasps.parquet");
    write(&path, &Header::default(), [Ok(Grasp::at(Pose::IDENTITY))]).unwrap();
    assert_eq!(read(&path).1, [Ok(Grasp::at(Pose::IDENTITY))]);
}
