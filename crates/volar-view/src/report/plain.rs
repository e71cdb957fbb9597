//! A report without the page: the same numbers, and still plots.

use serde_json::Value;
use volar_record::GraspHeader;

use super::{RunInfo, table};
use crate::page::{REMEDY, escaped, html};

const STYLE: &str = "<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse } td { padding: .15rem 1rem .15rem 0; vertical-align: top }
svg { max-width: 100%; height: auto; margin: .75rem 0; border-radius: 6px }
pre { overflow: auto; padding: .75rem; border: 1px solid #8888; border-radius: 6px }
</style>";

/// The report as still HTML.
pub fn page(scene: &str, run: &RunInfo, grasp: Option<&GraspHeader>, plots: &[String]) -> String {
    let mut body = format!(
        "<h1>{} — {}</h1>\n<table>\n",
        escaped(scene),
        verdict(&run.summary)
    );
    for row in table::rows(&run.summary, grasp) {
        let value = match &row.value {
            Value::String(text) => text.clone(),
            Value::Null => "none".into(),
            other => other.to_string(),
        };
        let cells = [&row.name, &format!("{value} {}", row.unit), &row.window];
        let cells = cells.map(|cell| format!("<td>{}</td>", escaped(cell.trim())));
        body.push_str(&format!("<tr>{}</tr>\n", cells.concat()));
    }
    body.push_str("</table>\n");
    body.push_str(&plots.concat());
    for (title, text) in [
        ("How to reproduce it", &run.origin.command),
        ("Where it was run", &run.origin.about()),
        ("Scene", &run.scene_toml),
    ] {
        body.push_str(&format!("<h2>{title}</h2>\n<pre>{}</pre>\n", escaped(text)));
    }
    body.push_str(&format!(
        "<p>For plots to explore and a replay in 3-D: {REMEDY}.</p>"
    ));
    html(&format!("{scene} — Volar report"), STYLE, &body)
}

fn verdict(summary: &Value) -> String {
    if let Some(what) = summary["failure"]["what"].as_str() {
        return format!("failed: {}", escaped(what));
    }
    match summary["held"].as_bool() {
        Some(true) => "held".into(),
        Some(false) => "not held".into(),
        None => "no verdict".into(),
    }
}
