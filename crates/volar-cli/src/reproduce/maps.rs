//! The two maps of the kinetic energy of a shaken grasp.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use volar_sweep::{
    Folder, RunLimits, Sweep, SweepSpec, Table, Work, builtin, report, run_missing, write_tables,
};

use super::report::{Claim, Figure, Section, Verdict};
use crate::compare::{Interrupted, text};
use crate::terminal::note;

const FIGURE: &str = "kinetic_energy_ratio";
/// Values of an axis in the short version.
const SHORT: i64 = 5;

pub fn run(out: &Path, full: bool, stopped: &Arc<AtomicBool>) -> anyhow::Result<Section> {
    let mut section = Section {
        name: "maps",
        title: "Kinetic energy of a shaken grasp",
        text: "`shake-sphere` with the paper's law: mean kinetic energy of the object over that of \
               one held without play; 1 is perfect. Runs that do not end within 40 000 evaluations, \
               or fail, have no value."
            .into(),
        heads: vec!["map", "gain (1/N)", "other axis", "held", "kinetic energy ratio"],
        rows: Vec::new(),
        figures: Vec::new(),
        claims: Vec::new(),
    };
    for (name, axis, says) in [
        (
            "paper-gain-stiffness",
            "stiffness",
            "high stiffness and gain create kinetic energy and jitter",
        ),
        (
            "paper-gain-depth",
            "target_depth",
            "excessively small target depths stiffen the contact and increase the kinetic energy",
        ),
    ] {
        note(format!("the map {name} …"));
        let folder = sweep(name, out, full, stopped)?;
        let table = Table::read(&folder.path.join("table.parquet"))?;
        let column = |name: &str| table.numbers(name).map(<[f64]>::to_vec).unwrap_or_default();
        let (gain, other) = (column("impact_gain"), column(axis));
        let (held, ratio) = (column("held"), column(FIGURE));
        let rows = gain.iter().zip(&other).zip(held.iter().zip(&ratio));
        let rows: Vec<Point> = rows
            .map(|((gain, other), (held, ratio))| Point {
                gain: *gain,
                // Small depths are the far end of their map.
                other: if axis == "target_depth" {
                    1.0 / other
                } else {
                    *other
                },
                held: *held,
                ratio: *ratio,
            })
            .collect();
        section
            .rows
            .extend(rows.iter().zip(&other).map(|(point, other)| {
                let held = if point.held > 0.5 { "yes" } else { "no" };
                let numbers = [point.gain, *other].map(text::short);
                let [gain, other] = numbers;
                vec![name.into(), gain, other, held.into(), shown(point.ratio)]
            }));
        section.claims.push(claim(says, &rows));
        let svg = folder.path.join(format!("plots/map-{FIGURE}.svg"));
        if let Ok(svg) = std::fs::read_to_string(svg) {
            section.figures.push(Figure {
                name: name.into(),
                svg,
                data: data(axis, &rows, &other),
            });
        }
    }
    Ok(section)
}

/// Digits enough to tell a ratio from 1.
fn shown(value: f64) -> String {
    match value.is_finite() {
        true => format!("{value:.4}"),
        false => "–".into(),
    }
}

struct Point {
    gain: f64,
    /// The other axis, such that more is stiffer.
    other: f64,
    held: f64,
    ratio: f64,
}

/// Every digit of a map.
fn data(axis: &str, points: &[Point], other: &[f64]) -> String {
    let row = |(point, other): (&Point, &f64)| {
        let Point {
            gain, held, ratio, ..
        } = point;
        format!("{gain},{other},{held},{ratio}\n")
    };
    let rows: String = points.iter().zip(other).map(row).collect();
    format!("impact_gain,{axis},held,{FIGURE}\n{rows}")
}

/// How far the ratio must rise from the soft corner to the stiff one to be called created energy.
const RISE: f64 = 0.01;

/// The mean ratio in the stiffer corner beside that in the softer one.
fn claim(says: &'static str, points: &[Point]) -> Claim {
    let middle = |values: Vec<f64>| {
        let mut values = values;
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
    };
    let gain = middle(points.iter().map(|p| p.gain).collect());
    let other = middle(points.iter().map(|p| p.other).collect());
    let corner = |stiff: bool| {
        let own = points.iter().filter(|p| match stiff {
            true => p.gain > gain && p.other > other,
            false => p.gain < gain && p.other < other,
        });
        let own: Vec<f64> = own.map(|p| p.ratio).collect();
        let known: Vec<f64> = own.iter().copied().filter(|r| r.is_finite()).collect();
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        (mean, own.len() - known.len(), own.len())
    };
    let ((stiff, gone, of), (soft, lost, few)) = (corner(true), corner(false));
    let all = points.iter().map(|p| p.ratio).filter(|r| r.is_finite());
    let (least, most) = all.fold((f64::INFINITY, 0.0_f64), |(a, b), r| (a.min(r), b.max(r)));
    Claim {
        says,
        measured: format!(
            "mean ratio {} in the stiff corner ({gone} of {of} runs not done within 40 000 \
             evaluations), {} in the soft one ({lost} of {few}); all runs that end: {least:.4} to \
             {most:.4}. With an error that is controlled the corner costs steps and makes no energy",
            shown(stiff),
            shown(soft),
        ),
        verdict: match (stiff.is_finite(), stiff - soft > RISE) {
            (true, true) => Verdict::Confirmed,
            _ => Verdict::NotConfirmed,
        },
    }
}

fn sweep(name: &str, out: &Path, full: bool, stopped: &Arc<AtomicBool>) -> anyhow::Result<Folder> {
    let mut spec: toml::Table = builtin(name).context("no such sweep")?.parse()?;
    if !full {
        let axes = spec.get_mut("axis").and_then(|axes| axes.as_array_mut());
        for axis in axes.into_iter().flatten() {
            let steps = axis.get_mut("log").and_then(|steps| steps.as_table_mut());
            if let Some(steps) = steps {
                steps.insert("count".into(), SHORT.into());
            }
        }
    }
    let spec: SweepSpec = spec.try_into()?;
    let sweep = Sweep::new(spec, out)?;
    let short = if full { "" } else { "-short" };
    let folder = Folder::create(&out.join(format!("{name}{short}.sweep")), &sweep)?;
    let work = Work {
        threads: 0,
        limits: RunLimits {
            wall: None,
            stop: stopped.clone(),
        },
        shard: None,
    };
    run_missing(&sweep, &folder, &work, &|_| {})?;
    if stopped.load(Ordering::Relaxed) {
        bail!(Interrupted);
    }
    write_tables(&folder, &sweep.plan)?;
    report::write(&folder, 0)?;
    Ok(folder)
}
