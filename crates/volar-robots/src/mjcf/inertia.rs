//! Mass of bodies: as given, or that of their shapes.

use glam::{DMat3, DVec3};
use volar_geom::Pose;
use volar_geom::mesh::mass::MassProperties;

use super::Reader;
use super::read_geom::Weighed;
use crate::error::RobotError;
use crate::moments::{combined, mass_of, moved};
use crate::report::NoteKind;
use crate::xml::Element;

/// MuJoCo's density where none is given: that of water, kg/m³.
const DENSITY: f64 = 1000.0;

impl Reader<'_> {
    pub fn read_inertia(
        &mut self,
        inertial: Option<&Element>,
        link: usize,
        shapes: &[Weighed],
    ) -> Result<(), RobotError> {
        let from_shapes = match self.compiler.from_geoms {
            Some(choice) => choice,
            None => inertial.is_none(),
        };
        let mut mass = match (from_shapes, inertial) {
            (true, _) => self.mass_of_shapes(link, shapes)?,
            (false, Some(inertial)) => self.given_mass(inertial, link)?,
            (false, None) => None,
        };
        if let (true, Some(inertial)) = (from_shapes, inertial) {
            let detail = "inertiafromgeom=\"true\": mass comes from shapes";
            self.note(NoteKind::Changed, inertial, detail);
        }
        if let Some(mass) = &mut mass {
            self.bound(mass);
        }
        self.robot.links[link].inertial = mass;
        Ok(())
    }

    fn mass_of_shapes(
        &mut self,
        link: usize,
        shapes: &[Weighed],
    ) -> Result<Option<MassProperties>, RobotError> {
        let [low, high] = self.compiler.geom_groups;
        let mut parts = Vec::new();
        for shape in shapes.iter().filter(|s| (low..=high).contains(&s.group)) {
            match mass_of(&shape.geometry, DENSITY, self.files.library) {
                Ok(part) => parts.extend(part),
                // A mesh that is only looked at need not be a solid.
                Err(error) if shape.geometry.contype == 0 && shape.geometry.conaffinity == 0 => {
                    let name = &self.robot.links[link].name;
                    let detail = error.to_string();
                    let what = "mass of a mesh left out";
                    self.report.add(NoteKind::Unsupported, what, detail, name);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(combined(&parts))
    }

    fn given_mass(
        &mut self,
        element: &Element,
        link: usize,
    ) -> Result<Option<MassProperties>, RobotError> {
        for (name, _) in &element.attributes {
            let known = [
                "pos",
                "quat",
                "axisangle",
                "euler",
                "xyaxes",
                "zaxis",
                "mass",
                "diaginertia",
                "fullinertia",
            ];
            if !known.contains(&name.as_str()) {
                let what = format!("{name} of <inertial>");
                let detail = "not an attribute that is known here";
                let body = &self.robot.links[link].name;
                self.report.add(NoteKind::Unsupported, what, detail, body);
            }
        }
        let text = element.need("mass")?.to_owned();
        let mass = element.number_or("mass", 0.0)?;
        if mass < 0.0 {
            return Err(RobotError::BadMass {
                place: element.place(),
                attribute: "mass".into(),
                value: text,
            });
        }
        let X_BI = self.compiler.pose(element)?;
        let (inertia, X_BI) = match element.numbers("fullinertia", 6, 6)? {
            Some(v) => {
                let columns = DMat3::from_cols(
                    DVec3::new(v[0], v[3], v[4]),
                    DVec3::new(v[3], v[1], v[5]),
                    DVec3::new(v[4], v[5], v[2]),
                );
                // Along the body's axes; no orientation may be given with it.
                (columns, Pose::from_translation(X_BI.p))
            }
            None => {
                let diagonal = element.vector_or("diaginertia", DVec3::ZERO)?;
                (DMat3::from_diagonal(diagonal), X_BI)
            }
        };
        self.origins[link].inertia = Some(element.place());
        if mass <= 0.0 {
            self.origins[link].zero_mass = Some((element.place(), text));
            return Ok(None);
        }
        let own = MassProperties {
            mass,
            centre_of_mass: DVec3::ZERO,
            inertia,
        };
        let X_LB = self.robot.links[link].X_LB;
        Ok(Some(moved(&own, &X_LB.compose(&X_BI))))
    }

    /// `boundmass` and `boundinertia`: least values.
    fn bound(&mut self, mass: &mut MassProperties) {
        mass.mass = mass.mass.max(self.compiler.bound_mass);
        let least = self.compiler.bound_inertia;
        let diagonal = mass.inertia.to_cols_array();
        let below = [diagonal[0], diagonal[4], diagonal[8]].map(|d| (least - d).max(0.0));
        mass.inertia += DMat3::from_diagonal(DVec3::from_array(below));
    }

    /// `settotalmass`: scales all masses and inertias.
    pub fn set_total_mass(&mut self) {
        let Some(total) = self.compiler.total_mass else {
            return;
        };
        let masses = self.robot.links.iter().filter_map(|l| l.inertial);
        let sum: f64 = masses.map(|inertial| inertial.mass).sum();
        if sum <= 0.0 {
            return;
        }
        let links = self.robot.links.iter_mut();
        for inertial in links.filter_map(|link| link.inertial.as_mut()) {
            inertial.mass *= total / sum;
            inertial.inertia *= total / sum;
        }
    }
}
