//! The figures of a summary as people read them: name, unit, and when they were measured.

use serde::Serialize;
use serde_json::Value;
use volar_record::GraspHeader;

/// When a figure is measured.
#[derive(Clone, Copy)]
enum When {
    /// In the whole run, or no matter of time.
    Run,
    /// Since drift is counted.
    Since,
    LastSecond,
    Energy,
}

/// Key, name, unit and window of a figure.
type Entry = (&'static str, &'static str, &'static str, When);

#[rustfmt::skip] // A table.
const ENTRIES: [Entry; 22] = [
    ("verdict", "Verdict", "", When::Run),
    ("normal_force_n", "Mean normal force", "N", When::LastSecond),
    ("palm_load_n", "Mean load on the palm", "N", When::LastSecond),
    ("force_std_n", "Standard deviation of the normal force", "N", When::LastSecond),
    ("friction_margin", "Least friction margin", "", When::LastSecond),
    ("drift_mm", "Drift", "mm", When::Since),
    ("rotation_deg", "Rotation", "°", When::Since),
    ("slip_um", "Plastic slip", "µm", When::Since),
    ("creep_um_per_s", "Creep", "µm/s", When::LastSecond),
    ("creep_deg_per_s", "Rotational creep", "°/s", When::LastSecond),
    ("kinetic_energy_ratio", "Kinetic energy over the expected", "", When::Energy),
    ("pull_loads_n", "Pull until slip", "N", When::Run),
    ("max_force_n", "Largest normal force", "N", When::Run),
    ("max_depth_mm", "Largest depth", "mm", When::Run),
    ("duration_s", "Simulated time", "s", When::Run),
    ("steps", "Steps", "", When::Run),
    ("rejected", "Rejected steps", "", When::Run),
    ("evaluations", "Evaluations", "", When::Run),
    ("wall_s", "Computing time", "s", When::Run),
    ("real_time_factor", "Speed against real time", "×", When::Run),
    ("law", "Contact law", "", When::Run),
    ("integrator", "Integrator", "", When::Run),
];

/// Said elsewhere in the report.
const APART: [&str; 5] = ["held", "failure", "scene", "warnings", "notes"];

/// One figure of a summary.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// What it is; for figures by finger or direction with its name.
    pub name: String,
    /// A number or a word; null where there is none, as for a pull that never slipped.
    pub value: Value,
    /// Empty for a figure without.
    pub unit: String,
    /// When it was measured; empty for the whole run.
    pub window: String,
}

/// All figures of a summary that have a value.
pub fn rows(summary: &Value, grasp: Option<&GraspHeader>) -> Vec<Row> {
    let Value::Object(summary) = summary else {
        return Vec::new();
    };
    let end = summary.get("duration_s").and_then(Value::as_f64);
    let end = end.unwrap_or(f64::INFINITY);
    let known = ENTRIES.iter().copied();
    let unknown = summary.keys().filter(|key| {
        !APART.contains(&key.as_str()) && ENTRIES.iter().all(|(known, ..)| known != key)
    });
    let unknown = unknown.map(|key| (key.as_str(), "", "", When::Run));
    let mut rows = Vec::new();
    for (key, name, unit, when) in known.chain(unknown) {
        let window = match (when, grasp) {
            (When::Run, _) | (_, None) => String::new(),
            (When::Since, Some(grasp)) => grasp.since(end).text,
            (When::LastSecond, Some(grasp)) => grasp.last_second(end).text,
            (When::Energy, Some(grasp)) => grasp.energy(end).map_or(String::new(), |w| w.text),
        };
        let name = match name.is_empty() {
            true => key.replace('_', " "),
            false => name.to_owned(),
        };
        let mut row = |name: String, value: &Value| {
            rows.push(Row {
                name,
                value: value.clone(),
                unit: unit.into(),
                window: window.clone(),
            });
        };
        match summary.get(key) {
            None | Some(Value::Null) => {}
            Some(Value::Object(parts)) => {
                for (part, value) in parts {
                    row(format!("{name}, {part}"), value);
                }
            }
            Some(Value::Array(_)) => {}
            Some(value) => row(name, value),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_figure_names_its_window() {
        let summary = json!({
            "scene": "x", "held": true, "duration_s": 10.0, "drift_mm": 0.5,
            "normal_force_n": { "left": 9.5 }, "palm_load_n": null, "max_force_n": 80.0,
            "something_new": 3,
        });
        let grasp = GraspHeader {
            drift_from: 2.0,
            until: 10.0,
            ..GraspHeader::default()
        };
        let rows = rows(&summary, Some(&grasp));
        let window = |name: &str| {
            let row = rows.iter().find(|row| row.name == name);
            row.map(|row| row.window.as_str())
        };
        assert_eq!(window("Mean normal force, left"), Some("last second"));
        assert_eq!(window("Drift"), Some("since 2 s"));
        assert_eq!(window("Largest normal force"), Some(""));
        assert_eq!(window("something new"), Some(""), "none is left out");
        assert_eq!(window("Mean load on the palm"), None, "there was none");
    }
}
