//! Shapes of bodies. MJCF gives half sizes; here are whole ones.

use glam::DVec3;
use volar_geom::Pose;
use volar_solids::Shape;

use super::Reader;
use super::compiler::from_z;
use super::read_body::Scope;
use crate::error::RobotError;
use crate::report::NoteKind;
use crate::robot::Geometry;
use crate::xml::Element;

/// A shape that has to do with the mass of its body.
#[derive(Clone, Debug)]
pub struct Weighed {
    pub geometry: Geometry,
    pub group: i64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Plane,
    HeightField,
    Sphere,
    Capsule,
    Ellipsoid,
    Cylinder,
    Box,
    Mesh,
    Sdf,
}

const KINDS: &[(&str, Kind)] = &[
    ("plane", Kind::Plane),
    ("hfield", Kind::HeightField),
    ("sphere", Kind::Sphere),
    ("capsule", Kind::Capsule),
    ("ellipsoid", Kind::Ellipsoid),
    ("cylinder", Kind::Cylinder),
    ("box", Kind::Box),
    ("mesh", Kind::Mesh),
    ("sdf", Kind::Sdf),
];

impl Reader<'_> {
    /// Adds a shape to its link, and gives it back for its mass.
    pub fn read_geom(
        &mut self,
        element: &Element,
        scope: &Scope,
    ) -> Result<Option<Weighed>, RobotError> {
        let element = &self.defaults.apply(element, scope.class)?;
        let bits = |name: &str| {
            let value = element.number_or(name, 1.0)?;
            let whole = value.fract().abs() <= 0.0;
            match whole && (0.0..=f64::from(u32::MAX)).contains(&value) {
                true => Ok(value as u32),
                // −1 is all bits.
                false if whole && value >= f64::from(i32::MIN) && value < 0.0 => {
                    Ok(value as i32 as u32)
                }
                false => Err(element.bad(name, "a whole number of 32 bits")),
            }
        };
        let (contype, conaffinity) = (bits("contype")?, bits("conaffinity")?);
        let name = element.get("name").unwrap_or_default().to_owned();
        let touches = contype != 0 || conaffinity != 0 || self.paired.contains(&name);
        let Some((shape, X_FG)) = self.shape_or_note(element, touches)? else {
            return Ok(None);
        };
        self.note_geom(element, touches);
        if touches && matches!(shape, Shape::Mesh(_)) {
            let what = "mesh in contact";
            let detail = "taken as it is; MuJoCo takes its convex hull";
            let kind = NoteKind::Changed;
            self.report.add(kind, what, detail, element.label());
        }
        let friction = element.numbers("friction", 1, 3)?.map_or(1.0, |f| f[0]);
        if friction < 0.0 {
            return Err(element.bad("friction", "numbers that are not negative"));
        }
        let mass = element.number("mass")?;
        if mass.is_some_and(|mass| mass < 0.0) {
            return Err(RobotError::BadMass {
                place: element.place(),
                attribute: "mass".into(),
                value: element.get("mass").unwrap_or_default().into(),
            });
        }
        let X_LB = self.robot.links[scope.link].X_LB;
        let geometry = Geometry {
            X_LG: X_LB.compose(&scope.X_BF).compose(&X_FG),
            shape,
            friction: touches.then_some(friction),
            mass,
            density: element.number("density")?,
            contype,
            conaffinity,
            name: name.clone(),
        };
        let link = &mut self.robot.links[scope.link];
        if touches {
            let place = (scope.link, link.collisions.len());
            link.collisions.push(geometry.clone());
            if !name.is_empty() && self.geoms.insert(name, place).is_some() {
                let place = element.place();
                return Err(RobotError::Duplicate {
                    place,
                    kind: "geom",
                });
            }
        } else {
            link.visuals.push(geometry.clone());
        }
        let group = element.number_or("group", 0.0)? as i64;
        Ok((!scope.is_world).then_some(Weighed { geometry, group }))
    }

    /// A shape and its frame. What is only looked at may be missing or strange:
    /// that is noted.
    fn shape_or_note(
        &mut self,
        element: &Element,
        touches: bool,
    ) -> Result<Option<(Shape, Pose)>, RobotError> {
        match self.shape(element) {
            Ok(read) => Ok(Some(read)),
            Err(error @ (RobotError::Missing { .. } | RobotError::Unsupported { .. }))
                if !touches =>
            {
                let what = "<geom> left out, only to look at";
                self.report
                    .add(NoteKind::Unsupported, what, "", error.to_string());
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn shape(&self, element: &Element) -> Result<(Shape, Pose), RobotError> {
        let kind = element.word("type", KINDS)?.unwrap_or(Kind::Sphere);
        let mut size = element.numbers("size", 1, 3)?.unwrap_or_default();
        let mut X_FG = self.compiler.pose(element)?;
        if kind == Kind::Mesh {
            return Ok((self.mesh_shape(element)?, X_FG));
        }
        let unsupported = |what: &str, remedy| RobotError::Unsupported {
            place: element.place(),
            what: what.into(),
            remedy,
        };
        if element.get("mesh").is_some() {
            let what = "a primitive fitted to a mesh";
            return Err(unsupported(what, "set type=\"mesh\", or give its size"));
        }
        match kind {
            Kind::Plane => return Ok((Shape::Ground {}, X_FG)),
            Kind::HeightField => return Err(unsupported("a height field", "use a mesh")),
            Kind::Sdf => return Err(unsupported("a signed distance field", "use a mesh")),
            _ => {}
        }
        if let Some(ends) = element.numbers("fromto", 6, 6)? {
            if kind == Kind::Sphere {
                return Err(element.bad("fromto", "left out for a sphere"));
            }
            let a = DVec3::new(ends[0], ends[1], ends[2]);
            let b = DVec3::new(ends[3], ends[4], ends[5]);
            let z = (a - b)
                .try_normalize()
                .ok_or_else(|| element.bad("fromto", "two points apart"))?;
            X_FG = Pose {
                R: from_z(z),
                p: 0.5 * (a + b),
            };
            let (first, half) = (size.first().copied(), 0.5 * (a - b).length());
            let across = first.ok_or_else(|| element.incomplete("a `size`"))?;
            size = match kind {
                Kind::Box | Kind::Ellipsoid => vec![across, across, half],
                _ => vec![across, half],
            };
        }
        let needed = match kind {
            Kind::Sphere => 1,
            Kind::Capsule | Kind::Cylinder => 2,
            _ => 3,
        };
        if size.len() < needed || size[..needed].iter().any(|s| *s <= 0.0) {
            return Err(match element.get("size") {
                Some(_) => element.bad("size", format!("{needed} half sizes above zero")),
                None => element.incomplete(format!("a `size` of {needed} numbers")),
            });
        }
        let three = |s: &[f64]| DVec3::new(s[0], s[1], s[2]);
        let shape = match kind {
            Kind::Sphere => Shape::sphere(size[0]),
            Kind::Capsule => Shape::Capsule {
                radius: size[0],
                length: 2.0 * size[1],
            },
            Kind::Cylinder => Shape::Cylinder {
                radius: size[0],
                length: 2.0 * size[1],
            },
            Kind::Ellipsoid => Shape::Ellipsoid(three(&size).to_array()),
            _ => Shape::Box((2.0 * three(&size)).to_array()),
        };
        Ok((shape, X_FG))
    }

    fn note_geom(&mut self, element: &Element, touches: bool) {
        for (name, value) in &element.attributes {
            let is_zero = value.split_ascii_whitespace().all(|v| v.parse() == Ok(0.0));
            let (kind, detail) = match name.as_str() {
                "name" | "class" | "type" | "size" | "fromto" | "pos" | "quat" | "axisangle"
                | "euler" | "xyaxes" | "zaxis" | "mesh" | "mass" | "density" | "friction"
                | "contype" | "conaffinity" | "group" => continue,
                "rgba" | "material" | "user" => (NoteKind::Ignored, "for looks and notes"),
                "fitscale" | "hfield" => continue,
                // Contact with one normal and sliding friction is ours too.
                "condim" if value.trim() == "3" => continue,
                "margin" | "gap" | "priority" | "fluidshape" if is_zero || value == "none" => {
                    continue;
                }
                "condim" | "margin" | "gap" | "solmix" | "solref" | "solimp" | "priority" => {
                    match touches {
                        true => (NoteKind::Unsupported, "contact has its own law here"),
                        false => continue,
                    }
                }
                "shellinertia" if value == "false" => continue,
                "shellinertia" => (NoteKind::Unsupported, "shapes are massive, not shells"),
                _ => (NoteKind::Unsupported, "not an attribute that is known here"),
            };
            let what = format!("{name} of <geom>");
            self.report.add(kind, what, detail, element.label());
        }
    }
}
