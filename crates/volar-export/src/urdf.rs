//! URDF: one file for each robot and each single body.
//!
//! URDF has links and joints in one tree, without friction of surfaces, actuators, closed
//! chains (but mimic joints) or pairs that do not touch. A body on a rail hangs on a link
//! `world` of its file.

use glam::DVec3;
use volar_scene::Setup;

use crate::ExportError;
use crate::files::Described;
use crate::format::Parts;
use crate::plain::{Body, Closure, ClosureKind, Held, Joint, JointKind, Schedule, is_one};
use crate::turns::roll_pitch_yaw;
use crate::xml::{Xml, numbers};

/// Limits of slides that have none, m.
const ENDLESS: f64 = 1.0e3;

pub(crate) fn describe(
    schedule: &Schedule,
    setup: &Setup,
    parts: &Parts,
) -> Result<Described, ExportError> {
    let mut files = Vec::new();
    for (robot, file) in setup.robots.iter().zip(&parts.robots) {
        let own = |body: &&Body| body.robot.as_ref() == Some(&robot.name);
        let links: Vec<&Body> = schedule.bodies.iter().filter(own).collect();
        check_base(&links)?;
        let text = text(schedule, &robot.name, &links);
        files.push((format!("{file}.urdf"), text));
    }
    let single = schedule.bodies.iter().filter(|body| body.robot.is_none());
    for (body, file) in single.zip(&parts.bodies) {
        files.push((format!("{file}.urdf"), text(schedule, &body.name, &[body])));
    }
    Ok(Described {
        files,
        parts: Vec::new(),
        not_said: not_said(schedule),
    })
}

/// A base that floats is the root of a URDF; below a world of its own it has no place.
fn check_base(links: &[&Body]) -> Result<(), ExportError> {
    let in_world = links.first().is_some_and(|root| root.is_world);
    let free = links.iter().find(|body| body.held == Held::Free);
    match free.filter(|_| in_world) {
        Some(body) => Err(ExportError::CannotSay {
            format: "URDF",
            what: format!("`{}` is free in the world of its robot's file", body.name),
            remedy: "export to mjcf, or make it a [[body]] or a robot of its own",
        }),
        None => Ok(()),
    }
}

/// A prismatic joint without limits: URDF has none (revolute ones are `continuous`), and Bullet
/// refuses it.
fn is_endless_slide(joint: &Joint) -> bool {
    joint.kind == JointKind::Prismatic && joint.limits.is_none()
}

fn text(schedule: &Schedule, name: &str, links: &[&Body]) -> String {
    let mut xml = Xml::new("Written by `volar export`; schedule.json says what happens when.");
    xml.open("robot", &[("name", name.to_owned())]);
    let root = links.first().filter(|body| body.held == Held::Joint);
    if root.is_some() {
        xml.leaf("link", &[("name", "world".into())]);
    }
    for body in links {
        link(&mut xml, body);
        let joint_of = schedule.joint_of(body);
        let parent = body.parent.as_ref().and_then(|p| schedule.body(p));
        if parent.is_some() || root.is_some() {
            let parent = parent.map_or("world", |parent| &parent.name_in_file);
            joint(&mut xml, schedule, body, joint_of, parent);
        }
    }
    xml.finish()
}

fn link(xml: &mut Xml, body: &Body) {
    xml.open("link", &[("name", body.name_in_file.clone())]);
    if body.mass > 0.0 {
        let [xx, yy, zz, xy, xz, yz] = body.inertia;
        xml.open("inertial", &[]);
        xml.leaf("origin", &[("xyz", numbers(body.centre_of_mass))]);
        xml.leaf("mass", &[("value", body.mass.to_string())]);
        let entries = [
            ("ixx", xx),
            ("iyy", yy),
            ("izz", zz),
            ("ixy", xy),
            ("ixz", xz),
            ("iyz", yz),
        ];
        xml.leaf("inertia", &entries.map(|(name, x)| (name, x.to_string())));
        xml.close();
    }
    if let Some(mesh) = &body.mesh {
        for tag in ["visual", "collision"] {
            xml.open(tag, &[]);
            xml.open("geometry", &[]);
            xml.leaf("mesh", &[("filename", mesh.file.clone())]);
            xml.close();
            xml.close();
        }
    }
    xml.close();
}

fn joint(xml: &mut Xml, schedule: &Schedule, body: &Body, own: Option<&Joint>, parent: &str) {
    let kind = match own {
        None => "fixed",
        Some(joint) => match (joint.kind, joint.limits) {
            (JointKind::Revolute, Some(_)) => "revolute",
            (JointKind::Revolute, None) => "continuous",
            (JointKind::Prismatic, _) => "prismatic",
            (JointKind::Ball, _) => "spherical",
            (JointKind::Planar, _) => "planar",
            (JointKind::Free, _) => "floating",
        },
    };
    let name = match own {
        Some(joint) => joint.name_in_file.clone(),
        None => format!("{} weld", body.name_in_file),
    };
    xml.open("joint", &[("name", name), ("type", kind.to_owned())]);
    xml.leaf("parent", &[("link", parent.to_owned())]);
    xml.leaf("child", &[("link", body.name_in_file.clone())]);
    let X_PJ = &body.X_PJ;
    let (p, rpy) = (X_PJ.p.to_array(), roll_pitch_yaw(&X_PJ.R));
    xml.leaf("origin", &[("xyz", numbers(p)), ("rpy", numbers(rpy))]);
    if let Some(joint) = own {
        let plane = (joint.kind == JointKind::Planar).then_some(DVec3::Z.to_array());
        if let Some(axis) = joint.axis.or(plane) {
            xml.leaf("axis", &[("xyz", numbers(axis))]);
        }
        let mut limit = Vec::new();
        let endless = is_endless_slide(joint).then_some([-ENDLESS, ENDLESS]);
        if let Some([low, high]) = joint.limits.or(endless) {
            limit.push(("lower", low.to_string()));
            limit.push(("upper", high.to_string()));
        }
        let effort = joint.effort_limit.map(|[low, high]| high.max(-low));
        limit.extend(effort.map(|effort| ("effort", effort.to_string())));
        limit.extend(joint.speed_limit.map(|v| ("velocity", v.to_string())));
        if !limit.is_empty() {
            xml.leaf("limit", &limit);
        }
        if joint.damping > 0.0 || joint.friction > 0.0 {
            let (damping, friction) = (joint.damping.to_string(), joint.friction.to_string());
            xml.leaf("dynamics", &[("damping", damping), ("friction", friction)]);
        }
        if let Some((leader, multiplier, offset)) = mimic(schedule, joint) {
            let (multiplier, offset) = (multiplier.to_string(), offset.to_string());
            xml.leaf(
                "mimic",
                &[
                    ("joint", leader),
                    ("multiplier", multiplier),
                    ("offset", offset),
                ],
            );
        }
    }
    xml.close();
}

