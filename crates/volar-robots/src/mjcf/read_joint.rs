//! Joints of bodies.

use glam::DVec3;
use volar_geom::Pose;
use volar_math::rotation;

use super::Reader;
use crate::error::RobotError;
use crate::report::NoteKind;
use crate::robot::{Joint, JointKind};
use crate::xml::Element;

/// A joint and where it is.
pub struct ReadJoint {
    pub joint: Joint,
    /// The joint in its body.
    pub p_BJ: DVec3,
    /// What takes coordinates to those of the file: `M(−ref)`.
    pub X_JJ0: Pose,
}

const KINDS: &str = "hinge, slide, ball, free";

impl Reader<'_> {
    pub fn read_joint(
        &mut self,
        element: &Element,
        X_BF: &Pose,
        class: Option<&str>,
        body: &str,
        number: usize,
    ) -> Result<ReadJoint, RobotError> {
        let is_free = element.tag == "freejoint";
        // A <freejoint> has no defaults.
        let element = &match is_free {
            true => element.clone(),
            false => self.defaults.apply(element, class)?,
        };
        let kind = match element.get("type").unwrap_or("hinge").trim() {
            _ if is_free => JointKind::Free,
            "hinge" => JointKind::Revolute,
            "slide" => JointKind::Prismatic,
            "ball" => JointKind::Ball,
            "free" => JointKind::Free,
            other => {
                return Err(RobotError::UnknownJointType {
                    place: element.place(),
                    found: other.to_owned(),
                    known: KINDS,
                });
            }
        };
        let name = match element.get("name").filter(|name| !name.is_empty()) {
            Some(name) => name.to_owned(),
            None => format!("{body} joint {number}"),
        };
        let axis = X_BF.R * element.vector_or("axis", DVec3::Z)?;
        let axis = match kind {
            JointKind::Revolute | JointKind::Prismatic => axis
                .try_normalize()
                .ok_or_else(|| element.bad("axis", "a vector that is not zero"))?,
            _ => DVec3::X,
        };
        let mut joint = Joint::new(name, kind, axis);
        self.note_joint(element, &joint.name);
        joint.damping = self.first(element, "damping", &joint.name)?;
        joint.stiffness = self.first(element, "stiffness", &joint.name)?;
        joint.armature = element.magnitude("armature", 0.0)?;
        joint.friction = element.magnitude("frictionloss", 0.0)?;

        let unit = match kind {
            JointKind::Revolute | JointKind::Ball => self.compiler.angle,
            _ => 1.0,
        };
        let limits = self.limited(element, "limited", "range")?;
        joint.limits = limits.map(|range| range.map(|x| x * unit));
        if kind == JointKind::Revolute && joint.limits.is_none() {
            joint.kind = JointKind::Continuous;
        }
        joint.effort_limit = self.limited(element, "actuatorfrclimited", "actuatorfrcrange")?;
        let mut X_JJ0 = Pose::IDENTITY;
        if matches!(kind, JointKind::Revolute | JointKind::Prismatic) {
            let start = element.number_or("ref", 0.0)? * unit;
            joint.initial = vec![start];
            joint.spring_rest = element.number_or("springref", 0.0)? * unit;
            X_JJ0 = match kind {
                JointKind::Prismatic => Pose::from_translation(axis * -start),
                _ => Pose {
                    R: rotation::about(axis, -start),
                    p: DVec3::ZERO,
                },
            };
        }
        let p_BJ = match kind {
            JointKind::Revolute | JointKind::Ball => {
                X_BF.point(element.vector_or("pos", DVec3::ZERO)?)
            }
            // Where a slide is does not matter; a free joint is at the body.
            _ => DVec3::ZERO,
        };
        Ok(ReadJoint { joint, p_BJ, X_JJ0 })
    }

    /// A range that is in force: said so, or (autolimits) given.
    pub fn limited(
        &self,
        element: &Element,
        flag: &str,
        range: &str,
    ) -> Result<Option<[f64; 2]>, RobotError> {
        let words = [("true", Some(true)), ("false", Some(false)), ("auto", None)];
        let given = element.range(range)?;
        let in_force = match element.word(flag, &words)?.flatten() {
            Some(said) => said,
            None => self.compiler.autolimits && given.is_some(),
        };
        match (in_force, given) {
            (true, Some(range)) => Ok(Some(range)),
            // MuJoCo's default range is 0 0.
            (true, None) => Err(element.incomplete(format!("a `{range}`, as it is limited"))),
            (false, _) => Ok(None),
        }
    }

    /// The first of an attribute's numbers; further ones make it a polynomial.
    fn first(&mut self, element: &Element, name: &str, joint: &str) -> Result<f64, RobotError> {
        let Some(values) = element.numbers(name, 1, 4)? else {
            return Ok(0.0);
        };
        if values[1..].iter().any(|v| v.abs() > 0.0) {
            let what = format!("{name} of <joint>");
            let detail = "only its linear part is taken";
            self.report.add(NoteKind::Unsupported, what, detail, joint);
        }
        match values[0] >= 0.0 {
            true => Ok(values[0]),
            false => Err(element.bad(name, "a number that is not negative")),
        }
    }

    fn note_joint(&mut self, element: &Element, joint: &str) {
        for (name, value) in &element.attributes {
            let is_zero = value.split_ascii_whitespace().all(|v| v.parse() == Ok(0.0));
            let (kind, detail) = match name.as_str() {
                "name" | "class" | "type" | "pos" | "axis" | "damping" | "stiffness"
                | "armature" | "frictionloss" | "limited" | "range" | "actuatorfrclimited"
                | "actuatorfrcrange" | "ref" | "springref" => continue,
                "group" | "user" => (NoteKind::Ignored, "for looks and notes"),
                "margin" => (NoteKind::Ignored, "limits act where they are"),
                "springdamper" | "actuatorgravcomp" if is_zero || value == "false" => continue,
                "align" => (NoteKind::Ignored, "how MuJoCo prepares a model"),
                "solreflimit" | "solimplimit" | "solreffriction" | "solimpfriction" => {
                    let detail = "limits and friction of joints have their own law here";
                    (NoteKind::Unsupported, detail)
                }
                _ => (NoteKind::Unsupported, "not an attribute that is known here"),
            };
            self.report
                .add(kind, format!("{name} of <joint>"), detail, joint);
        }
    }
}
