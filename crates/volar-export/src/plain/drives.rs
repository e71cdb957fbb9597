//! What drives joints and ties them together.

use volar_dynamics::Actuator;
use volar_robots::ClosureKind as RobotClosure;
use volar_scene::{SceneRobot, Setup};
use volar_sim::BodyId;

use super::bodies::joint_name;
use super::over_time::Timeline;
use super::{Closure, ClosureKind, Coupling, Drive, DriveKind, Terms, placed};
use crate::Format;
use crate::names::unique;

pub(super) fn drives(setup: &Setup, timeline: &Timeline, to: Format) -> Vec<Drive> {
    let tree = setup.model.tree();
    let actuators = setup.model.controls().joint_forces().actuators();
    let names = actuators.iter().enumerate().map(|(number, _)| {
        let drive = setup.drives.get(number);
        drive.map_or_else(
            || format!("drive {number}"),
            |drive| match drive.actuator.as_str() {
                "" => drive.joint.clone(),
                own => own.to_owned(),
            },
        )
    });
    let names = unique(names);
    let numbered = actuators.iter().enumerate().zip(names);
    numbered
        .map(|((number, (terms, actuator)), name)| {
            let joint = |dof: usize| joint_name(setup, BodyId::new(tree.dof_body(dof)));
            let joints: Terms = terms
                .iter()
                .filter_map(|(dof, c)| Some((joint(*dof)?, *c)))
                .collect();
            let (kind, kp, kd, effort_limit) = match actuator {
                Actuator::Effort(_) => (DriveKind::Effort, 0.0, 0.0, None),
                Actuator::Position {
                    kp,
                    kd,
                    effort_limit,
                    ..
                } => (DriveKind::Position, *kp, *kd, *effort_limit),
                Actuator::Velocity {
                    kd, effort_limit, ..
                } => (DriveKind::Velocity, 0.0, *kd, *effort_limit),
            };
            let is_sum = joints.len() != 1 || joints.iter().any(|(_, c)| !is_one(*c));
            let driven = setup.drives.get(number).map(|drive| drive.joint.clone());
            Drive {
                actuator: (to == Format::Mjcf).then(|| name.clone()),
                sum: driven.filter(|_| is_sum),
                name,
                joints,
                kind,
                command: timeline.command(number),
                kp,
                kd,
                effort_limit,
            }
        })
        .collect()
}

/// Whether a coefficient is one, so that nothing is summed.
pub(crate) fn is_one(c: f64) -> bool {
    (c - 1.0).abs() <= 0.0
}

pub(super) fn couplings(setup: &Setup) -> Vec<Coupling> {
    let robots = setup.robots.iter();
    robots
        .flat_map(|robot| {
            robot.robot.couplings.iter().map(|coupling| Coupling {
                name: format!("{}/{}", robot.name, coupling.name),
                joints: terms(robot, &coupling.terms),
                range: coupling.range,
                stiffness: coupling.stiffness,
                rest: coupling.spring_rest,
                damping: coupling.damping,
            })
        })
        .filter(|c| c.range.is_some() || c.stiffness > 0.0 || c.damping > 0.0)
        .collect()
}

pub(super) fn closures(setup: &Setup) -> Vec<Closure> {
    let mut closures = Vec::new();
    for robot in &setup.robots {
        let name_of = |link: usize| setup.model.name(robot.body(link)).to_owned();
        for closure in &robot.robot.closures {
            let ends = |anchors: &[volar_robots::Anchor; 2]| {
                let [a, b] = anchors;
                let bodies = [name_of(a.link), name_of(b.link)];
                (bodies, [placed(&a.X_LE), placed(&b.X_LE)])
            };
            let kind = match &closure.kind {
                RobotClosure::Connect(anchors) => {
                    let (bodies, frames) = ends(anchors);
                    ClosureKind::Connect { bodies, frames }
                }
                RobotClosure::Weld(anchors) => {
                    let (bodies, frames) = ends(anchors);
                    ClosureKind::Weld { bodies, frames }
                }
                RobotClosure::Joints {
                    follower,
                    leader,
                    reference,
                    polynomial,
                } => ClosureKind::Joints {
                    follower: terms(robot, follower),
                    leader: terms(robot, leader),
                    reference: *reference,
                    polynomial: *polynomial,
                },
            };
            let name = format!("{}/{}", robot.name, closure.name);
            closures.push(Closure { name, kind });
        }
    }
    closures
}

fn terms(robot: &SceneRobot, terms: &[(usize, f64)]) -> Terms {
    let joint = |link: usize| &robot.robot.links[link].joint.name;
    let named = terms.iter();
    named
        .map(|(link, c)| (format!("{}/{}", robot.name, joint(*link)), *c))
        .collect()
}
