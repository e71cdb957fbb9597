//! Sections that are named in the report and not read.

use super::Reader;
use crate::error::RobotError;
use crate::report::NoteKind;
use crate::xml::Element;

impl Reader<'_> {
    pub fn pass_over(&mut self, root: &Element) -> Result<(), RobotError> {
        for section in &root.children {
            match section.tag.as_str() {
                "compiler" | "default" | "asset" | "worldbody" | "actuator" | "tendon"
                | "equality" | "contact" | "keyframe" | "custom" => {}
                "sensor" => {
                    for sensor in &section.children {
                        let what = format!("<sensor><{}>", sensor.tag);
                        let detail = "sensors are set where the robot is used";
                        self.report
                            .add(NoteKind::Ignored, what, detail, sensor.label());
                    }
                }
                "option" => self.option(section)?,
                "visual" | "statistic" | "size" => {
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
        Ok(())
    }

    /// Settings of the simulation: those of the scene hold.
    fn option(&mut self, option: &Element) -> Result<(), RobotError> {
        check_option(option)?;
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
        Ok(())
    }
}

/// What is not used must still make sense: nonsense here shows that the file is broken,
/// and somebody who set a time step of zero should know.
fn check_option(option: &Element) -> Result<(), RobotError> {
    for (name, _) in &option.attributes {
        match name.as_str() {
            "timestep" | "impratio" => match option.number(name)? {
                Some(value) if value <= 0.0 => {
                    return Err(option.bad(name, "a number above zero"));
                }
                _ => {}
            },
            "tolerance" | "ls_tolerance" | "noslip_tolerance" | "ccd_tolerance" | "density"
            | "viscosity" | "iterations" | "ls_iterations" | "noslip_iterations"
            | "ccd_iterations" | "mpr_iterations" | "sdf_iterations" | "sdf_initpoints"
            | "o_margin" | "apirate" | "sleep_tolerance" | "mpr_tolerance" => {
                option.magnitude(name, 0.0)?;
            }
            "gravity" | "wind" | "magnetic" => {
                option.vector(name)?;
            }
            "o_solref" | "o_solimp" | "o_friction" | "actuatorgroupdisable" => {
                option.numbers(name, 0, usize::MAX)?;
            }
            "integrator" => word(option, name, &["Euler", "RK4", "implicit", "implicitfast"])?,
            "cone" => word(option, name, &["pyramidal", "elliptic"])?,
            "jacobian" => word(option, name, &["dense", "sparse", "auto"])?,
            "solver" => word(option, name, &["PGS", "CG", "Newton"])?,
            // Of other versions of MuJoCo; the report names it.
            _ => {}
        }
    }
    for flags in option.all("flag") {
        for (name, _) in &flags.attributes {
            word(flags, name, &["enable", "disable"])?;
        }
    }
    Ok(())
}

fn word(element: &Element, name: &str, words: &[&str]) -> Result<(), RobotError> {
    let words: Vec<(&str, ())> = words.iter().map(|word| (*word, ())).collect();
    element.word(name, &words).map(|_| ())
}
