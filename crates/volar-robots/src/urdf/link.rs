//! Links: mass, shapes and how they touch.

use glam::{DMat3, DVec3};
use volar_geom::Pose;
use volar_geom::mesh::mass::MassProperties;
use volar_math::rotation;

use super::Reader;
use crate::error::RobotError;
use crate::mass_check::Origin;
use crate::moments::moved;
use crate::report::NoteKind;
use crate::robot::{Joint, JointKind, Link};
use crate::xml::Element;

impl Reader<'_> {
    /// A link with the joint above it.
    pub fn link(
        &mut self,
        element: &Element,
        parent: Option<usize>,
        joint: Option<&Element>,
    ) -> Result<(Link, Origin), RobotError> {
        self.leftovers(element, &["name", "type"]);
        let name = element.need("name")?.to_owned();
        let (X_PJ, joint, X_LB) = match joint {
            Some(joint) => self.joint(joint)?,
            None => (
                Pose::IDENTITY,
                Joint::new(format!("{name} mount"), JointKind::Fixed, DVec3::X),
                Pose::IDENTITY,
            ),
        };
        let mut link = Link {
            name,
            parent,
            X_PJ,
            joint,
            X_LB,
            inertial: None,
            collisions: Vec::new(),
            visuals: Vec::new(),
            intermediate: false,
        };
        let mut origin = Origin {
            place: element.place(),
            inertia: None,
            zero_mass: None,
        };
        let mut friction = None;
        for child in &element.children {
            match child.tag.as_str() {
                "inertial" => self.inertial(child, &mut link, &mut origin)?,
                "collision" => link.collisions.extend(self.geometry(child, &X_LB, true)?),
                "visual" => link.visuals.extend(self.geometry(child, &X_LB, false)?),
                "contact" => friction = self.contact(child)?.or(friction),
                _ => self.unsupported(child, "not a part of a link that is known here"),
            }
        }
        if friction.is_some() {
            link.collisions
                .iter_mut()
                .for_each(|g| g.friction = friction);
        }
        Ok((link, origin))
    }

    fn inertial(
        &mut self,
        element: &Element,
        link: &mut Link,
        origin: &mut Origin,
    ) -> Result<(), RobotError> {
        let mass_element = element
            .child("mass")
            .ok_or_else(|| element.incomplete("a <mass value=\"…\">"))?;
        let mass = mass_element
            .number("value")?
            .ok_or_else(|| mass_element.incomplete("the attribute `value`"))?;
        let text = mass_element.get("value").unwrap_or_default().to_owned();
        if mass < 0.0 {
            return Err(RobotError::BadMass {
                place: mass_element.place(),
                attribute: "value".into(),
                value: text,
            });
        }
        for child in &element.children {
            match child.tag.as_str() {
                "mass" => self.leftovers(child, &["value"]),
                "origin" | "inertia" => {}
                _ => self.unsupported(child, "not a part of an inertial that is known here"),
            }
        }
        let X_BI = self.origin(element)?;
        let inertia = match element.child("inertia") {
            Some(inertia) => self.inertia(inertia)?,
            None => {
                let detail = "no <inertia>: taken as zero, as of a point";
                let name = link.name.clone();
                self.report
                    .add(NoteKind::Changed, "<inertial>", detail, name);
                DMat3::ZERO
            }
        };
        origin.inertia = element.child("inertia").map(Element::place);
        if mass <= 0.0 {
            origin.zero_mass = Some((mass_element.place(), text));
            return Ok(());
        }
        let own = MassProperties {
            mass,
            centre_of_mass: DVec3::ZERO,
            inertia,
        };
        link.inertial = Some(moved(&own, &link.X_LB.compose(&X_BI)));
        Ok(())
    }

    fn inertia(&mut self, element: &Element) -> Result<DMat3, RobotError> {
        let names = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"];
        self.leftovers(element, &names);
        let mut v = [0.0; 6];
        for (value, name) in v.iter_mut().zip(names) {
            // Off the diagonal, what is not given is zero.
            *value = match element.number(name)? {
                Some(value) => value,
                None if name.as_bytes()[1] != name.as_bytes()[2] => 0.0,
                None => return Err(element.incomplete(format!("the attribute `{name}`"))),
            };
        }
        let [xx, yy, zz, xy, xz, yz] = v;
        Ok(DMat3::from_cols(
            DVec3::new(xx, xy, xz),
            DVec3::new(xy, yy, yz),
            DVec3::new(xz, yz, zz),
        ))
    }

    /// Bullet's contact settings; its friction coefficient is taken over.
    fn contact(&mut self, element: &Element) -> Result<Option<f64>, RobotError> {
        let mut friction = None;
        for child in &element.children {
            match child.tag.as_str() {
                "lateral_friction" => {
                    friction = Some(child.magnitude("value", 0.0)?);
                }
                _ => self.unsupported(child, "contact has its own law here"),
            }
        }
        Ok(friction)
    }

    /// `<origin xyz rpy>`: rotated about x, then y, then z of the outer frame.
    pub fn origin(&mut self, element: &Element) -> Result<Pose, RobotError> {
        let Some(origin) = element.child("origin") else {
            return Ok(Pose::IDENTITY);
        };
        self.leftovers(origin, &["xyz", "rpy"]);
        let p = origin.vector_or("xyz", DVec3::ZERO)?;
        let rpy = origin.vector_or("rpy", DVec3::ZERO)?;
        let R = rotation::about_z(rpy.z) * rotation::about_y(rpy.y) * rotation::about_x(rpy.x);
        Ok(Pose { R, p })
    }
}
