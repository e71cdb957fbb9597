//! Keyframes: states in MuJoCo's coordinates.
//!
//! Ours differ for free joints alone. MuJoCo has the body's pose in the world,
//! the velocity of its origin in the world and its angular velocity in the
//! body; ours are all in J, the body's pose in the file.

use glam::DVec3;

use super::Reader;
use crate::error::RobotError;
use crate::report::NoteKind;
use crate::robot::{JointKind, Keyframe};
use crate::xml::Element;

impl Reader<'_> {
    pub fn read_keys(&mut self, root: &Element) -> Result<(), RobotError> {
        for element in root.all("keyframe").flat_map(|k| &k.children) {
            if element.tag != "key" {
                let detail = "not a part of <keyframe> that is known here";
                self.note(NoteKind::Unsupported, element, detail);
                continue;
            }
            let (nq, nv) = (self.robot.nq(), self.robot.nv());
            let mut q = element
                .numbers("qpos", nq, nq)?
                .unwrap_or_else(|| self.file_start());
            let mut v = element
                .numbers("qvel", nv, nv)?
                .unwrap_or_else(|| vec![0.0; nv]);
            self.to_joint_frames(element, &mut q, &mut v)?;
            // One control per actuator of the file, also those not taken over.
            let count = self.driven.len();
            let given = element.numbers("ctrl", count, count)?;
            let control = given
                .unwrap_or_else(|| vec![0.0; count])
                .into_iter()
                .zip(&self.driven)
                .filter_map(|(value, driven)| driven.then_some(value))
                .collect();
            for (name, _) in &element.attributes {
                if !["name", "qpos", "qvel", "ctrl"].contains(&name.as_str()) {
                    let what = format!("{name} of <key>");
                    self.report
                        .add(NoteKind::Ignored, what, "", element.label());
                }
            }
            self.robot.keyframes.push(Keyframe {
                name: element.get("name").unwrap_or_default().to_owned(),
                q,
                v,
                control,
            });
        }
        Ok(())
    }

    /// The start in the file's coordinates.
    fn file_start(&self) -> Vec<f64> {
        let mut q = self.robot.initial();
        let mut at = 0;
        for (i, link) in self.robot.links.iter().enumerate() {
            if let Some((_, X_PB)) = self.free.iter().find(|(free, _)| *free == i) {
                q[at..at + 3].copy_from_slice(&X_PB.p.to_array());
                let turn = glam::DQuat::from_mat3(&X_PB.R);
                q[at + 3..at + 7].copy_from_slice(&[turn.w, turn.x, turn.y, turn.z]);
            }
            at += link.joint.kind.nq();
        }
        q
    }

    fn to_joint_frames(
        &self,
        element: &Element,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<(), RobotError> {
        let (mut at_q, mut at_v) = (0, 0);
        for (i, link) in self.robot.links.iter().enumerate() {
            let kind = link.joint.kind;
            let values = &mut q[at_q..at_q + kind.nq()];
            let rates = &mut v[at_v..at_v + kind.nv()];
            at_q += kind.nq();
            at_v += kind.nv();
            if kind == JointKind::Ball {
                let X_JB = element.pose(DVec3::ZERO, values, "qpos")?;
                let turning = X_JB.R * DVec3::new(rates[0], rates[1], rates[2]);
                rates.copy_from_slice(&turning.to_array());
            }
            let Some((_, X_PB)) = self.free.iter().find(|(free, _)| *free == i) else {
                continue;
            };
            let p = DVec3::new(values[0], values[1], values[2]);
            let X_WB = element.pose(p, &values[3..7], "qpos")?;
            let X_JB = X_PB.inverse().compose(&X_WB);
            let turn = glam::DQuat::from_mat3(&X_JB.R);
            values[..3].copy_from_slice(&X_JB.p.to_array());
            values[3..].copy_from_slice(&[turn.w, turn.x, turn.y, turn.z]);
            let moving = X_PB.R.transpose() * DVec3::new(rates[0], rates[1], rates[2]);
            let turning = X_JB.R * DVec3::new(rates[3], rates[4], rates[5]);
            rates[..3].copy_from_slice(&moving.to_array());
            rates[3..].copy_from_slice(&turning.to_array());
        }
        Ok(())
    }
}
