//! Coordinates of the joints of a hand, and where these put its links.
//!
//! H is the frame in which the robot is mounted: the root link of a URDF, the world of an MJCF.

use std::collections::BTreeMap;

use volar_assets::Disk;
use volar_geom::{ClosedMesh, Pose};
use volar_meshes::MeshLibrary;
use volar_robots::meshes::link_solids;
use volar_robots::{Format, ImportReport};

use super::Hand;
use crate::error::SceneError;

impl Hand {
    /// Coordinates of the open hand by link; 0 for joints with other than one degree of
    /// freedom, which are where the file starts them.
    pub fn open_values(&self) -> Vec<f64> {
        let mut values = self.reach.start(&self.robot);
        let closes = self.file.closes.iter().map(|(joint, c)| (joint, c.rest));
        let held = self.file.held.iter().map(|(joint, q)| (joint, *q));
        for (joint, value) in closes.chain(held) {
            if let Some(link) = self.robot.joint(joint) {
                values[link] = value;
            }
        }
        self.reach.completed(&self.robot, &values)
    }

    /// Coordinates by link of the hand closed on nothing.
    pub fn closed_values(&self) -> Vec<f64> {
        let closed = self.file.closes.iter().map(|(j, c)| (j.clone(), c.closed));
        self.values_with(&closed.collect())
    }

    /// Coordinates by link of the open hand with some joints elsewhere; joints that follow
    /// others follow, closed chains are closed.
    pub fn values_with(&self, joints: &BTreeMap<String, f64>) -> Vec<f64> {
        let mut values = self.open_values();
        for (joint, value) in joints {
            if let Some(link) = self.robot.joint(joint) {
                let [low, high] = super::closing::span(&self.robot, link);
                values[link] = value.clamp(low, high);
            }
        }
        self.reach.completed(&self.robot, &values)
    }

    /// Poses X_HL of all links with coordinates by link.
    pub fn link_poses(&self, values: &[f64]) -> Vec<Pose> {
        self.reach.poses(&self.robot, values)
    }

    /// The tool frame X_HT with coordinates by link.
    pub fn tool_frame(&self, values: &[f64]) -> Result<Pose, SceneError> {
        let palm = self.robot.link(&self.file.palm).unwrap_or(0);
        let X_HP = self.link_poses(values)[palm];
        Ok(X_HP.compose(&self.file.tool.pose()?))
    }

    /// Names of the joints with one degree of freedom, and their links.
    pub fn joints(&self) -> Vec<(String, usize)> {
        let links = self.robot.links.iter().enumerate();
        links
            .filter(|(_, link)| link.joint.kind.nv() == 1)
            .map(|(number, link)| (link.joint.name.clone(), number))
            .collect()
    }

    /// The solids that can touch, of every link, in its frame.
    pub fn solids(&self) -> Result<Vec<Vec<ClosedMesh>>, SceneError> {
        let disk = Disk::default();
        let library = MeshLibrary::new(&disk);
        // What was repaired was told when the robot was read.
        let mut report = ImportReport {
            format: Format::Urdf,
            files: Vec::new(),
            notes: Vec::new(),
        };
        (0..self.robot.links.len())
            .map(|link| {
                let refuse = |message: String| SceneError::Hand { message };
                let solids = link_solids(&self.robot, link, &library, &mut report)
                    .map_err(|error| refuse(error.to_string()))?;
                let closed = solids.into_iter().map(ClosedMesh::new);
                closed.collect::<Result<_, _>>().map_err(|error| {
                    refuse(format!("link `{}`: {error}", self.robot.links[link].name))
                })
            })
            .collect()
    }
}
