//! Still plots as SVG, for papers and for machines without the page.

use std::fmt::Write;

use super::axis::Axis;
use crate::page::escaped;
use crate::plot::Plot;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 356.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 18.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 48.0;

/// Eight colours that colour-blind readers can tell apart, dark enough for a
/// white ground.
pub const COLOURS: [&str; 8] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#555555", "#7b3294",
];

/// Lines over time.
pub struct Curves<'a> {
    /// Times, s.
    pub times: &'a [f64],
    /// Values of every channel at every time.
    pub values: &'a [Vec<f64>],
    /// When the transient ends, s.
    pub transient_end: Option<f64>,
}

/// The part of a diagram with its own axes.
struct Panel<'a> {
    curves: &'a Curves<'a>,
    plot: &'a Plot,
    /// Numbers of the series that have anything to show.
    shown: &'a [usize],
    x: Axis,
    y: Axis,
    left: f64,
    right: f64,
    name: &'static str,
}

/// A plot as an SVG file.
pub fn draw(plot: &Plot, curves: &Curves) -> String {
    let shown = with_content(plot, curves);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\" fill=\"#111111\">{heading}</text>\n",
        title = escaped(&plot.title),
        heading = escaped(&plot.heading()),
    );
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"40\" font-size=\"11\" fill=\"#666666\">{}</text>",
        escaped(&plot.note)
    );
    legend(&mut svg, plot, &shown);
    for panel in panels(plot, curves, &shown) {
        panel.draw(&mut svg);
    }
    svg.push_str("</svg>\n");
    svg
}

/// The series that are not zero or missing all the time; all when none is.
fn with_content(plot: &Plot, curves: &Curves) -> Vec<usize> {
    let counts = |channel: usize| {
        let mut values = curves.values.iter().filter_map(|v| v.get(channel));
        values.any(|v| v.is_finite() && v.abs() > 0.0)
    };
    let all = 0..plot.series.len();
    let some: Vec<usize> = all
        .clone()
        .filter(|&i| counts(plot.series[i].channel))
        .collect();
    if some.is_empty() { all.collect() } else { some }
}

fn legend(svg: &mut String, plot: &Plot, shown: &[usize]) {
    if shown.len() < 2 {
        return;
    }
    let mut x = LEFT;
    for (place, &series) in shown.iter().enumerate() {
        let label = &plot.series[series].label;
        let width = 30.0 + 7.0 * label.chars().count() as f64;
        if x + width > WIDTH - RIGHT {
            let more = shown.len() - place;
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"60\" fill=\"#444444\">+ {more}</text>"
            );
            return;
        }
        let colour = COLOURS[series % COLOURS.len()];
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} 56h16\" stroke=\"{colour}\" stroke-width=\"2.5\"/>\
             <text x=\"{:.1}\" y=\"60\" fill=\"#222222\">{}</text>",
            x + 21.0,
            escaped(label)
        );
        x += width;
    }
}

fn panels<'a>(plot: &'a Plot, curves: &'a Curves<'a>, shown: &'a [usize]) -> Vec<Panel<'a>> {
    let start = curves.times.first().copied().unwrap_or(0.0);
    let end = curves.times.last().copied().unwrap_or(1.0);
    let make = |from: f64, to: f64, left: f64, right: f64, name: &'static str| {
        let inside = curves.times.iter().zip(curves.values);
        let values = inside
            .filter(|(t, _)| (from..=to).contains(*t))
            .flat_map(|(_, values)| {
                shown
                    .iter()
                    .filter_map(|&i| values.get(plot.series[i].channel).copied())
            });
        Panel {
            curves,
            plot,
            shown,
            x: Axis::between(from, to),
            y: Axis::of(values, plot.log),
            left,
            right,
            name,
        }
    };
    match curves.transient_end.filter(|_| plot.split) {
        Some(middle) => {
            let half = 0.5 * (LEFT + WIDTH - RIGHT);
            vec![
                make(start, middle, LEFT, half - 12.0, "transient"),
                make(middle, end, half + 58.0, WIDTH - RIGHT, "steady state"),
            ]
        }
        None => vec![make(start, end, LEFT, WIDTH - RIGHT, "")],
    }
}

