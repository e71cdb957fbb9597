//! Tendons and closed chains of robots.

use volar_robots::{ClosureKind, JointKind, Robot};
use volar_sim::{Anchor, BodyId, Closure, Coupling, DofId};

use super::Stage;
use super::robots::{STOP_DAMPING_TIME, STOP_STIFFNESS};

impl Stage<'_> {
    /// Ranges and springs of tendons.
    pub(super) fn add_couplings(&mut self, robot: &Robot, first: usize) {
        for coupling in &robot.couplings {
            let slides = coupling
                .terms
                .iter()
                .all(|(link, _)| robot.links[*link].joint.kind == JointKind::Prismatic);
            let terms = terms(first, &coupling.terms);
            let mut add = |range: [f64; 2], stiffness: f64, damping: f64| {
                self.couplings.push(Coupling {
                    terms: terms.clone(),
                    offset: 0.0,
                    range,
                    stiffness,
                    damping,
                });
            };
            if let Some(range) = coupling.range {
                // As stiff, seen from the joints, as their own stops.
                let lever: f64 = coupling.terms.iter().map(|(_, c)| c * c).sum();
                let stiffness = STOP_STIFFNESS[usize::from(slides)] / lever.max(1.0e-12);
                add(range, stiffness, STOP_DAMPING_TIME * stiffness);
            }
            if coupling.stiffness > 0.0 || coupling.damping > 0.0 {
                let rest = coupling.spring_rest;
                add([rest, rest], coupling.stiffness, coupling.damping);
            }
        }
    }

    /// Closed chains, and joints that follow others.
    pub(super) fn add_closures(&mut self, name: &str, robot: &Robot, first: usize) {
        for closure in &robot.closures {
            let ends = |anchors: &[volar_robots::Anchor; 2]| {
                anchors.map(|anchor| Anchor {
                    body: Some(BodyId::new(first + anchor.link)),
                    frame: anchor.X_LE,
                })
            };
            let kind = match &closure.kind {
                ClosureKind::Connect(anchors) => Closure::Connect(ends(anchors)),
                ClosureKind::Weld(anchors) => Closure::Weld(ends(anchors)),
                ClosureKind::Joints {
                    follower,
                    leader,
                    reference,
                    polynomial,
                } => Closure::Joints {
                    follower: terms(first, follower),
                    leader: terms(first, leader),
                    reference: *reference,
                    polynomial: *polynomial,
                },
            };
            self.closures
                .push((format!("{name}/{}", closure.name), kind));
        }
    }
}

/// Where joints that follow one other joint are when it is where it is; `q` has the
/// coordinate of every link whose joint has one, `fixed` says which a scene gave.
pub(super) fn follow(robot: &Robot, q: &mut [Option<f64>], fixed: &[bool]) {
    // A follower may lead another: as many rounds as there are closures reach all.
    for _ in 0..robot.closures.len() {
        for closure in &robot.closures {
            let ClosureKind::Joints {
                follower,
                leader,
                reference,
                polynomial,
            } = &closure.kind
            else {
                continue;
            };
            let [(link, c)] = follower[..] else { continue };
            if fixed[link] || c.abs() <= 0.0 || q[link].is_none() {
                continue;
            }
            let x = leader.iter().map(|(link, d)| d * q[*link].unwrap_or(0.0));
            let x = x.sum::<f64>() - reference[1];
            let p = polynomial.iter().rev().fold(0.0, |sum, a| sum * x + a);
            q[link] = Some((reference[0] + p) / c);
        }
    }
}

/// Terms of a sum over links that are bodies from `first` on.
pub(super) fn terms(first: usize, links: &[(usize, f64)]) -> Vec<(DofId, f64)> {
    let dof = |link: usize| BodyId::new(first + link).joint().into();
    links.iter().map(|(link, c)| (dof(*link), *c)).collect()
}
