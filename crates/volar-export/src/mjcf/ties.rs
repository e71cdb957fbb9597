//! What ties bodies and joints together: contacts, tendons, equalities, actuators.

use super::View;
use crate::plain::{Body, ClosureKind, Drive, DriveKind, Placed, Terms, is_one};
use crate::xml::{Xml, numbers};

/// A tendon: a sum of coordinates.
struct Tendon {
    name: String,
    joints: Terms,
    attributes: Vec<(&'static str, String)>,
}

impl<'a> View<'a> {
    pub(super) fn ties(self, xml: &mut Xml) {
        self.contacts(xml);
        let mut tendons = self.tendons();
        self.equalities(xml, &mut tendons);
        let actuators: Vec<_> = self
            .drives()
            .map(|drive| self.actuator(drive, &mut tendons))
            .collect();
        if !tendons.is_empty() {
            xml.open("tendon", &[]);
            for tendon in &tendons {
                let mut attributes = vec![("name", tendon.name.clone())];
                attributes.extend(tendon.attributes.iter().cloned());
                xml.open("fixed", &attributes);
                for (joint, c) in &tendon.joints {
                    let joint = self.name(joint);
                    xml.leaf("joint", &[("joint", joint), ("coef", c.to_string())]);
                }
                xml.close();
            }
            xml.close();
        }
        if !actuators.is_empty() {
            xml.open("actuator", &[]);
            for (tag, attributes) in actuators {
                xml.leaf(tag, &attributes);
            }
            xml.close();
        }
    }

    /// What drives the joints here.
    pub(super) fn drives(self) -> impl Iterator<Item = &'a Drive> {
        let own = move |drive: &&Drive| drive.joints.iter().all(|(joint, _)| self.has(joint));
        self.schedule.drives.iter().filter(own)
    }

    fn contacts(self, xml: &mut Xml) {
        let contact = &self.schedule.contact;
        let both = |a: &str, b: &str| self.has(a) && self.has(b);
        let excluded = contact.excluded.iter().filter(|[a, b]| both(a, b));
        let excluded: Vec<_> = excluded.collect();
        let friction = contact.friction.iter().filter(|(a, b, _)| both(a, b));
        let friction: Vec<_> = friction.collect();
        if excluded.is_empty() && friction.is_empty() {
            return;
        }
        xml.open("contact", &[]);
        for [a, b] in excluded {
            let is_world = |name: &str| self.schedule.body(name).is_some_and(|b| b.is_world);
            let name = |full: &str| match self.robot.is_some() && is_world(full) {
                true => "world".to_owned(),
                false => self.name(full),
            };
            xml.leaf("exclude", &[("body1", name(a)), ("body2", name(b))]);
        }
        for (a, b, mu) in friction {
            // Sliding in two directions, then MuJoCo's own for turning and rolling.
            let friction = format!("{mu} {mu} 0.005 0.0001 0.0001");
            let (a, b) = (self.name(a), self.name(b));
            xml.leaf(
                "pair",
                &[("geom1", a), ("geom2", b), ("friction", friction)],
            );
        }
        xml.close();
    }

    fn tendons(self) -> Vec<Tendon> {
        let couplings = self.schedule.couplings.iter();
        let own = couplings.filter(|coupling| self.has(&coupling.name));
        own.map(|coupling| {
            let mut attributes = Vec::new();
            if let Some(range) = coupling.range {
                attributes.push(("range", numbers(range)));
            }
            if coupling.stiffness > 0.0 {
                attributes.push(("stiffness", coupling.stiffness.to_string()));
                attributes.push(("springlength", coupling.rest.to_string()));
            }
            if coupling.damping > 0.0 {
                attributes.push(("damping", coupling.damping.to_string()));
            }
            Tendon {
                name: self.name(&coupling.name),
                joints: coupling.joints.clone(),
                attributes,
            }
        })
        .collect()
    }

