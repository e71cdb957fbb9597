//! `<contact>`: pairs that always touch and bodies that never do.

use super::Reader;
use crate::error::RobotError;
use crate::report::NoteKind;
use crate::robot::ContactPair;
use crate::xml::Element;

impl Reader<'_> {
    /// The names of all shapes in pairs, before shapes are read.
    pub fn collect_pairs(&mut self, root: &Element) {
        for pair in contacts(root).filter(|e| e.tag == "pair") {
            for end in ["geom1", "geom2"] {
                self.paired.extend(pair.get(end).map(str::to_owned));
            }
        }
    }

    pub fn read_contacts(&mut self, root: &Element) -> Result<(), RobotError> {
        for element in contacts(root) {
            match element.tag.as_str() {
                "pair" => self.pair(element)?,
                "exclude" => self.exclude(element)?,
                _ => {
                    let detail = "not a part of <contact> that is known here";
                    self.note(NoteKind::Unsupported, element, detail);
                }
            }
        }
        Ok(())
    }

    fn exclude(&mut self, element: &Element) -> Result<(), RobotError> {
        let body = |attribute: &str| {
            let name = element.need(attribute)?;
            let link = self.bodies.get(name).copied();
            link.ok_or_else(|| element.unknown(attribute, "body"))
        };
        let (a, b) = (body("body1")?, body("body2")?);
        self.robot.excludes.push((a.min(b), a.max(b)));
        Ok(())
    }

    fn pair(&mut self, element: &Element) -> Result<(), RobotError> {
        let element = &self.defaults.apply(element, None)?;
        let shape = |attribute: &str| {
            let name = element.need(attribute)?;
            let place = self.geoms.get(name).copied();
            place.ok_or_else(|| element.unknown(attribute, "geom"))
        };
        let (a, b) = (shape("geom1")?, shape("geom2")?);
        // One dimension of contact is the normal: no friction.
        let friction = match element.number("condim")? {
            Some(dimensions) if dimensions <= 1.0 => Some(0.0),
            _ => element.numbers("friction", 1, 5)?.map(|f| f[0]),
        };
        let label = match element.get("name") {
            Some(name) => name.to_owned(),
            None => format!("{} and {}", element.need("geom1")?, element.need("geom2")?),
        };
        for (name, value) in &element.attributes {
            let kind = match name.as_str() {
                "name" | "class" | "geom1" | "geom2" | "friction" => continue,
                "condim" if matches!(value.trim(), "1" | "3") => continue,
                _ => NoteKind::Unsupported,
            };
            let what = format!("{name} of <pair>");
            let detail = "contact has its own law here";
            self.report.add(kind, what, detail, &label);
        }
        let pair = ContactPair { a, b, friction };
        if !self.robot.pairs.iter().any(|p| (p.a, p.b) == (a, b)) {
            self.robot.pairs.push(pair);
        } else {
            let what = "<pair> given twice";
            self.report
                .add(NoteKind::Changed, what, "the first counts", label);
        }
        Ok(())
    }
}

fn contacts(root: &Element) -> impl Iterator<Item = &Element> {
    root.all("contact").flat_map(|contact| &contact.children)
}
