//! Actuators: all are `<general>` in the end.
//!
//! `<motor>`, `<position>` and `<velocity>` are shortcuts that set its gain
//! and bias; [`generalise`] does so for elements and for defaults, which all
//! actuators share.

use super::Reader;
use crate::actuator::{Actuator, ActuatorLaw, Drives};
use crate::error::RobotError;
use crate::report::NoteKind;
use crate::xml::Element;

pub const GENERAL: &str = "general";
/// All actuators, supported or not.
pub const TAGS: &[&str] = &[
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "dcmotor",
    "plugin",
];

/// Turns a shortcut's attributes into those of `<general>`, in place. Those
/// that are not supported get a mark that [`Reader::read_actuators`] reports.
pub fn generalise(element: &mut Element) -> Result<(), RobotError> {
    let gain = element.numbers("gainprm", 1, 10)?.map_or(1.0, |v| v[0]);
    let mut bias = element.numbers("biasprm", 1, 10)?.unwrap_or_default();
    bias.resize(bias.len().max(3), 0.0);
    let given = |name: &str| element.number(name);
    let (kp, kv) = (given("kp")?, given("kv")?);
    match element.tag.as_str() {
        "general" => return Ok(()),
        "motor" => {
            element.set("gaintype", "fixed");
            element.set("gainprm", "1");
            element.set("biastype", "none");
            element.set("biasprm", "0 0 0");
            element.set("dyntype", "none");
        }
        "position" => {
            let kp = kp.unwrap_or(gain);
            let speed = kv.map_or(bias[2], |kv| -kv);
            element.set("gaintype", "fixed");
            element.set("gainprm", &format!("{kp:e}"));
            element.set("biastype", "affine");
            element.set("biasprm", &format!("0 {:e} {speed:e}", -kp));
        }
        "velocity" => {
            let kv = kv.unwrap_or(gain);
            element.set("gaintype", "fixed");
            element.set("gainprm", &format!("{kv:e}"));
            element.set("biastype", "affine");
            element.set("biasprm", &format!("0 0 {:e}", -kv));
        }
        other => {
            let mark = other.to_owned();
            element.set("dyntype", &mark);
        }
    }
    element
        .attributes
        .retain(|(name, _)| name != "kp" && name != "kv");
    Ok(())
}

