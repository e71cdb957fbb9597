//! Grasps to write and read back.

use std::path::Path;

use glam::DVec3;
use volar_grasps::{
    BadRow, Grasp, GraspList, Header, Holds, ObjectInfo, Posture, ReadOptions, Row,
};
use volar_math::{Pose, rotation};

/// Rounding of a quaternion and of a matrix made of it.
pub const ROUNDING: f64 = 1.0e-15;

pub fn pose(k: usize) -> Pose {
    let k = k as f64;
    Pose {
        R: rotation::about(DVec3::new(0.6, 0.0, 0.8), 0.7 * k) * rotation::about_x(0.3 - k),
        p: DVec3::new(0.1 + 0.01 * k, -0.02 * k, 1.0 / 3.0),
    }
}

pub fn header() -> Header {
    Header {
        hand: Some("hand.toml".into()),
        object: ObjectInfo {
            file: Some("mugs/mug, red.obj".into()),
            scale: Some(0.001),
            mass: Some(0.1),
            friction: Some(0.6),
        },
        joints: vec!["thumb".into(), "index, first".into()],
        holds: Holds {
            pregrasp: true,
            grasp: true,
            squeeze: true,
            poses: true,
        },
    }
}

/// Rows with all, some and none of what a row may have, and one that is no grasp.
pub fn rows() -> Vec<Row> {
    let posture = |a: f64| Posture {
        joints: vec![a, 0.1 * a],
        X_OH: None,
    };
    let whole = Grasp {
        pregrasp: Some(Posture {
            X_OH: Some(pose(7)),
            ..posture(0.1)
        }),
        grasp: Some(posture(0.7)),
        squeeze: Some(posture(0.9)),
        width: Some(0.04),
        scale: Some(0.06),
        label: Some(true),
        score: Some(-1.5),
        ..Grasp::at(pose(1))
    };
    let some = Grasp {
        label: Some(false),
        ..Grasp::at(pose(2))
    };
    let bad = BadRow {
        row: 2,
        reason: "it has, alas, no \"pose\"".into(),
    };
    vec![Ok(whole), Ok(some), Err(bad), Ok(Grasp::at(pose(3)))]
}

pub fn read(path: &Path) -> (Header, Vec<Row>) {
    read_with(path, &ReadOptions::default())
}

pub fn read_with(path: &Path, options: &ReadOptions) -> (Header, Vec<Row>) {
    let mut list = GraspList::open(path, options).unwrap();
    let rows = list.by_ref().collect();
    (list.header, rows)
}

pub fn refusal(path: &Path) -> String {
    GraspList::open(path, &ReadOptions::default())
        .unwrap_err()
        .to_string()
}

/// Asserts that rows are the same but for rounding in their rotations.
#[track_caller]
pub fn assert_same(a: &[Row], b: &[Row], within: f64) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        match (a, b) {
            (Ok(a), Ok(b)) => {
                assert!(poses_differ(&a.X_OH, &b.X_OH) <= within, "{a:?}\n{b:?}");
                let strip = |grasp: &Grasp| {
                    let mut plain = Grasp {
                        X_OH: Pose::IDENTITY,
                        ..grasp.clone()
                    };
                    for stage in volar_grasps::Stage::ALL {
                        if let Some(posture) = plain.posture_mut(stage) {
                            posture.X_OH = posture.X_OH.map(|_| Pose::IDENTITY);
                        }
                    }
                    plain
                };
                assert_eq!(strip(a), strip(b));
                for stage in volar_grasps::Stage::ALL {
                    let own = |grasp: &Grasp| grasp.posture(stage).and_then(|p| p.X_OH);
                    if let (Some(a), Some(b)) = (own(a), own(b)) {
                        assert!(poses_differ(&a, &b) <= within, "{a:?}\n{b:?}");
                    }
                }
            }
            (a, b) => assert_eq!(a, b),
        }
    }
}

pub fn poses_differ(a: &Pose, b: &Pose) -> f64 {
    let R = (a.R - b.R).to_cols_array();
    let p = (a.p - b.p).to_array();
    R.iter().chain(&p).fold(0.0, |most, x| most.max(x.abs()))
}
