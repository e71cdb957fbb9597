//! The unit of angles of a file that does not say.
//!
//! Angles are degrees unless `<compiler angle="radian"/>` says otherwise, and a file that is
//! made to be merged with another leaves that to the other: read alone, its joints move by a
//! degree. Controls of actuators are radians in any file, so a position servo gives it away:
//! when it may aim at many times what its joint reaches, the ranges of joints are radians too.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use crate::error::RobotError;
use crate::xml::Element;

/// Servos of files in degrees aim at their joints' limits, or little beyond; of files in radians
/// that are read as degrees, 57 times as far.
const FAR_BEYOND: f64 = 10.0;

/// Whether a file that does not say means radians: none of its hinges has a limit of more than a
/// turn, in radians, and every position servo of one with limits may aim far beyond them, in
/// degrees.
pub fn means_radians(root: &Element) -> Result<bool, RobotError> {
    let said = root.all("compiler").any(|c| c.get("angle").is_some());
    let mut reach = BTreeMap::new();
    for world in root.all("worldbody") {
        hinges(world, &mut reach)?;
    }
    if said || reach.values().any(|far| *far > TAU) {
        return Ok(false);
    }
    let mut servos = 0;
    for servo in root.all("actuator").flat_map(|all| all.all("position")) {
        let joint = servo.get("joint").and_then(|name| reach.get(name));
        if let (Some(reach), Some(aims)) = (joint, servo.range("ctrlrange")?) {
            if farthest(aims) <= FAR_BEYOND * reach.to_radians() {
                return Ok(false);
            }
            servos += 1;
        }
    }
    Ok(servos > 0)
}

/// How far from zero the limits of hinges with names are, in the numbers of the file.
fn hinges<'a>(body: &'a Element, reach: &mut BTreeMap<&'a str, f64>) -> Result<(), RobotError> {
    for joint in body.all("joint") {
        let hinge = joint.get("type").is_none_or(|kind| kind == "hinge");
        if let (true, Some(name), Some(range)) = (hinge, joint.get("name"), joint.range("range")?) {
            reach.insert(name, farthest(range));
        }
    }
    body.all("body").try_for_each(|body| hinges(body, reach))
}

fn farthest([low, high]: [f64; 2]) -> f64 {
    low.abs().max(high.abs())
}