impl Reader<'_> {
    pub fn read_actuators(&mut self, root: &Element) -> Result<(), RobotError> {
        for element in root
            .all("actuator")
            .flat_map(|actuators| &actuators.children)
        {
            if !matches!(
                element.tag.as_str(),
                "general" | "motor" | "position" | "velocity"
            ) {
                let detail = "only actuators that are affine in control, length and speed are";
                self.note(NoteKind::Unsupported, element, detail);
                self.driven.push(false);
                continue;
            }
            let mut merged = self.defaults.apply(element, None)?;
            generalise(&mut merged)?;
            let actuator = self.actuator(&merged)?;
            self.driven.push(actuator.is_some());
            self.robot.actuators.extend(actuator);
        }
        Ok(())
    }

    fn actuator(&mut self, element: &Element) -> Result<Option<Actuator>, RobotError> {
        let Some((drives, target)) = self.transmission(element)? else {
            return Ok(None);
        };
        let name = match element.get("name").filter(|name| !name.is_empty()) {
            Some(name) => name.to_owned(),
            None => format!("{} of {target}", element.tag),
        };
        let word = |attribute: &str, default: &str| {
            element.get(attribute).unwrap_or(default).trim().to_owned()
        };
        let (dynamics, gain_type, bias_type) = (
            word("dyntype", "none"),
            word("gaintype", "fixed"),
            word("biastype", "none"),
        );
        let odd = match (dynamics.as_str(), gain_type.as_str(), bias_type.as_str()) {
            ("none", "fixed", "none" | "affine") => None,
            ("none", "fixed", other) => Some(format!("biastype=\"{other}\"")),
            ("none", other, _) => Some(format!("gaintype=\"{other}\"")),
            (other, ..) => Some(format!("dyntype=\"{other}\"")),
        };
        if let Some(odd) = odd {
            let what = format!("actuator with {odd}");
            let detail = "only actuators that are affine in control, length and speed are";
            self.report.add(NoteKind::Unsupported, what, detail, name);
            return Ok(None);
        }
        let gain = element.numbers("gainprm", 1, 10)?.map_or(1.0, |v| v[0]);
        let mut bias = [0.0; 3];
        if bias_type == "affine" {
            let values = element.numbers("biasprm", 1, 10)?.unwrap_or_default();
            bias.iter_mut().zip(values).for_each(|(b, v)| *b = v);
        }
        if bias[1] > 0.0 || bias[2] > 0.0 {
            let what = "actuator with a bias that grows with length or speed";
            let detail = "it would push ever harder";
            self.report.add(NoteKind::Unsupported, what, detail, name);
            return Ok(None);
        }
        let gear = element.numbers("gear", 1, 6)?.map_or(1.0, |v| v[0]);
        self.note_actuator(element, &name);
        Ok(Some(Actuator {
            name,
            drives,
            gear,
            law: ActuatorLaw { gain, bias },
            control_range: self.limited(element, "ctrllimited", "ctrlrange")?,
            force_range: self.limited(element, "forcelimited", "forcerange")?,
        }))
    }

    /// What it acts on; None, with a note, when that is not supported.
    fn transmission(&mut self, element: &Element) -> Result<Option<(Drives, String)>, RobotError> {
        for attribute in ["joint", "jointinparent"] {
            let Some(name) = element.get(attribute) else {
                continue;
            };
            let link = self.joints.get(name).copied();
            let link = link.ok_or_else(|| element.unknown(attribute, "joint"))?;
            if self.robot.links[link].joint.kind.nv() == 1 {
                return Ok(Some((Drives::Joint(link), name.to_owned())));
            }
            let what = "actuator on a ball or free joint";
            let detail = "only joints with one degree of freedom are driven";
            self.report
                .add(NoteKind::Unsupported, what, detail, element.label());
            return Ok(None);
        }
        if let Some(name) = element.get("tendon") {
            let tendon = self.tendons.get(name).copied();
            return match tendon.ok_or_else(|| element.unknown("tendon", "tendon"))? {
                Some(coupling) => Ok(Some((Drives::Coupling(coupling), name.to_owned()))),
                None => {
                    let what = "actuator on a tendon through space";
                    self.report
                        .add(NoteKind::Unsupported, what, "", element.label());
                    Ok(None)
                }
            };
        }
        for attribute in ["site", "body", "cranksite", "slidersite"] {
            if element.get(attribute).is_some() {
                let what = format!("actuator on a {attribute}");
                let detail = "only joints and fixed tendons are driven";
                self.report
                    .add(NoteKind::Unsupported, what, detail, element.label());
                return Ok(None);
            }
        }
        Err(element.incomplete("a `joint` or a `tendon` to act on"))
    }

    fn note_actuator(&mut self, element: &Element, actuator: &str) {
        for (name, value) in &element.attributes {
            let is_zero = value.split_ascii_whitespace().all(|v| v.parse() == Ok(0.0));
            let (kind, detail) = match name.as_str() {
                "name" | "class" | "joint" | "jointinparent" | "tendon" | "gear" | "gainprm"
                | "biasprm" | "gaintype" | "biastype" | "dyntype" | "ctrllimited" | "ctrlrange"
                | "forcelimited" | "forcerange" => continue,
                "group" | "user" => (NoteKind::Ignored, "for looks and notes"),
                "dynprm" | "actlimited" | "actrange" | "actdim" | "actearly" | "lengthrange" => {
                    (NoteKind::Ignored, "no effect without activation")
                }
                "timeconst" | "dampratio" | "inheritrange" | "armature" | "damping" if is_zero => {
                    continue;
                }
                _ => (NoteKind::Unsupported, "not an attribute that is known here"),
            };
            let what = format!("{name} of <{}>", element.tag);
            self.report.add(kind, what, detail, actuator);
        }
    }
}