/// The joint that a joint follows along a straight line, with factor and offset.
fn mimic(schedule: &Schedule, joint: &Joint) -> Option<(String, f64, f64)> {
    let mut closures = schedule.closures.iter();
    let (leader, multiplier, offset) = closures.find_map(|closure| {
        let (follower, leader, multiplier, offset) = line(closure)?;
        (follower == joint.name).then_some((leader, multiplier, offset))
    })?;
    let leader = schedule.joints.iter().find(|joint| joint.name == leader)?;
    Some((leader.name_in_file.clone(), multiplier, offset))
}

/// Follower, leader, factor and offset of a closure that URDF can say.
fn line(closure: &Closure) -> Option<(&str, &str, f64, f64)> {
    let ClosureKind::Joints {
        follower,
        leader,
        reference: [y0, x0],
        polynomial: [p0, p1, bends @ ..],
    } = &closure.kind
    else {
        return None;
    };
    let straight = bends.iter().all(|c| c.abs() <= 0.0);
    match (&follower[..], &leader[..]) {
        ([(y, c)], [(x, d)]) if straight && is_one(*c) && is_one(*d) => {
            Some((y, x, *p1, y0 + p0 - p1 * x0))
        }
        _ => None,
    }
}

/// What neither URDF nor SDF says.
pub(crate) fn not_in_trees(schedule: &Schedule, format: &str) -> Vec<String> {
    let mut said = vec![format!(
        "{format} says nothing of gravity over time, start and drives of joints, loads, and \
         what is grasped: schedule.json has them."
    )];
    if !schedule.motions.is_empty() {
        said.push("Bodies move as prescribed: `motions` of schedule.json.".into());
    }
    if !schedule.contact.excluded.is_empty() {
        said.push("Pairs of bodies that do not touch: `excluded` of `contact`.".into());
    }
    if schedule.joints.iter().any(|joint| joint.armature > 0.0) {
        said.push("Rotor inertias: `armature` of the joints.".into());
    }
    for coupling in &schedule.couplings {
        let name = &coupling.name;
        said.push(format!(
            "The tendon `{name}` is missing: `couplings` has it."
        ));
    }
    for (number, drive) in schedule.drives.iter().enumerate() {
        let name = &drive.name;
        if drive.sum.is_some() {
            said.push(format!(
                "`{name}` drives a tendon: `drives` has the sum of joints; scene.toml goes without."
            ));
        } else if schedule.has_no_joint(number) {
            said.push(format!(
                "`{name}` is the second drive of its joint: `drives` has it; scene.toml goes without."
            ));
        }
        if drive
            .effort_limit
            .is_some_and(|[low, high]| low + high != 0.0)
        {
            said.push(format!(
                "`{name}` pushes harder one way than the other: `effort_limit` of `drives`; \
                 scene.toml has the larger."
            ));
        }
    }
    for joint in &schedule.joints {
        if joint
            .effort_limit
            .is_some_and(|[low, high]| low + high != 0.0)
        {
            said.push(format!(
                "`{}` bears more one way than the other: `effort_limit` of `joints`; the file has \
                 the larger.",
                joint.name
            ));
        }
    }
    said
}

fn not_said(schedule: &Schedule) -> Vec<String> {
    let mut said = not_in_trees(schedule, "URDF");
    said.push("URDF says nothing of friction and hardness of surfaces: `material` of the bodies and `contact`.".into());
    for closure in schedule.closures.iter().filter(|c| line(c).is_none()) {
        let name = &closure.name;
        said.push(format!(
            "The closed chain or relation `{name}` is missing: `closures` has it."
        ));
    }
    for joint in schedule.joints.iter().filter(|j| is_endless_slide(j)) {
        said.push(format!(
            "`{}` slides without limits: URDF wants some, and has {ENDLESS} m both ways.",
            joint.name
        ));
    }
    for joint in schedule
        .joints
        .iter()
        .filter(|joint| joint.spring.is_some())
    {
        said.push(format!(
            "`{}` has a spring: `spring` of the joint.",
            joint.name
        ));
    }
    for joint in schedule.joints.iter().filter(|j| j.kind == JointKind::Ball) {
        said.push(format!(
            "`{}` is a ball joint: type=\"spherical\", which some readers of URDF know.",
            joint.name
        ));
    }
    said
}
