//! `<custom>`: numbers that MJCF has no word for, as exports of scenes write them.
//!
//! | name of `<numeric>` | data |
//! |---|---|
//! | `speed limit of JOINT` | its greatest speed, rad/s or m/s |
//! | `frame of joint JOINT`, `frame of body BODY` (one that is welded) | its frame in the parent's to the last digit: position, then the axes x, y and z; `quat` and `euler` are only near it |

use glam::{DMat3, DVec3};
use volar_geom::Pose;

use super::Reader;
use crate::error::RobotError;
use crate::report::NoteKind;
use crate::robot::JointKind;
use crate::xml::Element;

const SPEED_LIMIT: &str = "speed limit of ";
const FRAME_OF_JOINT: &str = "frame of joint ";
const FRAME_OF_BODY: &str = "frame of body ";
/// How far a frame may be from what the elements of the tree say, m and in axes: they were
/// rounded, not changed.
const ROUNDING: f64 = 1.0e-12;

impl Reader<'_> {
    pub fn read_custom(&mut self, root: &Element) -> Result<(), RobotError> {
        for element in root.all("custom").flat_map(|custom| &custom.children) {
            if element.tag != "numeric" || !self.read_numeric(element)? {
                self.note(NoteKind::Ignored, element, "without effect on motion");
            }
        }
        Ok(())
    }

    /// Whether it is one of ours, of something that is in the file.
    fn read_numeric(&mut self, element: &Element) -> Result<bool, RobotError> {
        let name = element.get("name").unwrap_or_default();
        let of = |begin: &str| name.strip_prefix(begin);
        let joint = |own: &str| self.joints.get(own).copied();
        if let Some(link) = of(SPEED_LIMIT).and_then(joint) {
            return self.read_speed_limit(element, link).map(|()| true);
        }
        let body = |own: &str| {
            let link = self.bodies.get(own).copied()?;
            let joint = &self.robot.links[link].joint;
            (joint.kind == JointKind::Fixed).then_some(link)
        };
        let link = of(FRAME_OF_JOINT).and_then(joint);
        match link.or_else(|| of(FRAME_OF_BODY).and_then(body)) {
            Some(link) => self.read_frame(element, link).map(|()| true),
            None => Ok(false),
        }
    }

    fn read_speed_limit(&mut self, element: &Element, link: usize) -> Result<(), RobotError> {
        let limit = element.numbers("data", 1, 1)?.map(|data| data[0]);
        match limit {
            Some(limit) if limit > 0.0 => {
                self.robot.links[link].joint.velocity_limit = Some(limit);
                Ok(())
            }
            _ => Err(element.bad("data", "a number above zero")),
        }
    }

    fn read_frame(&mut self, element: &Element, link: usize) -> Result<(), RobotError> {
        let Some(v) = element.numbers("data", 12, 12)? else {
            return Err(element.bad("data", "twelve numbers: position, axes x, y and z"));
        };
        let vector = |at: usize| DVec3::new(v[at], v[at + 1], v[at + 2]);
        let exact = Pose {
            p: vector(0),
            R: DMat3::from_cols(vector(3), vector(6), vector(9)),
        };
        let read = &mut self.robot.links[link].X_PJ;
        let turned = (exact.R - read.R).abs().to_cols_array();
        let turned = turned.into_iter().fold(0.0, f64::max);
        let away = (exact.p - read.p).abs().max_element();
        if turned <= ROUNDING && away <= ROUNDING * (1.0 + read.p.length()) {
            *read = exact;
        } else {
            let detail = "the body was moved since: its own pose counts";
            self.note(NoteKind::Ignored, element, detail);
        }
        Ok(())
    }
}
