//! Axes: which entries of the scene vary, and over what.
//!
//! Axes of lists, steps, alternatives and tables make the grid. Random axes draw a value for every
//! run, which depends on the seed, the axis and the row alone; Sobol axes together take
//! the points of one low-discrepancy sequence, the same ones at every point of the grid.

mod sobol;
mod table;
mod text;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use toml::Value;
use volar_math::{random, real};

use crate::error::SweepError;
use crate::figures::ColumnType;
use crate::spec::{Alternative, AxisEntry, Normal, Range, Steps};
pub use random::normal as normal_draw;
pub use table::{INFO, Variants};
pub use text::axis_entry;

/// The tables of a sweep by the names it gives them.
pub type Tables = BTreeMap<String, Arc<Variants>>;

/// An axis that has been checked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis {
    /// Name of its column.
    pub name: String,
    /// Entries of the scene, with the factors of their values.
    pub paths: Vec<(String, f64)>,
    /// Its values.
    pub kind: AxisKind,
    /// The value of the point that pages mark.
    pub mark: Option<f64>,
}

/// The kinds of axes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AxisKind {
    /// These values.
    Values(Vec<Value>),
    /// Equal steps.
    Linear(Steps),
    /// Equal ratios.
    Log(Steps),
    /// Draws of a normal distribution.
    Normal(Normal),
    /// Draws from a range.
    Uniform(Range),
    /// A Sobol sequence over a range; the number is its dimension.
    Sobol(Range, usize),
    /// Whole alternatives.
    Alternatives(Vec<Alternative>),
    /// The rows of a table.
    Table(#[serde(serialize_with = "table::identity")] Arc<Variants>),
}

