//! Neighbours of the nine grasps: other masses, poses, frictions, pads, meshes
//! and objects. Every object is held, or statics says why not; whatever still
//! moves after two seconds does so by the equations and not by the method.
//!
//! `VOLAR_NEIGHBOURS=2400` runs so many cases instead of a few.

use crate::common::cases::{Case, KINDS};
use crate::common::hinges::GRAVITY;
use crate::common::statics::{BALANCED, unbalance};
use crate::common::{scene_in, trial};
use volar_run::{FailureKind, Summary};
use volar_sim::BodyId;

/// Cases without the variable: every object six times with every gripper.
const CASES: usize = 6 * 3 * KINDS.len();
/// An object farther than this from its start is lost, m.
const LOST: f64 = 0.025;
/// Measured drift may differ so much from that at a tenth of the tolerance, m
/// and relative. What moves is a neutral sway, and its start is set by the
/// order of the first touches.
const SAME: (f64, f64) = (2.0e-5, 0.2);

/// What statics says about a case.
#[derive(Debug)]
enum Verdict {
    /// Held, with so much out of balance in the end.
    Held(f64),
    /// Fell: free fall until the second finger touches, then braked by friction
    /// over this distance altogether, m.
    Fell(f64),
    /// On this part of the second half of its way out, as far as it was not braked, no
    /// forces within Coulomb's cones could have kept it at rest.
    NoBalance(f64),
}

struct Row {
    case: Case,
    summary: Summary,
    verdict: Verdict,
    /// Drift at a tenth of the tolerance, mm, where something moves.
    checked: Option<f64>,
}

impl Row {
    fn moves(&self) -> bool {
        let over = |value: Option<f64>, limit| value.is_some_and(|v| v > limit);
        over(self.summary.creep_um_per_s, 0.1)
            || over(self.summary.slip_um, 1.0e-3)
            || over(self.summary.drift_mm, 0.1)
    }

    fn text(&self) -> String {
        let (c, s) = (&self.case, &self.summary);
        let shown = |value: Option<f64>| value.unwrap_or(f64::NAN);
        format!(
            "{:4} {} {:14} {:5.3} kg  mu {:.2}  pad {:.1e}  drift {:8.1e} mm  creep {:8.1e} um/s  slip {:8.1e} um  {:5} steps  {:.2} s  {:?}{}",
            c.number,
            c.gripper,
            c.kind,
            c.mass,
            c.friction,
            c.pad,
            shown(s.drift_mm),
            shown(s.creep_um_per_s),
            shown(s.slip_um),
            s.steps,
            s.wall_s,
            self.verdict,
            self.checked
                .map_or(String::new(), |d| format!("  drift at 1e-4 {d:8.1e} mm")),
        )
    }

    /// What is wrong with it.
    fn complaint(&self) -> Option<String> {
        let held = [FailureKind::Dropped, FailureKind::TooFewFingers];
        let failure = self.summary.failure.as_ref();
        if failure.is_some_and(|failure| !held.contains(&failure.kind)) {
            return failure.map(|failure| failure.what.clone());
        }
        let explained = match self.verdict {
            // A sway is no balance: its dampers carry a little.
            Verdict::Held(left) => left < BALANCED || self.moves(),
            Verdict::Fell(distance) => distance > 0.8 * LOST,
            // One that is caught again after some 26 mm is balanced for moments before.
            Verdict::NoBalance(part) => part > 0.8,
        };
        if !explained {
            return Some("not explained by statics".into());
        }
        let (drift, checked) = (self.summary.drift_mm?, self.checked?);
        let apart = (drift - checked).abs();
        (apart > 1.0e3 * SAME.0 + SAME.1 * checked)
            .then(|| format!("drift {drift} mm, but {checked} mm at a tenth of the tolerance"))
    }
}

fn study(number: usize) -> Option<Row> {
    let folder = tempfile::tempdir().unwrap();
    let case = Case::draw(number, folder.path())?;
    let grasp = case.setup.grasp.clone().unwrap();
    let mut gripped = None;
    let done = trial(&case.setup, |simulation| {
        if gripped.is_none() {
            let contacts = simulation.contacts();
            let loaded = |links: &[BodyId]| {
                let mut all = contacts.iter().filter(|c| c.normal_force > 0.0);
                all.any(|c| links.contains(&c.a) || links.contains(&c.b))
            };
            let fingers = grasp.fingers.iter().filter(|f| loaded(&f.links)).count();
            gripped = (fingers >= 2).then(|| simulation.time());
        }
    });
    let verdict = match done.summary.held {
        Some(true) => Verdict::Held(unbalance(&case.setup, done.run.simulation(), case.friction)),
        _ => why_lost(&case, gripped.unwrap_or(f64::INFINITY)),
    };
    let mut row = Row {
        case,
        summary: done.summary,
        verdict,
        checked: None,
    };
    if matches!(row.verdict, Verdict::Held(_)) && row.moves() {
        let mut overrides = row.case.overrides.clone();
        overrides.push("integrator.tolerance=1e-4".into());
        let finer = scene_in(folder.path(), &row.case.base, &overrides);
        row.checked = trial(&finer, |_| {}).summary.drift_mm;
    }
    Some(row)
}

