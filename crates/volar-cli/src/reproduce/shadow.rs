//! The Shadow Hand with the bunny.

use super::report::{Claim, Figure, Section, Verdict};
use super::scene;
use crate::compare::{Bench, Compared, compare, engines, ours, plot, text};
use volar_scene::Setup;

/// The row after that of our own law.
const PAPER: usize = 1;
/// Coordinates of the bunny: position and quaternion.
const OF_A_FREE_BODY: usize = 7;

pub fn run(bench: &Bench<'_>, full: bool) -> anyhow::Result<Section> {
    let names: &[&str] = if full {
        &["bullet", "mujoco", "drake"]
    } else {
        &["bullet", "mujoco"]
    };
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let settings = ["default".to_owned(), "careful".to_owned()];
    let setup = scene("shadow-bunny", &[])?;
    let mut comparison = compare(bench, setup, &engines::chosen(&names)?, &settings)?;
    let paper = Compared::new(scene("shadow-bunny", &["contact.law=\"paper\""])?)?;
    let paper = ours::run(&paper, "paper's law", bench.limits.stopped)?;
    comparison.rows.insert(PAPER, paper);
    let end = comparison.scene.setup.scene.spec.duration;
    let own = &comparison.rows[0];
    let figure = |row: &crate::compare::Row| {
        let title = format!("{}, {}", row.engine, row.setting);
        let drawn = plot::ForcePlot {
            title: &title,
            fingers: &comparison.scene.fingers,
            ours: &own.series,
            other: Some(&row.series),
            split: plot::transient_end(&own.series, end),
            end,
        };
        Figure {
            name: format!("shadow-{}-{}", row.engine, row.setting),
            svg: drawn.draw(),
            data: drawn.data(),
        }
    };
    let others = comparison.rows[PAPER + 1..]
        .iter()
        .filter(|row| row.summary.is_some());
    let held = |row: &crate::compare::Row| row.summary.as_ref().and_then(|s| s.held) == Some(true);
    let outcome = |row: &crate::compare::Row| match (&row.cannot, row.lost_at_s) {
        (Some(why), _) => format!("{} ({}) cannot: {why}", row.engine, row.setting),
        (None, Some(t)) => format!("{} ({}) loses it at {t:.1} s", row.engine, row.setting),
        (None, None) if !held(row) => {
            let verdict = row.summary.as_ref().and_then(|s| s.verdict.clone());
            let verdict = verdict.unwrap_or_default();
            format!("{} ({}): {verdict}", row.engine, row.setting)
        }
        (None, None) => format!("{} ({}) holds it", row.engine, row.setting),
    };
    let said: Vec<String> = comparison.rows.iter().map(outcome).collect();
    let both = held(own) && held(&comparison.rows[PAPER]);
    let fails = comparison.rows[PAPER + 1..]
        .iter()
        .filter(|row| row.summary.is_some())
        .all(|row| !held(row));
    Ok(Section {
        name: "shadow",
        title: "The Shadow Hand with the bunny",
        text:
            "The hand closes, then gravity turns over; other engines take the hull of the bunny at \
               their defaults, convex pieces with care. Volar solid, the other engine dashed."
                .into(),
        heads: text::COLUMNS.to_vec(),
        rows: comparison
            .rows
            .iter()
            .map(|row| text::cells(&comparison, row))
            .collect(),
        figures: others.map(figure).collect(),
        claims: vec![
            joints(&comparison.scene.setup),
            Claim {
                says: "the constraint-based approach fails at about 5.8 s with the Shadow Hand; the \
                   proposed one behaves as desired",
                measured: said.join("; "),
                verdict: match (both, fails) {
                    (true, true) => Verdict::Confirmed,
                    (true, false) | (false, true) => Verdict::Partly,
                    (false, false) => Verdict::NotConfirmed,
                },
            },
        ],
    })
}

fn joints(setup: &Setup) -> Claim {
    let (joints, driven) = (setup.start.q.len() - OF_A_FREE_BODY, setup.drives.len());
    Claim {
        says: "the hand has 24 joints and 20 degrees of freedom",
        measured: format!(
            "ours, of primitives with the same kinematics, has {joints} joints and {driven} drives: \
             the last two joints of each finger but the thumb share one"
        ),
        verdict: Verdict::of(joints == 24 && driven == 20),
    }
}
