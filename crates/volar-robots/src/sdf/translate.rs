//! Links and joints of SDF as URDF has them.
//!
//! The frame of a link is that of the joint it hangs on, as everywhere here; SDF puts it
//! anywhere, and the joint in it.

use std::collections::BTreeMap;

use glam::DVec3;
use volar_geom::Pose;

use super::frames::{Frames, as_origin};
use super::shapes;
use crate::error::RobotError;
use crate::report::{ImportReport, NoteKind};
use crate::xml::Element;

/// Limits beyond this are none: SDF's own default is 1e16.
const ENDLESS: f64 = 1.0e15;

/// A model as URDF, and what URDF cannot say.
pub(super) struct Translation<'a> {
    /// The `<robot>`.
    pub robot: Element,
    /// By name.
    pub links: BTreeMap<String, OfLink>,
    /// Stiffness and rest of joints with a spring, by name.
    pub springs: BTreeMap<String, (f64, f64)>,
    /// Joints to a link that hangs on another one already.
    pub loops: Vec<Loop<'a>>,
}

/// What URDF does not say of a link.
pub(super) struct OfLink {
    /// Its frame in the model's; that of the joint above it.
    pub X_ML: Pose,
    /// The frame that the file gives it.
    pub X_LB: Pose,
    /// Its frame in that of the link it hangs on; the model's, if on none.
    pub X_PJ: Pose,
    /// Of each of its shapes that can touch.
    pub friction: Vec<Option<f64>>,
}

/// A joint that closes a chain.
pub(super) struct Loop<'a> {
    pub element: &'a Element,
    pub name: String,
    pub kind: String,
    pub parent: String,
    pub child: String,
    /// In the frame of the joint.
    pub axis: DVec3,
}

/// An element of URDF in the place of one of SDF.
pub(super) fn in_place_of(
    source: &Element,
    tag: &str,
    attributes: impl IntoIterator<Item = (String, String)>,
    children: Vec<Element>,
) -> Element {
    Element {
        tag: tag.into(),
        attributes: attributes.into_iter().collect(),
        text: String::new(),
        children,
        file: source.file.clone(),
        line: source.line,
    }
}

pub(super) fn named(name: &str, value: &str) -> (String, String) {
    (name.into(), value.into())
}

pub(super) fn origin(source: &Element, X: &Pose) -> Element {
    in_place_of(source, "origin", as_origin(X), Vec::new())
}

