//! What held and what did not: reasons of failure, the share that held over a figure, and
//! the best and worst runs of a table.

use std::collections::BTreeMap;
use std::fmt::Write;

use volar_view::drawing::{Axis, COLOURS, escaped};

use crate::axis::INFO;
use crate::store::{Folder, Table};

use super::cells::interval;
use super::frame::{Side, drawing, short, x_at, y_at};
use super::shell;

/// Points of a curve of shares: runs are parted into as many groups of the same size.
const GROUPS: usize = 10;
/// A group has at least so many runs: the interval of fewer says nothing.
const FEWEST: usize = 8;
/// Runs in the lists of the best and the worst.
const LISTED: usize = 20;

/// How many runs failed for which reason; none where none did.
pub fn reasons(table: &Table) -> Option<String> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for kind in table.texts("failure")?.iter().flatten() {
        *counts.entry(kind).or_default() += 1;
    }
    let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let most = counts.first()?.1 as f64;
    let y = Axis::of([0.0, most].into_iter(), false);
    let names = counts.iter().map(|(kind, _)| kind.replace('_', " "));
    let x = Side::Names(names.collect());
    let wide = 0.6 * (x_at(1.0) - x_at(0.0)) / counts.len() as f64;
    Some(drawing(
        "why runs failed",
        (&x, "reason"),
        (&Side::Numbers(y), "runs"),
        |svg| {
            for (i, (_, count)) in counts.iter().enumerate() {
                let middle = x_at(x.place(i as f64).unwrap_or(0.5));
                let top = y_at(y.place(*count as f64).unwrap_or(0.0));
                let _ = writeln!(
                    svg,
                    "<rect x=\"{:.2}\" y=\"{top:.2}\" width=\"{wide:.2}\" height=\"{:.2}\" \
                     fill=\"{}\"/><text x=\"{middle:.2}\" y=\"{:.2}\" text-anchor=\"middle\" \
                     fill=\"#444444\">{count}</text>",
                    middle - 0.5 * wide,
                    (y_at(0.0) - top).max(0.0),
                    COLOURS[1],
                    top - 4.0
                );
            }
        },
    ))
}

/// The share of runs that held over a figure, with its interval: runs in groups of the same
/// size from the least value to the greatest. None where all runs have the same value.
pub fn held_over(table: &Table, figure: &str) -> Option<String> {
    let (held, values) = (table.numbers("held")?, table.numbers(figure)?);
    let both = values.iter().zip(held);
    let mut runs: Vec<(f64, f64)> = both
        .filter(|(value, held)| value.is_finite() && held.is_finite())
        .map(|(value, held)| (*value, *held))
        .collect();
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (low, high) = (runs.first()?.0, runs.last()?.0);
    if high <= low {
        return None;
    }
    let size = runs.len().div_ceil(GROUPS).max(FEWEST);
    let log = low > 0.0 && high > 100.0 * low;
    let x = Axis { low, high, log };
    let y = Axis::between(0.0, 1.0);
    let sides = (Side::Numbers(x), Side::Numbers(y));
    Some(drawing(
        &format!("share that held over {figure}"),
        (&sides.0, figure),
        (&sides.1, "held"),
        |svg| {
            let mut path = String::new();
            for group in runs.chunks(size) {
                let count = group.len() as f64;
                let sum: f64 = group.iter().map(|(_, held)| held).sum();
                let ends = (group[0].0, group[group.len() - 1].0);
                let across = |value: f64| x_at(x.place(value).unwrap_or(0.5));
                let cx = across(group[group.len() / 2].0);
                let cy = y_at(y.place(sum / count).unwrap_or(0.0));
                let (least, most) = interval(sum, count);
                let _ = write!(
                    path,
                    "{}{cx:.2} {cy:.2}",
                    if path.is_empty() { 'M' } else { 'L' }
                );
                let _ = writeln!(
                    svg,
                    "<path d=\"M{cx:.2} {:.2}V{:.2}M{:.2} {cy:.2}H{:.2}\" stroke=\"{colour}\" \
                     opacity=\"0.5\"/><circle cx=\"{cx:.2}\" cy=\"{cy:.2}\" r=\"3.5\" \
                     fill=\"{colour}\"><title>{sum} of {count}</title></circle>",
                    y_at(least),
                    y_at(most),
                    across(ends.0),
                    across(ends.1),
                    colour = COLOURS[0],
                );
            }
            let _ = writeln!(
                svg,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{}\"/>",
                COLOURS[0]
            );
        },
    ))
}

/// The best and the worst runs, with how to see them again: what held with the greatest
/// friction margin, and what failed first.
pub fn ranked(folder: &Folder, table: &Table) -> Option<String> {
    let held = table.numbers("held")?;
    let column = |name: &str| table.numbers(name).unwrap_or_default();
    let (margins, times) = (column("friction_margin"), column("failure_time_s"));
    let at = |values: &[f64], row: usize| values.get(row).copied().unwrap_or(f64::NAN);
    let number = |value: f64, none: f64| if value.is_finite() { value } else { none };
    let judged = (0..table.rows).filter(|row| held[*row].is_finite());
    let mut best: Vec<usize> = judged.clone().filter(|row| held[*row] > 0.5).collect();
    best.sort_by(|a, b| {
        let margin = |row: usize| number(at(margins, row), -1.0);
        margin(*b).total_cmp(&margin(*a))
    });
    let mut worst: Vec<usize> = judged.filter(|row| held[*row] < 0.5).collect();
    worst.sort_by(|a, b| {
        let time = |row: usize| number(at(times, row), f64::MAX);
        time(*a).total_cmp(&time(*b))
    });
    let kinds = table.texts("failure").unwrap_or_default();
    let grasps = table.numbers(&format!("{INFO}grasp"));
    let mut html = String::new();
    for (title, rows) in [("The best", best), ("The worst", worst)] {
        if rows.is_empty() {
            continue;
        }
        let _ = write!(
            html,
            "<h2>{title}</h2>\n<table>\n<tr><td>run</td><td>grasp</td><td>friction margin</td>\
             <td>failure</td><td>after, s</td><td>again</td></tr>\n"
        );
        for row in rows.into_iter().take(LISTED) {
            let kind = kinds.get(row).and_then(|kind| kind.as_deref());
            let grasp = grasps.map_or(row as f64, |grasps| grasps[row]);
            let command = format!(
                "volar sweep run {} {row} --out run-{row}",
                shell(&folder.path)
            );
            let _ = writeln!(
                html,
                "<tr><td>{row}</td><td>{grasp}</td><td>{}</td><td>{}</td><td>{}</td>\
                 <td><code>{}</code></td></tr>",
                short(at(margins, row)),
                escaped(&kind.unwrap_or_default().replace('_', " ")),
                short(at(times, row)),
                escaped(&command)
            );
        }
        html.push_str("</table>\n");
    }
    (!html.is_empty()).then_some(html)
}
