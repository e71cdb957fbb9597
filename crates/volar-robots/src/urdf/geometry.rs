//! Shapes of links.

use glam::DVec3;
use volar_geom::Pose;
use volar_math::rotation;
use volar_solids::{MeshFile, Scale, Shape};

use super::Reader;
use crate::error::RobotError;
use crate::files::{first_file, urdf_candidates};
use crate::report::NoteKind;
use crate::robot::Geometry;
use crate::xml::Element;

impl Reader<'_> {
    /// A `<collision>` or `<visual>`. What is only looked at may be missing:
    /// that is noted, and there is no shape.
    pub fn geometry(
        &mut self,
        element: &Element,
        X_LB: &Pose,
        touches: bool,
    ) -> Result<Option<Geometry>, RobotError> {
        self.leftovers(element, &["name", "concave"]);
        for child in &element.children {
            match child.tag.as_str() {
                "origin" | "geometry" => {}
                "material" => self.ignore(child, "materials are for looks"),
                _ => self.unsupported(child, "not a part of a shape that is known here"),
            }
        }
        let mut X_LG = X_LB.compose(&self.origin(element)?);
        let shape = element
            .child("geometry")
            .and_then(|geometry| geometry.children.first())
            .ok_or_else(|| element.incomplete("a <geometry> with a shape in it"))?;
        let shape = match self.shape(shape, &mut X_LG) {
            Ok(shape) => shape,
            Err(error @ (RobotError::Missing { .. } | RobotError::Unsupported { .. }))
                if !touches =>
            {
                let what = "<visual> left out";
                self.report
                    .add(NoteKind::Unsupported, what, "", error.to_string());
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        Ok(Some(Geometry {
            name: element.get("name").unwrap_or_default().to_owned(),
            X_LG,
            shape,
            friction: None,
            mass: None,
            density: None,
            contype: u32::from(touches),
            conaffinity: u32::from(touches),
        }))
    }

    fn shape(&mut self, shape: &Element, X_LG: &mut Pose) -> Result<Shape, RobotError> {
        let length = |attribute: &str| match shape.number(attribute)? {
            Some(value) if value > 0.0 => Ok(value),
            Some(_) => Err(shape.bad(attribute, "a length above zero")),
            None => Err(shape.incomplete(format!("the attribute `{attribute}`"))),
        };
        let (read, known): (Shape, &[&str]) = match shape.tag.as_str() {
            "box" => {
                let size = shape
                    .vector("size")?
                    .ok_or_else(|| shape.incomplete("the attribute `size`"))?;
                if size.min_element() <= 0.0 {
                    return Err(shape.bad("size", "three lengths above zero"));
                }
                (Shape::Box(size.to_array()), &["size"])
            }
            "sphere" => {
                let radius = length("radius")?;
                (Shape::sphere(radius), &["radius"])
            }
            "cylinder" => {
                let (radius, length) = (length("radius")?, length("length")?);
                (Shape::Cylinder { radius, length }, &["radius", "length"])
            }
            "capsule" => {
                let (radius, length) = (length("radius")?, length("length")?);
                (Shape::Capsule { radius, length }, &["radius", "length"])
            }
            "ellipsoid" => {
                let half = shape
                    .vector("radii")?
                    .ok_or_else(|| shape.incomplete("the attribute `radii`"))?;
                if half.min_element() <= 0.0 {
                    return Err(shape.bad("radii", "three lengths above zero"));
                }
                (Shape::Ellipsoid(half.to_array()), &["radii"])
            }
            "plane" => {
                let normal = shape.vector_or("normal", DVec3::Z)?;
                let normal = normal
                    .try_normalize()
                    .ok_or_else(|| shape.bad("normal", "a vector that is not zero"))?;
                let turn = Pose {
                    R: rotation::arc(DVec3::Z, normal),
                    p: DVec3::ZERO,
                };
                *X_LG = X_LG.compose(&turn);
                (Shape::Ground {}, &["normal"])
            }
            "mesh" => (self.mesh(shape)?, &["filename", "scale"]),
            other => {
                return Err(RobotError::Unsupported {
                    place: shape.place(),
                    what: format!("a shape <{other}>"),
                    remedy: "use a box, sphere, cylinder, capsule, ellipsoid or mesh",
                });
            }
        };
        self.leftovers(shape, known);
        Ok(read)
    }

    fn mesh(&mut self, element: &Element) -> Result<Shape, RobotError> {
        let name = element.need("filename")?;
        let scale = match element.numbers("scale", 1, 3)?.as_deref() {
            None => DVec3::ONE,
            Some([s]) => DVec3::splat(*s),
            Some([x, y, z]) => DVec3::new(*x, *y, *z),
            Some(_) => return Err(element.bad("scale", "3 numbers")),
        };
        if scale.element_product().abs() <= 0.0 {
            return Err(element.bad("scale", "numbers that are not zero"));
        }
        let candidates = urdf_candidates(name, self.files.folder, &self.files.options.packages);
        let path = first_file(self.files.library.source(), candidates).map_err(|tried| {
            RobotError::Missing {
                place: element.place(),
                what: "the mesh file",
                name: name.to_owned(),
                tried,
            }
        })?;
        Ok(Shape::Mesh(MeshFile {
            scale: Scale::PerAxis(scale.to_array()),
            ..MeshFile::new(path.to_string_lossy())
        }))
    }
}
