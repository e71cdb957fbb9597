//! Robots in words: one line per link, actuator, tendon and closed chain.

use std::fmt::Write;

use volar_robots::{Anchor, ClosureKind, Drives, Link, Robot};
use volar_scene::hand::Anatomy;

use super::{Inspected, Outcome};

/// Text for people; files that were not read have none.
pub fn of(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for outcome in outcomes {
        if let Ok(inspected) = &outcome.result {
            // A string takes whatever is written to it.
            let _ = robot(&mut text, inspected);
        }
    }
    text
}

fn robot(out: &mut String, inspected: &Inspected) -> std::fmt::Result {
    let Inspected {
        robot,
        report,
        triangles,
    } = inspected;
    writeln!(
        out,
        "{} `{}`: {} links, {} degrees of freedom, {} actuators, {} tendons, {} closed chains and followers, {} pairs of links that may touch, {} keyframes",
        report.format,
        robot.name,
        robot.links.len(),
        robot.nv(),
        robot.actuators.len(),
        robot.couplings.len(),
        robot.closures.len(),
        robot.touching_links().len(),
        robot.keyframes.len(),
    )?;
    for (number, link) in robot.links.iter().enumerate() {
        writeln!(out, "  {number} {}", line_of(link))?;
    }
    for actuator in &robot.actuators {
        let drives = match actuator.drives {
            Drives::Joint(link) => format!("joint `{}`", robot.links[link].joint.name),
            Drives::Coupling(coupling) => format!("tendon `{}`", robot.couplings[coupling].name),
        };
        writeln!(
            out,
            "  actuator `{}`: {:?} on {drives}{}{}",
            actuator.name,
            actuator.law.kind(),
            range(", force", actuator.force_range),
            range(", control", actuator.control_range),
        )?;
    }
    for coupling in &robot.couplings {
        writeln!(
            out,
            "  tendon `{}`: {}{}",
            coupling.name,
            sum(robot, &coupling.terms),
            range(",", coupling.range)
        )?;
    }
    for closure in &robot.closures {
        writeln!(
            out,
            "  `{}`: {}",
            closure.name,
            relation(robot, &closure.kind)
        )?;
    }
    if let Some(anatomy) = Anatomy::of(robot) {
        for (finger, links) in anatomy.by_name(robot) {
            writeln!(out, "  finger `{finger}`, proposed: {}", links.join(", "))?;
        }
    }
    match triangles {
        Ok(triangles) => writeln!(out, "  {triangles} triangles in shapes that can touch")?,
        Err(error) => writeln!(out, "  not usable for contact: {error}")?,
    }
    writeln!(out, "{report}")
}

fn line_of(link: &Link) -> String {
    let parent = link.parent.map_or(String::new(), |p| format!(" on {p}"));
    let mass = link.inertial.map_or(0.0, |inertial| inertial.mass);
    format!(
        "{}{parent}: {:?} `{}`{}, {mass} kg, {} shapes that can touch, {} visuals",
        link.name,
        link.joint.kind,
        link.joint.name,
        range("", link.joint.limits),
        link.collisions.len(),
        link.visuals.len(),
    )
}

/// ` from A to B` after a word; nothing without a range.
fn range(word: &str, range: Option<[f64; 2]>) -> String {
    range.map_or(String::new(), |[low, high]| {
        format!("{word} from {low} to {high}")
    })
}

/// A weighted sum of joint coordinates.
fn sum(robot: &Robot, terms: &[(usize, f64)]) -> String {
    let parts: Vec<String> = terms
        .iter()
        .map(|(link, factor)| format!("{factor} `{}`", robot.links[*link].joint.name))
        .collect();
    parts.join(" + ")
}

fn relation(robot: &Robot, kind: &ClosureKind) -> String {
    let links = |ends: &[Anchor; 2]| ends.map(|end| robot.links[end.link].name.clone());
    match kind {
        ClosureKind::Connect(ends) => format!("a point of {}", links(ends).join(" and ")),
        ClosureKind::Weld(ends) => format!("{} welded", links(ends).join(" and ")),
        ClosureKind::Joints {
            follower,
            leader,
            reference: [y0, x0],
            polynomial,
        } => {
            let (y, x) = (sum(robot, follower), sum(robot, leader));
            format!("{y} − {y0} = p({x} − {x0}), p with the coefficients {polynomial:?}")
        }
    }
}
