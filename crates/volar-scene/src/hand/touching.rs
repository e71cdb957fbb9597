//! Whether the surfaces of a hand touch an object, and when while it closes.

use glam::DVec3;
use volar_geom::overlap::OverlapKernel;
use volar_geom::{ClosedMesh, Pose};
use volar_robots::Robot;

use super::cloud::Cloud;
use super::reach::{MOST_LEFT, Reach, SWEEP, least_sum};
use super::{Closing, Hand, Object};
use crate::error::SceneError;

/// How often a step of the sweep is halved to find where a joint touches: to 1/3000 of its way.
const HALVINGS: usize = 6;
/// So far beyond where it touches, as a share of its way, a joint is in the object.
const INSIDE: f64 = 0.02;

/// The surfaces of a hand's links and of an object.
#[derive(Clone, Debug)]
pub(super) struct Surfaces {
    links: Vec<Vec<ClosedMesh>>,
    object: ClosedMesh,
}

impl Surfaces {
    pub fn of(hand: &Hand, object: &Object) -> Result<Surfaces, SceneError> {
        let closed = ClosedMesh::new(object.surface()?);
        Ok(Surfaces {
            links: hand.solids()?,
            object: closed.map_err(|error| SceneError::Hand {
                message: format!("`{}`: {error}", object.name),
            })?,
        })
    }

    /// Which way a link that is in the object pushes it, in its frame; zero if it is not in it.
    fn push(&self, kernel: &mut OverlapKernel, link: usize, X_OL: &Pose) -> DVec3 {
        let pushes = self.links[link].iter().map(|solid| {
            let overlap = kernel.overlap(&self.object, solid, X_OL);
            -overlap.total.surfaces[0].area_vector
        });
        pushes.sum()
    }

    /// Whether a link shares a point with the object.
    fn touches(&self, kernel: &mut OverlapKernel, link: usize, X_OL: &Pose) -> bool {
        let bounds = self.object.bounds();
        self.links[link].iter().any(|solid| {
            solid.bounds().transformed(X_OL).overlaps(&bounds) && {
                let overlap = kernel.overlap(&self.object, solid, X_OL);
                let mut counts = overlap.crossing_triangles.iter();
                counts.any(|n| *n > 0) || overlap.inside_triangles.iter().any(|n| *n > 0)
            }
        })
    }
}

impl Hand {
    /// Whether the fingers push an object out as they close on it: their pushes, a little beyond
    /// where they touch, leave too much over. Of fingers that do not get there it cannot tell.
    pub(super) fn pushes_out(
        &self,
        surfaces: &Surfaces,
        values: &[f64],
        touches: &[(usize, Option<f64>)],
        X_WO: &Pose,
    ) -> bool {
        let robot = &self.robot;
        let mut closed = values.to_vec();
        for (link, share) in touches {
            if let Some(closing) = self.file.closes.get(&robot.links[*link].joint.name) {
                let share = share.map_or(1.0, |share| (share + INSIDE).min(1.0));
                closed[*link] = closing.rest + share * (closing.closed - closing.rest);
            }
        }
        let poses = self.reach.poses(robot, &closed);
        let X_OW = X_WO.inverse();
        let mut kernel = OverlapKernel::new();
        let mut push = |finger: &Vec<String>| {
            let links = finger.iter().filter_map(|name| robot.link(name));
            let pushes = links.map(|l| surfaces.push(&mut kernel, l, &X_OW.compose(&poses[l])));
            pushes.sum::<DVec3>().try_normalize()
        };
        let fingers = self.file.fingers.values();
        let pushes: Vec<DVec3> = fingers.filter_map(&mut push).collect();
        pushes.len() > 1 && least_sum(&pushes) > MOST_LEFT
    }
}

impl Reach {
    /// The share of its way from open to closed at which each joint that closes brings a link
    /// to an object; none where nothing that it moves gets there. As the overlap kernel decides:
    /// what servos aim at is measured from there, and millimetres count.
    pub fn touch_shares(
        &self,
        robot: &Robot,
        closing: &[(usize, Closing)],
        rest: &[f64],
        (surfaces, X_WO): (&Surfaces, &Pose),
    ) -> Vec<Option<f64>> {
        let open = self.poses(robot, rest);
        let moved_by = |(joint, closing): &(usize, Closing)| -> Vec<usize> {
            // Also what follows it, or is moved by a closed chain.
            let alone = closed_by(&[(*joint, *closing)], rest, 1.0);
            let closed = self.poses(robot, &alone);
            let links = open.iter().zip(&closed).enumerate();
            links.filter(|(_, (a, b))| a != b).map(|(l, _)| l).collect()
        };
        let moved: Vec<Vec<usize>> = closing.iter().map(moved_by).collect();
        let X_OW = X_WO.inverse();
        let mut kernel = OverlapKernel::new();
        let poses_at = |share: f64| self.poses(robot, &closed_by(closing, rest, share));
        let mut touch = |links: &[usize], poses: &[Pose]| {
            let mut links = links.iter();
            links.any(|l| surfaces.touches(&mut kernel, *l, &X_OW.compose(&poses[*l])))
        };
        let mut shares = vec![None; closing.len()];
        let step = 1.0 / (2 * SWEEP) as f64;
        for number in 0..=2 * SWEEP {
            let share = number as f64 * step;
            let poses = poses_at(share);
            for (slot, moved) in shares.iter_mut().zip(&moved) {
                if slot.is_some() || !touch(moved, &poses) {
                    continue;
                }
                let (mut apart, mut touching) = ((share - step).max(0.0), share);
                for _ in 0..HALVINGS {
                    let middle = 0.5 * (apart + touching);
                    match touch(moved, &poses_at(middle)) {
                        true => touching = middle,
                        false => apart = middle,
                    }
                }
                *slot = Some(touching);
            }
            if shares.iter().all(Option::is_some) {
                break;
            }
        }
        shares
    }

    /// Whether the hand is near to an object, or all within its box.
    pub fn meets(
        &self,
        robot: &Robot,
        values: &[f64],
        (object, X_WO): (&Cloud, &Pose),
        within: f64,
    ) -> bool {
        let poses = self.poses(robot, values);
        let [low, high] = object.bounds();
        let inside = |p: DVec3| p.cmpge(low - within).all() && p.cmple(high + within).all();
        let mut links = self.clouds.iter().zip(&poses);
        let swallowed = links.clone().all(|(cloud, X_WL)| {
            let mut points = cloud.points.iter();
            points.all(|p| inside(seen_from(X_WO, X_WL.point(*p))))
        });
        swallowed || links.any(|(cloud, X_WL)| near(cloud, X_WL, object, X_WO, within))
    }
}

/// A place of the world in the frame of a link or an object.
pub(super) fn seen_from(X_WL: &Pose, place: DVec3) -> DVec3 {
    X_WL.R.transpose() * (place - X_WL.p)
}

/// Whether two clouds have points nearer to each other than a distance.
fn near(a: &Cloud, X_WA: &Pose, b: &Cloud, X_WB: &Pose, within: f64) -> bool {
    let (centre, radius) = b.ball();
    let in_a = seen_from(X_WA, X_WB.point(centre));
    let mut points = a.points_about(in_a, radius + within);
    points.any(|p| b.is_near(seen_from(X_WB, X_WA.point(p)), within))
}

/// Coordinates of a hand that is closed by a share of its way.
pub(super) fn closed_by(closing: &[(usize, Closing)], rest: &[f64], share: f64) -> Vec<f64> {
    let mut values = rest.to_vec();
    for (link, closing) in closing {
        values[*link] = closing.rest + share * (closing.closed - closing.rest);
    }
    values
}
