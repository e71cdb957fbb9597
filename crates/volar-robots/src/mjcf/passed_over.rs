//! Sections that are named in the report and not read.

use super::Reader;
use crate::report::NoteKind;
use crate::xml::Element;

impl Reader<'_> {
    pub fn pass_over(&mut self, root: &Element) {
        for section in &root.children {
            match section.tag.as_str() {
                "compiler" | "default" | "asset" | "worldbody" | "actuator" | "tendon"
                | "equality" | "contact" | "keyframe" => {}
                "sensor" => {
                    for sensor in &section.children {
                        let what = format!("<sensor><{}>", sensor.tag);
                        let detail = "sensors are set where the robot is used";
                        self.report
                            .add(NoteKind::Ignored, what, detail, sensor.label());
                    }
                }
                "option" => self.option(section),
                "visual" | "statistic" | "custom" | "size" => {
                    self.note(NoteKind::Ignored, section, "without effect on motion");
                }
                "deformable" | "extension" => {
                    self.note(
                        NoteKind::Unsupported,
                        section,
                        "only rigid bodies are simulated",
                    );
                }
                _ => self.note(
                    NoteKind::Unsupported,
                    section,
                    "not a section that is known here",
                ),
            }
        }
        for (name, value) in &root.attributes {
            if name != "model" {
                let what = format!("{name} of <mujoco>");
                self.report.add(NoteKind::Ignored, what, "", value);
            }
        }
    }

    /// Settings of the simulation: those of the scene hold.
    fn option(&mut self, option: &Element) {
        for (name, value) in &option.attributes {
            let what = format!("{name} of <option>");
            let detail = "gravity, medium and integration are set by the scene";
            let entry = format!("{name}=\"{value}\"");
            self.report.add(NoteKind::Ignored, what, detail, entry);
        }
        for flag in option.children.iter().flat_map(|child| &child.attributes) {
            let (name, value) = flag;
            let what = format!("{name} of <option><flag>");
            let detail = "a switch of MuJoCo's";
            let entry = format!("{name}=\"{value}\"");
            self.report.add(NoteKind::Ignored, what, detail, entry);
        }
    }
}
