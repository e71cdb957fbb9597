//! Grasps of a box with a parallel jaw: which hold is known.
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]
#![allow(non_snake_case)] // frame notation: X_OH

mod forces;
mod protocols;
mod results;

use std::path::{Path, PathBuf};

use glam::{DMat3, DVec3};
use volar_eval::{Noise, Request};
use volar_grasps::{BadRow, Grasp, Header, ReadOptions, Row, write};
use volar_math::{Pose, rotation};
use volar_scene::{Hand, Object, Protocol};
use volar_sweep::{Folder, Sweep, Work, run_missing, write_tables};

/// A gripper of two jaws on slides, as a file in a folder.
fn gripper(folder: &Path) -> PathBuf {
    let file = folder.join("g2p/g2p.urdf");
    if !file.exists() {
        let scene = volar_scene::builtin::find("g2p-cube").unwrap();
        scene.write(&folder.join("g2p")).unwrap();
    }
    file
}

/// The pose at which the middle of a box is at the tool frame, then moved and turned in it.
fn at_tool(hand: &Path, p: [f64; 3], turn: f64) -> Pose {
    let hand = Hand::open(hand, &[]).unwrap();
    let tool = hand.file.tool;
    let X_HT = Pose::from_wxyz(tool.position, tool.orientation).unwrap();
    let X_TO = Pose {
        R: DMat3::from_quat(rotation::exp(DVec3::new(turn, 0.0, 0.0))),
        p: p.into(),
    };
    X_HT.compose(&X_TO).inverse()
}

fn request(folder: &Path, rows: Vec<Row>, protocol: &str) -> Request {
    let grasps = folder.join("grasps.csv");
    write(&grasps, &Header::default(), rows).unwrap();
    Request {
        hand: gripper(folder),
        packages: Vec::new(),
        object: Object::named("box:0.05,0.05,0.05", 1.0).unwrap(),
        scale: None,
        grasps,
        options: ReadOptions::default(),
        protocol: Protocol::open(protocol).unwrap(),
        force: 10.0,
        count: None,
        noise: Noise::default(),
        repeats: 1,
        seed: 1,
        limit_evaluations: None,
    }
}

/// One that holds, one beside the object, a row that is none.
fn rows(hand: &Path) -> Vec<Row> {
    vec![
        Ok(Grasp::at(at_tool(hand, [0.0; 3], 0.3))),
        Ok(Grasp::at(at_tool(hand, [0.0, 0.2, 0.0], 0.0))),
        Err(BadRow {
            row: 2,
            reason: "the quaternion is zero".into(),
        }),
    ]
}

fn run(sweep: &Sweep, path: &Path) -> Folder {
    let folder = Folder::create(path, sweep).unwrap();
    run_missing(sweep, &folder, &Work::default(), &|_| ()).unwrap();
    write_tables(&folder, &sweep.plan).unwrap();
    folder
}
