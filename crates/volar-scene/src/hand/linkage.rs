//! Chains that close: where the joints without a drive are when the driven ones move.
//!
//! The fingers of many grippers are linkages: a joint is driven, and `connect` or `weld`
//! leaves the others no choice. Their coordinates follow from closing the chains, by
//! Levenberg's and Marquardt's steps from where they are.

use volar_geom::Pose;
use volar_math::cholesky;
use volar_robots::{Anchor, ClosureKind, Drives, Robot};

use super::closing::Follower;

/// Chains are closed within this, m.
const CLOSED: f64 = 1.0e-6;
const MOST_STEPS: usize = 60;
/// A coordinate moves by no more in a step, rad or m: chains have two ways to close.
const LONGEST: f64 = 0.3;
/// Step of a coordinate for differences, rad or m.
const DIFFERENCE: f64 = 1.0e-6;
/// An angle of a weld counts as a length by this, m/rad.
const ARM: f64 = 0.05;

/// The closed chains of a robot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Linkage {
    ends: Vec<([Anchor; 2], bool)>,
    /// Links whose joints follow from closing the chains.
    pub passive: Vec<usize>,
    /// Their limits.
    spans: Vec<[f64; 2]>,
}

impl Linkage {
    pub fn of(robot: &Robot, followers: &[Follower]) -> Linkage {
        let mut linkage = Linkage::default();
        let follows = |link: usize| followers.iter().any(|f| f.link == link);
        let driven =
            |link: usize| followers.iter().any(|f| f.leader == link) || is_driven(robot, link);
        for closure in &robot.closures {
            let (ends, welded) = match &closure.kind {
                ClosureKind::Connect(ends) => (*ends, false),
                ClosureKind::Weld(ends) => (*ends, true),
                ClosureKind::Joints { .. } => continue,
            };
            let joints = joints_of_chain(robot, ends[0].link, ends[1].link);
            let free = joints.iter().copied().filter(|link| !follows(*link));
            let free: Vec<usize> = free.filter(|link| !driven(*link)).collect();
            // Without a drive the first joint leads.
            let leads = joints.iter().all(|link| free.contains(link));
            let passive = free.into_iter().skip(usize::from(leads));
            for link in passive {
                if !linkage.passive.contains(&link) {
                    let limits = robot.links[link].joint.limits;
                    linkage.passive.push(link);
                    linkage
                        .spans
                        .push(limits.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]));
                }
            }
            linkage.ends.push((ends, welded));
        }
        linkage
    }

    /// Moves the passive joints, among coordinates by link, until the chains close.
    pub fn close(&self, values: &mut [f64], poses: impl Fn(&[f64]) -> Vec<Pose>) {
        let n = self.passive.len();
        if n == 0 {
            return;
        }
        let mut open = self.gaps(&poses(values));
        let mut damping = 1.0e-6;
        for _ in 0..MOST_STEPS {
            if largest(&open) < CLOSED {
                break;
            }
            let columns: Vec<Vec<f64>> = (self.passive.iter())
                .map(|link| {
                    let mut moved = values.to_vec();
                    moved[*link] += DIFFERENCE;
                    let gaps = self.gaps(&poses(&moved));
                    let pairs = gaps.iter().zip(&open);
                    pairs.map(|(new, old)| (new - old) / DIFFERENCE).collect()
                })
                .collect();
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let mut normal = vec![0.0; n * n];
            let mut step: Vec<f64> = columns.iter().map(|c| -dot(c, &open)).collect();
            for (i, a) in columns.iter().enumerate() {
                for (j, b) in columns.iter().enumerate() {
                    normal[i * n + j] = dot(a, b);
                }
                normal[i * n + i] += damping * (normal[i * n + i] + 1.0e-6);
            }
            if cholesky::factor(&mut normal, n, n, |_| 0.0).is_err() {
                break;
            }
            cholesky::solve(&normal, n, &mut step);
            let mut moved = values.to_vec();
            for ((link, [low, high]), step) in self.passive.iter().zip(&self.spans).zip(&step) {
                let value = moved[*link] + step.clamp(-LONGEST, LONGEST);
                moved[*link] = value.max(*low).min(*high);
            }
            let gaps = self.gaps(&poses(&moved));
            if dot(&gaps, &gaps) < dot(&open, &open) {
                values.copy_from_slice(&moved);
                (open, damping) = (gaps, (0.2 * damping).max(1.0e-12));
            } else if damping < 1.0e6 {
                damping *= 10.0;
            } else {
                break;
            }
        }
    }

    /// By how much the chains are open, m.
    fn gaps(&self, poses: &[Pose]) -> Vec<f64> {
        let mut gaps = Vec::new();
        for ([a, b], welded) in &self.ends {
            let [A, B] = [a, b].map(|end| poses[end.link].compose(&end.X_LE));
            gaps.extend((A.p - B.p).to_array());
            if *welded {
                let axes = [A.R.x_axis.cross(B.R.x_axis), A.R.y_axis.cross(B.R.y_axis)];
                gaps.extend((ARM * (axes[0] + axes[1])).to_array());
            }
        }
        gaps
    }
}

fn largest(gaps: &[f64]) -> f64 {
    gaps.iter().fold(0.0, |most, gap| most.max(gap.abs()))
}

/// Whether an actuator of the file drives the joint of a link, alone or by a tendon.
pub(crate) fn is_driven(robot: &Robot, link: usize) -> bool {
    robot
        .actuators
        .iter()
        .any(|actuator| match actuator.drives {
            Drives::Joint(own) => own == link,
            Drives::Coupling(coupling) => {
                let mut terms = robot.couplings[coupling].terms.iter();
                terms.any(|(own, _)| *own == link)
            }
        })
}

/// Links with joints of one degree of freedom from one link to another through the tree, those
/// nearest to their common ancestor first.
fn joints_of_chain(robot: &Robot, a: usize, b: usize) -> Vec<usize> {
    let above = |link: usize| {
        let mut chain = vec![link];
        while let Some(parent) = robot.links[*chain.last().unwrap_or(&link)].parent {
            chain.push(parent);
        }
        chain
    };
    let (up_a, up_b) = (above(a), above(b));
    let own = |chain: &[usize], other: &[usize]| {
        let own = chain.iter().rev().copied();
        let own = own.filter(|link| !other.contains(link));
        own.filter(|link| robot.links[*link].joint.kind.nv() == 1)
            .collect::<Vec<_>>()
    };
    let mut joints = own(&up_a, &up_b);
    joints.extend(own(&up_b, &up_a));
    joints
}
