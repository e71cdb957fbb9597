//! The report of a sweep: one page that opens without a network, and its plots as files.
#![allow(clippy::disallowed_methods)] // pictures: the last bits do not matter

mod cells;
mod draw;
mod frame;
mod judged;
mod page;

use std::path::Path;

use rayon::prelude::*;
use volar_view::drawing::Painter;

use crate::axis::{AxisKind, INFO};
use crate::error::SweepError;
use crate::execute::pool;
use crate::plan::Plan;
use crate::store::{Folder, Table, write_whole};

pub use cells::interval;
use cells::{Cells, Grid};

/// Cells of all heat maps on the page together; more would make it slow.
const MOST_CELLS: u64 = 60_000;

/// Writes `report.html`, and `plots/` as SVG and PNG, beside the table; on so many threads,
/// 0 for all cores.
pub fn write(folder: &Folder, threads: usize) -> Result<(), SweepError> {
    let plan = folder.plan()?;
    let table = Table::read(&folder.path.join("table.parquet"))?;
    let plots = plots(&plan, &table, folder);
    let inner = folder.path.join("plots");
    std::fs::create_dir_all(&inner).map_err(SweepError::io("make the folder", &inner))?;
    let painter = Painter::default();
    let draw = |plot: &Plot| {
        let name = format!("{}-{}", plot.kind, plot.figure.replace('/', "-"));
        write_whole(&inner.join(format!("{name}.svg")), plot.svg.as_bytes())?;
        let file = inner.join(format!("{name}.png"));
        let png = painter.paint(&plot.svg);
        let png = png.map_err(|error| SweepError::damaged(&file, error))?;
        write_whole(&file, &png)
    };
    let first = plots.par_iter().filter(|plot| plot.slice == 0);
    pool(threads)?.install(|| first.try_for_each(draw))?;
    let tabled = plan
        .axes
        .iter()
        .any(|axis| matches!(axis.kind, AxisKind::Table(_)));
    let ranked = tabled.then(|| judged::ranked(folder, &table)).flatten();
    let page = page::page(folder, &plan, &table, &plots, &ranked.unwrap_or_default());
    write_whole(&folder.path.join("report.html"), page.as_bytes())
}

/// A plot of a figure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plot {
    /// `map`, `lines`, `histogram`, `reasons` or `held`, the share that held over a figure.
    pub kind: &'static str,
    pub figure: String,
    /// Number of the slice.
    pub slice: usize,
    pub svg: String,
}

fn plots(plan: &Plan, table: &Table, folder: &Folder) -> Vec<Plot> {
    let figures = folder.manifest.figures.iter().map(|f| f.name.as_str());
    let known = |figure: &&str| {
        let values = table.numbers(figure);
        values.is_some_and(|values| values.iter().any(|v| v.is_finite()))
    };
    let figures: Vec<&str> = figures.filter(known).collect();
    let mut plots = Vec::new();
    let mut add = |kind, figure: &str, slice, svg: String| {
        plots.push(Plot {
            kind,
            figure: figure.to_owned(),
            slice,
            svg,
        });
    };
    if let Some(grid) = Grid::of(plan) {
        let slices = grid.slices(plan).len();
        let cells = Cells::new(plan, grid);
        let most = (MOST_CELLS / (cells.size[0] * cells.size[1])).max(1) as usize;
        let slices = slices.min(most);
        let maps = (most / slices).max(1);
        for figure in figures.iter().take(maps) {
            match cells.grid.y {
                None => add("lines", figure, 0, draw::lines(plan, table, figure, &cells)),
                Some(_) => {
                    for slice in 0..slices {
                        let map = draw::heat_map(plan, table, figure, &cells, slice);
                        add("map", figure, slice, map);
                    }
                }
            }
        }
    }
    if let Some(reasons) = judged::reasons(table) {
        add("reasons", "failure", 0, reasons);
    }
    let info = table.columns.iter().map(|(name, _)| name.as_str());
    let info = info.filter(|name| name.starts_with(INFO));
    for figure in figures.iter().copied().filter(|f| *f != "held").chain(info) {
        if let Some(curve) = judged::held_over(table, figure) {
            add("held", figure, 0, curve);
        }
    }
    for figure in &figures {
        if let Some(histogram) = draw::histogram(table, figure) {
            add("histogram", figure, 0, histogram);
        }
    }
    plots
}

/// A folder's name as it can be typed in a command.
fn shell(path: &Path) -> String {
    let text = path.display().to_string();
    match text
        .chars()
        .all(|c| c.is_alphanumeric() || "-_./".contains(c))
    {
        true => text,
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}