    fn equalities(self, xml: &mut Xml, tendons: &mut Vec<Tendon>) {
        let closures = self.schedule.closures.iter();
        let own: Vec<_> = closures.filter(|c| self.has(&c.name)).collect();
        if own.is_empty() {
            return;
        }
        xml.open("equality", &[]);
        for closure in own {
            let name = self.name(&closure.name);
            match &closure.kind {
                ClosureKind::Connect { .. } | ClosureKind::Weld { .. } => {
                    let tag = match &closure.kind {
                        ClosureKind::Connect { .. } => "connect",
                        _ => "weld",
                    };
                    let [one, two] = sites_of(&name);
                    xml.leaf(tag, &[("name", name), ("site1", one), ("site2", two)]);
                }
                ClosureKind::Joints {
                    follower,
                    leader,
                    reference,
                    polynomial,
                } => {
                    let polynomial = ("polycoef", numbers(about_zero(*reference, *polynomial)));
                    let plain = [follower, leader].into_iter();
                    let plain = plain.flatten().all(|(_, c)| is_one(*c))
                        && follower.len() == 1
                        && leader.len() <= 1;
                    let (tag, keys) = match plain {
                        true => ("joint", ["joint1", "joint2"]),
                        false => ("tendon", ["tendon1", "tendon2"]),
                    };
                    let mut attributes = vec![("name", name.clone())];
                    for (key, terms) in keys.into_iter().zip([follower, leader]) {
                        match &terms[..] {
                            [] => {}
                            [(joint, _)] if plain => attributes.push((key, self.name(joint))),
                            _ => {
                                let made_up = format!("{name} {key}");
                                let tendon = sum(tendons, terms, made_up);
                                attributes.push((key, tendon));
                            }
                        }
                    }
                    attributes.push(polynomial);
                    xml.leaf(tag, &attributes);
                }
            }
        }
        xml.close();
    }

    /// Points of a body that closed chains hold.
    pub(super) fn anchors(self, body: &Body) -> Vec<(String, Placed)> {
        let mut anchors = Vec::new();
        for closure in &self.schedule.closures {
            let (ClosureKind::Connect { bodies, frames } | ClosureKind::Weld { bodies, frames }) =
                &closure.kind
            else {
                continue;
            };
            let sites = sites_of(&self.name(&closure.name));
            for ((name, frame), site) in bodies.iter().zip(frames).zip(sites) {
                if *name == body.name {
                    anchors.push((site, *frame));
                }
            }
        }
        anchors
    }

    pub(super) fn sites(self, xml: &mut Xml, body: &Body) {
        for (name, [x, y, z, wxyz @ ..]) in self.anchors(body) {
            let (pos, quat) = (numbers([x, y, z]), numbers(wxyz));
            xml.leaf("site", &[("name", name), ("pos", pos), ("quat", quat)]);
        }
    }

    fn actuator(
        self,
        drive: &Drive,
        tendons: &mut Vec<Tendon>,
    ) -> (&'static str, Vec<(&'static str, String)>) {
        let mut attributes = vec![("name", self.name(&drive.name))];
        match (&drive.sum, &drive.joints[..]) {
            (None, [(joint, _)]) => attributes.push(("joint", self.name(joint))),
            (sum_name, _) => {
                let name = sum_name.as_deref().unwrap_or(&drive.name);
                let tendon = sum(tendons, &drive.joints, self.name(name));
                attributes.push(("tendon", tendon));
            }
        }
        let tag = match drive.kind {
            DriveKind::Effort => "motor",
            DriveKind::Position => {
                attributes.push(("kp", drive.kp.to_string()));
                attributes.push(("kv", drive.kd.to_string()));
                "position"
            }
            DriveKind::Velocity => {
                attributes.push(("kv", drive.kd.to_string()));
                "velocity"
            }
        };
        if let Some(limit) = drive.effort_limit {
            attributes.push(("forcerange", numbers(limit)));
        }
        (tag, attributes)
    }
}

/// The two sites of a closed chain.
fn sites_of(closure: &str) -> [String; 2] {
    [1, 2].map(|end| format!("{closure} site {end}"))
}

/// The name of the tendon of a sum: of one that is there, or of a new one.
fn sum(tendons: &mut Vec<Tendon>, joints: &Terms, name: String) -> String {
    if let Some(known) = tendons.iter().find(|tendon| tendon.joints == *joints) {
        return known.name.clone();
    }
    let joints = joints.clone();
    tendons.push(Tendon {
        name: name.clone(),
        joints,
        attributes: Vec::new(),
    });
    name
}

/// The coefficients of `y(x) = y₀ + p(x − x₀)`.
fn about_zero([y0, x0]: [f64; 2], p: [f64; 5]) -> [f64; 5] {
    // Horner: q ← q (x − x₀) + pₖ.
    let mut q = [0.0; 5];
    for coefficient in p.iter().rev() {
        let mut next = [0.0; 5];
        for k in 0..5 {
            next[k] = if k > 0 { q[k - 1] } else { *coefficient } - x0 * q[k];
        }
        q = next;
    }
    q[0] += y0;
    q
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_is_moved_to_zero() {
        let (reference, p) = ([0.3, -0.7], [0.1, 1.2, -0.4, 0.05, 0.6]);
        let q = about_zero(reference, p);
        let at = |p: [f64; 5], x: f64| p.iter().rev().fold(0.0, |sum, c| sum * x + c);
        for x in [-1.3, 0.0, 0.4, 2.0] {
            let expected = reference[0] + at(p, x - reference[1]);
            assert!((at(q, x) - expected).abs() < 1.0e-13);
        }
    }
}
