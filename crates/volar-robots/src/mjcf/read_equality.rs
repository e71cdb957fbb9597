//! Equalities: closed chains, and joints or tendons that follow others.
//!
//! MuJoCo closes them as they are in the pose of the file, but where sites or a
//! `relpose` say where.

use glam::DVec3;
use volar_geom::Pose;

use super::Reader;
use crate::closure::{Anchor, Closure, ClosureKind};
use crate::error::RobotError;
use crate::report::NoteKind;
use crate::xml::Element;

impl Reader<'_> {
    pub fn read_equalities(&mut self, root: &Element) -> Result<(), RobotError> {
        for element in root.all("equality").flat_map(|e| &e.children) {
            if element.get("active") == Some("false") {
                self.note(NoteKind::Ignored, element, "not active");
                continue;
            }
            let known: &[&str] = match element.tag.as_str() {
                "connect" => &["body1", "body2", "anchor", "site1", "site2"],
                "weld" => &["body1", "body2", "relpose", "anchor", "site1", "site2"],
                "joint" => &["joint1", "joint2", "polycoef"],
                "tendon" => &["tendon1", "tendon2", "polycoef"],
                _ => {
                    let detail = "only connect, weld, joint and tendon are; the bodies move \
                                  without it";
                    self.note(NoteKind::Unsupported, element, detail);
                    continue;
                }
            };
            let kind = match element.tag.as_str() {
                "connect" => Some(ClosureKind::Connect(self.ends(element)?)),
                "weld" => Some(ClosureKind::Weld(self.ends(element)?)),
                "joint" => Some(self.joint_equality(element)?),
                _ => self.tendon_equality(element)?,
            };
            let Some(kind) = kind else { continue };
            let name = match element.get("name").filter(|name| !name.is_empty()) {
                Some(name) => name.to_owned(),
                None => self.made_up(element),
            };
            self.note_equality(element, &name, known);
            self.robot.closures.push(Closure { name, kind });
        }
        Ok(())
    }

    /// What it ties together, for messages.
    fn made_up(&self, element: &Element) -> String {
        let parts = ["body", "site", "joint", "tendon"].iter().flat_map(|what| {
            let of = |number| element.get(&format!("{what}{number}"));
            [of(1), of(2)]
        });
        let parts: Vec<&str> = parts.flatten().collect();
        format!("{} of {}", element.tag, parts.join(" and "))
    }

    fn note_equality(&mut self, element: &Element, name: &str, known: &[&str]) {
        for (attribute, _) in &element.attributes {
            let (kind, detail) = match attribute.as_str() {
                "name" | "class" | "active" => continue,
                other if known.contains(&other) => continue,
                "solref" | "solimp" | "torquescale" => {
                    (NoteKind::Changed, "equalities hold exactly here")
                }
                _ => (NoteKind::Unsupported, "not an attribute that is known here"),
            };
            let what = format!("{attribute} of <equality><{}>", element.tag);
            self.report.add(kind, what, detail, name);
        }
    }

    /// The two frames of a connect or a weld.
    fn ends(&self, element: &Element) -> Result<[Anchor; 2], RobotError> {
        if element.get("site1").is_some() || element.get("site2").is_some() {
            let site = |attribute: &str| -> Result<Anchor, RobotError> {
                let name = element.need(attribute)?;
                let site = self.sites.get(name).copied();
                let (link, X_LE) = site.ok_or_else(|| element.unknown(attribute, "site"))?;
                Ok(Anchor { link, X_LE })
            };
            return Ok([site("site1")?, site("site2")?]);
        }
        let first = self.body_link(element, "body1")?;
        let second = match element.get("body2") {
            Some(_) => self.body_link(element, "body2")?,
            None => 0,
        };
        let poses = self.robot.link_poses(&self.robot.initial());
        // The frame on body 1, and where body 2 has it in the pose of the file.
        let as_placed = |p: DVec3| {
            let X_LE = self.robot.links[first]
                .X_LB
                .compose(&Pose::from_translation(p));
            let X_WE = poses[first].compose(&X_LE);
            let there = Pose::relative(&poses[second], &X_WE);
            [(first, X_LE), (second, there)].map(|(link, X_LE)| Anchor { link, X_LE })
        };
        if element.tag == "connect" {
            let anchor = element.vector("anchor")?;
            return anchor
                .map(as_placed)
                .ok_or_else(|| element.incomplete("an `anchor`, or two sites"));
        }
        let Some(given) = element.numbers("relpose", 7, 7)? else {
            return Ok(as_placed(DVec3::ZERO));
        };
        // A quaternion of zeros: as placed.
        if given[3..].iter().all(|x| x.abs() <= 0.0) {
            return Ok(as_placed(DVec3::ZERO));
        }
        let p = DVec3::from_slice(&given);
        let relative = element.pose(p, &given[3..], "relpose")?;
        let (a, b) = (&self.robot.links[first], &self.robot.links[second]);
        Ok([
            Anchor {
                link: first,
                X_LE: a.X_LB.compose(&relative),
            },
            Anchor {
                link: second,
                X_LE: b.X_LB,
            },
        ])
    }

    fn body_link(&self, element: &Element, attribute: &str) -> Result<usize, RobotError> {
        match element.need(attribute)? {
            "world" => Ok(0),
            name => {
                let link = self.bodies.get(name).copied();
                link.ok_or_else(|| element.unknown(attribute, "body"))
            }
        }
    }

    fn joint_equality(&self, element: &Element) -> Result<ClosureKind, RobotError> {
        let follower = vec![(self.scalar_joint(element, "joint1")?, 1.0)];
        let leader = match element.get("joint2") {
            Some(_) => vec![(self.scalar_joint(element, "joint2")?, 1.0)],
            None => Vec::new(),
        };
        if leader == follower {
            return Err(element.bad("joint2", "another joint than `joint1`"));
        }
        self.relation(element, follower, leader)
    }

    /// None, with a note, for tendons through space.
    fn tendon_equality(&mut self, element: &Element) -> Result<Option<ClosureKind>, RobotError> {
        let mut sums = [Vec::new(), Vec::new()];
        for (attribute, sum) in ["tendon1", "tendon2"].iter().zip(&mut sums) {
            if *attribute == "tendon2" && element.get(attribute).is_none() {
                continue;
            }
            let tendon = self.tendons.get(element.need(attribute)?).copied();
            let tendon = tendon.ok_or_else(|| element.unknown(attribute, "tendon"))?;
            let Some(tendon) = tendon else {
                let detail = "its tendon runs through space; the joints move without it";
                self.note(NoteKind::Unsupported, element, detail);
                return Ok(None);
            };
            sum.clone_from(&self.robot.couplings[tendon].terms);
        }
        let [follower, leader] = sums;
        self.relation(element, follower, leader).map(Some)
    }

    /// `y − y₀ = a₀ + a₁ (x − x₀) + …` with y₀ and x₀ as in the pose of the file.
    fn relation(
        &self,
        element: &Element,
        follower: Vec<(usize, f64)>,
        leader: Vec<(usize, f64)>,
    ) -> Result<ClosureKind, RobotError> {
        let given = element.numbers("polycoef", 1, 5)?.unwrap_or_default();
        let mut polynomial = [0.0, 1.0, 0.0, 0.0, 0.0];
        polynomial.iter_mut().zip(given).for_each(|(c, x)| *c = x);
        let start = |terms: &[(usize, f64)]| -> f64 {
            let initial = |link: usize| self.robot.links[link].joint.initial.first().copied();
            let terms = terms.iter();
            terms
                .map(|(link, c)| c * initial(*link).unwrap_or(0.0))
                .sum()
        };
        Ok(ClosureKind::Joints {
            reference: [start(&follower), start(&leader)],
            follower,
            leader,
            polynomial,
        })
    }
}
