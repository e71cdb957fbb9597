//! Robots in words: one line per link, actuator and coupling.

use std::fmt::Write;

use volar_robots::{Drives, Link, Robot};
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
        "{} `{}`: {} links, {} degrees of freedom, {} actuators, {} couplings, {} pairs of links that may touch, {} keyframes",
        report.format,
        robot.name,
        robot.links.len(),
        robot.nv(),
        robot.actuators.len(),
        robot.couplings.len(),
        robot.touching_links().len(),
        robot.keyframes.len(),
    )?;
    for (number, link) in robot.links.iter().enumerate() {
        writeln!(out, "  {number} {}", line_of(link))?;
    }
    for actuator in &robot.actuators {
        let drives = match actuator.drives {
            Drives::Joint(link) => format!("joint `{}`", robot.links[link].joint.name),
            Drives::Coupling(coupling) => format!("coupling `{}`", robot.couplings[coupling].name),
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
            "  coupling `{}`: {}{}",
            coupling.name,
            sum(robot, &coupling.terms, coupling.offset),
            range(",", coupling.range)
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
fn sum(robot: &Robot, terms: &[(usize, f64)], offset: f64) -> String {
    let mut parts: Vec<String> = terms
        .iter()
        .map(|(link, factor)| format!("{factor} `{}`", robot.links[*link].joint.name))
        .collect();
    if offset != 0.0 {
        parts.push(offset.to_string());
    }
    parts.join(" + ")
}
