//! The runs of a sweep: which values every one of them has.
//!
//! Rows are numbered in the order of the axes, the last of them and then the repeats
//! varying fastest. What a row is follows from its number alone.

use toml::Value;

use crate::axis::{Axis, AxisKind, AxisValue, Draw, Tables, Variants};
use crate::error::SweepError;
use crate::figures::{Cell, Failure};
use crate::spec::{Alternative, SweepSpec};

/// More rows than this are taken for a slip of the pen.
const MOST_ROWS: u64 = 1_000_000_000_000;

/// All runs of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The axes.
    pub axes: Vec<Axis>,
    /// Runs at every point of the grid.
    pub repeats: u64,
    seed: u64,
    rows: u64,
}

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<'a> {
    /// Where it is on every axis.
    pub places: Vec<u64>,
    /// Which of the runs at this point it is, from 0.
    pub repeat: u64,
    /// Its values by axis.
    pub values: Vec<AxisValue<'a>>,
}

impl Plan {
    /// The runs that a sweep file asks for.
    pub fn new(spec: &SweepSpec, tables: &Tables) -> Result<Plan, SweepError> {
        let axes = Axis::all(&spec.axes, tables)?;
        let drawn = axes.iter().any(Axis::is_drawn);
        if spec.repeats == 0 {
            return Err(SweepError::Invalid("`repeats` must be 1 or more".into()));
        }
        if spec.repeats > 1 && !drawn {
            let message = "repeats of the same run give the same result to the bit: they need an \
                           axis of kind `normal`, `uniform` or `sobol`";
            return Err(SweepError::Invalid(message.into()));
        }
        let mut counts = axes.iter().map(Axis::count).chain([spec.repeats]);
        let rows = counts.try_fold(1_u64, |rows, count| rows.checked_mul(count));
        let rows = rows.filter(|rows| *rows <= MOST_ROWS).ok_or_else(|| {
            SweepError::Invalid(format!("the sweep has more than {MOST_ROWS} runs"))
        })?;
        Ok(Plan {
            axes,
            repeats: spec.repeats,
            seed: spec.seed,
            rows,
        })
    }

    /// Number of runs.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The rows of a part of the sweep, of `count` parts of nearly the same size.
    pub fn shard(&self, number: u64, count: u64) -> std::ops::Range<u64> {
        let bound = |k: u64| {
            let bound = u128::from(self.rows) * u128::from(k) / u128::from(count.max(1));
            u64::try_from(bound).unwrap_or(self.rows)
        };
        bound(number)..bound(number + 1)
    }

    /// A run by its number.
    pub fn row(&self, row: u64) -> Row<'_> {
        let repeat = row % self.repeats;
        let mut rest = row / self.repeats;
        let mut places = vec![0; self.axes.len()];
        for (place, axis) in places.iter_mut().zip(&self.axes).rev() {
            *place = rest % axis.count();
            rest /= axis.count();
        }
        let seed = self.seed;
        let draw = Draw { seed, row, repeat };
        let axes = self.axes.iter().zip(&places);
        Row {
            values: axes.map(|(axis, place)| axis.value(*place, draw)).collect(),
            places,
            repeat,
        }
    }

    /// Rows that between them have every scene, mesh and robot of the sweep: all
    /// combinations of the axes that are not numbers. The last row is among them, should the
    /// first numbers make no scene. None where no row of a table can be run.
    pub fn representatives(&self) -> Vec<u64> {
        let mut rows = vec![0];
        let mut stride = self.repeats;
        for axis in self.axes.iter().rev() {
            if !axis.kind.is_numeric() {
                let places: Vec<u64> = match &axis.kind {
                    AxisKind::Table(table) => table.representatives(),
                    _ => (0..axis.count()).collect(),
                };
                let places = places.into_iter();
                let moved = places.flat_map(|place| rows.iter().map(move |row| (place, *row)));
                rows = moved.map(|(place, row)| row + place * stride).collect();
            }
            stride *= axis.count();
        }
        if self.row(self.rows - 1).failure().is_none() {
            rows.push(self.rows - 1);
        }
        rows.sort_unstable();
        rows.dedup();
        rows
    }
}

