//! `<custom>`: numbers that MJCF has no word for. Of these we know the greatest speed of a
//! joint, `<numeric name="speed limit of JOINT" data="…">` in rad/s or m/s, as exports of
//! scenes write it.

use super::Reader;
use crate::error::RobotError;
use crate::report::NoteKind;
use crate::xml::Element;

const SPEED_LIMIT: &str = "speed limit of ";

impl Reader<'_> {
    pub fn read_custom(&mut self, root: &Element) -> Result<(), RobotError> {
        for element in root.all("custom").flat_map(|custom| &custom.children) {
            let joint = element
                .get("name")
                .and_then(|n| n.strip_prefix(SPEED_LIMIT));
            let link = joint.and_then(|joint| self.joints.get(joint).copied());
            let (Some(link), "numeric") = (link, element.tag.as_str()) else {
                self.note(NoteKind::Ignored, element, "without effect on motion");
                continue;
            };
            let limit = element.numbers("data", 1, 1)?.map(|data| data[0]);
            match limit {
                Some(limit) if limit > 0.0 => {
                    self.robot.links[link].joint.velocity_limit = Some(limit);
                }
                _ => return Err(element.bad("data", "a number above zero")),
            }
        }
        Ok(())
    }
}
