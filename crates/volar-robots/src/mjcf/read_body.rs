//! Bodies and what is in them.

use glam::DVec3;
use volar_geom::Pose;

use super::Reader;
use crate::error::RobotError;
use crate::mass_check::Origin;
use crate::report::NoteKind;
use crate::robot::{Joint, JointKind, Link};
use crate::xml::Element;

/// What elements of a body stand in: its link, the frame around them in the
/// body's, the class of their defaults.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub link: usize,
    pub X_BF: Pose,
    pub class: Option<&'a str>,
    pub is_world: bool,
}

/// The elements of a body with the frames they stand in: `<frame>` dissolved.
struct Part<'a> {
    element: &'a Element,
    X_BF: Pose,
    class: Option<&'a str>,
}

impl Reader<'_> {
    /// The world with all bodies in it: link 0.
    pub fn read_world(&mut self, root: &Element) -> Result<(), RobotError> {
        self.robot.world = Some(0);
        self.push_link(
            root,
            Link {
                name: "world".into(),
                parent: None,
                X_PJ: Pose::IDENTITY,
                joint: Joint::new("world mount", JointKind::Fixed, DVec3::X),
                X_LB: Pose::IDENTITY,
                inertial: None,
                collisions: Vec::new(),
                visuals: Vec::new(),
                intermediate: false,
            },
        );
        self.bodies.insert("world".into(), 0);
        for world in root.all("worldbody") {
            let mut parts = Vec::new();
            self.collect(world, Pose::IDENTITY, world.get("childclass"), &mut parts)?;
            self.read_parts(&parts, 0, true)?;
        }
        Ok(())
    }

    fn push_link(&mut self, element: &Element, link: Link) -> usize {
        self.robot.links.push(link);
        self.origins.push(Origin {
            place: element.place(),
            inertia: None,
            zero_mass: None,
        });
        self.robot.links.len() - 1
    }

    /// Dissolves frames.
    fn collect<'e>(
        &mut self,
        element: &'e Element,
        X_BF: Pose,
        class: Option<&'e str>,
        parts: &mut Vec<Part<'e>>,
    ) -> Result<(), RobotError> {
        for child in &element.children {
            if child.tag == "frame" {
                let inner = X_BF.compose(&self.compiler.pose(child)?);
                let class = child.get("childclass").or(class);
                self.check_class(child)?;
                self.collect(child, inner, class, parts)?;
            } else {
                parts.push(Part {
                    element: child,
                    X_BF,
                    class,
                });
            }
        }
        Ok(())
    }

    fn check_class(&self, element: &Element) -> Result<(), RobotError> {
        match element.get("childclass") {
            Some(class) if !self.defaults.has(class) => {
                Err(element.unknown("childclass", "default class"))
            }
            _ => Ok(()),
        }
    }

    /// What a body holds, but its joints; bodies in it come last of all.
    fn read_parts(
        &mut self,
        parts: &[Part],
        link: usize,
        is_world: bool,
    ) -> Result<(), RobotError> {
        let mut groups = Vec::new();
        for part in parts {
            let scope = Scope {
                link,
                X_BF: part.X_BF,
                class: part.class,
                is_world,
            };
            match part.element.tag.as_str() {
                "geom" => groups.extend(self.read_geom(part.element, &scope)?),
                "body" | "joint" | "freejoint" | "inertial" => {}
                "site" => {
                    self.read_site(part.element, &scope)?;
                }
                "camera" | "light" => {
                    let detail = "nothing here needs it";
                    self.note(NoteKind::Ignored, part.element, detail);
                }
                "replicate" | "attach" => {
                    return Err(RobotError::Unsupported {
                        place: part.element.place(),
                        what: format!("<{}>", part.element.tag),
                        remedy: "save the compiled model from MuJoCo, which writes it out",
                    });
                }
                "composite" | "flexcomp" | "plugin" => {
                    let detail = "only rigid bodies are simulated";
                    self.note(NoteKind::Unsupported, part.element, detail);
                }
                _ => {
                    let detail = "not a part of a body that is known here";
                    self.note(NoteKind::Unsupported, part.element, detail);
                }
            }
        }
        if !is_world {
            let inertial = parts.iter().find(|part| part.element.tag == "inertial");
            self.read_inertia(inertial.map(|part| part.element), link, &groups)?;
        }
        for part in parts.iter().filter(|part| part.element.tag == "body") {
            self.read_body(part.element, link, &part.X_BF, part.class)?;
        }
        Ok(())
    }

    /// Where a site is: equalities may name it.
    fn read_site(&mut self, site: &Element, scope: &Scope) -> Result<(), RobotError> {
        if let Some(name) = site.get("name").filter(|name| !name.is_empty()) {
            let X_LB = self.robot.links[scope.link].X_LB;
            let X_BS = scope.X_BF.compose(&self.compiler.pose(site)?);
            self.sites
                .insert(name.to_owned(), (scope.link, X_LB.compose(&X_BS)));
        }
        self.note(NoteKind::Ignored, site, "only equalities need it");
        Ok(())
    }

    /// A body in a link; `X_BF` is the frame around it in the outer body's.
    fn read_body(
        &mut self,
        element: &Element,
        parent: usize,
        X_BF: &Pose,
        class: Option<&str>,
    ) -> Result<(), RobotError> {
        self.check_class(element)?;
        let class = element.get("childclass").or(class);
        let mut parts = Vec::new();
        self.collect(element, Pose::IDENTITY, class, &mut parts)?;
        for (name, value) in &element.attributes {
            let (kind, detail) = match name.as_str() {
                "name" | "pos" | "quat" | "axisangle" | "euler" | "xyaxes" | "zaxis"
                | "childclass" => continue,
                "user" => (NoteKind::Ignored, "notes of the author"),
                "mocap" if value == "false" => continue,
                "mocap" => (
                    NoteKind::Changed,
                    "a body moved from outside: it stays in place",
                ),
                "gravcomp" if value.trim() == "0" => continue,
                "sleep" => (NoteKind::Ignored, "nothing sleeps here"),
                _ => (NoteKind::Unsupported, "not an attribute that is known here"),
            };
            let what = format!("{name} of <body>");
            self.report.add(kind, what, detail, element.label());
        }
        let X_LB = self.robot.links[parent].X_LB;
        let X_PB = X_LB.compose(X_BF).compose(&self.compiler.pose(element)?);
        let name = self.body_name(element)?;
        let joints: Vec<(&Element, Pose, Option<&str>)> = parts
            .iter()
            .filter(|part| matches!(part.element.tag.as_str(), "joint" | "freejoint"))
            .map(|part| (part.element, part.X_BF, part.class))
            .collect();
        let link = self.read_joints(element, &name, &joints, parent, X_PB)?;
        self.bodies.insert(name, link);
        self.read_parts(&parts, link, false)
    }

    /// Its name, or one made up that nothing else has.
    fn body_name(&mut self, element: &Element) -> Result<String, RobotError> {
        match element.get("name").filter(|name| !name.is_empty()) {
            Some(name) if self.robot.link(name).is_some() => Err(RobotError::Duplicate {
                place: element.place(),
                kind: "body",
            }),
            Some(name) => Ok(name.to_owned()),
            None => Ok(format!("body{}", self.robot.links.len())),
        }
    }

    /// One link per joint, the last of them the body; or one welded link.
    fn read_joints(
        &mut self,
        body: &Element,
        name: &str,
        joints: &[(&Element, Pose, Option<&str>)],
        parent: usize,
        X_PB: Pose,
    ) -> Result<usize, RobotError> {
        let link = |name: String, parent, X_PJ, joint, X_LB, intermediate| Link {
            name,
            parent: Some(parent),
            X_PJ,
            joint,
            X_LB,
            inertial: None,
            collisions: Vec::new(),
            visuals: Vec::new(),
            intermediate,
        };
        if joints.is_empty() {
            let joint = Joint::new(format!("{name} weld"), JointKind::Fixed, DVec3::X);
            let welded = link(name.to_owned(), parent, X_PB, joint, Pose::IDENTITY, false);
            return Ok(self.push_link(body, welded));
        }
        // B stands for the body's axes at the joint read last.
        let (mut at, mut X_PB) = (parent, X_PB);
        for (i, (element, X_BF, class)) in joints.iter().enumerate() {
            let last = i + 1 == joints.len();
            let read = self.read_joint(element, X_BF, *class, name, i)?;
            if read.joint.kind == JointKind::Free {
                if joints.len() > 1 || parent != 0 {
                    let needed = "to be the only joint of its body, and that one in the world";
                    return Err(element.incomplete(needed));
                }
                self.free.push((self.robot.links.len(), X_PB));
            }
            let at_joint = Pose::from_translation(read.p_BJ);
            let X_PJ = X_PB.compose(&at_joint).compose(&read.X_JJ0);
            let own = match last {
                true => name.to_owned(),
                false => format!("{name}/{}", read.joint.name),
            };
            let file_name = element.get("name").map(str::to_owned);
            X_PB = at_joint.inverse();
            at = self.push_link(body, link(own, at, X_PJ, read.joint, X_PB, !last));
            if let Some(joint) = file_name.filter(|name| !name.is_empty())
                && self.joints.insert(joint, at).is_some()
            {
                let place = element.place();
                return Err(RobotError::Duplicate {
                    place,
                    kind: "joint",
                });
            }
        }
        Ok(at)
    }
}
