//! SDF, the format of Gazebo and Drake: a `<model>` of links and joints, each with its pose
//! in a frame of the model.
//!
//! It says what URDF says in other words, so a model becomes the elements of a URDF and is
//! read as one: one set of rules for shapes, masses and trees. What URDF cannot say (chains
//! that close, springs, friction per shape) is added to the robot afterwards.
//!
//! | file | what |
//! |---|---|
//! | `frames.rs` | poses, and frames by name |
//! | `translate.rs` | links and joints as URDF has them |
//! | `shapes.rs` | shapes, and how they touch |

mod frames;
mod shapes;
mod translate;

use crate::closure::{Anchor, Closure, ClosureKind};
use crate::error::RobotError;
use crate::format::{Files, Format};
use crate::report::{ImportReport, NoteKind};
use crate::robot::Robot;
use crate::urdf;
use crate::xml::{Element, check_links};
use frames::Frames;
use translate::{Loop, Translation};

pub(crate) fn read(root: &Element, files: Files) -> Result<(Robot, ImportReport), RobotError> {
    check_links(root, "link")?;
    let mut report = ImportReport::new(Format::Sdf);
    let model = model(root, &mut report)?;
    let frames = Frames::of(model, version(root))?;
    let translation = Translation::of(model, &frames, &mut report)?;
    let (mut robot, report) = urdf::read_tree(&translation.robot, files, report)?;
    add(&mut robot, &translation, &frames)?;
    Ok((robot, report))
}

/// The one model of a file.
fn model<'a>(root: &'a Element, report: &mut ImportReport) -> Result<&'a Element, RobotError> {
    let worlds = root.all("world");
    let parts: Vec<&Element> = worlds
        .flat_map(|world| &world.children)
        .chain(&root.children)
        .collect();
    for part in &parts {
        let known = matches!(part.tag.as_str(), "model" | "world");
        if part.tag == "include" {
            return Err(include(part));
        }
        if !known {
            let what = format!("<{}>", part.tag);
            let detail = "a part of the world; the scene says what there is";
            report.add(NoteKind::Ignored, what, detail, part.label());
        }
    }
    let models: Vec<&Element> = parts.into_iter().filter(|p| p.tag == "model").collect();
    match models[..] {
        [model] => Ok(model),
        [] => Err(root.incomplete("a <model>")),
        [_, second, ..] => Err(RobotError::Unsupported {
            place: second.place(),
            what: format!("a file with {} models", models.len()),
            remedy: "a robot is one of them: give each a file of its own",
        }),
    }
}

fn include(element: &Element) -> RobotError {
    RobotError::Unsupported {
        place: element.place(),
        what: "a model made of other models".into(),
        remedy: "write it out first: `gz sdf -p FILE > WHOLE`, and name that file",
    }
}

/// Major and minor; the newest if it is not said.
fn version(root: &Element) -> (u32, u32) {
    let parts = root.get("version").and_then(|text| text.split_once('.'));
    let number = |text: &str| text.trim().parse().ok();
    let numbers = parts.and_then(|(major, minor)| Some((number(major)?, number(minor)?)));
    numbers.unwrap_or((1, 12))
}

/// Adds what URDF cannot say.
fn add(robot: &mut Robot, translation: &Translation, frames: &Frames) -> Result<(), RobotError> {
    for link in &mut robot.links {
        let Some(own) = translation.links.get(&link.name) else {
            continue;
        };
        link.X_LB = own.X_LB;
        for (shape, friction) in link.collisions.iter_mut().zip(&own.friction) {
            shape.friction = friction.or(shape.friction);
        }
        // Angles of URDF would round it.
        link.X_PJ = own.X_PJ;
        if let Some((stiffness, rest)) = translation.springs.get(&link.joint.name) {
            (link.joint.stiffness, link.joint.spring_rest) = (*stiffness, *rest);
        }
    }
    for own in &translation.loops {
        robot
            .closures
            .extend(closures(robot, own, translation, frames)?);
    }
    Ok(())
}

/// A joint that closes a chain: as many frames that stay together as it takes.
fn closures(
    robot: &Robot,
    own: &Loop,
    translation: &Translation,
    frames: &Frames,
) -> Result<Vec<Closure>, RobotError> {
    let X_MJ = frames.of_name(&own.name, own.element)?;
    let anchor = |link: &str, along: f64| {
        let number = robot.link(link)?;
        let X_ML = translation.links.get(link)?.X_ML;
        let mut X_LE = X_ML.inverse().compose(&X_MJ);
        X_LE.p += along * (X_LE.R * own.axis);
        Some(Anchor { link: number, X_LE })
    };
    let ends = |along: f64| Some([anchor(&own.parent, along)?, anchor(&own.child, along)?]);
    let unknown = || own.element.incomplete("links that are in the model");
    let mut made = Vec::new();
    let mut push = |name: &str, kind: ClosureKind| {
        let name = format!("{}{name}", own.name);
        made.push(Closure { name, kind });
    };
    let here = ends(0.0).ok_or_else(unknown)?;
    match own.kind.as_str() {
        "fixed" => push("", ClosureKind::Weld(here)),
        "ball" => push("", ClosureKind::Connect(here)),
        // Two points of the axis.
        "revolute" | "continuous" => {
            push("", ClosureKind::Connect(here));
            let there = ends(ALONG_AXIS).ok_or_else(unknown)?;
            push(" (second point of the axis)", ClosureKind::Connect(there));
        }
        other => {
            return Err(RobotError::Unsupported {
                place: own.element.place(),
                what: format!("a closed chain by a joint of type \"{other}\""),
                remedy: "close it by one that is fixed, revolute or ball",
            });
        }
    }
    Ok(made)
}

/// Distance of the two points that make a hinge of a closed chain, m.
const ALONG_AXIS: f64 = 0.05;
