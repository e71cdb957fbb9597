//! The plots: heat maps, lines over one axis, histograms.

use std::fmt::Write;

use volar_view::drawing::{Axis, COLOURS};

use crate::plan::Plan;
use crate::store::Table;

use super::cells::{Cells, Point, interval, side, spot};
use super::frame::{Side, apart, drawing, short, x_at, y_at};

/// A scale of colours from dark to light whose steps look even, also to colour-blind
/// readers: nodes of matplotlib's viridis.
const SCALE: [[f64; 3]; 6] = [
    [68.0, 1.0, 84.0],
    [65.0, 68.0, 135.0],
    [42.0, 120.0, 142.0],
    [34.0, 168.0, 132.0],
    [122.0, 209.0, 81.0],
    [253.0, 231.0, 37.0],
];

fn colour(share: f64) -> String {
    let at = share.clamp(0.0, 1.0) * (SCALE.len() - 1) as f64;
    let low = (at as usize).min(SCALE.len() - 2);
    let mix = |k: usize| {
        let (a, b) = (SCALE[low][k], SCALE[low + 1][k]);
        (a + (b - a) * (at - low as f64)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// Figures that span decades are coloured by their logarithms.
fn colour_axis(figure: &str, values: &[f64]) -> Axis {
    let (low, high) = values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| {
            (a.min(*v), b.max(*v))
        });
    if figure == "held" {
        return Axis::between(0.0, 1.0);
    }
    let log = low > 0.0 && high > 30.0 * low;
    let flat = high - low <= 1e-9 * high.abs();
    match (values.is_empty(), flat) {
        (true, _) => Axis::between(0.0, 1.0),
        (_, true) => Axis::between(
            low - 0.5 * low.abs().max(1.0),
            high + 0.5 * high.abs().max(1.0),
        ),
        _ => Axis { low, high, log },
    }
}

/// A heat map of a figure over two axes; cells without a value are hatched, the marked
/// point has a circle.
pub fn heat_map(plan: &Plan, table: &Table, figure: &str, cells: &Cells, slice: usize) -> String {
    let grid = &cells.grid;
    let Some(y_axis) = grid.y else {
        return String::new();
    };
    let all = cells.points(table, figure, slice);
    let (x, y) = (side(plan, grid.x), side(plan, y_axis));
    let values: Vec<f64> = all.iter().filter_map(Point::mean).collect();
    let scale = colour_axis(figure, &values);
    let wide = (x_at(1.0) - x_at(0.0)) * cells.step[0] as f64 / plan.axes[grid.x].count() as f64;
    let high = (y_at(0.0) - y_at(1.0)) * cells.step[1] as f64 / plan.axes[y_axis].count() as f64;
    let names = (&plan.axes[grid.x].name, &plan.axes[y_axis].name);
    drawing(&title(figure), (&x, names.0), (&y, names.1), |svg| {
        svg.push_str(
            "<defs><pattern id=\"none\" width=\"6\" height=\"6\" \
             patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" fill=\"#eeeeee\"/>\
             <path d=\"M0 6L6 0\" stroke=\"#bbbbbb\"/></pattern></defs>\n",
        );
        for (i, point) in all.iter().enumerate() {
            let at = [i as u64 % cells.size[0], i as u64 / cells.size[0]];
            let middle =
                |k: usize| (at[k] * cells.step[k]) as f64 + 0.5 * (cells.step[k] - 1) as f64;
            let cx = x_at(spot(plan, grid.x, middle(0)));
            let cy = y_at(spot(plan, y_axis, middle(1)));
            let fill = match point.mean().and_then(|mean| scale.place(mean)) {
                Some(share) => colour(share),
                None => "url(#none)".into(),
            };
            let said = point.mean().map_or("no value".to_owned(), short);
            let _ = writeln!(
                svg,
                "<rect class=\"cell\" data-row=\"{row}\" x=\"{:.2}\" y=\"{:.2}\" \
                 width=\"{:.2}\" height=\"{:.2}\" fill=\"{fill}\"><title>{said}, run {row}\
                 </title></rect>",
                cx - 0.5 * wide,
                cy - 0.5 * high,
                wide + 0.3,
                high + 0.3,
                row = point.row
            );
        }
        let marks = (plan.axes[grid.x].mark, plan.axes[y_axis].mark);
        if let (Some(a), Some(b)) = marks
            && let (Some(a), Some(b)) = (x.place(a), y.place(b))
        {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"6\" fill=\"#d62728\" \
                 stroke=\"#ffffff\" stroke-width=\"2\"/>",
                x_at(a),
                y_at(b)
            );
        }
        key(svg, &scale);
    })
}

/// The scale of colours beside a map.
fn key(svg: &mut String, scale: &Axis) {
    let (left, steps) = (x_at(1.0) + 16.0, 40);
    for step in 0..steps {
        let share = step as f64 / steps as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{:.2}\" width=\"12\" height=\"{:.2}\" fill=\"{}\"/>",
            y_at(share + 1.0 / steps as f64),
            (y_at(0.0) - y_at(1.0)) / steps as f64 + 0.5,
            colour(share)
        );
    }
    let middle = match scale.log {
        true => (scale.low * scale.high).sqrt(),
        false => 0.5 * (scale.low + scale.high),
    };
    for (place, value) in [(0.0, scale.low), (0.5, middle), (1.0, scale.high)] {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#444444\">{}</text>",
            left + 16.0,
            y_at(place) + 4.0,
            apart(value, scale.low, scale.high)
        );
    }
}

