//! Whether the surfaces of a hand touch an object, and when while it closes.

use glam::DVec3;
use volar_geom::Pose;
use volar_robots::Robot;

use super::Closing;
use super::cloud::Cloud;
use super::reach::{Reach, SWEEP};

/// Samples of surfaces that touch are nearer than this, m.
pub(super) const TOUCH: f64 = 3.0e-3;

impl Reach {
    /// The share of its way from open to closed at which each joint that closes brings a link
    /// to an object; none where nothing that it moves gets there.
    pub fn touch_shares(
        &self,
        robot: &Robot,
        closing: &[(usize, Closing)],
        rest: &[f64],
        (object, X_WO): (&Cloud, &Pose),
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
        let mut shares = vec![None; closing.len()];
        for step in 0..=2 * SWEEP {
            let share = step as f64 / (2 * SWEEP) as f64;
            let poses = self.poses(robot, &closed_by(closing, rest, share));
            let touches: Vec<bool> = (self.clouds.iter().zip(&poses))
                .map(|(cloud, X_WL)| near(cloud, X_WL, object, X_WO, TOUCH))
                .collect();
            for (slot, moved) in shares.iter_mut().zip(&moved) {
                if slot.is_none() && moved.iter().any(|link| touches[*link]) {
                    *slot = Some(share);
                }
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
