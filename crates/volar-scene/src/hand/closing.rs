//! Which joints close the fingers, and which way.
//!
//! A joint that stands alone in its finger closes it. In a finger with several,
//! those about the axis of the last one do: they bend it. The others spread or oppose
//! fingers and are held. A joint that stands alone closes towards where the fingertips are
//! nearer to each other; joints that bend a finger do so together, towards the side on which
//! they have most of their way, or where the fingertips are nearer to each other if neither
//! side has.

use glam::DVec3;
use volar_robots::{ClosureKind, JointKind, Robot};

use super::Closing;
use super::fingers::{Anatomy, Finger};
use super::linkage::is_driven;
use super::reach::Reach;

/// Joints whose axes differ by less bend the same way: 45°.
const SAME_AXIS: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// A finger bends to the side on which its joints have so many times the way of the other.
const MORE_WAY: f64 = 1.5;
/// A way that goes less than this share to the other side is one to one side.
const ONE_SIDED: f64 = 0.05;
/// Without limits a joint turns by so much, rad, ...
const TURN: f64 = 1.5;
/// ... or slides by so much, m.
const SLIDE: f64 = 0.05;

/// One joint of one degree of freedom whose coordinate follows another's:
/// `q = factor · q_leader + plus`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Follower {
    pub link: usize,
    pub leader: usize,
    pub factor: f64,
    pub plus: f64,
}

/// Joints that follow one other joint by a relation that always holds, by its straight part. Of a
/// tendon of two joints whose length is given, the one that nothing else moves follows.
pub(crate) fn followers(robot: &Robot) -> Vec<Follower> {
    let mut all: Vec<Follower> = Vec::new();
    for closure in &robot.closures {
        let ClosureKind::Joints {
            follower,
            leader,
            reference: [y0, x0],
            polynomial: [p0, p1, ..],
        } = &closure.kind
        else {
            continue;
        };
        // c q + d q_leader = rest.
        let moved = |link: usize| all.iter().any(|f| f.link == link) || is_driven(robot, link);
        let ((link, c), (leader, d), rest) = match (&follower[..], &leader[..]) {
            (&[own], &[(leader, d)]) => (own, (leader, -p1 * d), y0 + p0 - p1 * x0),
            (&[a, b], &[]) if !moved(b.0) => (b, a, y0 + p0),
            (&[a, b], &[]) if !moved(a.0) => (a, b, y0 + p0),
            _ => continue,
        };
        let new = !all.iter().any(|f| f.link == link);
        if new && c.abs() > 0.0 && link != leader {
            all.push(Follower {
                link,
                leader,
                factor: -d / c,
                plus: rest / c,
            });
        }
    }
    all
}

/// Least and greatest coordinate of a joint. Limits a turn apart and more are none.
pub(crate) fn span(robot: &Robot, link: usize) -> [f64; 2] {
    let joint = &robot.links[link].joint;
    let (reach, most) = match joint.kind {
        JointKind::Prismatic => (SLIDE, f64::INFINITY),
        _ => (TURN, std::f64::consts::TAU),
    };
    let limits = joint.limits.filter(|[low, high]| high - low < most);
    let [low, high] = limits.unwrap_or([-reach, reach]);
    let middle = 0.0_f64.clamp(low, high);
    [
        low.max(middle - 2.0 * reach),
        high.min(middle + 2.0 * reach),
    ]
}

/// The joints of the fingers that can be driven, sorted into those that close and others.
pub(crate) struct Joints {
    pub closing: Vec<(usize, Closing)>,
    pub held: Vec<usize>,
}

/// Where joints of fingers that have several are when the hand is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// At zero: straight.
    Straight,
    /// At the end of their way, like those of jaws.
    Wide,
}

impl Joints {
    pub fn of(robot: &Robot, anatomy: &Anatomy, reach: &Reach, open: Open) -> Joints {
        let followers = followers(robot);
        let leads = |link: usize| !followers.iter().any(|f| f.link == link);
        let single = |link: usize| robot.links[link].joint.kind.nv() == 1;
        let mut joints = Joints {
            closing: Vec::new(),
            held: Vec::new(),
        };
        let poses = reach.poses(robot, &reach.start(robot));
        let axis = |link: usize| poses[link].R * robot.links[link].joint.axis;
        for finger in &anatomy.fingers {
            let own: Vec<usize> = finger
                .links
                .iter()
                .copied()
                // That of the palm, which is the finger of a jaw that does not move, is the wrist.
                .filter(|l| *l != anatomy.palm && single(*l))
                .filter(|l| !reach.linkage.passive.contains(l))
                .collect();
            let last = own.last().map(|link| axis(*link));
            let bending: Vec<(usize, f64)> = own
                .iter()
                .filter(|link| robot.links[**link].joint.kind != JointKind::Prismatic)
                .filter_map(|link| Some((*link, last?.dot(axis(*link)))))
                .filter(|(_, along)| along.abs() >= SAME_AXIS)
                .collect();
            // By how much each joint turns for a turn of the last one, and whether that closes.
            let (turns, up, several) = match (stays_parallel(robot, &bending), bending.len()) {
                (Some(turns), _) => {
                    let up = closes_up(robot, anatomy, reach, &turns);
                    (turns.to_vec(), Some(up), 1)
                }
                (None, 0 | 1) => (bending, None, own.len()),
                (None, _) => {
                    let up = bends_up(robot, anatomy, reach, &bending);
                    (bending, Some(up), own.len())
                }
            };
            for link in own.iter().copied().filter(|link| leads(*link)) {
                let alone = own.len() == 1;
                let slides = robot.links[link].joint.kind == JointKind::Prismatic;
                let bends = turns.iter().find(|(l, _)| *l == link);
                if alone || slides || bends.is_some() {
                    let own_up = bends.zip(up).map(|((_, along), up)| (*along > 0.0) == up);
                    let up =
                        own_up.unwrap_or_else(|| closes_up(robot, anatomy, reach, &[(link, 1.0)]));
                    let closing = way(robot, link, up, open, several);
                    joints.closing.push((link, closing));
                } else {
                    joints.held.push(link);
                }
            }
        }
        // A leader outside of the fingers that moves them.
        for follower in &followers {
            let outside = !anatomy
                .fingers
                .iter()
                .any(|f| f.links.contains(&follower.leader));
            let inside = anatomy
                .fingers
                .iter()
                .any(|f| f.links.contains(&follower.link));
            let known = joints
                .closing
                .iter()
                .any(|(link, _)| *link == follower.leader);
            if inside && outside && !known && single(follower.leader) && leads(follower.leader) {
                let up = closes_up(robot, anatomy, reach, &[(follower.leader, 1.0)]);
                let closing = way(robot, follower.leader, up, open, 1);
                joints.closing.push((follower.leader, closing));
            }
        }
        joints
    }
}

