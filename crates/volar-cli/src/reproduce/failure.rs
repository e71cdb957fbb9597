//! The ball in the revolute gripper, where the paper saw Bullet fail after 7.7 s.

use super::report::{Claim, Section, Verdict};
use super::scene;
use crate::compare::{Bench, Compared, Row, engines, ours, text};

const SECONDS: &str = "duration=60.0";
/// Adapters with what they are run with.
const RUNS: [(&str, &str); 12] = [
    ("bullet", "step=1/60"),
    ("bullet", "step=1/120"),
    ("bullet", "step=1/240"),
    ("bullet", "step=1/240,iterations=10"),
    ("bullet", "step=1/240,solver=dantzig"),
    ("bullet", "step=1/1000"),
    ("bullet_hinges", "step=1/60"),
    ("bullet_hinges", "step=1/120"),
    ("bullet_hinges", "step=1/240"),
    ("bullet_hinges", "step=1/240,iterations=10"),
    ("bullet_hinges", "step=1/240,iterations=200"),
    ("bullet_hinges", "step=1/1000"),
];
const REDUCED: &str = "bullet";

pub fn run(bench: &Bench<'_>) -> anyhow::Result<Section> {
    let engine = &engines::chosen(&[REDUCED.into()])?[0];
    let bullet = bench.environment(engine)?;
    let ball = Compared::new(scene("g2r-sphere", &[SECONDS])?)?;
    let mut rows = vec![ours::run(&ball, "default", bench.limits.stopped)?];
    let exported = bench.export(&ball, engine)?;
    for (adapter, setting) in RUNS {
        rows.push(bench.run(&ball, &exported, &bullet, adapter, setting)?);
    }
    let heads = vec![
        "engine",
        "joints",
        "settings",
        "held for 60 s",
        "lost at (s)",
        "drift 2 s to 60 s (mm)",
        "rotation (°)",
        "largest force after 1 s (N)",
        "steady force (N)",
    ];
    Ok(Section {
        name: "failure",
        title: "The ball in the revolute gripper",
        text: "Sixty seconds. Bullet's links in reduced coordinates, as PyBullet makes them of a \
               URDF, and as free bodies with hinges that are constraints: each hinge two points, an \
               emulation of the classic engine. Fifty iterations unless said."
            .into(),
        heads,
        rows: rows.iter().map(cells).collect(),
        figures: Vec::new(),
        claims: vec![claim(&rows)],
    })
}

fn cells(row: &Row) -> Vec<String> {
    let joints = match row.engine.as_str() {
        "bullet_hinges" => "hinges as constraints",
        _ => "reduced coordinates",
    };
    let mut cells = vec![row.engine.clone(), joints.into(), row.setting.clone()];
    if let Some(why) = &row.cannot {
        cells.extend([why.clone(), String::new(), String::new()]);
        cells.extend([String::new(), String::new(), String::new()]);
        return cells;
    }
    let summary = row.summary.clone().unwrap_or_default();
    let figure = |value: Option<f64>| value.map_or("–".into(), text::short);
    let forces = summary.normal_force_n.values().map(|f| text::short(*f));
    cells.extend([
        if summary.held == Some(true) {
            "yes".into()
        } else {
            "no".into()
        },
        row.lost_at_s.map_or("–".into(), |t| format!("{t:.2}")),
        figure(summary.drift_mm),
        figure(summary.rotation_deg),
        figure(late_force(row)),
        forces.collect::<Vec<_>>().join(" / "),
    ]);
    cells
}

/// The largest force after the impact, N.
fn late_force(row: &Row) -> Option<f64> {
    let late = row.series.time.iter().zip(&row.series.largest_force);
    let late = late.filter(|(t, _)| **t > 1.0).map(|(_, f)| *f);
    late.reduce(f64::max)
}

fn claim(rows: &[Row]) -> Claim {
    let of = |engine: &str, lost: bool| -> Vec<&Row> {
        let own = rows.iter().filter(|row| row.engine == engine);
        own.filter(|row| row.summary.is_some() && row.lost_at_s.is_some() == lost)
            .collect()
    };
    let times: Vec<f64> = of("bullet_hinges", true)
        .iter()
        .filter_map(|r| r.lost_at_s)
        .collect();
    let between = match (
        times.iter().copied().reduce(f64::min),
        times.iter().copied().reduce(f64::max),
    ) {
        (Some(first), Some(last)) => format!(", after {first:.1} to {last:.1} s"),
        _ => String::new(),
    };
    let (lost, kept) = (of(REDUCED, true).len(), of(REDUCED, false).len());
    Claim {
        says: "Bullet fails at about 7.7 s with a large spike of force, a ball in the 2-finger \
               revolute gripper",
        measured: format!(
            "with hinges as constraints {} of {} settings lose the ball within 60 s{between}; with \
             reduced coordinates {lost} of {}; no force after 1 s exceeds {} N",
            times.len(),
            times.len() + of("bullet_hinges", false).len(),
            lost + kept,
            text::short(rows.iter().filter_map(late_force).fold(0.0, f64::max))
        ),
        verdict: match (times.is_empty(), kept) {
            (false, 0) => Verdict::Confirmed,
            (false, _) => Verdict::Partly,
            _ => Verdict::NotConfirmed,
        },
    }
}
