//! The page.

use std::fmt::Write;

use serde_json::json;
use volar_view::drawing::{escaped, html};

use crate::plan::Plan;
use crate::store::{Column, Folder, Table};

use super::cells::{Grid, interval};
use super::draw::title;
use super::{Plot, shell};

const STYLE: &str = "<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse } td { padding: .15rem 1rem .15rem 0; vertical-align: top }
figure { margin: .5rem 0; display: inline-block } svg { max-width: 100%; height: auto; border-radius: 6px }
.cell { cursor: pointer } .cell:hover { stroke: #000; stroke-width: 1.5 }
pre { overflow: auto; padding: .75rem; border: 1px solid #8888; border-radius: 6px }
[hidden] { display: none }
</style>";

/// Points of the scatter plot; more of them hide each other.
const MOST_POINTS: usize = 4000;

/// The page; `ranked` is the lists of the best and the worst runs, if there are any.
pub fn page(folder: &Folder, plan: &Plan, table: &Table, plots: &[Plot], ranked: &str) -> String {
    let spec = &folder.manifest.spec;
    let mut body = format!(
        "<h1>{}</h1>\n<p>{}</p>\n",
        escaped(&spec.name),
        escaped(&spec.description)
    );
    body.push_str(&overview(folder, plan, table));
    let of_kind = |kind: &str| -> Vec<&Plot> { plots.iter().filter(|p| p.kind == kind).collect() };
    let mut slices = Grid::of(plan).map_or_else(Vec::new, |grid| grid.slices(plan));
    let maps = [of_kind("map"), of_kind("lines")].concat();
    slices.truncate(maps.iter().map(|plot| plot.slice + 1).max().unwrap_or(0));
    if !maps.is_empty() {
        body.push_str("<h2>Over the axes</h2>\n");
        chooser(&mut body, "map", &maps);
        if slices.len() > 1 {
            let texts: Vec<&str> = slices.iter().map(|(text, _)| text.as_str()).collect();
            let _ = writeln!(
                body,
                "<p><input id=\"slice\" type=\"range\" min=\"0\" max=\"{}\" value=\"0\" \
                 aria-label=\"slice\"> <span id=\"slice-text\" data-texts=\"{}\">{}</span></p>",
                slices.len() - 1,
                escaped(&json!(texts).to_string()),
                escaped(texts[0])
            );
        }
        figures(&mut body, "map", &maps);
        body.push_str("<pre id=\"picked\" hidden></pre>\n");
    }
    let reasons = of_kind("reasons");
    if !reasons.is_empty() {
        body.push_str("<h2>Why runs failed</h2>\n");
        figures(&mut body, "reasons", &reasons);
    }
    let curves = of_kind("held");
    if !curves.is_empty() {
        body.push_str("<h2>The share that held over a figure</h2>\n");
        chooser(&mut body, "held", &curves);
        figures(&mut body, "held", &curves);
    }
    body.push_str(ranked);
    let histograms = of_kind("histogram");
    if !histograms.is_empty() {
        body.push_str("<h2>How often which value</h2>\n");
        chooser(&mut body, "histogram", &histograms);
        figures(&mut body, "histogram", &histograms);
    }
    body.push_str(
        "<h2>One figure over another</h2>\n<p><select id=\"across\" aria-label=\"across\">\
         </select> across, <select id=\"up\" aria-label=\"up\"></select> up</p>\n\
         <div id=\"scatter\"></div>\n",
    );
    let data = json!({
        "command": format!("volar sweep run {}", shell(&folder.path)),
        "columns": columns(table),
    });
    // A text that ends the script early must not.
    let data = data.to_string().replace("</", "<\\/");
    let _ = write!(
        body,
        "<script type=\"application/json\" id=\"data\">{data}</script>\n<script>{}</script>\n",
        include_str!("page.js")
    );
    html(&format!("{} — Volar sweep", spec.name), STYLE, &body)
}

fn overview(folder: &Folder, plan: &Plan, table: &Table) -> String {
    let mut rows = vec![("runs".to_owned(), plan.rows().to_string())];
    if let Some(held) = table.numbers("held") {
        let judged = held.iter().filter(|v| v.is_finite()).count() as f64;
        let sum: f64 = held.iter().filter(|v| v.is_finite()).sum();
        let (low, high) = interval(sum, judged);
        let text = format!(
            "{sum} of {judged}: {:.1} %, with 95 % confidence between {:.1} % and {:.1} %",
            100.0 * sum / judged.max(1.0),
            100.0 * low,
            100.0 * high
        );
        rows.push(("held".into(), text));
    }
    let kinds = table.texts("failure").unwrap_or_default().iter().flatten();
    let mut counts = std::collections::BTreeMap::new();
    for kind in kinds {
        *counts.entry(kind.as_str()).or_insert(0_u64) += 1;
    }
    rows.extend(
        counts
            .iter()
            .map(|(kind, count)| (format!("failed: {kind}"), count.to_string())),
    );
    for axis in &plan.axes {
        let paths: Vec<&str> = axis.paths.iter().map(|(path, _)| path.as_str()).collect();
        let text = match &axis.kind {
            crate::AxisKind::Table(table) => format!("{} rows of {}", axis.count(), table.file),
            _ if axis.is_drawn() => format!("drawn: {}", paths.join(", ")),
            _ => format!("{} values of {}", axis.count(), paths.join(", ")),
        };
        rows.push((format!("axis {}", axis.name), text));
    }
    rows.push(("scene".into(), folder.manifest.spec.scene.clone()));
    rows.push(("version".into(), folder.manifest.version.clone()));
    rows.push(("hash".into(), folder.manifest.hash.clone()));
    let cells = rows.iter().map(|(name, text)| {
        format!(
            "<tr><td>{}</td><td>{}</td></tr>\n",
            escaped(name),
            escaped(text)
        )
    });
    format!("<table>\n{}</table>\n", cells.collect::<String>())
}

/// A list to choose the figure from.
fn chooser(body: &mut String, kind: &str, plots: &[&Plot]) {
    let mut names: Vec<&str> = plots.iter().map(|plot| plot.figure.as_str()).collect();
    names.dedup();
    let _ = write!(
        body,
        "<p><select class=\"chooser\" data-kind=\"{kind}\" aria-label=\"figure\">"
    );
    for name in names {
        let _ = write!(
            body,
            "<option value=\"{0}\">{1}</option>",
            escaped(name),
            escaped(&title(name))
        );
    }
    body.push_str("</select></p>\n");
}

/// All plots of a kind; the first one is shown.
fn figures(body: &mut String, kind: &str, plots: &[&Plot]) {
    for (number, plot) in plots.iter().enumerate() {
        let hidden = if number == 0 { "" } else { " hidden" };
        let _ = writeln!(
            body,
            "<figure data-kind=\"{kind}\" data-figure=\"{}\" data-slice=\"{}\"{hidden}>{}</figure>",
            escaped(&plot.figure),
            plot.slice,
            plot.svg
        );
    }
}

/// Columns of numbers, of evenly chosen rows.
fn columns(table: &Table) -> serde_json::Value {
    let every = table.rows.div_ceil(MOST_POINTS).max(1);
    let columns = table
        .columns
        .iter()
        .filter_map(|(name, column)| match column {
            Column::Numbers(values) => {
                let some: Vec<f64> = values.iter().step_by(every).copied().collect();
                // What is no number is null in JSON.
                Some((name.clone(), json!(some)))
            }
            Column::Texts(_) => None,
        });
    serde_json::Value::Object(columns.collect())
}
