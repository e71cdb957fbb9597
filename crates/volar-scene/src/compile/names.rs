//! Bodies by name.

use std::collections::BTreeSet;

use volar_sim::BodyId;

use crate::error::Fault;
use crate::similar::did_you_mean;
use crate::spec::SceneSpec;

/// Names of all bodies in order. A link `robot/link` may be called `link` where
/// that is not ambiguous.
pub(super) struct Names {
    names: Vec<String>,
}

impl Names {
    pub fn new(names: Vec<String>) -> Names {
        Names { names }
    }

    pub fn find(&self, wanted: &str) -> Result<BodyId, Fault> {
        find(&self.names, wanted, "body or link").map(BodyId::new)
    }
}

/// Robots, bodies and sensors each have names of their own.
pub(super) fn check_unique(scene: &SceneSpec) -> Result<(), Fault> {
    let robots: Vec<&str> = scene.robots.iter().map(|r| r.name.as_str()).collect();
    let bodies: Vec<&str> = scene.bodies.iter().map(|b| b.name.as_str()).collect();
    let sensors: Vec<&str> = scene.sensors.iter().map(|s| s.name.as_str()).collect();
    for (kind, names) in [("robot", robots), ("body", bodies), ("sensor", sensors)] {
        let mut known = BTreeSet::new();
        for (i, name) in names.iter().enumerate() {
            let at = |message: String| Fault::new(&[kind, &i.to_string(), "name"], message);
            if name.is_empty() {
                return Err(at("a name cannot be empty".into()));
            }
            // `robot/link` is the name of a link.
            if kind != "sensor" && name.contains('/') {
                return Err(at(format!("`{name}`: a name cannot have a `/` in it")));
            }
            if !known.insert(name) {
                return Err(at(format!(
                    "`{name}` is the name of another {kind} already"
                )));
            }
        }
    }
    Ok(())
}

/// The entry with this name, or the only one with this name behind a `/`.
pub(super) fn find(names: &[String], wanted: &str, what: &str) -> Result<usize, Fault> {
    let fault = |message: String| Err(Fault::new(&[], message));
    if let Some(exact) = names.iter().position(|name| name == wanted) {
        return Ok(exact);
    }
    let tail = |name: &str| name.split_once('/').is_some_and(|(_, link)| link == wanted);
    let found: Vec<usize> = (0..names.len()).filter(|i| tail(&names[*i])).collect();
    match found[..] {
        [one] => Ok(one),
        [] => {
            // People leave out the robot.
            let short = |name: &'_ String| name.rsplit('/').next().unwrap_or(name).to_owned();
            let tails: Vec<String> = names.iter().map(short).collect();
            let all = names.iter().chain(&tails).map(String::as_str);
            let hint = did_you_mean(wanted, all);
            fault(format!(
                "no {what} `{wanted}`{hint}; there are {}",
                listed(names)
            ))
        }
        _ => {
            let full: Vec<String> = found.iter().map(|i| names[*i].clone()).collect();
            fault(format!("`{wanted}` could be any of {}", listed(&full)))
        }
    }
}

/// Names for an error message; long lists are cut.
pub(super) fn listed(names: &[String]) -> String {
    const SHOWN: usize = 30;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    let mut text = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    match text.is_empty() {
        true => "none".into(),
        false => text,
    }
}

/// What to say of a name that is not among those of a robot's file.
pub(super) fn not_in_file(what: &str, wanted: &str, names: &[String]) -> String {
    let hint = did_you_mean(wanted, names.iter().map(String::as_str));
    let names = listed(names);
    format!("the file has no {what} `{wanted}`{hint}; it has {names}")
}
