//! Tendons and closed chains of robots.

use volar_robots::{ClosureKind, Drives, JointKind, Robot};
use volar_sim::{Anchor, BodyId, Closure, Coupling, DofId};

use super::Stage;
use super::robots::{STOP_DAMPING_TIME, STOP_STIFFNESS};

impl Stage {
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

/// Joints whose stops contradict what ties them to another joint, each with that joint:
/// where both stay within their limits, the pair can hardly move, or is not in the pose of
/// the file. Of the two it is the one without an actuator, else the later one; a joint
/// whose stops do not act is limited by the other.
pub(super) fn contradicted_limits(robot: &Robot) -> Vec<(usize, usize)> {
    /// Share of its own range that a joint must be able to move.
    const LEAST_SHARE: f64 = 0.01;
    let driven = |link: usize| {
        robot
            .actuators
            .iter()
            .any(|a| a.drives == Drives::Joint(link))
    };
    let mut limits: Vec<Option<[f64; 2]>> = robot.links.iter().map(|l| l.joint.limits).collect();
    let mut found = Vec::new();
    for closure in &robot.closures {
        let Some(([a, b], line)) = straight(&closure.kind) else {
            continue;
        };
        let (Some(own), Some(other)) = (limits[a], limits[b]) else {
            continue;
        };
        // Where b lets a be.
        let [x, y] = other.map(|q_b| line.a_of(q_b));
        let [low, high] = [own[0].max(x.min(y)), own[1].min(x.max(y))];
        let start = robot.links[a].joint.initial[0];
        let slack = LEAST_SHARE * (own[1] - own[0]);
        if high - low > slack && (low - slack..=high + slack).contains(&start) {
            continue;
        }
        let (loses, keeps) = match (driven(a), driven(b)) {
            (false, true) => (a, b),
            (true, false) => (b, a),
            _ => (a.max(b), a.min(b)),
        };
        let [x, y] = match loses == a {
            true => [line.a_of(other[0]), line.a_of(other[1])],
            false => own.map(|q_a| line.b_of(q_a)),
        };
        limits[loses] = Some([x.min(y), x.max(y)]);
        found.push((loses, keeps));
    }
    found
}

/// `q_a = slope · q_b + offset`.
struct Line {
    slope: f64,
    offset: f64,
}

impl Line {
    fn a_of(&self, q_b: f64) -> f64 {
        self.slope * q_b + self.offset
    }

    fn b_of(&self, q_a: f64) -> f64 {
        (q_a - self.offset) / self.slope
    }
}

/// The two joints that a relation ties along a straight line, if it does so.
fn straight(kind: &ClosureKind) -> Option<([usize; 2], Line)> {
    let ClosureKind::Joints {
        follower,
        leader,
        reference: [y0, x0],
        polynomial: [p0, p1, bends @ ..],
    } = kind
    else {
        return None;
    };
    // Σ c q = rest, with the leader's terms brought over.
    let rest = y0 + p0 - p1 * x0;
    let moved = leader.iter().map(|(link, d)| (*link, -p1 * d));
    let terms: Vec<(usize, f64)> = follower.iter().copied().chain(moved).collect();
    let [(a, c_a), (b, c_b)] = terms[..] else {
        return None;
    };
    let is_straight = leader.is_empty() || bends.iter().all(|c| c.abs() <= 0.0);
    let line = Line {
        slope: -c_b / c_a,
        offset: rest / c_a,
    };
    let usable = a != b && line.slope.is_finite() && line.slope.abs() > 0.0;
    (is_straight && usable).then_some(([a, b], line))
}

/// Terms of a sum over links that are bodies from `first` on.
pub(super) fn terms(first: usize, links: &[(usize, f64)]) -> Vec<(DofId, f64)> {
    let dof = |link: usize| BodyId::new(first + link).joint().into();
    links.iter().map(|(link, c)| (dof(*link), *c)).collect()
}