impl<'a> Translation<'a> {
    pub fn of(
        model: &'a Element,
        frames: &Frames,
        report: &mut ImportReport,
    ) -> Result<Translation<'a>, RobotError> {
        check_parts(model, report)?;
        let mut above: BTreeMap<&str, &Element> = BTreeMap::new();
        let mut loops = Vec::new();
        let mut uses_world = false;
        for joint in model.all("joint") {
            let (parent, child) = (end(joint, "parent")?, end(joint, "child")?);
            uses_world |= parent == "world";
            if above.contains_key(child) {
                loops.push(Loop {
                    element: joint,
                    name: joint.need("name")?.to_owned(),
                    kind: joint.need("type")?.trim().to_owned(),
                    parent: parent.to_owned(),
                    child: child.to_owned(),
                    axis: axis(joint, frames)?,
                });
            } else {
                above.insert(child, joint);
            }
        }
        let mut translation = Translation {
            robot: in_place_of(model, "robot", Vec::new(), Vec::new()),
            links: BTreeMap::new(),
            springs: BTreeMap::new(),
            loops,
        };
        let name = model.get("name").unwrap_or("robot");
        translation.robot.attributes.push(named("name", name));
        let has_world = model.all("link").any(|l| l.get("name") == Some("world"));
        if uses_world && !has_world {
            let world = in_place_of(model, "link", [named("name", "world")], Vec::new());
            translation.robot.children.push(world);
            translation.links.insert("world".into(), OfLink::WORLD);
        }
        for link in model.all("link") {
            let name = link.need("name")?;
            let X_MB = frames.of_name(name, link)?;
            let X_ML = match above.get(name) {
                Some(joint) => frames.of_name(joint.need("name")?, joint)?,
                None => X_MB,
            };
            let X_LB = match above.get(name) {
                Some(joint) => frames.seen_from(name, joint, name)?.inverse(),
                None => Pose::IDENTITY,
            };
            let mut own = OfLink {
                X_ML,
                X_LB,
                X_PJ: X_ML,
                friction: Vec::new(),
            };
            let link = shapes::link(link, &mut own, frames, report)?;
            translation.robot.children.push(link);
            translation.links.insert(name.to_owned(), own);
        }
        let in_tree = |joint: &&Element| above.values().any(|other| std::ptr::eq(*other, *joint));
        for joint in model.all("joint").filter(in_tree) {
            let joint = translation.joint(joint, frames, report)?;
            translation.robot.children.push(joint);
        }
        Ok(translation)
    }

    fn joint(
        &mut self,
        joint: &Element,
        frames: &Frames,
        report: &mut ImportReport,
    ) -> Result<Element, RobotError> {
        let name = joint.need("name")?;
        let (parent, child) = (end(joint, "parent")?, end(joint, "child")?);
        let X_LB = self.links.get(parent).map_or(Pose::IDENTITY, |l| l.X_LB);
        let X_PJ = X_LB.compose(&frames.seen_from(parent, joint, child)?);
        if let Some(own) = self.links.get_mut(child) {
            own.X_PJ = X_PJ;
        }
        let linked =
            |tag: &str, link: &str| in_place_of(joint, tag, [named("link", link)], Vec::new());
        let mut children = vec![
            origin(joint, &X_PJ),
            linked("parent", parent),
            linked("child", child),
        ];
        let mut kind = joint.need("type")?.trim();
        if let Some(element) = joint.child("axis") {
            let a = axis(joint, frames)?.to_array();
            let xyz = format!("{:?} {:?} {:?}", a[0], a[1], a[2]);
            children.push(in_place_of(
                element,
                "axis",
                [named("xyz", &xyz)],
                Vec::new(),
            ));
            let limits = limits(element);
            let endless = !limits
                .iter()
                .any(|(name, _)| matches!(&name[..], "lower" | "upper"));
            if kind == "revolute" && endless {
                kind = "continuous";
            }
            children.push(in_place_of(element, "limit", limits, Vec::new()));
            if let Some(dynamics) = element.child("dynamics") {
                let own = ["damping", "friction"].map(|tag| (tag, dynamics.text_of(tag)));
                let own = own
                    .into_iter()
                    .filter_map(|(tag, text)| Some(named(tag, text?)));
                children.push(in_place_of(dynamics, "dynamics", own, Vec::new()));
                let stiffness = value(dynamics, "spring_stiffness")?.unwrap_or(0.0);
                if stiffness > 0.0 {
                    let rest = value(dynamics, "spring_reference")?.unwrap_or(0.0);
                    self.springs.insert(name.to_owned(), (stiffness, rest));
                }
            }
        }
        children.extend(mimic(joint)?);
        let kind = match kind {
            "ball" => "spherical",
            "revolute" | "continuous" | "prismatic" | "fixed" | "planar" => kind,
            other => {
                return Err(RobotError::Unsupported {
                    place: joint.place(),
                    what: format!("a joint of type \"{other}\""),
                    remedy: "use revolute, continuous, prismatic, ball or fixed",
                });
            }
        };
        for part in &joint.children {
            let known = ["parent", "child", "pose", "axis", "mimic"];
            if !known.contains(&part.tag.as_str()) {
                let what = format!("<{}> of a joint", part.tag);
                let detail = "settings of another simulator";
                report.add(NoteKind::Ignored, what, detail, name);
            }
        }
        let attributes = [named("name", name), named("type", kind)];
        Ok(in_place_of(joint, "joint", attributes, children))
    }
}

impl OfLink {
    const WORLD: OfLink = OfLink {
        X_ML: Pose::IDENTITY,
        X_LB: Pose::IDENTITY,
        X_PJ: Pose::IDENTITY,
        friction: Vec::new(),
    };
}