/// A figure over one axis; a share of successes has its interval.
pub fn lines(plan: &Plan, table: &Table, figure: &str, cells: &Cells) -> String {
    let grid = &cells.grid;
    let points = cells.points(table, figure, 0);
    let colour = COLOURS[0];
    let x = side(plan, grid.x);
    let values = points.iter().filter_map(Point::mean);
    let y = match figure {
        "held" => Axis::between(0.0, 1.0),
        _ => Axis::of(values, false),
    };
    let y_side = Side::Numbers(y);
    let own = &plan.axes[grid.x].name;
    drawing(&title(figure), (&x, own), (&y_side, ""), |svg| {
        let mut path = String::new();
        for (place, point) in points.iter().enumerate() {
            let middle = place as f64 * cells.step[0] as f64 + 0.5 * (cells.step[0] - 1) as f64;
            let cx = x_at(spot(plan, grid.x, middle));
            let mean = point.mean().and_then(|mean| y.place(mean));
            let Some(cy) = mean.map(y_at) else {
                continue;
            };
            let pen = if path.is_empty() { 'M' } else { 'L' };
            let _ = write!(path, "{pen}{cx:.2} {cy:.2}");
            if figure == "held" {
                let (sum, count) = point.counts();
                let (low, high) = interval(sum, count as f64);
                let _ = writeln!(
                    svg,
                    "<path d=\"M{cx:.2} {:.2}V{:.2}\" stroke=\"{colour}\" opacity=\"0.5\"/>",
                    y_at(low),
                    y_at(high)
                );
            }
            let _ = writeln!(
                svg,
                "<circle class=\"cell\" data-row=\"{0}\" cx=\"{cx:.2}\" cy=\"{cy:.2}\" \
                 r=\"3.5\" fill=\"{colour}\"><title>run {0}</title></circle>",
                point.row
            );
        }
        let _ = writeln!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\"/>"
        );
    })
}

/// How often a figure has which value.
pub fn histogram(table: &Table, figure: &str) -> Option<String> {
    const BINS: usize = 30;
    let values: Vec<f64> = table
        .numbers(figure)?
        .iter()
        .copied()
        .filter(|v| v.is_finite())
        .collect();
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if values.is_empty() || high <= low {
        return None;
    }
    let log = low > 0.0 && high > 100.0 * low;
    let x = Axis { low, high, log };
    let mut counts = [0_u64; BINS];
    for value in &values {
        let share = x.place(*value)?;
        counts[((share * BINS as f64) as usize).min(BINS - 1)] += 1;
    }
    let most = counts.iter().copied().max()? as f64;
    let y = Axis::of([0.0, most].into_iter(), false);
    let (x_side, y_side) = (Side::Numbers(x), Side::Numbers(y));
    Some(drawing(
        &title(figure),
        (&x_side, figure),
        (&y_side, "runs"),
        |svg| {
            for (bin, count) in counts.iter().enumerate() {
                let (from, to) = (bin as f64 / BINS as f64, (bin + 1) as f64 / BINS as f64);
                let top = y_at(y.place(*count as f64).unwrap_or(0.0));
                let _ = writeln!(
                    svg,
                    "<rect x=\"{:.2}\" y=\"{top:.2}\" width=\"{:.2}\" height=\"{:.2}\" \
                 fill=\"{}\"/>",
                    x_at(from) + 0.5,
                    x_at(to) - x_at(from) - 1.0,
                    (y_at(0.0) - top).max(0.0),
                    COLOURS[0]
                );
            }
        },
    ))
}

/// What a plot of a figure is called.
pub fn title(figure: &str) -> String {
    match figure {
        "held" => "share of runs that held".into(),
        other => other.to_owned(),
    }
}