/// Statics of an object that was lost.
fn why_lost(case: &Case, gripped: f64) -> Verdict {
    let grasp = case.setup.grasp.clone().unwrap();
    let g = GRAVITY.length();
    let fingers = grasp.fingers.len() as f64;
    let least = least_force(case.gripper, case.mass * g / fingers);
    let friction = fingers * case.friction * least / case.mass;
    let braked = (g * gripped).powi(2) / (2.0 * (friction - g));
    let fall = 0.5 * g * gripped * gripped + braked;
    if friction <= g || fall > 0.8 * LOST {
        return Verdict::Fell(if friction > g { fall } else { f64::INFINITY });
    }
    let (mut start, mut next, mut gone) = (None, 0.0, false);
    let (mut seen, mut impossible, mut speed) = (0.0, 0.0, 0.0);
    trial(&case.setup, |simulation| {
        if gone || simulation.time() < next {
            return;
        }
        next = simulation.time() + 2.0e-3;
        let place = simulation.pose(grasp.object).point(grasp.centre);
        let moved = (place - *start.get_or_insert(place)).length();
        gone = moved > LOST;
        let speed_before = speed;
        speed = simulation.velocity(grasp.object).linear.length();
        if moved > 0.5 * LOST && !gone && speed >= speed_before {
            seen += 1.0;
            let left = unbalance(&case.setup, simulation, case.friction);
            impossible += f64::from(u8::from(left > BALANCED));
        }
    });
    Verdict::NoBalance(if seen > 0.0 { impossible / seen } else { 0.0 })
}

/// The normal force of a finger that touches with its tip and carries a weight,
/// N: balance about its last hinge, with a lever of 79.2 mm and 15 mm for the
/// weight in g2r, of 60 mm and 8 mm in g3r.
fn least_force(gripper: &str, weight: f64) -> f64 {
    match gripper {
        "g2p" => 10.0,
        "g2r" => (0.75 - 0.015 * weight) / 0.0792,
        _ => (0.48 - 0.008 * weight) / 0.06,
    }
}

fn sweep(numbers: impl Iterator<Item = usize>) -> Vec<String> {
    let numbers: Vec<usize> = numbers.collect();
    let work = |(): &mut (), k: usize| study(numbers[k]);
    let rows = volar_testkit::parallel::map_with(numbers.len(), || (), work);
    let rows: Vec<Row> = rows.into_iter().flatten().collect();
    let held = rows
        .iter()
        .filter(|r| matches!(r.verdict, Verdict::Held(_)));
    let worst = |value: fn(&Row) -> f64| rows.iter().map(value).fold(0.0, f64::max);
    let quiet = rows.iter().filter(|r| r.checked.is_none());
    println!(
        "{} cases, {} held; {} of these at rest after 2 s, the others moved by up to {:.2} mm, creeping by up to {:.0} um/s",
        rows.len(),
        held.clone().count(),
        held.clone().count() - held.clone().filter(|r| r.moves()).count(),
        held.clone()
            .filter_map(|r| r.summary.drift_mm)
            .fold(0.0, f64::max),
        held.filter_map(|r| r.summary.creep_um_per_s)
            .fold(0.0, f64::max),
    );
    println!(
        "steps: mean {:.0}, worst {:.0}; worst wall time {:.2} s; {} compared with a tenth of the tolerance",
        rows.iter().map(|r| r.summary.steps as f64).sum::<f64>() / rows.len() as f64,
        worst(|r| r.summary.steps as f64),
        worst(|r| r.summary.wall_s),
        rows.len() - quiet.count(),
    );
    let mut wrong = Vec::new();
    for row in &rows {
        if !matches!(row.verdict, Verdict::Held(_)) || row.checked.is_some() {
            println!("{}", row.text());
        }
        if let Some(complaint) = row.complaint() {
            let command = row.case.command();
            wrong.push(format!("{}\n  {complaint}\n  {command}", row.text()));
        }
    }
    wrong
}

#[test]
fn neighbours_are_held_or_lost_for_a_reason() {
    let count = std::env::var("VOLAR_NEIGHBOURS").ok();
    let count = count.map_or(CASES, |n| n.parse().unwrap());
    let wrong = sweep(0..count);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
