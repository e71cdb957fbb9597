//! Bodies in bodies, with their joints and shapes.

use glam::{DMat3, DVec3};
use volar_math::Pose;

use super::View;
use crate::plain::{Body, Held, Joint, JointKind};
use crate::turns::mjcf_orientation;
use crate::xml::{Xml, numbers};

/// A joint of a body with several: where it is, in the frame of the body.
struct Hinged<'a> {
    joint: &'a Joint,
    X_BJ: Pose,
}

impl<'a> View<'a> {
    /// All bodies; gives their joints in MuJoCo's order.
    pub(super) fn worldbody(self, xml: &mut Xml) -> Vec<&'a Joint> {
        let mut order = Vec::new();
        xml.open("worldbody", &[]);
        for root in self.bodies().filter(|body| body.parent.is_none()) {
            if self.robot.is_some() && root.is_world {
                // The world of the robot's own file.
                self.shape(xml, root);
                for child in self.schedule.children(&root.name) {
                    self.body(xml, child, &mut order);
                }
            } else {
                self.body(xml, root, &mut order);
            }
        }
        xml.close();
        order
    }

    fn body(self, xml: &mut Xml, body: &'a Body, order: &mut Vec<&'a Joint>) {
        let mut frame = self.frame(body);
        let mut chain: Vec<(&Joint, Pose)> = Vec::new();
        let mut last = body;
        // Links without mass between the joints of a body are no bodies of MuJoCo's.
        while let (Some(next), Some(joint)) = (self.carried(last), self.schedule.joint_of(last)) {
            chain.push((joint, frame));
            frame = frame.compose(&next.X_PJ);
            last = next;
        }
        let own = self.schedule.joint_of(last);
        let joints = chain.iter().map(|(joint, X_PJ)| Hinged {
            joint,
            X_BJ: Pose::relative(&frame, X_PJ),
        });
        let mut joints: Vec<Hinged> = joints.collect();
        joints.extend(own.map(|joint| Hinged {
            joint,
            X_BJ: Pose::IDENTITY,
        }));
        let mut attributes = vec![("name", self.name(&last.name))];
        if frame.p != DVec3::ZERO {
            attributes.push(("pos", numbers(frame.p.to_array())));
        }
        if frame.R != DMat3::IDENTITY {
            let turn = mjcf_orientation(&frame.R);
            attributes.push((turn.attribute, numbers(turn.numbers)));
        }
        if last.held == Held::Moved && self.robot.is_none() {
            attributes.push(("mocap", "true".into()));
        }
        xml.open("body", &attributes);
        for hinged in &joints {
            self.joint(xml, hinged);
            order.push(hinged.joint);
        }
        self.inertial(xml, last);
        self.shape(xml, last);
        self.sites(xml, last);
        for child in self.schedule.children(&last.name) {
            self.body(xml, child, order);
        }
        xml.close();
    }

    /// Frames of joints and of welded bodies that do not read back to the same bits, with what
    /// `<custom>` calls them.
    pub(super) fn rounded_frames(self) -> Vec<(String, Pose)> {
        let mut rounded = Vec::new();
        for body in self.bodies().filter(|body| !body.is_world) {
            let parent = body
                .parent
                .as_ref()
                .and_then(|name| self.schedule.body(name));
            // Frames of several joints of a body are products.
            let one_of_several = [Some(body), parent].into_iter().flatten();
            let product = one_of_several.map(|b| self.carried(b)).any(|c| c.is_some());
            if !product && mjcf_orientation(&body.X_PJ.R).exact {
                continue;
            }
            let what = match self.schedule.joint_of(body).map(|j| (j, j.kind)) {
                Some((_, JointKind::Free | JointKind::Planar)) => continue,
                Some((joint, _)) => format!("frame of joint {}", self.name(&joint.name)),
                None => format!("frame of body {}", self.name(&body.name)),
            };
            rounded.push((what, body.X_PJ));
        }
        rounded
    }

    /// What a link without mass and shape carries, if that is one body on a joint.
    fn carried(self, body: &Body) -> Option<&'a Body> {
        let joint = self.schedule.joint_of(body)?;
        let turns = matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic);
        let empty = body.mass <= 0.0 && body.mesh.is_none() && self.anchors(body).is_empty();
        let mut children = self.schedule.bodies.iter();
        let mut children = children
            .by_ref()
            .filter(|child| child.parent.as_deref() == Some(&body.name));
        let (Some(child), None) = (children.next(), children.next()) else {
            return None;
        };
        (turns && empty && child.held == Held::Joint).then_some(child)
    }

    fn joint(self, xml: &mut Xml, hinged: &Hinged) {
        let joint = hinged.joint;
        let name = self.name(&joint.name);
        let tag = |kind: &str| [("name", name.clone()), ("type", kind.to_owned())].to_vec();
        let mut attributes = match joint.kind {
            JointKind::Free => {
                xml.leaf("freejoint", &[("name", name)]);
                return;
            }
            JointKind::Planar => {
                for (end, kind, axis) in [
                    ("_x", "slide", "1 0 0"),
                    ("_y", "slide", "0 1 0"),
                    ("_turn", "hinge", "0 0 1"),
                ] {
                    let mut attributes = vec![
                        ("name", format!("{name}{end}")),
                        ("type", kind.to_owned()),
                        ("axis", axis.to_owned()),
                    ];
                    attributes.extend(passive(joint));
                    xml.leaf("joint", &attributes);
                }
                return;
            }
            JointKind::Revolute => tag("hinge"),
            JointKind::Prismatic => tag("slide"),
            JointKind::Ball => tag("ball"),
        };
        if hinged.X_BJ.p != DVec3::ZERO && joint.kind != JointKind::Prismatic {
            attributes.push(("pos", numbers(hinged.X_BJ.p.to_array())));
        }
        if let Some(axis) = joint.axis {
            let axis = hinged.X_BJ.R * DVec3::from_array(axis);
            attributes.push(("axis", numbers(axis.to_array())));
        }
        if let Some(limits) = joint.limits {
            attributes.push(("range", numbers(limits)));
        }
        if let Some(limit) = joint.effort_limit {
            attributes.push(("actuatorfrcrange", numbers(limit)));
        }
        attributes.extend(passive(joint));
        xml.leaf("joint", &attributes);
    }

    fn inertial(self, xml: &mut Xml, body: &Body) {
        if body.mass <= 0.0 {
            return;
        }
        let [xx, yy, zz, xy, xz, yz] = body.inertia;
        let mut attributes = vec![
            ("pos", numbers(body.centre_of_mass)),
            ("mass", body.mass.to_string()),
        ];
        attributes.push(match [xy, xz, yz].iter().any(|x| x.abs() > 0.0) {
            true => ("fullinertia", numbers(body.inertia)),
            false => ("diaginertia", numbers([xx, yy, zz])),
        });
        xml.leaf("inertial", &attributes);
    }

    fn shape(self, xml: &mut Xml, body: &Body) {
        if body.mesh.is_none() {
            return;
        }
        let name = self.name(&body.name);
        let mut attributes = vec![("name", name.clone())];
        match body.ground {
            true => {
                attributes.push(("type", "plane".into()));
                attributes.push(("size", "10 10 1".into()));
            }
            false => {
                attributes.push(("type", "mesh".into()));
                attributes.push(("mesh", name));
            }
        }
        attributes.push(("friction", body.material.friction.to_string()));
        xml.leaf("geom", &attributes);
    }
}

fn passive(joint: &Joint) -> Vec<(&'static str, String)> {
    let mut attributes = Vec::new();
    for (name, value) in [
        ("damping", joint.damping),
        ("armature", joint.armature),
        ("frictionloss", joint.friction),
    ] {
        if value > 0.0 {
            attributes.push((name, value.to_string()));
        }
    }
    if let Some(spring) = joint.spring {
        attributes.push(("stiffness", spring.stiffness.to_string()));
        attributes.push(("springref", spring.rest.to_string()));
    }
    attributes
}
