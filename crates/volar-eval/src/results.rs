//! The runs of an evaluation, summed up by grasp.

use std::path::{Path, PathBuf};

use volar_grasps::{GraspList, ReadOptions, write};
use volar_sweep::{Column, Folder, INFO, Table, interval};

use crate::error::EvalError;
use crate::plan::TRIALS;

/// The table of grasps in the folder of an evaluation.
pub const GRASPS: &str = "grasps.parquet";

/// Writes the table of grasps beside that of the runs: a row for each grasp of the list, with
/// the columns of grasp files, how often it held, why not, and the means of the figures. The
/// table of the runs must be there.
pub fn finish(folder: &Folder) -> Result<PathBuf, EvalError> {
    let runs = Table::read(&folder.path.join("table.parquet"))?;
    let path = folder.path.join(GRASPS);
    let bytes = by_grasp(&runs)?.to_parquet()?;
    std::fs::write(&path, bytes).map_err(EvalError::io(format!("write {}", path.display())))?;
    Ok(path)
}

/// Whether the runs of a folder are those of an evaluation.
pub fn is_evaluation(folder: &Folder) -> bool {
    let axes = &folder.manifest.spec.axes;
    axes.iter()
        .any(|axis| axis.table.as_deref() == Some(TRIALS))
}

/// Runs of one grasp after the other.
fn groups(runs: &Table) -> Result<Vec<std::ops::Range<usize>>, EvalError> {
    let none = || EvalError::Invalid("the table of the runs is not that of an evaluation".into());
    let grasps = runs.numbers(&format!("{INFO}grasp")).ok_or_else(none)?;
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    for (row, grasp) in grasps.iter().enumerate() {
        let new = row == 0 || grasps[row - 1].to_bits() != grasp.to_bits();
        match groups.last_mut() {
            Some(last) if !new => last.end = row + 1,
            _ => groups.push(row..row + 1),
        }
    }
    Ok(groups)
}

fn by_grasp(runs: &Table) -> Result<Table, EvalError> {
    let groups = groups(runs)?;
    let mut table = Table {
        rows: groups.len(),
        columns: Vec::new(),
    };
    let numbers = (0..groups.len()).map(|grasp| grasp as f64).collect();
    table
        .columns
        .push(("grasp".into(), Column::Numbers(numbers)));
    let first_of = |values: &[f64]| groups.iter().map(|group| values[group.start]).collect();
    let mean_of = |values: &[f64]| {
        let mean = |group: &std::ops::Range<usize>| {
            let known: Vec<f64> = values[group.clone()]
                .iter()
                .copied()
                .filter(|v| !v.is_nan())
                .collect();
            // Not a number where there is none.
            known.iter().sum::<f64>() / known.len() as f64
        };
        groups.iter().map(mean).collect()
    };
    for (name, column) in &runs.columns {
        let (Some(name), Column::Numbers(values)) = (name.strip_prefix(INFO), column) else {
            continue;
        };
        let column = match name {
            "grasp" => continue,
            // Was what the list said; the verdicts here are the new labels.
            "label" => ("list_label".to_owned(), first_of(values)),
            "score" => ("list_score".to_owned(), first_of(values)),
            other => (other.to_owned(), first_of(values)),
        };
        table.columns.push((column.0, Column::Numbers(column.1)));
    }
    let held = held(runs, &groups);
    let rate = |count: &Count| count.held / count.trials;
    let low = |count: &Count| interval(count.held, count.trials).0;
    let high = |count: &Count| interval(count.held, count.trials).1;
    let mut add = |name: &str, column: Column| table.columns.push((name.to_owned(), column));
    let numbers = |value: &dyn Fn(&Count) -> f64| Column::Numbers(held.iter().map(value).collect());
    add("trials", numbers(&|count| count.trials));
    add("held", numbers(&|count| count.held));
    add("success_rate", numbers(&rate));
    add("success_rate_low", numbers(&low));
    add("success_rate_high", numbers(&high));
    for key in ["failure", "failure_what"] {
        let texts = runs.texts(key).unwrap_or_default();
        let first =
            |group: &std::ops::Range<usize>| texts[group.clone()].iter().flatten().next().cloned();
        add(key, Column::Texts(groups.iter().map(first).collect()));
    }
    let skipped = ["row", "trial", "held", "failure_time_s"];
    for (name, column) in &runs.columns {
        if let Column::Numbers(values) = column
            && !name.starts_with(INFO)
            && !skipped.contains(&name.as_str())
            && !["robot.", "body.", "materials."]
                .iter()
                .any(|start| name.starts_with(start))
        {
            add(name, Column::Numbers(mean_of(values)));
        }
    }
    Ok(table)
}

/// What became of the trials of a grasp.
struct Count {
    /// Held; what could not be run did not.
    held: f64,
    /// Were run to a verdict.
    judged: f64,
    trials: f64,
}

fn held(runs: &Table, groups: &[std::ops::Range<usize>]) -> Vec<Count> {
    let held = runs.numbers("held").unwrap_or_default();
    let count = |group: &std::ops::Range<usize>| {
        let own = held.get(group.clone()).unwrap_or_default();
        Count {
            held: own.iter().filter(|v| **v > 0.5).count() as f64,
            judged: own.iter().filter(|v| !v.is_nan()).count() as f64,
            trials: group.len() as f64,
        }
    };
    groups.iter().map(count).collect()
}

/// Writes the list of grasps again with its labels (held in at least half of the trials) and
/// scores (how often of 1) filled in; the name of the file says its kind. Grasps of which no
/// trial came to a verdict have neither.
pub fn write_labels(
    folder: &Folder,
    grasps: &Path,
    options: &ReadOptions,
    to: &Path,
) -> Result<(), EvalError> {
    let runs = Table::read(&folder.path.join("table.parquet"))?;
    let held = held(&runs, &groups(&runs)?);
    let list = GraspList::open(grasps, options)?;
    let header = list.header.clone();
    let rows = list.zip(held).map(|(row, count)| {
        row.map(|mut grasp| {
            // Nothing is known of a grasp of which no trial came to a verdict.
            let judged = count.judged > 0.0;
            grasp.label = judged.then_some(2.0 * count.held >= count.trials);
            grasp.score = judged.then_some(count.held / count.trials);
            grasp
        })
    });
    Ok(write(to, &header, rows)?)
}
