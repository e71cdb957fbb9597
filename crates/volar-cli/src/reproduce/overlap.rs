//! Bodies that overlap at the start, which constraints cannot say.

use super::report::{Claim, Section, Verdict};
use super::scene;
use crate::compare::{Bench, Compared, Row, compare, engines, ours, text};

/// Both fingers begin some 2 mm inside the ball.
const DEEP: [&str; 4] = [
    "start=\"as-is\"",
    "duration=4.0",
    "robot.gripper.joints.hinge_1.start=0.1",
    "robot.gripper.joints.hinge_2.start=0.1",
];
const OTHERS: [&str; 2] = ["bullet", "mujoco"];

pub fn run(bench: &Bench<'_>) -> anyhow::Result<Section> {
    let names = OTHERS.map(str::to_owned);
    let settings = ["default".to_owned(), "careful".to_owned()];
    let setup = scene("g2r-sphere", &DEEP)?;
    let mut comparison = compare(bench, setup, &engines::chosen(&names)?, &settings)?;
    let law = ["contact.law=\"paper\""].as_slice();
    let paper = Compared::new(scene("g2r-sphere", &[DEEP.as_slice(), law].concat())?)?;
    let paper = ours::run(&paper, "paper's law", bench.limits.stopped)?;
    comparison.rows.insert(1, paper);
    let outcome = |row: &Row| {
        let who = format!("{} ({})", row.engine, row.setting);
        match (&row.cannot, held(row)) {
            (Some(why), _) => format!("{who} cannot: {why}"),
            (None, true) => format!("{who} holds it"),
            (None, false) => format!("{who} loses it"),
        }
    };
    let said: Vec<String> = comparison.rows.iter().map(outcome).collect();
    let others = comparison.rows[2..].iter().filter(|r| r.cannot.is_none());
    let (failed, all) = (
        others.clone().filter(|row| !held(row)).count(),
        others.count(),
    );
    Ok(Section {
        name: "overlap",
        title: "Fingers that begin inside the ball",
        text: "`g2r-sphere`, both hinges at 0.1 rad: the fingers begin 2 mm inside the ball, and \
               nothing is done about it. Four seconds."
            .into(),
        heads: text::COLUMNS.to_vec(),
        rows: comparison
            .rows
            .iter()
            .map(|row| text::cells(&comparison, row))
            .collect(),
        figures: Vec::new(),
        claims: vec![
            Claim {
                says: "when an overlap occurs, methods that solve a complementarity problem \
                       typically fail",
                measured: said.join("; "),
                verdict: match failed {
                    0 => Verdict::NotConfirmed,
                    n if n == all => Verdict::Confirmed,
                    _ => Verdict::Partly,
                },
            },
            Claim {
                says: "the proposed method accounts for overlaps: they are pushed apart",
                measured: format!(
                    "the paper's law: {}",
                    outcome(&comparison.rows[1]).replace("volar (paper's law) ", "")
                ),
                verdict: Verdict::of(held(&comparison.rows[1])),
            },
        ],
    })
}

fn held(row: &Row) -> bool {
    row.summary.as_ref().and_then(|summary| summary.held) == Some(true)
}
