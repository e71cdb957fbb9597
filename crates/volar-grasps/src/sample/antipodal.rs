//! Pairs of contacts that a parallel jaw can close on.
//!
//! A first contact is drawn from the surface, then a direction d in the friction cone about
//! its inward normal. The line along d leaves the object at places that may be the second
//! contact: one of them is drawn. Two contacts with friction hold against any wrench but a
//! turn about the line between them when that line is in both cones [Nguyen 1988, §2].
//!
//! The jaw is where its faces have the same distance from the contacts; it is rolled about
//! the line by any angle. The contacts must be what the faces meet first along the line.

use glam::{DMat3, DVec3};
use volar_geom::overlap::OverlapKernel;
use volar_geom::{ClosedMesh, Pose};
use volar_math::{real, rotation};
use volar_scene::{Hand, SceneError};

use super::hand::HandSolids;
use super::surface::hits;
use super::{Draws, Rejection, Setting, posture};
use crate::grasp::{Grasp, Posture};

/// A face of the open jaw is so far from its contact, m.
const CLEARANCE: f64 = 1.0e-3;
/// Faces are looked for this far from the tool frame, m.
const REACH: f64 = 0.5;

#[derive(Debug)]
pub struct Antipodal {
    /// Tangent and cosine of the angle of the friction cone.
    tan: f64,
    cos: f64,
    /// Distance of the faces of the jaw, closed and open, m.
    pub widths: [f64; 2],
    /// The middle between the faces with the axes of the tool frame, in the hand.
    X_HT: Pose,
    X_HL: Vec<Pose>,
    open: Posture,
}

impl Antipodal {
    pub fn new(hand: &Hand, solids: &HandSolids, friction: f64) -> Result<Antipodal, SceneError> {
        let values = hand.open_values();
        let X_HT = hand.tool_frame(&values)?;
        let faces = |values: &[f64]| faces(hand, solids, &X_HT, &hand.link_poses(values));
        let open = faces(&values).ok_or_else(|| SceneError::Hand {
            message: format!(
                "{}: along the x axis of its tool frame there is no finger on both sides, so it \
                 is no parallel jaw; sample it with `approach`, `surface` or `eigengrasp`, or \
                 change `tool` in hand.toml",
                hand.robot_path().display()
            ),
        })?;
        let closed = faces(&hand.closed_values());
        let middle = X_HT.p + 0.5 * (open[1] - open[0]) * X_HT.R.x_axis;
        Ok(Antipodal {
            tan: friction,
            cos: 1.0 / (1.0 + friction * friction).sqrt(),
            widths: [
                closed.map_or(0.0, |[a, b]| a + b),
                open[0] + open[1] - 2.0 * CLEARANCE,
            ],
            X_HT: Pose {
                R: X_HT.R,
                p: middle,
            },
            X_HL: hand.link_poses(&values),
            open: posture(hand, &values),
        })
    }

    pub(super) fn candidate(
        &self,
        setting: &Setting,
        kernel: &mut OverlapKernel,
        draws: Draws,
    ) -> Result<Grasp, Rejection> {
        let object = &setting.object;
        let first = setting.surface.point(object, draws);
        let d = self.in_cone(-first.normal, draws);
        let far = object.bounds().size().length();
        let line = hits(object, first.p, d, [-far, far]);
        // The triangle of the first contact is met at about 0.
        let near = 1.0e-9 * far;
        let exits: Vec<_> = line
            .iter()
            .filter(|hit| hit.t > near && hit.normal.dot(d) > 0.0)
            .collect();
        let drawn = (draws.uniform("exit") * exits.len() as f64) as usize;
        let second = *exits.get(drawn).ok_or(Rejection::Friction)?;
        if second.normal.dot(d) < self.cos {
            return Err(Rejection::Friction);
        }
        let width = second.t;
        let [closed, open] = self.widths;
        if width > open || width < closed {
            return Err(Rejection::Width);
        }
        // Between the faces of the open jaw and the contacts.
        let way = 0.5 * (open - width) + CLEARANCE;
        let before = |t: f64| t < -near && t > -way;
        let behind = |t: f64| t > width + near && t < width + way;
        if line.iter().any(|hit| before(hit.t) || behind(hit.t)) {
            return Err(Rejection::Hidden);
        }
        let X_OT = Pose {
            R: rolled(d, draws.angle("roll")),
            p: first.p + 0.5 * width * d,
        };
        let X_OH = X_OT.compose(&self.X_HT.inverse());
        if !setting.hand.is_clear(kernel, object, &X_OH, &self.X_HL) {
            return Err(Rejection::Collision);
        }
        Ok(Grasp {
            pregrasp: Some(self.open.clone()),
            width: Some(width),
            ..Grasp::at(X_OH)
        })
    }

    /// A direction in the friction cone about an axis, each solid angle as likely.
    fn in_cone(&self, axis: DVec3, draws: Draws) -> DVec3 {
        let cos = 1.0 - draws.uniform("tilt") * (1.0 - self.cos);
        let sin = (1.0 - cos * cos).max(0.0).sqrt();
        let (sin_turn, cos_turn) = real::sin_cos(draws.angle("turn"));
        let (a, b) = axis.any_orthonormal_pair();
        let d = cos * axis + sin * (cos_turn * a + sin_turn * b);
        debug_assert!(sin <= cos * self.tan + 1.0e-12, "in the cone");
        d.normalize_or(axis)
    }
}

/// Axes with x along a direction, rolled about it.
fn rolled(x: DVec3, angle: f64) -> DMat3 {
    let (y, z) = x.any_orthonormal_pair();
    rotation::about(x, angle) * DMat3::from_cols(x, y, z)
}

/// How far the faces of the fingers are from the origin of the tool frame, along −x and x.
fn faces(hand: &Hand, solids: &HandSolids, X_HT: &Pose, X_HL: &[Pose]) -> Option<[f64; 2]> {
    let of_finger = |link: usize| {
        let name = &hand.robot.links[link].name;
        hand.file.fingers.values().any(|links| links.contains(name))
    };
    let face = |d: DVec3| {
        let fingers = solids.solids.iter().filter(|(link, _)| of_finger(*link));
        let distances = fingers.filter_map(|(link, solid)| {
            first_entry(solid, &X_HL[*link].inverse().compose(X_HT), d)
        });
        distances.min_by(f64::total_cmp)
    };
    Some([face(-DVec3::X)?, face(DVec3::X)?])
}

/// Where a line from the origin of T along `d_T` first enters a solid.
fn first_entry(solid: &ClosedMesh, X_LT: &Pose, d_T: DVec3) -> Option<f64> {
    let d = X_LT.vector(d_T);
    let line = hits(solid, X_LT.p, d, [0.0, REACH]);
    line.iter()
        .find(|hit| hit.normal.dot(d) < 0.0)
        .map(|hit| hit.t)
}