impl Row<'_> {
    /// The scene that an axis puts in the place of the sweep's.
    pub fn scene(&self) -> Option<&str> {
        self.alternatives().find_map(|one| one.scene.as_deref())
    }

    fn alternatives(&self) -> impl Iterator<Item = &Alternative> {
        self.values.iter().filter_map(|value| match value {
            AxisValue::Alternative(one) => Some(*one),
            AxisValue::Entry(_) | AxisValue::Variant(..) => None,
        })
    }

    /// Rows of tables.
    fn variants(&self) -> impl Iterator<Item = (&Variants, usize)> {
        self.values.iter().filter_map(|value| match value {
            AxisValue::Variant(table, row) => Some((*table, usize::try_from(*row).ok()?)),
            AxisValue::Entry(_) | AxisValue::Alternative(_) => None,
        })
    }

    /// Why it cannot be run, where a table says so.
    pub fn failure(&self) -> Option<Failure> {
        self.variants().find_map(|(table, row)| table.failure(row))
    }

    /// Entries of the scene to be set, as `path=value`: those of alternatives first, then
    /// those of tables.
    pub fn assignments(&self, plan: &Plan) -> Vec<String> {
        let whole = self.alternatives().flat_map(|one| assignments(&one.set));
        let entries = self.values.iter().zip(&plan.axes);
        let entries = entries.flat_map(|(value, axis)| match value {
            AxisValue::Entry(value) => assigned(axis, value),
            AxisValue::Alternative(_) | AxisValue::Variant(..) => Vec::new(),
        });
        let variants = self.variants().flat_map(|(table, row)| {
            let settings = table.settings(row);
            settings.map(|(path, value)| format!("{path}={}", written(&value)))
        });
        whole.chain(variants).chain(entries).collect()
    }

    /// What the table has of an axis.
    pub fn cell(&self, axis: usize) -> Cell {
        match &self.values[axis] {
            AxisValue::Alternative(one) => Cell::Text(one.name.clone()),
            AxisValue::Variant(_, row) => Cell::Count(*row),
            AxisValue::Entry(Value::Float(number)) => Cell::Number(*number),
            AxisValue::Entry(Value::Integer(number)) => Cell::Number(*number as f64),
            AxisValue::Entry(Value::String(text)) => Cell::Text(text.clone()),
            AxisValue::Entry(other) => Cell::Text(written(other)),
        }
    }

    /// The same, with the columns of a table; see [`Axis::columns`].
    pub fn cells(&self, axis: usize) -> Vec<Cell> {
        let mut cells = vec![self.cell(axis)];
        if let AxisValue::Variant(table, row) = &self.values[axis] {
            cells.extend(
                usize::try_from(*row)
                    .into_iter()
                    .flat_map(|row| table.cells(row)),
            );
        }
        cells
    }
}

/// Entries of a TOML table as `path=value`.
pub(crate) fn assignments<'a>(
    set: impl IntoIterator<Item = (&'a String, &'a Value)>,
) -> Vec<String> {
    let entries = set.into_iter();
    entries
        .map(|(path, value)| format!("{path}={}", written(value)))
        .collect()
}

fn assigned(axis: &Axis, value: &Value) -> Vec<String> {
    let scaled = |factor: f64| match (value, factor.to_bits() == 1.0_f64.to_bits()) {
        (Value::Float(number), false) => Value::Float(factor * number),
        (Value::Integer(number), false) => Value::Float(factor * *number as f64),
        _ => value.clone(),
    };
    let paths = axis.paths.iter();
    paths
        .map(|(path, factor)| format!("{path}={}", written(&scaled(*factor))))
        .collect()
}

