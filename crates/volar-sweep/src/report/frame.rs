//! What all plots of a sweep have in common: a drawing with two axes.

use std::fmt::Write;

use volar_view::drawing::{Axis, escaped};

pub const WIDTH: f64 = 560.0;
pub const HEIGHT: f64 = 420.0;
pub const LEFT: f64 = 78.0;
pub const RIGHT: f64 = 92.0;
pub const TOP: f64 = 40.0;
pub const BOTTOM: f64 = 52.0;

/// A side of a plot: numbers on a scale, or names one after the other.
#[derive(Clone, Debug, PartialEq)]
pub enum Side {
    /// Numbers.
    Numbers(Axis),
    /// Names, each with a place of the same width.
    Names(Vec<String>),
}

impl Side {
    /// Where a value is, from 0 to 1.
    pub fn place(&self, value: f64) -> Option<f64> {
        match self {
            Side::Numbers(axis) => axis.place(value),
            Side::Names(names) => Some((value + 0.5) / names.len().max(1) as f64),
        }
    }

    fn ticks(&self) -> Vec<(f64, String)> {
        match self {
            Side::Numbers(axis) if axis.log && axis.high < 300.0 * axis.low => {
                // Whole decades alone would leave such an axis with one tick or two.
                let first = axis.low.log10().floor() as i32;
                let last = axis.high.log10().ceil() as i32;
                let steps =
                    (first..=last).flat_map(|d| [1.0, 2.0, 5.0].map(|m| m * 10_f64.powi(d)));
                let inside = steps.filter(|v| (axis.low..=axis.high).contains(v));
                inside.map(|value| (value, plain(value))).collect()
            }
            Side::Numbers(axis) => {
                // Whole decades reach beyond an axis that ends between two of them.
                let slack = 1.0e-9 * (axis.high - axis.low);
                let inside = (axis.low - slack)..=(axis.high + slack);
                let ticks = axis.ticks(6).into_iter();
                ticks.filter(|(value, _)| inside.contains(value)).collect()
            }
            Side::Names(names) => {
                let names = names.iter().enumerate();
                names.map(|(i, name)| (i as f64, name.clone())).collect()
            }
        }
    }
}

/// Across, in the drawing.
pub fn x_at(place: f64) -> f64 {
    LEFT + place * (WIDTH - LEFT - RIGHT)
}

/// Down, in the drawing.
pub fn y_at(place: f64) -> f64 {
    HEIGHT - BOTTOM - place * (HEIGHT - TOP - BOTTOM)
}

/// A drawing with a title and axes around what `inside` draws.
pub fn drawing(
    title: &str,
    x: (&Side, &str),
    y: (&Side, &str),
    inside: impl FnOnce(&mut String),
) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\" fill=\"#111111\">{}</text>\n",
        escaped(title)
    );
    inside(&mut svg);
    let (left, right, top, bottom) = (x_at(0.0), x_at(1.0), y_at(1.0), y_at(0.0));
    let _ = writeln!(
        svg,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" fill=\"none\" \
         stroke=\"#888888\"/>",
        right - left,
        bottom - top
    );
    let within = |place: &Option<f64>| place.is_some_and(|p| (-1e-9..=1.0 + 1e-9).contains(&p));
    for (value, label) in x.0.ticks() {
        if let Some(place) = x.0.place(value).filter(|p| within(&Some(*p))) {
            let _ = writeln!(
                svg,
                "<path d=\"M{0:.1} {bottom:.1}v5\" stroke=\"#888888\"/><text x=\"{0:.1}\" \
                 y=\"{1:.1}\" text-anchor=\"middle\" fill=\"#444444\">{2}</text>",
                x_at(place),
                bottom + 18.0,
                escaped(&label)
            );
        }
    }
    for (value, label) in y.0.ticks() {
        if let Some(place) = y.0.place(value).filter(|p| within(&Some(*p))) {
            let _ = writeln!(
                svg,
                "<path d=\"M{left:.1} {0:.1}h-5\" stroke=\"#888888\"/><text x=\"{1:.1}\" \
                 y=\"{2:.1}\" text-anchor=\"end\" fill=\"#444444\">{3}</text>",
                y_at(place),
                left - 8.0,
                y_at(place) + 4.0,
                escaped(&label)
            );
        }
    }
    let (middle_x, middle_y) = (0.5 * (left + right), 0.5 * (top + bottom));
    let _ = writeln!(
        svg,
        "<text x=\"{middle_x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444444\">{}</text>\
         <text transform=\"translate(16 {middle_y:.1}) rotate(-90)\" text-anchor=\"middle\" \
         fill=\"#444444\">{}</text>",
        HEIGHT - 12.0,
        escaped(x.1),
        escaped(y.1)
    );
    svg.push_str("</svg>\n");
    svg
}

/// A round number as it is written.
fn plain(value: f64) -> String {
    match value {
        1.0e-3..1.0e5 => format!("{}", (1.0e6 * value).round() / 1.0e6),
        _ => format!("{value:.0e}"),
    }
}

/// Three significant digits, or as many more as it takes to tell numbers of a range apart.
pub fn apart(value: f64, low: f64, high: f64) -> String {
    let (span, size) = (high - low, low.abs().max(high.abs()));
    match span > 0.0 && span < 0.1 * size && (1.0e-3..1.0e5).contains(&size) {
        true => {
            let digits = (2 - span.log10().floor() as i32).clamp(0, 9) as usize;
            format!("{value:.digits$}")
        }
        false => short(value),
    }
}

/// Three significant digits.
pub fn short(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if !value.is_finite() => "–".into(),
        0.0 => "0".into(),
        1.0e-3..1.0e5 => {
            let digits = (2 - size.log10().floor() as i32).max(0) as usize;
            format!("{value:.digits$}")
        }
        _ => format!("{value:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_narrow_range_are_told_apart() {
        assert_eq!(apart(1.000811, 1.000811, 1.001308), "1.000811");
        assert_eq!(apart(1.0112, 1.0017, 1.0112), "1.01120");
        assert_eq!(apart(5.0, 0.0, 10.0), "5.00");
        assert_eq!(apart(2.0, 2.0, 2.0), "2.00");
    }

    #[test]
    fn no_tick_lies_beyond_its_axis() {
        let axis = Axis {
            low: 2.5,
            high: 25_000.0,
            log: true,
        };
        let ticks = Side::Numbers(axis).ticks();
        assert_eq!(ticks.len(), 4, "{ticks:?}");
        assert!((ticks[0].0 - 10.0).abs() < 1e-12);
    }
}
