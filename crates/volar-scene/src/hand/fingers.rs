//! The palm and the fingers of a robot: by how its links hang together.

use std::collections::BTreeMap;

use volar_robots::{ClosureKind, JointKind, Robot};

/// A branch with more degrees of freedom is a limb, not a finger.
const MOST_JOINTS: usize = 7;

/// What of a robot is a hand.
///
/// ```
/// use volar_scene::hand::Anatomy;
/// # let robot = volar_robots::Robot::default();
///
/// assert!(Anatomy::of(&robot).is_none()); // a robot without links has no fingers
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anatomy {
    /// The link that the fingers are on.
    pub palm: usize,
    /// At least two.
    pub fingers: Vec<Finger>,
}

/// A finger.
///
/// See the example of [`Anatomy`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finger {
    /// That of its first link.
    pub name: String,
    /// All links that move with it, also those welded to it.
    pub links: Vec<usize>,
}

impl Anatomy {
    /// The link with most branches that move and can touch, and these branches; or the last
    /// link that moves and what it is on, which is a jaw that closes on another one that does not
    /// move. None if there is neither.
    pub fn of(robot: &Robot) -> Option<Anatomy> {
        let rigid = rigid_roots(robot);
        let mut best: Option<Anatomy> = None;
        for palm in 0..robot.links.len() {
            if rigid[palm] != palm {
                continue;
            }
            let fingers = fingers_on(robot, &rigid, palm);
            let most = best.as_ref().map_or(1, |best| best.fingers.len());
            if fingers.len() > most {
                best = Some(Anatomy { palm, fingers });
            }
        }
        best.or_else(|| one_jaw(robot, &rigid))
    }

    /// Names of the fingers.
    pub fn names(&self) -> Vec<&str> {
        self.fingers.iter().map(|f| f.name.as_str()).collect()
    }

    /// The links of each finger by their names.
    pub fn by_name(&self, robot: &Robot) -> BTreeMap<String, Vec<String>> {
        let links = |finger: &Finger| {
            let real = finger.links.iter().map(|link| &robot.links[*link]);
            let real = real.filter(|link| !link.intermediate);
            real.map(|link| link.name.clone()).collect()
        };
        let fingers = self.fingers.iter();
        fingers.map(|f| (f.name.clone(), links(f))).collect()
    }
}

/// The link with the most links above it that moves, ends a chain and can touch, and what it is
/// on, if that can touch too.
fn one_jaw(robot: &Robot, rigid: &[usize]) -> Option<Anatomy> {
    let touches = |links: &[usize]| links.iter().any(|l| !robot.links[*l].collisions.is_empty());
    let welded_to = |palm: usize| -> Vec<usize> {
        (0..robot.links.len())
            .filter(|l| rigid[*l] == palm)
            .collect()
    };
    let mut best: Option<(usize, Anatomy)> = None;
    for (i, link) in robot.links.iter().enumerate() {
        let Some(palm) = link.parent.map(|parent| rigid[parent]) else {
            continue;
        };
        let (jaw, fixed) = (branch(robot, i), welded_to(palm));
        let joints: usize = jaw.iter().map(|l| robot.links[*l].joint.kind.nv()).sum();
        let above = robot.links_above(i);
        let deeper = best.as_ref().is_none_or(|(most, _)| above > *most);
        if link.joint.kind.nv() == 1 && joints == 1 && deeper && touches(&jaw) && touches(&fixed) {
            let finger = |links: Vec<usize>, first: usize| Finger {
                name: robot.links[first].name.clone(),
                links,
            };
            let fingers = vec![finger(jaw, i), finger(fixed, palm)];
            best = Some((above, Anatomy { palm, fingers }));
        }
    }
    best.map(|(_, anatomy)| anatomy)
}

/// For every link the first one of those it is rigidly fixed to.
fn rigid_roots(robot: &Robot) -> Vec<usize> {
    let mut roots: Vec<usize> = Vec::with_capacity(robot.links.len());
    for (i, link) in robot.links.iter().enumerate() {
        roots.push(match link.parent {
            Some(parent) if link.joint.kind == JointKind::Fixed => roots[parent],
            _ => i,
        });
    }
    roots
}

fn fingers_on(robot: &Robot, rigid: &[usize], palm: usize) -> Vec<Finger> {
    let mut fingers = Vec::new();
    for (i, link) in robot.links.iter().enumerate() {
        let on_palm = link.parent.is_some_and(|parent| rigid[parent] == palm);
        if !on_palm || matches!(link.joint.kind, JointKind::Fixed | JointKind::Free) {
            continue;
        }
        let links = branch(robot, i);
        let touches = links.iter().any(|l| !robot.links[*l].collisions.is_empty());
        let joints: usize = links.iter().map(|l| robot.links[*l].joint.kind.nv()).sum();
        if touches && joints <= MOST_JOINTS {
            let first = links.iter().find(|l| !robot.links[**l].intermediate);
            let name = robot.links[*first.unwrap_or(&i)].name.clone();
            fingers.push(Finger { name, links });
        }
    }
    tied(robot, fingers)
}

/// Branches that a closed chain ties together are one finger: the bars of a linkage.
fn tied(robot: &Robot, mut fingers: Vec<Finger>) -> Vec<Finger> {
    for closure in &robot.closures {
        let (ClosureKind::Connect([a, b]) | ClosureKind::Weld([a, b])) = &closure.kind else {
            continue;
        };
        let finger_of = |link: usize| fingers.iter().position(|f| f.links.contains(&link));
        if let (Some(a), Some(b)) = (finger_of(a.link), finger_of(b.link))
            && a != b
        {
            let other = fingers.remove(a.max(b));
            let finger = &mut fingers[a.min(b)];
            finger.links.extend(other.links);
            finger.links.sort_unstable();
        }
    }
    fingers
}

/// A link and all that hang on it.
pub(crate) fn branch(robot: &Robot, first: usize) -> Vec<usize> {
    let mut links = vec![first];
    for (i, link) in robot.links.iter().enumerate().skip(first + 1) {
        if link.parent.is_some_and(|parent| links.contains(&parent)) {
            links.push(i);
        }
    }
    links
}
