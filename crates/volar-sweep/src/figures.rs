//! What the table has of a run: figures of its summary, and how it failed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use volar_run::Summary;
use volar_scene::Setup;

use crate::error::SweepError;

/// A value in the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// Nothing was measured.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A count.
    Count(u64),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnType {
    /// Yes or no.
    Bool,
    /// A count.
    Count,
    /// A number.
    Number,
    /// A text.
    Text,
}

/// A column of figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figure {
    /// Its name: the key of the summary, then a finger or a direction.
    pub name: String,
    /// What it holds.
    pub of_type: ColumnType,
}

type Scalar = (&'static str, ColumnType, fn(&Summary) -> Cell);

/// Figures of the summary that are one value each, in the order of the table.
const SCALARS: [Scalar; 14] = [
    ("held", ColumnType::Bool, |s| {
        s.held.map_or(Cell::Null, Cell::Bool)
    }),
    ("drift_mm", ColumnType::Number, |s| number(s.drift_mm)),
    ("rotation_deg", ColumnType::Number, |s| {
        number(s.rotation_deg)
    }),
    ("creep_um_per_s", ColumnType::Number, |s| {
        number(s.creep_um_per_s)
    }),
    ("creep_deg_per_s", ColumnType::Number, |s| {
        number(s.creep_deg_per_s)
    }),
    ("slip_um", ColumnType::Number, |s| number(s.slip_um)),
    ("friction_margin", ColumnType::Number, |s| {
        number(s.friction_margin)
    }),
    ("force_std_n", ColumnType::Number, |s| number(s.force_std_n)),
    ("palm_load_n", ColumnType::Number, |s| number(s.palm_load_n)),
    ("max_force_n", ColumnType::Number, |s| {
        number(Some(s.max_force_n))
    }),
    ("max_depth_mm", ColumnType::Number, |s| {
        number(Some(s.max_depth_mm))
    }),
    ("kinetic_energy_ratio", ColumnType::Number, |s| {
        number(s.kinetic_energy_ratio)
    }),
    ("duration_s", ColumnType::Number, |s| {
        number(Some(s.duration_s))
    }),
    ("evaluations", ColumnType::Count, |s| {
        Cell::Count(s.evaluations)
    }),
];

/// Figures by finger or direction.
const FORCES: &str = "normal_force_n";
const PULLS: &str = "pull_loads_n";
const DIRECTIONS: [&str; 6] = ["+x", "+y", "+z", "-x", "-y", "-z"];

/// Figures of the static quality, by contact model, and of the overlap at the start: their places in
/// the summary.
const QUALITY: &str = "quality";
const START: &str = "start_overlap";
const MODELS: [&str; 3] = ["point", "soft_finger", "patch"];
const OF_MODEL: [&str; 8] = [
    "force_closure",
    "epsilon_l1",
    "epsilon_linf",
    "volume_l1",
    "q1",
    "min_singular_value",
    "isotropy",
    "balancing_force_n",
];
const OF_START: [&str; 4] = [
    "object_depth_mm",
    "object_volume_mm3",
    "hand_depth_mm",
    "hand_volume_mm3",
];

/// The names of these.
fn quality_figures() -> Vec<Figure> {
    let figure = |name: String, of_type| Figure { name, of_type };
    let of_model = |model: &str| {
        let prefix = format!("{QUALITY}/{model}");
        OF_MODEL.map(|name| {
            let of_type = match name {
                "force_closure" => ColumnType::Bool,
                _ => ColumnType::Number,
            };
            figure(format!("{prefix}/{name}"), of_type)
        })
    };
    let mut all = vec![
        figure(format!("{QUALITY}/contacts"), ColumnType::Count),
        figure(format!("{QUALITY}/area_mm2"), ColumnType::Number),
    ];
    all.extend(MODELS.iter().flat_map(|model| of_model(model)));
    all.extend(OF_START.map(|name| figure(format!("{START}/{name}"), ColumnType::Number)));
    all
}

/// A value of the summary by its place.
fn at_place(summary: &Summary, place: &str) -> Cell {
    let (part, rest) = place.split_once('/').unwrap_or((place, ""));
    let value = match part {
        QUALITY => serde_json::to_value(&summary.quality),
        _ => serde_json::to_value(summary.start_overlap),
    };
    let value = value.unwrap_or_default();
    match value.pointer(&format!("/{rest}")) {
        Some(serde_json::Value::Bool(yes)) => Cell::Bool(*yes),
        Some(serde_json::Value::Number(found)) => match found.as_u64() {
            Some(count) => Cell::Count(count),
            None => number(found.as_f64()),
        },
        _ => Cell::Null,
    }
}

/// As in `summary.json`, what is no finite number is left out.
fn number(value: Option<f64>) -> Cell {
    let finite = value.filter(|value| value.is_finite());
    finite.map_or(Cell::Null, Cell::Number)
}

/// The figures of a sweep over these set-ups: those of the summary by the names given, or
/// all of them.
pub fn figures(setups: &[Setup], wanted: &[String]) -> Result<Vec<Figure>, SweepError> {
    let figure = |name: String, of_type| Figure { name, of_type };
    let mut all: Vec<Figure> = SCALARS
        .iter()
        .map(|(name, of_type, _)| figure((*name).to_owned(), *of_type))
        .collect();
    let grasps = setups.iter().filter_map(|setup| setup.grasp.as_ref());
    let fingers = grasps.flat_map(|grasp| grasp.fingers.iter().map(|f| f.name.clone()));
    let fingers: BTreeMap<String, ()> = fingers.map(|name| (name, ())).collect();
    let forces = fingers.keys().map(|finger| format!("{FORCES}/{finger}"));
    all.extend(forces.map(|name| figure(name, ColumnType::Number)));
    if setups.iter().any(|setup| setup.pull.is_some()) {
        let pulls = DIRECTIONS.iter().map(|way| format!("{PULLS}/{way}"));
        all.extend(pulls.map(|name| figure(name, ColumnType::Number)));
    }
    let mut grasps = setups.iter().filter_map(|setup| setup.grasp.as_ref());
    if grasps.any(|grasp| grasp.quality.is_some()) {
        all.extend(quality_figures());
    }
    let group = |name: &str| name.split('/').next().unwrap_or_default().to_owned();
    for name in wanted {
        if !all
            .iter()
            .any(|f| f.name == *name || group(&f.name) == *name)
        {
            let mut known: Vec<String> = all.iter().map(|f| group(&f.name)).collect();
            known.dedup();
            return Err(SweepError::Invalid(format!(
                "figures: no figure `{name}`; there are {}",
                known.join(", ")
            )));
        }
    }
    if !wanted.is_empty() {
        all.retain(|f| wanted.contains(&f.name) || wanted.contains(&group(&f.name)));
    }
    Ok(all)
}

/// The values of these figures in a summary.
pub fn values(figures: &[Figure], summary: &Summary) -> Vec<Cell> {
    let value = |figure: &Figure| {
        let name = figure.name.as_str();
        if let Some((_, _, get)) = SCALARS.iter().find(|(known, ..)| *known == name) {
            return get(summary);
        }
        match name.split_once('/') {
            Some((FORCES, finger)) => number(summary.normal_force_n.get(finger).copied()),
            Some((PULLS, way)) => {
                let loads = summary.pull_loads_n.as_ref();
                number(loads.and_then(|loads| loads.get(way).copied().flatten()))
            }
            Some((QUALITY | START, _)) => at_place(summary, name),
            _ => Cell::Null,
        }
    };
    figures.iter().map(value).collect()
}

/// How a run failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// For programs: that of the summary, or one of these modules' own.
    pub kind: String,
    /// For people.
    pub what: String,
    /// Simulated time, s.
    pub time_s: f64,
}

