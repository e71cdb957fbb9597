//! The table: names of columns, and sums over fingers worked out by hand.
#![allow(clippy::float_cmp, reason = "sums of small whole numbers are exact")]

use std::fs::File;

use crate::common::{folder, write};
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt32Type};
use glam::DVec3;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use volar_record::{
    BodyFrame, BodyHeader, Contact, Frame, GraspFrame, GraspHeader, Header, JointFrame,
    JointHeader, Role, SERIES_FILE,
};
use volar_sim::BodyId;

fn header() -> Header {
    let body = |name: &str, role, finger: &str| BodyHeader {
        name: name.to_owned(),
        role,
        finger: finger.to_owned(),
        mesh: None,
    };
    Header {
        scene: "cube".to_owned(),
        version: "0.1.0".to_owned(),
        bodies: vec![
            body("table", Role::Other, ""),
            body("left/tip", Role::Finger, "left"),
            body("left/base", Role::Finger, "left"),
            body("right/tip", Role::Finger, "right"),
            body("cube", Role::Object, ""),
        ],
        joints: vec![JointHeader {
            name: "slide".to_owned(),
            slides: true,
            limits: None,
        }],
        sensors: vec!["wrist (N)".to_owned()],
        grasp: Some(GraspHeader {
            drift_from: 0.5,
            ..GraspHeader::default()
        }),
    }
}

fn contact(a: usize, b: usize, normal_force: f64, friction_force: DVec3) -> Contact {
    Contact {
        a: BodyId::new(a),
        b: BodyId::new(b),
        normal_force,
        friction_force,
        ..Contact::default()
    }
}

fn frame(time: f64, contacts: Vec<Contact>) -> Frame {
    Frame {
        time,
        bodies: vec![BodyFrame::default(); 5],
        joints: vec![JointFrame::default()],
        sensors: vec![7.0],
        contacts,
        grasp: Some(GraspFrame {
            position: DVec3::new(0.0, 0.0, time),
            orientation: [1.0, 0.0, 0.0, 0.0],
            kinetic_energy: 2.0,
            expected_kinetic_energy: 3.0,
        }),
        ..Frame::default()
    }
}

fn table(name: &str, frames: &[Frame]) -> (RecordBatch, String) {
    let folder = folder(name);
    write(&folder, &header(), frames);
    let file = File::open(folder.join(SERIES_FILE)).unwrap();
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let pairs = builder.metadata().file_metadata().key_value_metadata();
    let header = pairs.unwrap().iter().find(|pair| pair.key == "volar");
    let header = header.unwrap().value.clone().unwrap();
    let schema = builder.schema().clone();
    let batches: Vec<_> = builder.build().unwrap().map(Result::unwrap).collect();
    let batch = match batches.into_iter().next() {
        Some(batch) => batch,
        None => RecordBatch::new_empty(schema),
    };
    (batch, header)
}

fn numbers(table: &RecordBatch, column: &str) -> Vec<f64> {
    let column = table.column_by_name(column).unwrap();
    column.as_primitive::<Float64Type>().values().to_vec()
}

fn counts(table: &RecordBatch, column: &str) -> Vec<u32> {
    let column = table.column_by_name(column).unwrap();
    column.as_primitive::<UInt32Type>().values().to_vec()
}

#[test]
fn forces_are_summed_by_finger() {
    let friction = DVec3::new(3.0, 0.0, 4.0);
    let first = vec![
        contact(4, 1, 1.0, friction),
        // On the object as above: forces are recorded as they act on the first body.
        contact(2, 4, 2.0, -friction),
        contact(4, 3, 4.0, DVec3::ZERO),
        // The object on the table: of the object, but of no finger.
        contact(0, 4, 8.0, friction),
        // Two fingers, and a finger on the table: not of the object.
        contact(1, 3, 16.0, friction),
        contact(0, 3, 32.0, friction),
    ];
    let second = vec![contact(3, 4, 64.0, friction)];
    let frames = [frame(0.0, first), frame(0.5, vec![]), frame(1.0, second)];
    let (table, _) = table("sums", &frames);
    assert_eq!(numbers(&table, "time"), [0.0, 0.5, 1.0]);
    assert_eq!(numbers(&table, "normal_force/left"), [3.0, 0.0, 0.0]);
    assert_eq!(numbers(&table, "normal_force/right"), [4.0, 0.0, 64.0]);
    assert_eq!(numbers(&table, "friction_force/left"), [10.0, 0.0, 0.0]);
    assert_eq!(numbers(&table, "friction_force/right"), [0.0, 0.0, 5.0]);
    assert_eq!(numbers(&table, "object/normal_force"), [15.0, 0.0, 64.0]);
    let drift = numbers(&table, "object/drift");
    assert!(drift[0].is_nan(), "not counted yet");
    assert_eq!(drift[1..], [0.0, 0.5]);
    assert_eq!(numbers(&table, "object/kinetic_energy"), [2.0; 3]);
    assert_eq!(counts(&table, "contacts/left"), [2, 0, 0]);
    assert_eq!(counts(&table, "contacts/right"), [1, 0, 1]);
    let contacts = table.column_by_name("contacts").unwrap().as_list::<i32>();
    let lengths: Vec<_> = (0..3).map(|row| contacts.value_length(row)).collect();
    assert_eq!(lengths, [6, 0, 1]);
    let last = contacts.value(2);
    let names = |name| {
        let column = last.as_struct().column_by_name(name).unwrap();
        column.as_string::<i32>().value(0).to_owned()
    };
    assert_eq!(
        (names("a"), names("b")),
        ("right/tip".into(), "cube".into())
    );
}

#[test]
fn a_run_without_frames_has_all_columns() {
    let (table, header) = table("no-rows", &[]);
    assert_eq!(table.num_rows(), 0);
    assert!(header.contains(r#""scene":"cube""#), "{header}");
    assert!(header.contains(r#""units""#), "{header}");
    let schema = table.schema();
    let names: Vec<&str> = schema.fields().iter().map(|f| f.name().as_str()).collect();
    assert_eq!(names[..2], ["time", "step"]);
    assert_eq!(
        names[2..5],
        ["position_x/table", "position_y/table", "position_z/table"]
    );
    assert_eq!(names[5], "orientation_w/table");
    assert_eq!(names[9], "velocity_x/table");
    assert_eq!(names[12], "angular_velocity_x/table");
    let rest = [
        "joint_position/slide",
        "joint_velocity/slide",
        "joint_effort/slide",
        "energy/kinetic",
        "energy/potential",
        "energy/contact",
        "energy/joints",
        "energy/put_in",
        "energy/lost",
        "sensor/wrist (N)",
        "normal_force/left",
        "friction_force/left",
        "normal_force/right",
        "friction_force/right",
        "largest/normal_force",
        "largest/depth",
        "object/normal_force",
        "object/drift",
        "object/rotation",
        "object/kinetic_energy",
        "object/expected_kinetic_energy",
        "contacts/left",
        "contacts/right",
        "contacts",
    ];
    assert_eq!(names[2 + 5 * 13..], rest);
}
