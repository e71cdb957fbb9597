//! Robot files.

use std::path::PathBuf;

use pyo3::prelude::*;
use volar::robot::{LoadOptions, NoteKind, load};

use crate::guard::detached;

/// Name, kind, limits (rad or m).
type JointRow = (String, String, Option<[f64; 2]>);

/// Kind of note, what it is about, what was done.
type NoteRow = (&'static str, String, String);

/// Name, names of links, joints that move, names of actuators, notes.
type RobotRow = (
    String,
    Vec<String>,
    Vec<JointRow>,
    Vec<String>,
    Vec<NoteRow>,
);

/// What is in a URDF, MJCF or SDF file.
#[pyfunction]
pub fn inspect(py: Python<'_>, path: PathBuf, packages: Vec<PathBuf>) -> PyResult<RobotRow> {
    detached(py, || {
        let options = LoadOptions { packages };
        let (robot, report) = load(&path, &options)?;
        let joints = robot.links.iter().filter(|link| link.joint.kind.nv() > 0);
        let joints = joints.map(|link| {
            let kind = format!("{:?}", link.joint.kind).to_lowercase();
            (link.joint.name.clone(), kind, link.joint.limits)
        });
        let notes = report.notes.iter().map(|note| {
            let kind = match note.kind {
                NoteKind::Unsupported => "unsupported",
                NoteKind::Changed => "changed",
                NoteKind::Ignored => "ignored",
            };
            (kind, note.what.clone(), note.detail.clone())
        });
        Ok((
            robot.name.clone(),
            robot.links.iter().map(|link| link.name.clone()).collect(),
            joints.collect(),
            robot.actuators.iter().map(|a| a.name.clone()).collect(),
            notes.collect(),
        ))
    })
}
