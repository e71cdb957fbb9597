//! Robots as JSON; the keys are documented in the command's help.

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;
use volar_robots::{Actuator, Closure, ClosureKind, Link, NoteKind, Robot};
use volar_scene::hand::Anatomy;

use super::{Inspected, Outcome};

#[derive(Serialize)]
struct Report<'a> {
    files: Vec<FileReport<'a>>,
}

#[derive(Serialize)]
struct FileReport<'a> {
    file: String,
    error: Option<String>,
    #[serde(flatten)]
    robot: Option<RobotReport<'a>>,
}

#[derive(Serialize)]
struct RobotReport<'a> {
    format: String,
    name: &'a str,
    links: Vec<LinkReport<'a>>,
    actuators: Vec<ActuatorReport<'a>>,
    tendons: Vec<TendonReport<'a>>,
    closures: Vec<ClosureReport<'a>>,
    hand: Option<HandReport<'a>>,
    contact_pairs: Vec<(usize, usize)>,
    triangles: Option<usize>,
    poses: [PoseReport; 2],
    notes: Vec<NoteReport<'a>>,
}

#[derive(Serialize)]
struct LinkReport<'a> {
    name: &'a str,
    parent: Option<usize>,
    joint: &'a str,
    kind: String,
    axis: [f64; 3],
    rotation: [f64; 9],
    position: [f64; 3],
    /// Where the file's own frame of the body is in the link's.
    body_offset: [f64; 3],
    initial: &'a [f64],
    mass: f64,
    centre_of_mass: [f64; 3],
    inertia: [f64; 9],
    intermediate: bool,
    limits: Option<[f64; 2]>,
    damping: f64,
    armature: f64,
    friction: f64,
    stiffness: f64,
}

#[derive(Serialize)]
struct ActuatorReport<'a> {
    name: &'a str,
    kind: String,
    gain: f64,
    bias: [f64; 3],
    gear: f64,
    force: Option<[f64; 2]>,
    control: Option<[f64; 2]>,
}

#[derive(Serialize)]
struct TendonReport<'a> {
    name: &'a str,
    /// Pairs of link and coefficient.
    terms: &'a [(usize, f64)],
    range: Option<[f64; 2]>,
}

#[derive(Serialize)]
struct ClosureReport<'a> {
    name: &'a str,
    /// connect, weld or joints.
    kind: &'static str,
    /// Links that it relates; of joints the followers, then the leaders.
    links: Vec<usize>,
}

/// What `volar hand new` would propose.
#[derive(Serialize)]
struct HandReport<'a> {
    palm: &'a str,
    /// Names of links by finger.
    fingers: BTreeMap<String, Vec<String>>,
}

#[derive(Serialize)]
struct PoseReport {
    coordinates: Vec<f64>,
    /// Of every body: rotation, then position.
    bodies: Vec<([f64; 9], [f64; 3])>,
}

#[derive(Serialize)]
struct NoteReport<'a> {
    kind: &'static str,
    what: &'a str,
    detail: &'a str,
    names: &'a [String],
}

/// One object with all files in it.
pub fn of(outcomes: &[Outcome]) -> io::Result<String> {
    let files = outcomes.iter().map(|outcome| FileReport {
        file: outcome.file.display().to_string(),
        error: outcome.result.as_ref().err().map(ToString::to_string),
        robot: outcome.result.as_ref().ok().map(report),
    });
    let report = Report {
        files: files.collect(),
    };
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}

fn closure(closure: &Closure) -> ClosureReport<'_> {
    let (kind, links) = match &closure.kind {
        ClosureKind::Connect(ends) => ("connect", ends.map(|end| end.link).to_vec()),
        ClosureKind::Weld(ends) => ("weld", ends.map(|end| end.link).to_vec()),
        ClosureKind::Joints {
            follower, leader, ..
        } => {
            let terms = follower.iter().chain(leader);
            ("joints", terms.map(|(link, _)| *link).collect())
        }
    };
    ClosureReport {
        name: &closure.name,
        kind,
        links,
    }
}

fn report(inspected: &Inspected) -> RobotReport<'_> {
    let robot = &inspected.robot;
    let notes = inspected.report.notes.iter();
    RobotReport {
        format: inspected.report.format.to_string(),
        name: &robot.name,
        links: robot.links.iter().map(link).collect(),
        actuators: robot.actuators.iter().map(actuator).collect(),
        closures: robot.closures.iter().map(closure).collect(),
        tendons: robot
            .couplings
            .iter()
            .map(|coupling| TendonReport {
                name: &coupling.name,
                terms: &coupling.terms,
                range: coupling.range,
            })
            .collect(),
        hand: Anatomy::of(robot).map(|anatomy| HandReport {
            palm: &robot.links[anatomy.palm].name,
            fingers: anatomy.by_name(robot),
        }),
        contact_pairs: robot.touching_links(),
        triangles: inspected.triangles.as_ref().ok().copied(),
        poses: [robot.initial(), other_coordinates(robot)].map(|q| poses(robot, q)),
        notes: notes
            .map(|note| NoteReport {
                kind: match note.kind {
                    NoteKind::Unsupported => "unsupported",
                    NoteKind::Changed => "changed",
                    NoteKind::Ignored => "ignored",
                },
                what: &note.what,
                detail: &note.detail,
                names: &note.names,
            })
            .collect(),
    }
}

fn link(link: &Link) -> LinkReport<'_> {
    let inertial = link.inertial;
    LinkReport {
        name: &link.name,
        parent: link.parent,
        joint: &link.joint.name,
        kind: format!("{:?}", link.joint.kind),
        axis: link.joint.axis.to_array(),
        rotation: link.X_PJ.R.to_cols_array(),
        position: link.X_PJ.p.to_array(),
        body_offset: link.X_LB.p.to_array(),
        initial: &link.joint.initial,
        mass: inertial.map_or(0.0, |m| m.mass),
        centre_of_mass: inertial.map_or([0.0; 3], |m| m.centre_of_mass.to_array()),
        inertia: inertial.map_or([0.0; 9], |m| m.inertia.to_cols_array()),
        intermediate: link.intermediate,
        limits: link.joint.limits,
        damping: link.joint.damping,
        armature: link.joint.armature,
        friction: link.joint.friction,
        stiffness: link.joint.stiffness,
    }
}

fn actuator(actuator: &Actuator) -> ActuatorReport<'_> {
    ActuatorReport {
        name: &actuator.name,
        kind: format!("{:?}", actuator.law.kind()),
        gain: actuator.law.gain,
        bias: actuator.law.bias,
        gear: actuator.gear,
        force: actuator.force_range,
        control: actuator.control_range,
    }
}

fn poses(robot: &Robot, coordinates: Vec<f64>) -> PoseReport {
    let poses = robot.link_poses(&coordinates);
    let bodies = poses.iter().zip(&robot.links).map(|(X_WL, link)| {
        let X_WB = X_WL.compose(&link.X_LB);
        (X_WB.R.to_cols_array(), X_WB.p.to_array())
    });
    PoseReport {
        bodies: bodies.collect(),
        coordinates,
    }
}

/// Coordinates away from the start, the same every time.
fn other_coordinates(robot: &Robot) -> Vec<f64> {
    let start = robot.initial();
    let steps = start.iter().enumerate();
    steps
        .map(|(i, q)| q + 0.3 * (1.0 + 7.3 * i as f64).sin())
        .collect()
}
