//! The points of the grid: the means of figures over their runs, and how many held.

use crate::plan::Plan;
use crate::store::Table;

use super::frame::Side;
use volar_view::drawing::Axis;

/// What of the grid a plot is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Axis across, of the plan; the last one that has more than one value.
    pub x: usize,
    /// Axis upwards, where there is another.
    pub y: Option<usize>,
    /// The other axes that vary.
    pub rest: Vec<usize>,
}

impl Grid {
    /// The grid of a plan; none where nothing but random axes and tables varies.
    pub fn of(plan: &Plan) -> Option<Grid> {
        let varying: Vec<usize> = (0..plan.axes.len())
            // Rows of a table have no order that a plot could show.
            .filter(|axis| !matches!(plan.axes[*axis].kind, crate::AxisKind::Table(_)))
            .filter(|axis| plan.axes[*axis].count() > 1)
            .collect();
        let (x, before) = varying.split_last()?;
        let (y, rest) = match before.split_last() {
            Some((y, rest)) => (Some(*y), rest.to_vec()),
            None => (None, Vec::new()),
        };
        Some(Grid { x: *x, y, rest })
    }

    /// Every combination of the other axes: in words, and with the places.
    pub fn slices(&self, plan: &Plan) -> Vec<(String, Vec<u64>)> {
        let mut slices = vec![(String::new(), Vec::new())];
        for axis in &self.rest {
            let own = &plan.axes[*axis];
            let longer = slices.iter().flat_map(|(text, places)| {
                (0..own.count()).map(move |place| {
                    let value = value_text(plan, *axis, place);
                    let text = match text.is_empty() {
                        true => format!("{} = {value}", own.name),
                        false => format!("{text}, {} = {value}", own.name),
                    };
                    (text, [&places[..], &[place]].concat())
                })
            });
            slices = longer.collect();
        }
        slices
    }
}

/// A value of an axis as its label has it.
pub fn value_text(plan: &Plan, axis: usize, place: u64) -> String {
    match place_cell(plan, axis, place) {
        crate::Cell::Number(value) => super::frame::short(value),
        crate::Cell::Text(text) => text,
        _ => String::new(),
    }
}

fn place_cell(plan: &Plan, axis: usize, place: u64) -> crate::Cell {
    let after: u64 = plan.axes[axis + 1..]
        .iter()
        .map(crate::Axis::count)
        .product();
    plan.row(place * after * plan.repeats).cell(axis)
}

/// The side of a plot that shows an axis: to scale where its steps are even, by name where
/// they are not.
pub fn side(plan: &Plan, axis: usize) -> Side {
    let own = &plan.axes[axis];
    let count = own.count();
    let even = matches!(
        own.kind,
        crate::AxisKind::Linear(_) | crate::AxisKind::Log(_)
    );
    let ends = (place_cell(plan, axis, 0), place_cell(plan, axis, count - 1));
    match ends {
        (crate::Cell::Number(first), crate::Cell::Number(last)) if even => {
            // Half a step of room, so that cells are centred on their values.
            let half = 0.5 / (count - 1).max(1) as f64;
            let (low, high) = (first.min(last), first.max(last));
            let log = own.is_log();
            let (low, high) = match log {
                true => {
                    let room = (high / low).powf(half);
                    (low / room, high * room)
                }
                false => (low - half * (high - low), high + half * (high - low)),
            };
            Side::Numbers(Axis { low, high, log })
        }
        _ => Side::Names(
            (0..count)
                .map(|place| value_text(plan, axis, place))
                .collect(),
        ),
    }
}

/// A point of the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Sum of the figure over the runs that have it.
    sum: f64,
    /// How many these are.
    count: u64,
    /// A run of this point.
    pub row: u64,
}

impl Point {
    /// Mean of the figure; none where no run has it.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// Sum and number of the runs.
    pub fn counts(&self) -> (f64, u64) {
        (self.sum, self.count)
    }
}

/// Cells of a map on a side; where there are more values, neighbours share a cell.
const MOST_ACROSS: u64 = 100;

/// Which cell of which slice every run is in.
#[derive(Clone, Debug)]
pub struct Cells {
    /// The grid.
    pub grid: Grid,
    /// Cells across and up.
    pub size: [u64; 2],
    /// Values that share a cell, across and up.
    pub step: [u64; 2],
    /// Slice and cell by row.
    of_row: Vec<[u32; 2]>,
}

impl Cells {
    /// The cells of all runs of a plan.
    pub fn new(plan: &Plan, grid: Grid) -> Cells {
        let counts = [grid.x]
            .into_iter()
            .chain(grid.y)
            .map(|axis| plan.axes[axis].count());
        let mut counts = counts.chain([1]);
        let counts = [counts.next().unwrap_or(1), counts.next().unwrap_or(1)];
        let step = counts.map(|count| count.div_ceil(MOST_ACROSS));
        let size = [0, 1].map(|k| counts[k].div_ceil(step[k]));
        let cell_of = |row: u64| {
            let places = plan.row(row).places;
            let up = grid.y.map_or(0, |axis| places[axis] / step[1]);
            let cell = up * size[0] + places[grid.x] / step[0];
            let slice = grid.rest.iter().fold(0, |slice, axis| {
                slice * plan.axes[*axis].count() + places[*axis]
            });
            [slice as u32, cell as u32]
        };
        Cells {
            of_row: (0..plan.rows()).map(cell_of).collect(),
            grid,
            size,
            step,
        }
    }

    /// The points of a slice, across first.
    pub fn points(&self, table: &Table, figure: &str, slice: usize) -> Vec<Point> {
        let mut points = vec![Point::default(); (self.size[0] * self.size[1]) as usize];
        let values = table.numbers(figure).unwrap_or_default();
        for ((row, [own, cell]), value) in (0_u64..).zip(&self.of_row).zip(values) {
            if *own as usize != slice {
                continue;
            }
            let point = &mut points[*cell as usize];
            point.row = row;
            if value.is_finite() {
                point.sum += value;
                point.count += 1;
            }
        }
        points
    }
}

/// Where a place of an axis is on its side, from 0 to 1; places need not be whole.
pub fn spot(plan: &Plan, axis: usize, place: f64) -> f64 {
    let last = plan.axes[axis].count() - 1;
    let share = (place + 0.5) / (last + 1) as f64;
    let ends = (place_cell(plan, axis, 0), place_cell(plan, axis, last));
    match (ends, side(plan, axis)) {
        ((crate::Cell::Number(a), crate::Cell::Number(b)), Side::Numbers(_)) if a > b => {
            1.0 - share
        }
        _ => share,
    }
}

/// The interval that a share lies in with 95 % [Wilson 1927].
pub fn interval(successes: f64, trials: f64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    if trials <= 0.0 {
        return (0.0, 1.0);
    }
    let share = successes / trials;
    let scale = 1.0 + Z * Z / trials;
    let middle = (share + 0.5 * Z * Z / trials) / scale;
    let half =
        Z / scale * (share * (1.0 - share) / trials + 0.25 * Z * Z / (trials * trials)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of Wilson's formula from R: `prop.test(x, n, correct = FALSE)`.
    #[test]
    fn intervals_are_those_of_wilson() {
        for (successes, trials, low, high) in [
            (8.0, 10.0, 0.490_162, 0.943_318),
            (0.0, 20.0, 0.0, 0.161_125),
        ] {
            let (a, b) = interval(successes, trials);
            assert!((a - low).abs() < 1e-5 && (b - high).abs() < 1e-5, "{a} {b}");
        }
    }
}
