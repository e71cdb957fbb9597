//! Whether what moves has mass.

use crate::error::{Place, RobotError};
use crate::report::{ImportReport, NoteKind};
use crate::robot::{JointKind, Robot};

/// Where a link comes from.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// The link or body.
    pub place: Box<Place>,
    /// Where the file says that its mass is zero: the element and the text.
    pub zero_mass: Option<(Box<Place>, String)>,
}

/// Refuses bodies that move without mass. A zero mass on a link that is
/// welded to a heavier one or does not move is noted; so is a link that has
/// none but carries some.
pub(crate) fn check_masses(
    robot: &Robot,
    origins: &[Origin],
    report: &mut ImportReport,
) -> Result<(), RobotError> {
    let count = robot.links.len();
    let mut body: Vec<usize> = (0..count).collect();
    let mut moves = vec![false; count];
    for (i, link) in robot.links.iter().enumerate() {
        let fixed = link.joint.kind == JointKind::Fixed;
        if let Some(parent) = link.parent {
            moves[i] = moves[parent] || !fixed;
            if fixed {
                body[i] = body[parent];
            }
        } else {
            moves[i] = !fixed;
        }
    }
    // Mass of each welded body, and of all that it carries.
    let mut own = vec![0.0; count];
    let mut carried = vec![0.0; count];
    for (i, link) in robot.links.iter().enumerate().rev() {
        let mass = link.inertial.as_ref().map_or(0.0, |inertial| inertial.mass);
        own[body[i]] += mass;
        carried[i] += mass;
        if let Some(parent) = link.parent {
            carried[parent] += carried[i];
        }
    }
    for i in 0..count {
        let b = body[i];
        let heavy = !moves[i] || own[b] > 0.0;
        if let Some((place, value)) = &origins[i].zero_mass {
            if !heavy {
                return Err(RobotError::BadMass {
                    place: place.clone(),
                    attribute: "mass".into(),
                    value: value.clone(),
                });
            }
            let detail = "it does not move or is part of a heavier body: taken as without mass";
            let name = robot.links[i].name.clone();
            report.add(NoteKind::Changed, "mass of zero", detail, name);
        } else if !heavy && i == b && !robot.links[i].intermediate {
            let (place, name) = (origins[i].place.clone(), robot.links[i].name.clone());
            if carried[b] <= 0.0 {
                return Err(RobotError::NoMass { place });
            }
            let detail = "it moves without mass of its own; what it carries has some";
            report.add(NoteKind::Changed, "link without mass", detail, name);
        }
    }
    Ok(())
}