/// The value of an axis in a run.
#[derive(Clone, Debug, PartialEq)]
pub enum AxisValue<'a> {
    /// Of the entries.
    Entry(Value),
    /// An alternative.
    Alternative(&'a Alternative),
    /// A row of a table.
    Variant(&'a Variants, u64),
}

impl Axis {
    /// All axes of a sweep, checked.
    pub fn all(entries: &[AxisEntry], tables: &Tables) -> Result<Vec<Axis>, SweepError> {
        let mut axes: Vec<Axis> = Vec::new();
        let mut dimensions = 0;
        for entry in entries {
            let axis = Axis::new(entry, tables, &mut dimensions)?;
            if axes.iter().any(|other| other.name == axis.name) {
                return Err(SweepError::axis(&axis.name, "another axis has this name"));
            }
            axes.push(axis);
        }
        Ok(axes)
    }

    fn new(entry: &AxisEntry, tables: &Tables, dimensions: &mut usize) -> Result<Axis, SweepError> {
        let paths: Vec<String> = entry.path.iter().chain(&entry.paths).cloned().collect();
        let name = entry.name.clone().or_else(|| paths.first().cloned());
        let name = name.unwrap_or_default();
        let refuse = |message: &str| Err(SweepError::axis(&name, message));
        if name.is_empty() {
            return refuse("an axis needs a `path`, or a `name` with `alternatives` or `table`");
        }
        let mut kinds = Vec::new();
        kinds.extend(entry.values.clone().map(AxisKind::Values));
        kinds.extend(entry.linear.map(AxisKind::Linear));
        kinds.extend(entry.log.map(AxisKind::Log));
        kinds.extend(entry.normal.map(AxisKind::Normal));
        kinds.extend(entry.uniform.map(AxisKind::Uniform));
        kinds.extend(entry.sobol.map(|range| AxisKind::Sobol(range, *dimensions)));
        kinds.extend(entry.alternatives.clone().map(AxisKind::Alternatives));
        if let Some(file) = &entry.table {
            let Some(table) = tables.get(file) else {
                return refuse(&format!("the table `{file}` was not read"));
            };
            kinds.push(AxisKind::Table(table.clone()));
        }
        let [kind] = &kinds[..] else {
            return refuse(
                "exactly one of `values`, `linear`, `log`, `normal`, `uniform`, `sobol`, \
                 `alternatives` and `table` is needed",
            );
        };
        if let Err(message) = sound(kind) {
            return refuse(&message);
        }
        match kind {
            AxisKind::Alternatives(_) if !paths.is_empty() => {
                return refuse("alternatives have a `set` each, not a path");
            }
            AxisKind::Table(_) if !paths.is_empty() => {
                return refuse("the columns of a table are its paths");
            }
            AxisKind::Alternatives(_) | AxisKind::Table(_) => {}
            _ if paths.is_empty() => return refuse("a `path` is needed"),
            AxisKind::Sobol(..) if *dimensions >= sobol::DIMENSIONS => {
                let most = sobol::DIMENSIONS;
                return refuse(&format!("there can be at most {most} Sobol axes"));
            }
            AxisKind::Sobol(..) => *dimensions += 1,
            _ => {}
        }
        let factors = match entry.factors.len() {
            0 => vec![1.0; paths.len()],
            n if n == paths.len() && entry.factors.iter().all(|f| f.is_finite()) => {
                entry.factors.clone()
            }
            _ => return refuse("`factors` needs one finite number for each path"),
        };
        let scaled = factors.iter().any(|factor| factor.to_bits() != ONE);
        if scaled && !kind.is_numeric() {
            return refuse("`factors` needs values that are numbers");
        }
        Ok(Axis {
            paths: paths.into_iter().zip(factors).collect(),
            kind: kind.clone(),
            mark: entry.mark,
            name,
        })
    }

    /// Number of values on the grid; random axes have one, which differs from run to run.
    pub fn count(&self) -> u64 {
        match &self.kind {
            AxisKind::Values(values) => values.len() as u64,
            AxisKind::Linear(steps) | AxisKind::Log(steps) => steps.count,
            AxisKind::Alternatives(all) => all.len() as u64,
            AxisKind::Table(table) => table.rows(),
            AxisKind::Normal(_) | AxisKind::Uniform(_) | AxisKind::Sobol(..) => 1,
        }
    }

    /// Whether its values are drawn rather than on a grid.
    pub fn is_drawn(&self) -> bool {
        matches!(
            self.kind,
            AxisKind::Normal(_) | AxisKind::Uniform(_) | AxisKind::Sobol(..)
        )
    }

    /// The columns it has in the table: its name, and those of its own table.
    pub fn columns(&self) -> Vec<(String, ColumnType)> {
        let own = match &self.kind {
            AxisKind::Table(_) => ColumnType::Count,
            kind if kind.is_numeric() => ColumnType::Number,
            _ => ColumnType::Text,
        };
        let mut columns = vec![(self.name.clone(), own)];
        if let AxisKind::Table(table) = &self.kind {
            let more = table.columns();
            columns.extend(more.map(|(name, of_type)| (name.to_owned(), of_type)));
        }
        columns
    }

    /// Whether its values are spread by ratios.
    pub fn is_log(&self) -> bool {
        match &self.kind {
            AxisKind::Log(_) => true,
            AxisKind::Uniform(range) | AxisKind::Sobol(range, _) => range.log,
            _ => false,
        }
    }

    /// The value at a place on the grid, or the draw of a run.
    pub fn value(&self, place: u64, draw: Draw) -> AxisValue<'_> {
        let at = usize::try_from(place).unwrap_or(usize::MAX);
        AxisValue::Entry(match &self.kind {
            AxisKind::Values(values) => values.get(at).cloned().unwrap_or(Value::Boolean(false)),
            AxisKind::Linear(steps) => linear(steps, place),
            AxisKind::Log(steps) => {
                let share = share(steps, place);
                Value::Float(between(steps.from, steps.to, share, true))
            }
            AxisKind::Normal(normal) => {
                let deviate = random::normal(draw.seed, &self.name, draw.row);
                Value::Float(normal.mean + normal.deviation * deviate)
            }
            AxisKind::Uniform(range) => {
                let share = random::uniform(draw.seed, &self.name, draw.row);
                Value::Float(between(range.from, range.to, share, range.log))
            }
            AxisKind::Sobol(range, dimension) => {
                let share = sobol::point(draw.seed, *dimension, draw.repeat);
                Value::Float(between(range.from, range.to, share, range.log))
            }
            AxisKind::Alternatives(all) => match all.get(at) {
                Some(one) => return AxisValue::Alternative(one),
                None => Value::Boolean(false),
            },
            AxisKind::Table(table) => return AxisValue::Variant(table, place),
        })
    }
}

