//! URDF: one `<robot>` of links and joints that name each other.
//!
//! The frames are ours already: a link's frame is its joint's at zero. Angles
//! are in rad everywhere. Bullet's additions are read where they mean
//! something here: `<contact><lateral_friction>`, `<capsule>`, `<plane>` and
//! joints of type `spherical`.

mod geometry;
mod joint;
mod link;
mod tree;

use crate::closure::{Closure, ClosureKind};
use crate::error::RobotError;
use crate::format::{Files, Format};
use crate::mass_check::{check_inertias, check_masses};
use crate::report::{ImportReport, NoteKind};
use crate::robot::Robot;
use crate::xml::{Element, check_links};

/// What the readers share.
pub(crate) struct Reader<'a> {
    pub files: Files<'a>,
    pub report: ImportReport,
}

pub(crate) fn read(root: &Element, files: Files) -> Result<(Robot, ImportReport), RobotError> {
    read_tree(root, files, ImportReport::new(Format::Urdf))
}

/// Reads a `<robot>`, from a file or made of one in another format.
pub(crate) fn read_tree(
    root: &Element,
    files: Files,
    report: ImportReport,
) -> Result<(Robot, ImportReport), RobotError> {
    let mut reader = Reader { files, report };
    reader.report.files.push(root.file.path.clone());
    for child in &root.children {
        match child.tag.as_str() {
            "link" | "joint" => {}
            "material" => reader.ignore(child, "materials are for looks"),
            "transmission" => reader.ignore(child, "drives are set where the robot is used"),
            "gazebo" => reader.ignore(child, "settings of another simulator"),
            _ => reader.unsupported(child, "not a part of URDF that is known here"),
        }
    }
    reader.leftovers(root, &["name", "version"]);
    check_links(root, "link")?;
    let links: Vec<&Element> = root.all("link").collect();
    let joints: Vec<&Element> = root.all("joint").collect();
    let order = tree::order(root, &links, &joints)?;

    let mut robot = Robot {
        name: root.get("name").unwrap_or("robot").to_owned(),
        ..Robot::default()
    };
    let mut origins = Vec::new();
    let mut number = vec![None; links.len()];
    for (i, joint) in &order {
        let parent = match joint {
            Some((_, parent)) => number[*parent],
            None => None,
        };
        let joint = joint.map(|(j, _)| joints[j]);
        let (link, origin) = reader.link(links[*i], parent, joint)?;
        number[*i] = Some(robot.links.len());
        robot.links.push(link);
        origins.push(origin);
    }
    check_followers(&joints)?;
    for joint in &joints {
        if let Some(mimic) = joint.child("mimic") {
            robot.closures.extend(reader.mimic(&robot, joint, mimic)?);
        }
    }
    check_masses(&robot, &origins, &mut reader.report)?;
    check_inertias(&mut robot, &origins, &mut reader.report)?;
    Ok((robot, reader.report))
}

impl Reader<'_> {
    pub fn ignore(&mut self, element: &Element, why: &str) {
        self.note(NoteKind::Ignored, element, why);
    }

    pub fn unsupported(&mut self, element: &Element, why: &str) {
        self.note(NoteKind::Unsupported, element, why);
    }

    fn note(&mut self, kind: NoteKind, element: &Element, why: &str) {
        let what = format!("<{}>", element.tag);
        self.report.add(kind, what, why, element.label());
    }

    /// Notes attributes that are not among the known.
    pub fn leftovers(&mut self, element: &Element, known: &[&str]) {
        for (name, _) in &element.attributes {
            if !known.contains(&name.as_str()) {
                let what = format!("{name} of <{}>", element.tag);
                let detail = "not an attribute that is known here";
                let kind = NoteKind::Unsupported;
                self.report.add(kind, what, detail, element.label());
            }
        }
    }

    /// `q = multiplier · q_other + offset`.
    fn mimic(
        &mut self,
        robot: &Robot,
        joint: &Element,
        mimic: &Element,
    ) -> Result<Option<Closure>, RobotError> {
        self.leftovers(mimic, &["joint", "multiplier", "offset"]);
        let other = mimic.need("joint")?;
        let from = robot
            .joint(other)
            .ok_or_else(|| mimic.unknown("joint", "joint"))?;
        let name = joint.need("name")?;
        let to = robot
            .joint(name)
            .ok_or_else(|| joint.unknown("name", "joint"))?;
        let multiplier = mimic.number_or("multiplier", 1.0)?;
        let offset = mimic.number_or("offset", 0.0)?;
        if [from, to]
            .iter()
            .any(|l| robot.links[*l].joint.kind.nv() != 1)
        {
            let why = "only joints with one degree of freedom can be coupled";
            self.report.add(NoteKind::Unsupported, "<mimic>", why, name);
            return Ok(None);
        }
        Ok(Some(Closure {
            name: format!("{name} mimics {other}"),
            kind: ClosureKind::Joints {
                follower: vec![(to, 1.0)],
                leader: vec![(from, 1.0)],
                reference: [0.0, 0.0],
                polynomial: [offset, multiplier, 0.0, 0.0, 0.0],
            },
        }))
    }
}

/// Refuses joints that follow each other in a circle, or themselves: nothing would
/// say where they are.
fn check_followers(joints: &[&Element]) -> Result<(), RobotError> {
    let leader = |name: &str| {
        let joint = joints.iter().find(|joint| joint.get("name") == Some(name));
        joint.and_then(|joint| joint.child("mimic")?.get("joint"))
    };
    for joint in joints {
        let Some(name) = joint.get("name") else {
            continue;
        };
        let mut followed = vec![name.to_owned()];
        let mut at = name;
        while let Some(next) = leader(at).filter(|_| followed.len() <= joints.len()) {
            followed.push(next.to_owned());
            if next == name {
                let (place, joints) = (joint.place(), followed);
                return Err(RobotError::FollowerCycle { place, joints });
            }
            at = next;
        }
    }
    Ok(())
}
