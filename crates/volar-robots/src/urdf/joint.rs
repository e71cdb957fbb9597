//! Joints and what limits them.

use glam::DVec3;
use volar_geom::Pose;
use volar_math::rotation;

use super::Reader;
use crate::error::RobotError;
use crate::report::NoteKind;
use crate::robot::{Joint, JointKind};
use crate::xml::Element;

const KNOWN: &str = "revolute, continuous, prismatic, fixed, floating, planar, spherical";

impl Reader<'_> {
    /// A joint: `X_PJ`, its properties, and where the file's link frame is in
    /// ours.
    pub fn joint(&mut self, element: &Element) -> Result<(Pose, Joint, Pose), RobotError> {
        self.leftovers(element, &["name", "type"]);
        let kind = match element.need("type")?.trim() {
            "revolute" => JointKind::Revolute,
            "continuous" => JointKind::Continuous,
            "prismatic" => JointKind::Prismatic,
            "fixed" => JointKind::Fixed,
            "floating" => JointKind::Free,
            "planar" => JointKind::Planar,
            "spherical" => JointKind::Ball,
            other => {
                return Err(RobotError::UnknownJointType {
                    place: element.place(),
                    found: other.to_owned(),
                    known: KNOWN,
                });
            }
        };
        for child in &element.children {
            match child.tag.as_str() {
                "parent" | "child" => self.leftovers(child, &["link"]),
                "origin" | "axis" | "limit" | "dynamics" | "mimic" => {}
                "safety_controller" | "calibration" => {
                    self.ignore(child, "for the controller of the real robot");
                }
                "joint_properties" => self.unsupported(child, "not URDF; use <dynamics>"),
                _ => self.unsupported(child, "not a part of a joint that is known here"),
            }
        }
        let X_PJ = self.origin(element)?;
        let axis = self.axis(element, kind)?;
        let mut joint = Joint::new(element.need("name")?, kind, axis);
        self.dynamics(element, &mut joint)?;
        self.limit(element, &mut joint)?;
        if kind != JointKind::Planar {
            return Ok((X_PJ, joint, Pose::IDENTITY));
        }
        // The plane's normal is the axis; ours is z.
        let turn = Pose {
            R: rotation::arc(DVec3::Z, axis),
            p: DVec3::ZERO,
        };
        joint.axis = DVec3::X;
        Ok((X_PJ.compose(&turn), joint, turn.inverse()))
    }

    fn axis(&mut self, element: &Element, kind: JointKind) -> Result<DVec3, RobotError> {
        let used = !matches!(kind, JointKind::Fixed | JointKind::Free | JointKind::Ball);
        let Some(axis) = element.child("axis") else {
            return Ok(DVec3::X);
        };
        if !used {
            return Ok(DVec3::X);
        }
        self.leftovers(axis, &["xyz"]);
        let vector = axis.vector_or("xyz", DVec3::X)?;
        vector
            .try_normalize()
            .ok_or_else(|| axis.bad("xyz", "a vector that is not zero"))
    }

    fn dynamics(&mut self, element: &Element, joint: &mut Joint) -> Result<(), RobotError> {
        let Some(dynamics) = element.child("dynamics") else {
            return Ok(());
        };
        self.leftovers(dynamics, &["damping", "friction"]);
        joint.damping = dynamics.magnitude("damping", 0.0)?;
        joint.friction = dynamics.magnitude("friction", 0.0)?;
        Ok(())
    }

    fn limit(&mut self, element: &Element, joint: &mut Joint) -> Result<(), RobotError> {
        let limited = matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic);
        let mut changed = |detail: &str| {
            let name = joint.name.clone();
            self.report.add(NoteKind::Changed, "<limit>", detail, name);
        };
        let Some(limit) = element.child("limit") else {
            if limited {
                changed("none given: taken as without limits");
            }
            return Ok(());
        };
        let lower = limit.number("lower")?;
        let upper = limit.number("upper")?;
        if limited {
            match (lower, upper) {
                (None, None) => changed("neither lower nor upper: taken as without limits"),
                (lower, upper) => {
                    // URDF's default for either is zero.
                    let (low, high) = (lower.unwrap_or(0.0), upper.unwrap_or(0.0));
                    if low <= high {
                        joint.limits = Some([low, high]);
                    } else {
                        changed("lower is above upper: taken as without limits");
                    }
                }
            }
        }
        let effort = limit.magnitude("effort", 0.0)?;
        let velocity = limit.magnitude("velocity", 0.0)?;
        joint.effort_limit = (effort > 0.0).then_some([-effort, effort]);
        joint.velocity_limit = (velocity > 0.0).then_some(velocity);
        self.leftovers(limit, &["lower", "upper", "effort", "velocity"]);
        Ok(())
    }
}
