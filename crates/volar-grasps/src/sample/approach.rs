//! Towards a point of the object, as near as the hand is clear: from directions over a
//! sphere to the centre of mass, or against the normal of a point of the surface; with the open
//! hand or with postures along eigengrasps.
//!
//! The tool frame starts at the point, z along the approach, rolled by any angle, and is moved
//! back until the hand is clear.

use std::collections::BTreeMap;

use glam::{DMat3, DVec3};
use volar_geom::overlap::OverlapKernel;
use volar_geom::{ClosedMesh, Pose};
use volar_math::{real, rotation};
use volar_scene::hand::Eigengrasp;
use volar_scene::{Hand, SceneError};

use super::{Draws, Method, Rejection, Setting, posture};
use crate::grasp::Grasp;

/// Step of moving back, m.
const STEP: f64 = 2.0e-3;
/// No farther back than this, m: the fingers would not reach the object.
const FARTHEST: f64 = 0.15;

#[derive(Debug)]
pub struct Approach {
    method: Method,
    centre: DVec3,
    hand: Hand,
    eigengrasps: Vec<Eigengrasp>,
    /// Of the open hand.
    open: At,
}

/// The hand in a posture.
#[derive(Debug)]
struct At {
    values: Vec<f64>,
    X_HT: Pose,
    X_HL: Vec<Pose>,
}

impl Approach {
    pub fn new(hand: &Hand, mesh: &ClosedMesh, method: Method) -> Result<Approach, SceneError> {
        let moments = mesh.moments().ok_or_else(|| SceneError::Hand {
            message: "the object has no volume, so no centre of mass".into(),
        })?;
        let mut eigengrasps = hand.file.eigengrasps.clone();
        if eigengrasps.is_empty() {
            // From open to closed.
            let closes = hand.file.closes.iter();
            eigengrasps.push(Eigengrasp {
                joints: closes
                    .map(|(joint, c)| (joint.clone(), c.closed - c.rest))
                    .collect(),
                range: [0.0, 1.0],
            });
        }
        Ok(Approach {
            method,
            centre: moments.centroid,
            hand: hand.clone(),
            eigengrasps,
            open: At::new(hand, hand.open_values())?,
        })
    }

    pub(super) fn candidate(
        &self,
        setting: &Setting,
        kernel: &mut OverlapKernel,
        draws: Draws,
    ) -> Result<Grasp, Rejection> {
        let (target, z) = match self.method {
            Method::Approach => (self.centre, on_sphere(draws)),
            _ => {
                let point = setting.surface.point(&setting.object, draws);
                (point.p, -point.normal)
            }
        };
        let drawn = (self.method == Method::Eigengrasp).then(|| self.drawn(draws));
        let at = drawn.as_ref().unwrap_or(&self.open);
        let (x, y) = z.any_orthonormal_pair();
        let R = rotation::about(z, draws.angle("roll")) * DMat3::from_cols(x, y, z);
        let X_TH = at.X_HT.inverse();
        let steps = (FARTHEST / STEP) as usize;
        for back in 0..=steps {
            let p = target - back as f64 * STEP * z;
            let X_OH = Pose { R, p }.compose(&X_TH);
            if setting
                .hand
                .is_clear(kernel, &setting.object, &X_OH, &at.X_HL)
            {
                return Ok(Grasp {
                    pregrasp: Some(posture(&self.hand, &at.values)),
                    ..Grasp::at(X_OH)
                });
            }
        }
        Err(Rejection::Collision)
    }

    /// The open hand moved along every eigengrasp by an amplitude from its range.
    fn drawn(&self, draws: Draws) -> At {
        let open = &self.open.values;
        let mut joints: BTreeMap<String, f64> = BTreeMap::new();
        for (number, eigengrasp) in self.eigengrasps.iter().enumerate() {
            let [low, high] = eigengrasp.range;
            let amplitude = low + (high - low) * draws.uniform(&format!("eigengrasp {number}"));
            for (joint, by) in &eigengrasp.joints {
                if let Some(link) = self.hand.robot.joint(joint) {
                    *joints.entry(joint.clone()).or_insert(open[link]) += amplitude * by;
                }
            }
        }
        let values = self.hand.values_with(&joints);
        At {
            X_HL: self.hand.link_poses(&values),
            // The palm does not move with the fingers.
            X_HT: self.open.X_HT,
            values,
        }
    }
}

impl At {
    fn new(hand: &Hand, values: Vec<f64>) -> Result<At, SceneError> {
        Ok(At {
            X_HT: hand.tool_frame(&values)?,
            X_HL: hand.link_poses(&values),
            values,
        })
    }
}

/// A direction, all as likely.
fn on_sphere(draws: Draws) -> DVec3 {
    let z = 2.0 * draws.uniform("height") - 1.0;
    let (sin, cos) = real::sin_cos(draws.angle("longitude"));
    let r = (1.0 - z * z).max(0.0).sqrt();
    DVec3::new(r * cos, r * sin, z).normalize_or(DVec3::Z)
}
