//! No result gets worse with a tighter tolerance: at the end of its run the object of a
//! built-in scene moves no faster than at the looser tolerance, but for a tenth and 0.1 µm/s.
//!
//! `VOLAR_TOLERANCES=all cargo test --release -p volar-run --test suite -- tolerance:: --nocapture`
//! runs every scene at three tolerances and holds the table of `docs/grasps.md` to it; without
//! it the slow ones are left out, and the finest tolerance is only sampled. The same for
//! shapes with teeth and tips is in `shapes.rs`.

use std::fmt::Write as _;

use volar_run::{Options, Summary, execute};
use volar_scene::builtin;

use crate::common::{page, scene};

const TOLERANCES: [f64; 3] = [1.0e-3, 1.0e-4, 1.0e-5];
/// Slow at finer tolerances. Of the rows of blocks the shortest and the longest are enough.
fn is_slow(name: &str) -> bool {
    let rows = name.starts_with("row-") && !["row-1", "row-11"].contains(&name);
    rows || ["shadow-bunny", "pull-bunny", "lift-bunny"].contains(&name)
}

/// A lift sets the object down and lets go of it before it is at rest.
fn at_rest(name: &str) -> &'static [&'static str] {
    match name.starts_with("lift-") {
        true => &["grasp.from=8.0", "grasp.until=10.0"],
        false => &[],
    }
}

/// Of the others one in so many is run at the finest tolerance too.
const SAMPLED: usize = 3;
/// How far from the centre of an object rotation counts as motion, m.
const LEVER: f64 = 0.03;

/// How fast an object still moves over the last second, µm/s: its centre, and its surface
/// about the centre.
fn speeds(summary: &Summary) -> [f64; 2] {
    let creep = summary.creep_um_per_s.unwrap_or(f64::NAN);
    let turn = summary.creep_deg_per_s.unwrap_or(f64::NAN);
    [creep, 1.0e6 * LEVER * turn.to_radians()]
}

#[test]
fn a_tighter_tolerance_never_moves_faster_at_rest() {
    let all = std::env::var("VOLAR_TOLERANCES").is_ok_and(|value| value == "all");
    let mut jobs = Vec::new();
    for (number, builtin) in builtin::all().iter().enumerate() {
        let has_object = scene(&builtin.name, &[]).grasp.is_some();
        for (finer, tolerance) in TOLERANCES.into_iter().enumerate() {
            let sampled = !is_slow(&builtin.name) && (finer < 2 || number % SAMPLED == 0);
            if has_object && (all || sampled) {
                jobs.push((builtin.name.clone(), tolerance));
            }
        }
    }
    let run = |(): &mut (), k: usize| {
        let (name, tolerance) = &jobs[k];
        let mut overrides = vec![format!("integrator.tolerance={tolerance:?}")];
        overrides.extend(at_rest(name).iter().map(|&entry| entry.to_owned()));
        let setup = scene(name, &overrides);
        let outcome = execute(&setup, &Options::default(), &mut []).unwrap();
        (speeds(&outcome.summary), outcome.summary.evaluations)
    };
    let done = volar_testkit::parallel::map_with(jobs.len(), || (), run);

    let mut table = String::from(
        "| scene | tolerance | evaluations | centre µm/s | surface about it µm/s |\n|---|---|--:|--:|--:|\n",
    );
    let mut worse = Vec::new();
    for (k, ((name, tolerance), (speeds, evaluations))) in jobs.iter().zip(&done).enumerate() {
        let [centre, surface] = speeds;
        writeln!(
            table,
            "| {name} | {tolerance:e} | {evaluations} | {centre:.3} | {surface:.3} |"
        )
        .unwrap();
        let before = k.checked_sub(1).filter(|&before| jobs[before].0 == *name);
        // Not a number fails too.
        let looser = before.map_or([f64::INFINITY; 2], |before| done[before].0);
        if !(0..2).all(|i| speeds[i] <= 1.1 * looser[i] + 0.1) {
            worse.push(format!(
                "{name} at {tolerance:e}: {speeds:?} after {looser:?} µm/s"
            ));
        }
    }
    println!("{table}");
    assert!(worse.is_empty(), "\n{}", worse.join("\n"));
    if all {
        page::check("grasps.md", "tolerances", &table);
    }
}
