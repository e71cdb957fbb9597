//! The plots: contact force of every finger over time, Volar solid, another engine dashed.

use std::fmt::Write;

use volar_view::drawing::{Axis, COLOURS, escaped};

use super::result::Series;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 330.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 66.0;
const BOTTOM: f64 = 42.0;
/// Between the axes of the two parts.
const GAP: f64 = 52.0;
/// An engine whose forces exceed ours by more than this factor is cut off: else ours could not
/// be seen.
const MOST: f64 = 3.0;

/// Forces of Volar and of another engine: the transient on the left, the rest on the right.
pub struct ForcePlot<'a> {
    pub title: &'a str,
    pub fingers: &'a [String],
    pub ours: &'a Series,
    pub other: Option<&'a Series>,
    /// When the transient ends, s.
    pub split: f64,
    /// The end of the scene, s.
    pub end: f64,
}

/// When our forces have settled: from then on each stays within 5 % of the largest of the end;
/// half as long again is shown with the transient. At least a twentieth, at most four fifths.
pub fn transient_end(ours: &Series, end: f64) -> f64 {
    let forces: Vec<&Vec<f64>> = ours.force.values().collect();
    let last = |f: &&Vec<f64>| f.last().copied().unwrap_or(0.0);
    let allowed = 0.05 * forces.iter().map(last).fold(0.0, f64::max);
    let restless = (0..ours.time.len()).rev().find(|&i| {
        let differs = |f: &&Vec<f64>| f.get(i).is_some_and(|now| (now - last(f)).abs() > allowed);
        forces.iter().any(differs)
    });
    let settled = restless.map_or(0.0, |i| ours.time[i]);
    (1.5 * settled).clamp(0.05 * end, 0.8 * end)
}

impl ForcePlot<'_> {
    /// What it shows, as CSV: a row for each engine and time.
    pub fn data(&self) -> String {
        let mut csv = String::from("curve,time (s)");
        for finger in self.fingers {
            let _ = write!(csv, ",\"{} (N)\"", finger.replace('"', "\"\""));
        }
        csv.push('\n');
        for (curve, series) in [("solid", Some(self.ours)), ("dashed", self.other)] {
            let Some(series) = series else { continue };
            for (i, time) in series.time.iter().enumerate() {
                let _ = write!(csv, "{curve},{time}");
                for finger in self.fingers {
                    let force = series.force.get(finger).and_then(|f| f.get(i));
                    let _ = match force {
                        Some(force) => write!(csv, ",{force}"),
                        None => write!(csv, ","),
                    };
                }
                csv.push('\n');
            }
        }
        csv
    }

    /// As an SVG.
    pub fn draw(&self) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <title>{title}</title><rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
             <text x=\"{LEFT}\" y=\"20\" font-size=\"15\" fill=\"#111111\">{title}</text>\n",
            title = escaped(self.title),
        );
        self.legend(&mut svg);
        let middle = LEFT + 0.42 * (WIDTH - LEFT - RIGHT);
        self.panel(&mut svg, (0.0, self.split), (LEFT, middle), "transient");
        let rest = (middle + GAP, WIDTH - RIGHT);
        self.panel(&mut svg, (self.split, self.end), rest, "steady state");
        svg.push_str("</svg>\n");
        svg
    }

    fn legend(&self, svg: &mut String) {
        let mut x = LEFT;
        for (i, finger) in self.fingers.iter().enumerate().take(COLOURS.len()) {
            let colour = COLOURS[i % COLOURS.len()];
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} 40h16\" stroke=\"{colour}\" stroke-width=\"2.5\"/>\
                 <text x=\"{:.1}\" y=\"44\" fill=\"#222222\">{}</text>",
                x + 21.0,
                escaped(finger)
            );
            x += 34.0 + 7.0 * finger.chars().count() as f64;
        }
    }

    fn panel(&self, svg: &mut String, times: (f64, f64), across: (f64, f64), name: &str) {
        let (left, right, bottom) = (across.0, across.1, HEIGHT - BOTTOM);
        let inside = |series: &Series| -> f64 {
            let all = series
                .force
                .values()
                .flat_map(|f| series.time.iter().zip(f));
            let shown = all.filter(|(t, _)| (times.0..=times.1).contains(*t));
            shown.map(|(_, f)| *f).fold(0.0, f64::max)
        };
        let own = inside(self.ours);
        let theirs = self.other.map_or(0.0, inside);
        let top = own.max(theirs.min(MOST * own.max(1.0)));
        let x = Axis::between(times.0, times.1);
        let y = Axis::between(0.0, 1.06 * top.max(1e-3));
        for (value, label) in y.ticks(5) {
            let at = y.place(value).map(|p| bottom - p * (bottom - TOP));
            let Some(at) = at.filter(|at| *at >= TOP - 1.0) else {
                continue;
            };
            let _ = writeln!(
                svg,
                "<path d=\"M{left:.1} {at:.1}H{right:.1}\" stroke=\"#e2e2e2\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#444444\">{label}</text>",
                left - 7.0,
                at + 4.0
            );
        }
        for (value, label) in x.ticks(5) {
            let Some(at) = x.place(value).map(|p| left + p * (right - left)) else {
                continue;
            };
            let _ = writeln!(
                svg,
                "<path d=\"M{at:.1} {bottom:.1}v5\" stroke=\"#888888\"/>\
                 <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444444\">{label}\
                 </text>",
                bottom + 18.0
            );
        }
        let cut = match theirs > top {
            true => format!(", cut off: up to {theirs:.0} N"),
            false => String::new(),
        };
        let _ = writeln!(
            svg,
            "<path d=\"M{left:.1} {TOP:.1}V{bottom:.1}H{right:.1}\" fill=\"none\" \
             stroke=\"#888888\"/><text x=\"{left:.1}\" y=\"{:.1}\" fill=\"#666666\">{name}{cut}\
             </text><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444444\">time \
             (s)</text>",
            TOP - 6.0,
            0.5 * (left + right),
            HEIGHT - 8.0
        );
        for (series, dash) in [
            (Some(self.ours), ""),
            (self.other, " stroke-dasharray=\"6 4\""),
        ] {
            let Some(series) = series else { continue };
            for (i, finger) in self.fingers.iter().enumerate() {
                let place = |t: f64, f: f64| {
                    let shown = f.min(1.06 * top);
                    let across = left + x.place(t)? * (right - left);
                    Some((across, bottom - y.place(shown)? * (bottom - TOP)))
                };
                let path = path(series, finger, times, place);
                let _ = writeln!(
                    svg,
                    "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" \
                     stroke-linejoin=\"round\"{dash}/>",
                    COLOURS[i % COLOURS.len()]
                );
            }
        }
    }
}

