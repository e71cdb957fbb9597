//! Whether what moves has mass, and an inertia that a solid can have.

use glam::{DMat3, DVec3};
use volar_geom::mesh::mass::MassProperties;

use crate::error::{Place, RobotError};
use crate::report::{ImportReport, NoteKind};
use crate::robot::{JointKind, Robot};

/// Where a link comes from.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// The link or body.
    pub place: Box<Place>,
    /// Where the file gives its inertia.
    pub inertia: Option<Box<Place>>,
    /// Where the file says that its mass is zero: the element and the text.
    pub zero_mass: Option<(Box<Place>, String)>,
}

/// Refuses bodies that move without mass. A zero mass on a link that is
/// welded to a heavier one or does not move is noted; so is a link that has
/// none but carries some, such as those between the slides and hinges on which
/// a file mounts a hand that is to float.
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
            if !heavy && carried[b] <= 0.0 {
                return Err(RobotError::BadMass {
                    place: place.clone(),
                    attribute: "mass".into(),
                    value: value.clone(),
                });
            }
            let detail = match heavy {
                true => "it does not move or is part of a heavier body: taken as without mass",
                false => "it moves without mass of its own; what it carries has some",
            };
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

/// Rounding that an inertia may have, relative to its largest entry: files
/// give six digits.
const SLACK: f64 = 1e-6;

/// Puts the inertia of a ball in the place of one that breaks the triangle
/// inequality: a third of the trace about every axis, as MuJoCo's
/// `balanceinertia` does. One with a negative moment is refused.
pub(crate) fn check_inertias(
    robot: &mut Robot,
    origins: &[Origin],
    report: &mut ImportReport,
) -> Result<(), RobotError> {
    for (link, origin) in robot.links.iter_mut().zip(origins) {
        let Some(mass) = &mut link.inertial else {
            continue;
        };
        if is_possible(mass) {
            continue;
        }
        let place = origin.inertia.as_ref().unwrap_or(&origin.place);
        let trace = mass.inertia.x_axis.x + mass.inertia.y_axis.y + mass.inertia.z_axis.z;
        if !is_positive(mass.inertia, largest(mass.inertia)) {
            return Err(RobotError::BadInertia {
                place: place.clone(),
                link: link.name.clone(),
            });
        }
        mass.inertia = DMat3::from_diagonal(DVec3::splat(trace / 3.0));
        let detail = "no solid has it: that of a ball with its trace stands in";
        let name = link.name.clone();
        report.add(NoteKind::Changed, "inertia balanced", detail, name);
    }
    Ok(())
}

/// Whether an inertia I is that of some mass: `∫ xxᵀ = ½ tr I − I` has no
/// negative principal value. That holds for I itself then.
fn is_possible(mass: &MassProperties) -> bool {
    let I = mass.inertia;
    let half_trace = 0.5 * (I.x_axis.x + I.y_axis.y + I.z_axis.z);
    let S = DMat3::from_diagonal(DVec3::splat(half_trace)) - I;
    largest(I) <= 0.0 || is_positive(S, largest(I))
}

/// Whether no principal value is negative, up to rounding of entries of a size:
/// by the leading minors.
fn is_positive(S: DMat3, size: f64) -> bool {
    let S = S + DMat3::from_diagonal(DVec3::splat(SLACK * size));
    let two = S.x_axis.x * S.y_axis.y - S.x_axis.y * S.y_axis.x;
    S.x_axis.x > 0.0 && two > 0.0 && S.determinant() > 0.0
}

fn largest(I: DMat3) -> f64 {
    let entries = I.to_cols_array();
    entries.iter().fold(0.0_f64, |m, v| m.max(v.abs()))
}