/// Of two joints with ways of the same size to opposite sides: they turn against each other, as the
/// bars of a parallelogram do, and the fingertip keeps its direction. With the factor between them.
fn stays_parallel(robot: &Robot, bending: &[(usize, f64)]) -> Option<[(usize, f64); 2]> {
    let &[(first, along), (last, _)] = bending else {
        return None;
    };
    let [a, b] = [first, last].map(|link| {
        let [low, high] = span(robot, link);
        if high.abs() > low.abs() {
            [low, high]
        } else {
            [-high, -low]
        }
    });
    let one_sided = |[low, high]: [f64; 2]| low.abs() <= ONE_SIDED * high;
    let same = (a[1] - b[1]).abs() <= ONE_SIDED * a[1];
    let [a_up, b_up] = [first, last].map(|link| {
        let [low, high] = span(robot, link);
        high.abs() > low.abs()
    });
    let against = (along > 0.0) != (a_up == b_up);
    (one_sided(a) && one_sided(b) && same && against).then_some([(first, -along), (last, 1.0)])
}

/// Whether joints bend their finger towards greater coordinates of the last of them; each
/// with how far its axis lies along that of the last one.
fn bends_up(robot: &Robot, anatomy: &Anatomy, reach: &Reach, bending: &[(usize, f64)]) -> bool {
    let (mut up, mut down) = (0.0, 0.0);
    for (link, along) in bending {
        let [low, high] = span(robot, *link);
        let (to_high, to_low) = (high.max(0.0), (-low).max(0.0));
        let (more, less) = if *along > 0.0 {
            (to_high, to_low)
        } else {
            (to_low, to_high)
        };
        (up, down) = (up + more, down + less);
    }
    match up.max(down) >= MORE_WAY * up.min(down) {
        true => up > down,
        false => closes_up(robot, anatomy, reach, bending),
    }
}

/// Whether the fingertips are nearer to each other at three quarters of the way of joints that
/// move together than at a quarter.
fn closes_up(robot: &Robot, anatomy: &Anatomy, reach: &Reach, joints: &[(usize, f64)]) -> bool {
    let spread = |share: f64| {
        let mut values = reach.start(robot);
        for (link, along) in joints {
            let [low, high] = span(robot, *link);
            let share = if *along > 0.0 { share } else { 1.0 - share };
            values[*link] = low + share * (high - low);
        }
        tip_spread(robot, anatomy, reach, &values)
    };
    spread(0.75) < spread(0.25)
}

/// From where to where a joint closes that does so towards greater coordinates, or smaller.
fn way(robot: &Robot, link: usize, up: bool, start: Open, in_finger: usize) -> Closing {
    let [low, high] = span(robot, link);
    let (closed, open) = if up { (high, low) } else { (low, high) };
    let straight = 0.0_f64.clamp(low, high);
    let several = start == Open::Straight && in_finger > 1;
    let rest = match several && (closed - straight).abs() >= 0.3 * (high - low) {
        true => straight,
        false => open,
    };
    Closing { rest, closed }
}

/// Sum of the squares of the distances of the fingertips from their middle, m².
fn tip_spread(robot: &Robot, anatomy: &Anatomy, reach: &Reach, values: &[f64]) -> f64 {
    let poses = reach.poses(robot, values);
    let tips: Vec<DVec3> = anatomy
        .fingers
        .iter()
        .filter_map(|finger: &Finger| {
            let shaped = finger.links.iter().copied();
            let shaped = shaped.filter(|link| !reach.clouds[*link].is_empty());
            let tip = shaped.max_by_key(|link| robot.links_above(*link))?;
            Some(poses[tip].point(reach.clouds[tip].middle()))
        })
        .collect();
    let middle = tips.iter().sum::<DVec3>() / tips.len().max(1) as f64;
    tips.iter()
        .map(|tip| (*tip - middle).length_squared())
        .sum()
}
