//! Poses of SDF, and frames by name.

use std::collections::BTreeMap;

use glam::DVec3;
use volar_geom::Pose;
use volar_math::{real, rotation};

use crate::error::RobotError;
use crate::xml::Element;

/// Frames of frames; none known has more than three.
const DEEPEST: usize = 64;

/// Everything of a model that has a frame: the model, links, joints, frames.
pub(super) struct Frames<'a> {
    named: BTreeMap<&'a str, &'a Element>,
    /// Of the format.
    pub version: (u32, u32),
}

impl<'a> Frames<'a> {
    pub fn of(model: &'a Element, version: (u32, u32)) -> Result<Frames<'a>, RobotError> {
        let mut named = BTreeMap::new();
        for element in &model.children {
            let kind = match element.tag.as_str() {
                "link" => "link",
                "joint" => "joint",
                "frame" => "frame",
                _ => continue,
            };
            if named.insert(element.need("name")?, element).is_some() {
                let place = element.place();
                return Err(RobotError::Duplicate { place, kind });
            }
        }
        Ok(Frames { named, version })
    }

    /// A frame in the model's, by its name; `asked` is where the name stands.
    pub fn of_name(&self, name: &str, asked: &Element) -> Result<Pose, RobotError> {
        self.resolve(name, asked, 0)
    }

    /// The pose of an element in the model's frame: its `<pose>` in the frame it names, or in
    /// another one.
    pub fn of_pose(&self, element: &Element, otherwise: &str) -> Result<Pose, RobotError> {
        self.resolve_pose(element, otherwise, 0)
    }

    /// The pose of an element in the frame of a link, as [`Frames::of_pose`] otherwise. Where its
    /// poses lead there, by these alone: a way over the model's frame would round.
    pub fn seen_from(
        &self,
        link: &str,
        element: &Element,
        otherwise: &str,
    ) -> Result<Pose, RobotError> {
        let (mut at, mut frame) = (element, otherwise);
        let mut way = Pose::IDENTITY;
        for _ in 0..DEEPEST {
            let (name, own) = step(at, frame)?;
            way = own.compose(&way);
            if name == link {
                return Ok(way);
            }
            match self.named.get(name) {
                Some(next) => (at, frame) = (next, default_frame(next)),
                None => break,
            }
        }
        let X_ML = self.of_name(link, element)?;
        Ok(X_ML.inverse().compose(&self.of_pose(element, otherwise)?))
    }

    fn resolve(&self, name: &str, asked: &Element, depth: usize) -> Result<Pose, RobotError> {
        if matches!(name, "" | "__model__" | "world") && !self.named.contains_key(name) {
            return Ok(Pose::IDENTITY);
        }
        let found = self.named.get(name).filter(|_| depth < DEEPEST);
        let element = found.ok_or_else(|| RobotError::Unknown {
            place: asked.place(),
            attribute: "relative_to".into(),
            kind: "frame that can be resolved",
            name: name.to_owned(),
        })?;
        self.resolve_pose(element, default_frame(element), depth + 1)
    }

    fn resolve_pose(
        &self,
        element: &Element,
        otherwise: &str,
        depth: usize,
    ) -> Result<Pose, RobotError> {
        let (name, own) = step(element, otherwise)?;
        Ok(self.resolve(name, element, depth)?.compose(&own))
    }
}

/// The frame that an element's `<pose>` is given in, and the pose.
fn step<'a>(element: &'a Element, otherwise: &'a str) -> Result<(&'a str, Pose), RobotError> {
    let pose = element.child("pose");
    let named = pose.and_then(|p| p.get("relative_to").or_else(|| p.get("frame")));
    let name = named.filter(|name| !name.is_empty()).unwrap_or(otherwise);
    Ok((name, pose.map_or(Ok(Pose::IDENTITY), in_its_frame)?))
}

/// The frame of a pose that names none.
fn default_frame(element: &Element) -> &str {
    match element.tag.as_str() {
        "joint" => element.text_of("child").unwrap_or_default(),
        "frame" => element.get("attached_to").unwrap_or_default(),
        _ => "",
    }
}

/// `x y z roll pitch yaw`, or a quaternion in place of the angles.
fn in_its_frame(pose: &Element) -> Result<Pose, RobotError> {
    let mut text = pose.clone();
    text.set("text", &pose.text);
    let quaternion = pose.get("rotation_format") == Some("quat_xyzw");
    let count = if quaternion { 7 } else { 6 };
    let values = match pose.text.is_empty() {
        true => return Ok(Pose::IDENTITY),
        false => text.numbers("text", count, count)?.unwrap_or_default(),
    };
    let p = DVec3::new(values[0], values[1], values[2]);
    if quaternion {
        let wxyz = [values[6], values[3], values[4], values[5]];
        return text.pose(p, &wxyz, "text");
    }
    let unit = match pose.get("degrees").map(str::trim) {
        Some("true" | "1") => std::f64::consts::PI / 180.0,
        _ => 1.0,
    };
    let [roll, pitch, yaw] = [3, 4, 5].map(|i| unit * values[i]);
    let R = rotation::about_z(yaw) * rotation::about_y(pitch) * rotation::about_x(roll);
    Ok(Pose { R, p })
}

/// A pose as the attributes of URDF's `<origin>`.
pub(super) fn as_origin(X: &Pose) -> [(String, String); 2] {
    let [x, y, z] = [X.R.x_axis, X.R.y_axis, X.R.z_axis];
    let level = x.truncate().length();
    let pitch = real::atan2(-x.z, level);
    // Straight up or down, only the sum of the other two is known.
    let (roll, yaw) = match level > 1.0e-9 {
        true => (real::atan2(y.z, z.z), real::atan2(x.y, x.x)),
        false => (real::atan2(-z.y, y.y), 0.0),
    };
    let text = |v: [f64; 3]| format!("{:?} {:?} {:?}", v[0], v[1], v[2]);
    [
        ("xyz".into(), text(X.p.to_array())),
        ("rpy".into(), text([roll, pitch, yaw])),
    ]
}
