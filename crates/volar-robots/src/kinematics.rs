//! Where links are: coordinates to poses.

use glam::{DMat3, DQuat, DVec3};
use volar_geom::Pose;
use volar_math::rotation;

use crate::robot::{Joint, JointKind, Robot};

impl Joint {
    /// The pose `X_JL` at coordinates q; quaternions of any length but zero.
    pub fn pose(&self, q: &[f64]) -> Pose {
        let rotation = |wxyz: &[f64]| {
            let turn = DQuat::from_xyzw(wxyz[1], wxyz[2], wxyz[3], wxyz[0]);
            DMat3::from_quat(turn * (1.0 / turn.length()))
        };
        let rotated = |R| Pose { R, p: DVec3::ZERO };
        match self.kind {
            JointKind::Fixed => Pose::IDENTITY,
            JointKind::Revolute | JointKind::Continuous => {
                rotated(rotation::about(self.axis, q[0]))
            }
            JointKind::Prismatic => Pose::from_translation(self.axis * q[0]),
            JointKind::Ball => rotated(rotation(q)),
            JointKind::Planar => Pose {
                R: rotation::about_z(q[2]),
                p: DVec3::new(q[0], q[1], 0.0),
            },
            JointKind::Free => Pose {
                R: rotation(&q[3..]),
                p: DVec3::new(q[0], q[1], q[2]),
            },
        }
    }
}

impl Robot {
    /// Number of coordinates.
    pub fn nq(&self) -> usize {
        self.links.iter().map(|link| link.joint.kind.nq()).sum()
    }

    /// Number of degrees of freedom.
    pub fn nv(&self) -> usize {
        self.links.iter().map(|link| link.joint.kind.nv()).sum()
    }

    /// Coordinates at the start, links in order.
    pub fn initial(&self) -> Vec<f64> {
        let links = self.links.iter();
        links
            .flat_map(|l| l.joint.initial.iter().copied())
            .collect()
    }

    /// Poses of the links in the frame the robot is mounted in.
    ///
    /// # Panics
    ///
    /// When q does not have [`Robot::nq`] entries.
    pub fn link_poses(&self, q: &[f64]) -> Vec<Pose> {
        assert_eq!(q.len(), self.nq(), "one value per coordinate");
        let mut poses: Vec<Pose> = Vec::with_capacity(self.links.len());
        let mut at = 0;
        for link in &self.links {
            let nq = link.joint.kind.nq();
            let X_PL = link.X_PJ.compose(&link.joint.pose(&q[at..at + nq]));
            at += nq;
            poses.push(match link.parent {
                Some(parent) => poses[parent].compose(&X_PL),
                None => X_PL,
            });
        }
        poses
    }

    /// How many links are between one and its root, with the root.
    pub fn links_above(&self, link: usize) -> usize {
        std::iter::successors(self.links[link].parent, |l| self.links[*l].parent).count()
    }

    /// The number of the link of a name.
    pub fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }

    /// The number of the link whose joint has a name.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.joint.name == name)
    }
}