impl Panel<'_> {
    fn draw(&self, svg: &mut String) {
        let (left, right, bottom) = (self.left, self.right, HEIGHT - BOTTOM);
        let across = if right - left > 400.0 { 8 } else { 4 };
        self.shade(svg);
        for (value, label) in self.y.ticks(5) {
            let Some(y) = self.y.place(value).map(|p| bottom - p * (bottom - TOP)) else {
                continue;
            };
            let _ = writeln!(
                svg,
                "<path d=\"M{left:.1} {y:.1}H{right:.1}\" stroke=\"#e2e2e2\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#444444\">{label}</text>",
                left - 7.0,
                y + 4.0
            );
        }
        for (value, label) in self.x.ticks(across) {
            let Some(x) = self.x.place(value).map(|p| left + p * (right - left)) else {
                continue;
            };
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {bottom:.1}v5\" stroke=\"#888888\"/>\
                 <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444444\">{label}</text>",
                bottom + 19.0
            );
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{left:.1} {TOP:.1}V{bottom:.1}H{right:.1}\" fill=\"none\" \
             stroke=\"#888888\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444444\">time (s)</text>",
            0.5 * (left + right),
            HEIGHT - 10.0
        );
        if !self.name.is_empty() {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#666666\">{}</text>",
                left + 8.0,
                TOP + 4.0,
                self.name
            );
        }
        for &series in self.shown {
            let colour = COLOURS[series % COLOURS.len()];
            let path = self.path(self.plot.series[series].channel);
            if !path.is_empty() {
                let _ = writeln!(
                    svg,
                    "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" \
                     stroke-linejoin=\"round\"/>"
                );
            }
        }
    }

    /// The window in which the summary looks at this plot.
    fn shade(&self, svg: &mut String) {
        let Some(window) = &self.plot.window else {
            return;
        };
        let place = |time: f64| self.x.place(time).map(|p| p.clamp(0.0, 1.0));
        let (Some(from), Some(to)) = (place(window.from), place(window.to)) else {
            return;
        };
        let width = self.right - self.left;
        if to > from {
            let _ = writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{TOP:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
                 fill=\"#0b63b5\" fill-opacity=\"0.07\"/>",
                self.left + from * width,
                (to - from) * width,
                HEIGHT - BOTTOM - TOP
            );
        }
    }

    /// The line of a channel. Of all points in a column of half a pixel only
    /// the first, the least, the greatest and the last are kept.
    fn path(&self, channel: usize) -> String {
        let bottom = HEIGHT - BOTTOM;
        let mut path = String::new();
        let mut column: Vec<(f64, f64)> = Vec::new();
        let mut pen_down = false;
        let points = self.curves.times.iter().zip(self.curves.values);
        for (time, values) in points.filter(|(t, _)| (self.x.low..=self.x.high).contains(*t)) {
            let x = self
                .x
                .place(*time)
                .map(|p| self.left + p * (self.right - self.left));
            let y = values.get(channel).and_then(|value| self.y.place(*value));
            let (Some(x), Some(y)) = (x, y.map(|p| bottom - p * (bottom - TOP))) else {
                flush(&mut path, &mut column, &mut pen_down);
                pen_down = false;
                continue;
            };
            if column.first().is_some_and(|first| x - first.0 > 0.5) {
                flush(&mut path, &mut column, &mut pen_down);
            }
            column.push((x, y));
        }
        flush(&mut path, &mut column, &mut pen_down);
        path
    }
}

fn flush(path: &mut String, column: &mut Vec<(f64, f64)>, pen_down: &mut bool) {
    let by_height = |a: &usize, b: &usize| column[*a].1.total_cmp(&column[*b].1);
    let all = 0..column.len();
    let (Some(least), Some(greatest)) = (all.clone().min_by(by_height), all.max_by(by_height))
    else {
        return;
    };
    let mut kept = vec![0, least, greatest, column.len() - 1];
    kept.sort_unstable();
    kept.dedup();
    for at in kept {
        let (x, y) = column[at];
        let command = if *pen_down { 'L' } else { 'M' };
        let _ = write!(path, "{command}{x:.2} {y:.2}");
        *pen_down = true;
    }
    column.clear();
}
