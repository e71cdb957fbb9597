//! The table of a comparison, for the terminal and, cell by cell, for the page.

use super::Comparison;
use super::result::Row;

/// Headings of the columns.
pub const COLUMNS: [&str; 12] = [
    "engine",
    "settings",
    "held",
    "drift mm",
    "rotation °",
    "creep µm/s",
    "steady N",
    "unbalanced N",
    "peak N",
    "depth mm",
    "processor s",
    "× real time",
];

/// A row as text.
pub fn cells(comparison: &Comparison, row: &Row) -> Vec<String> {
    let mut cells = vec![row.engine.clone(), row.setting.clone()];
    let Some(summary) = &row.summary else {
        cells.push("–".into());
        cells.resize(COLUMNS.len(), String::new());
        return cells;
    };
    let figure = |value: Option<f64>| value.map_or("–".into(), short);
    let lost = row
        .lost_at_s
        .map_or(String::new(), |t| format!(", lost at {t:.2} s"));
    cells.push(match summary.held {
        Some(true) => "yes".into(),
        Some(false) => format!("no{lost}"),
        None => format!("–{lost}"),
    });
    let forces = comparison.scene.fingers.iter();
    let forces = forces.map(|name| figure(summary.normal_force_n.get(name).copied()));
    let depth_known = row.series.depth.iter().all(Option::is_some);
    cells.extend([
        figure(summary.drift_mm),
        figure(summary.rotation_deg),
        figure(summary.creep_um_per_s),
        forces.collect::<Vec<_>>().join(" / "),
        figure(row.unbalanced_n),
        figure(row.peak_n),
        figure(depth_known.then_some(summary.max_depth_mm)),
        figure(row.processor_s),
        figure(row.real_time_factor),
    ]);
    cells
}

/// The whole table.
pub fn table(comparison: &Comparison) -> String {
    let mut lines = vec![COLUMNS.map(str::to_owned).to_vec()];
    lines.extend(comparison.rows.iter().map(|row| cells(comparison, row)));
    let width = |column: usize| {
        let cells = lines.iter().map(|line| line[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..COLUMNS.len()).map(width).collect();
    let mut text = String::new();
    for (line, row) in lines
        .iter()
        .zip(std::iter::once(None).chain(comparison.rows.iter().map(Some)))
    {
        let cells = line.iter().zip(&widths);
        let padded: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        text += padded.join("  ").trim_end();
        if let Some(why) = row.and_then(|row| row.cannot.as_ref()) {
            text += &format!("  {why}");
        }
        text.push('\n');
    }
    text
}

/// Three significant digits.
pub fn short(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if !value.is_finite() => "–".into(),
        0.0..1.0e-6 => "0".into(),
        1.0e-2..1.0e5 => {
            let digits = (2 - size.log10().floor() as i32).max(0) as usize;
            format!("{value:.digits$}")
        }
        _ => format!("{value:.1e}"),
    }
}