/// A run that reached `--limit-evaluations`.
pub const EVALUATION_LIMIT: &str = "evaluation_limit";
/// A run that reached `--limit-wall`; it is run again when the sweep goes on.
pub const WALL_LIMIT: &str = "wall_limit";
/// Values that make no scene.
pub const SCENE_ERROR: &str = "scene_error";
/// A defect of the program.
pub const PANIC: &str = "panic";

/// A finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Number of the run.
    pub row: u64,
    /// In the order of the figures of the sweep.
    pub figures: Vec<Cell>,
    /// How it failed.
    pub failure: Option<Failure>,
    /// Wall time, s. Not part of the result.
    pub wall_s: f64,
}

impl Record {
    /// As a line of text, for journals and from other machines; no digit is lost.
    pub fn to_line(&self) -> Result<String, SweepError> {
        serde_json::to_string(self).map_err(|error| SweepError::Invalid(error.to_string()))
    }

    /// From such a line.
    pub fn from_line(line: &str) -> Result<Record, SweepError> {
        serde_json::from_str(line)
            .map_err(|error| SweepError::Invalid(format!("not a finished run: {error}")))
    }

    /// Whether it is to be run again when the sweep goes on.
    pub fn is_provisional(&self) -> bool {
        self.failure.as_ref().is_some_and(|f| f.kind == WALL_LIMIT)
    }
}
