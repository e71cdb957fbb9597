//! Fixed tendons: sums of coordinates.

use super::Reader;
use crate::error::RobotError;
use crate::report::NoteKind;
use crate::robot::Coupling;
use crate::xml::Element;

impl Reader<'_> {
    pub fn read_tendons(&mut self, root: &Element) -> Result<(), RobotError> {
        for element in root.all("tendon").flat_map(|tendons| &tendons.children) {
            let name = element.get("name").unwrap_or_default().to_owned();
            let read = match element.tag.as_str() {
                "fixed" => {
                    let merged = self.defaults.apply(element, None)?;
                    let tendon = self.fixed_tendon(&merged)?;
                    self.robot.couplings.push(tendon);
                    Some(self.robot.couplings.len() - 1)
                }
                _ => {
                    let detail = "only tendons of joints (<fixed>) are";
                    self.note(NoteKind::Unsupported, element, detail);
                    None
                }
            };
            if !name.is_empty() {
                self.tendons.insert(name, read);
            }
        }
        Ok(())
    }

    fn fixed_tendon(&mut self, element: &Element) -> Result<Coupling, RobotError> {
        let mut terms = Vec::new();
        for part in element.all("joint") {
            let link = self.scalar_joint(part, "joint")?;
            let coefficient = part
                .number("coef")?
                .ok_or_else(|| part.incomplete("the attribute `coef`"))?;
            terms.push((link, coefficient));
        }
        if terms.is_empty() {
            return Err(element.incomplete("a <joint joint=\"…\" coef=\"…\">"));
        }
        let label = element.label();
        for (name, value) in &element.attributes {
            let is_zero = value.split_ascii_whitespace().all(|v| v.parse() == Ok(0.0));
            let (kind, detail) = match name.as_str() {
                "name" | "class" | "limited" | "range" | "stiffness" | "damping"
                | "springlength" => continue,
                "group" | "user" | "rgba" | "material" | "width" => {
                    (NoteKind::Ignored, "for looks and notes")
                }
                "margin" => (NoteKind::Ignored, "limits act where they are"),
                "frictionloss" | "armature" if is_zero => continue,
                "solreflimit" | "solimplimit" => {
                    (NoteKind::Unsupported, "limits have their own law here")
                }
                _ => (NoteKind::Unsupported, "not an attribute that is known here"),
            };
            let what = format!("{name} of <fixed>");
            self.report.add(kind, what, detail, &label);
        }
        let stiffness = element.magnitude("stiffness", 0.0)?;
        // Without a length the spring rests at the tendon's in the start.
        let start = terms.iter().map(|(link, c)| {
            let initial = &self.robot.links[*link].joint.initial;
            c * initial.first().copied().unwrap_or(0.0)
        });
        let start: f64 = start.sum();
        let spring_rest = match element.numbers("springlength", 1, 2)?.as_deref() {
            Some([length, ..]) if *length >= 0.0 => *length,
            _ => start,
        };
        Ok(Coupling {
            name: label,
            terms,
            range: self.limited(element, "limited", "range")?,
            stiffness,
            spring_rest,
            damping: element.magnitude("damping", 0.0)?,
        })
    }

    /// The link of a joint with one degree of freedom.
    pub fn scalar_joint(&self, element: &Element, attribute: &str) -> Result<usize, RobotError> {
        let name = element.need(attribute)?;
        let link = self.joints.get(name).copied();
        let link = link.ok_or_else(|| element.unknown(attribute, "joint"))?;
        match self.robot.links[link].joint.kind.nv() {
            1 => Ok(link),
            _ => Err(element.bad(attribute, "a joint with one degree of freedom")),
        }
    }
}