/// A line; of the points in a column of half a pixel the first, the least, the greatest and the
/// last are kept.
fn path(
    series: &Series,
    finger: &str,
    (from, to): (f64, f64),
    place: impl Fn(f64, f64) -> Option<(f64, f64)>,
) -> String {
    let Some(forces) = series.force.get(finger) else {
        return String::new();
    };
    let all = series.time.iter().copied().zip(forces.iter().copied());
    // Steps may be longer than what is shown: a line goes on to the edges.
    let edges = [from, to].map(|t| (t, between(&series.time, forces, t)));
    let edges = edges.map(|(t, force)| force.map(|force| (t, force)));
    let shown = all.filter(|(t, _)| (from..=to).contains(t));
    let shown = edges[0].into_iter().chain(shown).chain(edges[1]);
    let points: Vec<(f64, f64)> = shown.filter_map(|(t, f)| place(t, f)).collect();
    let mut path = String::new();
    for column in points.chunk_by(|a, b| (2.0 * a.0).floor() as i64 == (2.0 * b.0).floor() as i64) {
        let by = |a: &usize, b: &usize| column[*a].1.total_cmp(&column[*b].1);
        let least = (0..column.len()).min_by(by).unwrap_or(0);
        let most = (0..column.len()).max_by(by).unwrap_or(0);
        let mut kept = vec![0, least, most, column.len() - 1];
        kept.sort_unstable();
        kept.dedup();
        for i in kept {
            let command = if path.is_empty() { 'M' } else { 'L' };
            let _ = write!(path, "{command}{:.1} {:.1}", column[i].0, column[i].1);
        }
    }
    path
}

/// The value on the straight line between the times before and after; none outside.
fn between(times: &[f64], values: &[f64], t: f64) -> Option<f64> {
    let after = times.partition_point(|x| *x < t);
    let before = after.checked_sub(1)?;
    let (a, b) = (*times.get(before)?, *times.get(after)?);
    let (x, y) = (*values.get(before)?, *values.get(after)?);
    Some(x + (y - x) * (t - a) / (b - a))
}
