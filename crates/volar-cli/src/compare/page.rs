//! The page of a comparison: one file that needs nothing else.

use std::fmt::Write;

use volar_view::drawing::{escaped, html};

use super::Comparison;
use super::plot::{ForcePlot, transient_end};
use super::result::Row;
use super::text::{COLUMNS, cells};

/// How pages of tables and plots look.
pub const STYLE: &str = "<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .9rem }
th, td { padding: .25rem .8rem .25rem 0; vertical-align: top; text-align: left }
th { border-bottom: 1px solid #8888 }
tr.ours { font-weight: 600 } td.no { color: #c0392b }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 34rem), 1fr)); gap: 1rem }
figure { margin: 0 } svg { width: 100%; height: auto; border-radius: 6px }
small, figcaption { color: #777 }
</style>";

/// The page.
pub fn page(comparison: &Comparison) -> String {
    let spec = &comparison.scene.setup.scene.spec;
    let mut body = format!(
        "<h1>{}</h1>\n<p>{}</p>\n<p>The same scene for {} s, here and in other engines.</p>\n",
        escaped(&spec.name),
        escaped(&spec.description),
        spec.duration
    );
    body.push_str(&table(comparison));
    body.push_str(&plots(comparison));
    body.push_str(&settings(comparison));
    body.push_str(MEANING);
    html(&format!("{} — Volar compare", spec.name), STYLE, &body)
}

fn table(comparison: &Comparison) -> String {
    let heads = COLUMNS.map(|name| format!("<th>{name}</th>")).concat();
    let mut text = format!("<div class=\"wide\"><table>\n<tr>{heads}</tr>\n");
    for row in &comparison.rows {
        let class = if row.engine == "volar" {
            " class=\"ours\""
        } else {
            ""
        };
        let _ = write!(text, "<tr{class}>");
        if let Some(why) = &row.cannot {
            let _ = write!(
                text,
                "<td>{}</td><td>{}</td><td colspan=\"{}\">cannot run this scene: {}</td>",
                escaped(&row.engine),
                escaped(&row.setting),
                COLUMNS.len() - 2,
                escaped(why)
            );
        } else {
            for cell in cells(comparison, row) {
                let class = if cell.starts_with("no") {
                    " class=\"no\""
                } else {
                    ""
                };
                let _ = write!(text, "<td{class}>{}</td>", escaped(&cell));
            }
        }
        text.push_str("</tr>\n");
    }
    text + "</table></div>\n"
}

fn plots(comparison: &Comparison) -> String {
    let Some((ours, others)) = comparison.rows.split_first() else {
        return String::new();
    };
    let end = comparison.scene.setup.scene.spec.duration;
    let split = transient_end(&ours.series, end);
    let mut text = String::from(
        "<h2>Normal force of each finger (N)</h2>\n<p>Volar solid, the other engine dashed.</p>\n\
         <div class=\"plots\">\n",
    );
    let with_result: Vec<&Row> = others.iter().filter(|row| row.summary.is_some()).collect();
    let shown = match with_result.is_empty() {
        true => vec![None],
        false => with_result.into_iter().map(Some).collect(),
    };
    for row in shown {
        let title = row.map_or("volar".into(), |row| {
            format!("{}, {}", row.engine, row.setting)
        });
        let plot = ForcePlot {
            title: &title,
            fingers: &comparison.scene.fingers,
            ours: &ours.series,
            other: row.map(|row| &row.series),
            split,
            end,
        };
        let _ = writeln!(text, "<figure>{}</figure>", plot.draw());
    }
    text + "</div>\n"
}

fn settings(comparison: &Comparison) -> String {
    let mut text = String::from("<h2>Settings</h2>\n<div class=\"wide\"><table>\n");
    for row in comparison.rows.iter().filter(|row| row.cannot.is_none()) {
        let step = row.step_s.map_or(String::new(), |step| {
            let kind = if row.engine == "volar" {
                "mean step"
            } else {
                "step"
            };
            format!("; {kind} {:.2} ms", 1e3 * step)
        });
        let lines = row.settings.iter().chain(&row.notes);
        let lines: Vec<String> = lines.map(|line| escaped(line)).collect();
        let _ = writeln!(
            text,
            "<tr><td>{} {}</td><td>{}</td><td>{}{step}</td></tr>",
            escaped(&row.engine),
            escaped(&row.version),
            escaped(&row.setting),
            lines.join("<br>")
        );
    }
    text + "</table></div>\n"
}

const MEANING: &str = "<h2>What the figures mean</h2>
<p>Held, drift, rotation, creep, steady force and depth are those of <code>volar run</code>, by the
same definitions for every engine. Unbalanced: the mean over the last second of all contact forces
on the object plus its weight, which is 0 N in static balance. Peak: the largest normal force of a
finger in the first second. Processor time: of the steps alone, on one core, each run once; real
time is that of the scene over it, and says nothing where the object is lost. Other engines are
driven from Python, which costs them a few microseconds a step.</p>
";