impl AxisKind {
    /// Whether all its values are numbers.
    pub fn is_numeric(&self) -> bool {
        match self {
            AxisKind::Values(values) => values
                .iter()
                .all(|value| matches!(value, Value::Float(_) | Value::Integer(_))),
            AxisKind::Alternatives(_) | AxisKind::Table(_) => false,
            _ => true,
        }
    }
}

/// Which run a random value is drawn for.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    /// Seed of the sweep.
    pub seed: u64,
    /// Number of the run.
    pub row: u64,
    /// Number of the run at its point of the grid.
    pub repeat: u64,
}

const ONE: u64 = 1.0_f64.to_bits();

fn sound(kind: &AxisKind) -> Result<(), String> {
    let finite = |values: &[f64]| match values.iter().all(|v| v.is_finite()) {
        true => Ok(()),
        false => Err("its numbers must be finite".to_owned()),
    };
    let positive = |from: f64, to: f64| match from > 0.0 && to > 0.0 {
        true => Ok(()),
        false => Err("a logarithmic axis needs ends above zero".to_owned()),
    };
    match kind {
        AxisKind::Values(values) if values.is_empty() => Err("it has no values".into()),
        AxisKind::Alternatives(all) if all.is_empty() => Err("it has no alternatives".into()),
        AxisKind::Values(_) | AxisKind::Table(_) => Ok(()),
        AxisKind::Alternatives(all) => {
            let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
            let twice = (1..names.len()).find(|&i| names[..i].contains(&names[i]));
            twice.map_or(Ok(()), |i| {
                Err(format!("two alternatives are called `{}`", names[i]))
            })
        }
        AxisKind::Linear(steps) | AxisKind::Log(steps) => {
            finite(&[steps.from, steps.to])?;
            if steps.count == 0 {
                return Err("`count` must be 1 or more".into());
            }
            match kind {
                AxisKind::Log(_) => positive(steps.from, steps.to),
                _ => Ok(()),
            }
        }
        AxisKind::Normal(normal) => {
            finite(&[normal.mean, normal.deviation])?;
            match normal.deviation >= 0.0 {
                true => Ok(()),
                false => Err("`deviation` must not be below zero".into()),
            }
        }
        AxisKind::Uniform(range) | AxisKind::Sobol(range, _) => {
            finite(&[range.from, range.to])?;
            match range.log {
                true => positive(range.from, range.to),
                false => Ok(()),
            }
        }
    }
}

/// How far along an axis a step is, from 0 to 1.
fn share(steps: &Steps, place: u64) -> f64 {
    match steps.count {
        0 | 1 => 0.0,
        count => place as f64 / (count - 1) as f64,
    }
}

/// Whole numbers stay whole numbers: some entries of a scene are counts.
fn linear(steps: &Steps, place: u64) -> Value {
    let value = between(steps.from, steps.to, share(steps, place), false);
    let step = (steps.to - steps.from) / steps.count.saturating_sub(1).max(1) as f64;
    let whole = |x: f64| x.fract().abs() <= 0.0 && x.abs() < 9.0e15;
    match whole(steps.from) && whole(step) {
        true => Value::Integer(value.round() as i64),
        false => Value::Float(value),
    }
}

/// The value at a share of a range; at its ends exactly these.
fn between(from: f64, to: f64, share: f64, log: bool) -> f64 {
    match log {
        _ if share <= 0.0 => from,
        _ if share >= 1.0 => to,
        true => from * real::pow(to / from, share),
        false => from + (to - from) * share,
    }
}