/// Notes what of a model is left out, and refuses what would make it another robot.
fn check_parts(model: &Element, report: &mut ImportReport) -> Result<(), RobotError> {
    for part in &model.children {
        let detail = match part.tag.as_str() {
            "link" | "joint" | "frame" => continue,
            "include" | "model" => return Err(super::include(part)),
            "pose" | "static" => "where it is, and whether it moves, is for the scene to say",
            "self_collide" => "the scene says which links touch: `self_contact`",
            _ => "settings of another simulator",
        };
        let what = format!("<{}>", part.tag);
        report.add(NoteKind::Ignored, what, detail, part.label());
    }
    Ok(())
}

fn end<'a>(joint: &'a Element, tag: &str) -> Result<&'a str, RobotError> {
    let text = joint.text_of(tag);
    text.ok_or_else(|| joint.incomplete(format!("a <{tag}> with the name of a link")))
}

/// The axis in the frame of the joint. Up to version 1.4 it was given in the model's.
fn axis(joint: &Element, frames: &Frames) -> Result<DVec3, RobotError> {
    let Some(axis) = joint.child("axis") else {
        return Ok(DVec3::Z);
    };
    let Some(xyz) = axis.child("xyz") else {
        return Ok(DVec3::Z);
    };
    let mut text = xyz.clone();
    text.set("xyz", &xyz.text);
    let vector = text.vector_or("xyz", DVec3::Z)?;
    let in_model = axis.text_of("use_parent_model_frame");
    let in_model = in_model.map_or(frames.version < (1, 5), |text| matches!(text, "1" | "true"));
    let R_MJ = frames.of_name(joint.need("name")?, joint)?.R;
    let vector = match xyz.get("expressed_in").filter(|name| !name.is_empty()) {
        Some(name) => R_MJ.transpose() * (frames.of_name(name, xyz)?.R * vector),
        None if in_model => R_MJ.transpose() * vector,
        None => vector,
    };
    vector
        .try_normalize()
        .ok_or_else(|| text.bad("xyz", "a vector that is not zero"))
}

/// The attributes of URDF's `<limit>`: those that limit.
fn limits(axis: &Element) -> Vec<(String, String)> {
    let Some(limit) = axis.child("limit") else {
        return Vec::new();
    };
    let number = |tag: &str| limit.text_of(tag).and_then(|text| text.parse::<f64>().ok());
    let unlimited = |tag: &str| match tag {
        "lower" => number(tag).is_some_and(|v| v <= -ENDLESS),
        "upper" => number(tag).is_some_and(|v| v >= ENDLESS),
        _ => number(tag).is_some_and(|v| !(0.0..ENDLESS).contains(&v)),
    };
    let tags = ["lower", "upper", "effort", "velocity"];
    let tags = tags.into_iter().filter(|tag| !unlimited(tag));
    tags.filter_map(|tag| Some(named(tag, limit.text_of(tag)?)))
        .collect()
}

/// `q = multiplier (q_other − reference) + offset`, or Drake's without reference.
fn mimic(joint: &Element) -> Result<Option<Element>, RobotError> {
    let on_axis = joint.child("axis").and_then(|axis| axis.child("mimic"));
    let Some(mimic) = on_axis.or_else(|| joint.child("mimic")) else {
        return Ok(None);
    };
    let or = |tag: &str, otherwise: f64| -> Result<f64, RobotError> {
        let own = mimic.number(tag)?;
        Ok(own.or(value(mimic, tag)?).unwrap_or(otherwise))
    };
    let (multiplier, reference) = (or("multiplier", 1.0)?, or("reference", 0.0)?);
    let offset = or("offset", 0.0)? - multiplier * reference;
    let attributes = [
        named("joint", mimic.need("joint")?),
        named("multiplier", &format!("{multiplier:?}")),
        named("offset", &format!("{offset:?}")),
    ];
    Ok(Some(in_place_of(mimic, "mimic", attributes, Vec::new())))
}

/// The text of a child as a number.
pub(super) fn value(element: &Element, tag: &str) -> Result<Option<f64>, RobotError> {
    let Some(child) = element.child(tag).filter(|child| !child.text.is_empty()) else {
        return Ok(None);
    };
    let mut text = child.clone();
    text.set("text", &child.text);
    text.number("text")
}