/// A value as TOML has it, numbers with all their digits.
fn written(value: &Value) -> String {
    match value {
        Value::Float(number) => format!("{number:?}"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::axis_entry;

    fn plan(axes: &[&str], repeats: u64) -> Plan {
        let spec = SweepSpec {
            axes: axes.iter().map(|text| axis_entry(text).unwrap()).collect(),
            repeats,
            ..SweepSpec::default()
        };
        Plan::new(&spec, &Tables::new()).unwrap()
    }

    #[test]
    fn rows_count_through_the_axes_the_last_one_fastest() {
        let plan = plan(&["a=1..3:3", "b=x,y"], 1);
        assert_eq!(plan.rows(), 6);
        assert_eq!(plan.row(0).assignments(&plan), ["a=1", "b=\"x\""]);
        assert_eq!(plan.row(1).assignments(&plan), ["a=1", "b=\"y\""]);
        assert_eq!(plan.row(5).assignments(&plan), ["a=3", "b=\"y\""]);
        assert_eq!(plan.representatives(), [0, 1, 5]);
    }

    #[test]
    fn ends_of_ranges_are_exact() {
        let plan = plan(&["a=0.1..7.3:log:13", "b=-0.3..0.7:7"], 1);
        let at = |row: u64, axis: usize| plan.row(row).cell(axis);
        assert_eq!(at(0, 0), Cell::Number(0.1));
        assert_eq!(at(plan.rows() - 1, 0), Cell::Number(7.3));
        assert_eq!(at(0, 1), Cell::Number(-0.3));
        assert_eq!(at(plan.rows() - 1, 1), Cell::Number(0.7));
    }

    #[test]
    fn shards_are_a_partition() {
        let plan = plan(&["a=1..10:10", "b=1..10:10"], 1);
        for count in [1, 3, 7, 100, 130] {
            let mut next = 0;
            for number in 0..count {
                let shard = plan.shard(number, count);
                assert_eq!(shard.start, next);
                next = shard.end;
            }
            assert_eq!(next, 100);
        }
    }

    #[test]
    fn repeats_draw_anew_and_sobol_points_recur_at_every_point_of_the_grid() {
        let plan = plan(&["a=1,2", "b=normal:1:0.1", "c=sobol:0..1"], 4);
        assert_eq!(plan.rows(), 8);
        assert_ne!(plan.row(0).cell(1), plan.row(1).cell(1));
        assert_ne!(plan.row(0).cell(1), plan.row(4).cell(1));
        assert_eq!(plan.row(1).cell(2), plan.row(5).cell(2));
    }

    #[test]
    fn what_cannot_be_a_sweep_is_refused() {
        let refused = |axes: &[&str], repeats: u64| {
            let axes = axes.iter().map(|text| axis_entry(text).unwrap());
            let spec = SweepSpec {
                axes: axes.collect(),
                repeats,
                ..SweepSpec::default()
            };
            Plan::new(&spec, &Tables::new()).unwrap_err().to_string()
        };
        assert!(refused(&["a=1,2"], 3).contains("to the bit"));
        assert!(refused(&["a=1,2", "a=3"], 1).contains("another axis"));
        assert!(refused(&["a=0..1:log:3"], 1).contains("above zero"));
        assert!(refused(&["a=1..2:0"], 1).contains("count"));
        assert!(refused(&["a=1..2:9999999999", "b=1..2:9999999999"], 1).contains("more than"));
    }

    #[test]
    fn tied_entries_have_their_factors() {
        let mut entry = axis_entry("a,b=2.0,4.0").unwrap();
        entry.factors = vec![1.0, 0.5];
        let spec = SweepSpec {
            axes: vec![entry],
            repeats: 1,
            ..SweepSpec::default()
        };
        let plan = Plan::new(&spec, &Tables::new()).unwrap();
        assert_eq!(plan.row(1).assignments(&plan), ["a=4.0", "b=2.0"]);
    }
}
