//! `<default>` classes: attributes that elements have unless they say else.
//!
//! A class starts as a copy of the class around it. All actuators share one
//! set of defaults, whatever shortcut gives them, and so do all tendons; see
//! [`group`].

use std::collections::BTreeMap;

use super::read_actuator;
use crate::error::RobotError;
use crate::report::{ImportReport, NoteKind};
use crate::xml::Element;

type Attributes = Vec<(String, String)>;

/// The class of elements that name none.
const MAIN: &str = "main";

#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// Per class: attributes per group of tags.
    classes: BTreeMap<String, BTreeMap<String, Attributes>>,
}

/// The tag under which defaults of an element stand.
fn group(tag: &str) -> &str {
    match tag {
        "fixed" | "spatial" | "tendon" => "tendon",
        _ if read_actuator::TAGS.contains(&tag) => read_actuator::GENERAL,
        _ => tag,
    }
}

/// Elements that have defaults here; those of others are noted.
const USED: &[&str] = &["geom", "joint", "mesh", "pair", "tendon", "equality"];
/// Defaults without effect on motion.
const LOOKS: &[&str] = &["site", "camera", "light", "material", "texture"];

impl Defaults {
    pub fn read(root: &Element, report: &mut ImportReport) -> Result<Defaults, RobotError> {
        let mut defaults = Defaults::default();
        defaults.classes.insert(MAIN.into(), BTreeMap::new());
        for element in root.all("default") {
            // The outermost class is the main one, whatever its name.
            if let Some(name) = element.get("class") {
                let main = defaults.classes[MAIN].clone();
                defaults.classes.entry(name.into()).or_insert(main);
            }
            defaults.class(element, MAIN, report)?;
            if let Some(name) = element.get("class") {
                let main = defaults.classes[MAIN].clone();
                defaults.classes.insert(name.into(), main);
            }
        }
        Ok(defaults)
    }

    /// Reads into a class its own elements, then the classes in it.
    fn class(
        &mut self,
        element: &Element,
        name: &str,
        report: &mut ImportReport,
    ) -> Result<(), RobotError> {
        let mut own = self.classes.get(name).cloned().unwrap_or_default();
        for child in element.children.iter().filter(|c| c.tag != "default") {
            let tag = group(&child.tag);
            if !USED.contains(&tag) && tag != read_actuator::GENERAL {
                let kind = match LOOKS.contains(&tag) {
                    true => NoteKind::Ignored,
                    false => NoteKind::Unsupported,
                };
                let what = format!("defaults of <{tag}>");
                report.add(kind, what, "", format!("class {name}"));
                continue;
            }
            let values = own.entry(tag.to_owned()).or_default();
            let mut merged = merged(child, values);
            if tag == read_actuator::GENERAL {
                read_actuator::generalise(&mut merged)?;
            }
            *values = merged.attributes;
        }
        self.classes.insert(name.to_owned(), own.clone());
        for child in element.all("default") {
            let inner = child.need("class")?.to_owned();
            self.classes.insert(inner.clone(), own.clone());
            self.class(child, &inner, report)?;
        }
        Ok(())
    }

    /// An element with the attributes of its class filled in: the class it
    /// names, or else that of the bodies around it.
    pub fn apply(&self, element: &Element, around: Option<&str>) -> Result<Element, RobotError> {
        let class = element.get("class").or(around).unwrap_or(MAIN);
        let Some(values) = self.classes.get(class) else {
            return Err(RobotError::Unknown {
                place: element.place(),
                attribute: "class".into(),
                kind: "default class",
                name: class.to_owned(),
            });
        };
        Ok(match values.get(group(&element.tag)) {
            Some(values) => merged(element, values),
            None => element.clone(),
        })
    }

    /// Whether a class exists.
    pub fn has(&self, class: &str) -> bool {
        self.classes.contains_key(class)
    }
}

/// Ways to say the same thing: one that is given puts all others out of force.
const ORIENTATIONS: &[&str] = &["quat", "axisangle", "euler", "xyaxes", "zaxis", "fromto"];

/// An element with further attributes where it has none of its own.
fn merged(element: &Element, values: &Attributes) -> Element {
    let mut merged = element.clone();
    merged.children.clear();
    let rotated = ORIENTATIONS.iter().any(|name| element.get(name).is_some());
    for (name, value) in values {
        let overruled = rotated && ORIENTATIONS.contains(&name.as_str());
        if element.get(name).is_none() && name != "class" && !overruled {
            merged.attributes.push((name.clone(), value.clone()));
        }
    }
    merged.children.clone_from(&element.children);
    merged
}
