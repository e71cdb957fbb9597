//! The nine grasps with the paper's law and the paper's integrator, and the
//! cubes with the direction as printed; takes an hour.

use std::sync::Mutex;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::steps::{cargo, command, output, run};
use crate::{root, target_dir};

const PAGE: &str = "docs/grasps.md";
const BEGIN: &str = "<!-- written by `cargo xtask paper` -->";
const END: &str = "<!-- end of what is written -->";
/// Runs at the same time.
const WORKERS: usize = 2;

/// Grippers and objects; the first scene takes longest.
const GRIPPERS: [&str; 3] = ["g2p", "g2r", "g3r"];
const OBJECTS: [&str; 3] = ["cube", "sphere", "bunny"];

/// One run: a scene, and whether the direction is as printed.
type Job = (String, bool);

/// Runs all of them and writes the table into the page.
pub fn write_table() -> Result<()> {
    let build = ["build", "--profile", "quick", "-p", "volar-cli"];
    run(&mut cargo(&build))?;
    let scenes = GRIPPERS
        .iter()
        .flat_map(|gripper| OBJECTS.map(|object| format!("{gripper}-{object}")));
    let mut jobs: Vec<Job> = scenes.map(|scene| (scene, false)).collect();
    jobs.extend(GRIPPERS.map(|gripper| (format!("{gripper}-cube"), true)));
    let next = Mutex::new(0..jobs.len());
    let rows = Mutex::new(vec![String::new(); jobs.len()]);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|_| {
                scope.spawn(|| -> Result<()> {
                    loop {
                        let job = lock(&next).next();
                        let Some(job) = job else { return Ok(()) };
                        let row = row(&jobs[job])?;
                        println!("{row}");
                        lock(&rows)[job] = row;
                    }
                })
            })
            .collect();
        let done = workers.into_iter().map(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        done.collect::<Result<()>>()
    })?;
    let rows = lock(&rows).join("\n");
    let table = format!(
        "| scene | direction | outcome | moved against the palm, 2 s to 10 s (mm) | creep at the end (mm/s) | normal forces (N) | evaluations | wall (s) | simulated over wall time |\n\
         |---|---|---|--:|--:|---|--:|--:|--:|\n{rows}\n"
    );
    replace_part(&table)
}

/// A lock whose holder panicked is as good as any other: the panic is passed on.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Runs one scene; its row of the table.
fn row((scene, printed): &Job) -> Result<String> {
    let volar = target_dir().join("quick").join("volar");
    let law = ["run", scene, "--law", "paper", "--integrator", "rk45"];
    let mut command = command(volar, &law);
    if *printed {
        command.args(["--set", "contact.paper.printed_direction=true"]);
    }
    // A run that fails on the way exits with 1, and is a row like any other.
    let text = output_of_any_end(command.arg("--json"))?;
    let summary: Value = serde_json::from_str(&text).context("summary of `volar run`")?;
    let number = |key: &str| summary[key].as_f64();
    let shown = |value: Option<f64>, digits: usize| {
        value.map_or_else(|| "–".into(), |value| format!("{value:.digits$}"))
    };
    let outcome = match &summary["failure"] {
        Value::Null => "held".to_owned(),
        failure => format!(
            "{} at {:.3} s",
            failure["what"].as_str().unwrap_or_default(),
            failure["time_s"].as_f64().unwrap_or_default()
        ),
    };
    let forces = summary["normal_force_n"].as_object();
    let forces: Vec<String> = forces
        .into_iter()
        .flat_map(|forces| forces.values())
        .map(|force| shown(force.as_f64(), 2))
        .collect();
    Ok(format!(
        "| {scene} | {} | {outcome} | {} | {} | {} | {} | {} | {} |",
        if *printed { "printed" } else { "ours" },
        shown(number("drift_mm"), 2),
        shown(number("creep_um_per_s").map(|creep| 1.0e-3 * creep), 3),
        forces.join(" / "),
        shown(number("evaluations"), 0),
        shown(number("wall_s"), 0),
        shown(number("real_time_factor"), 4),
    ))
}

/// What `volar run` prints, unless the scene was not usable.
fn output_of_any_end(command: &mut std::process::Command) -> Result<String> {
    let done = command.output().context("cannot start `volar`")?;
    match done.status.code() {
        Some(0 | 1) => Ok(String::from_utf8_lossy(&done.stdout).into_owned()),
        _ => output(command),
    }
}

/// Puts a table into the marked part of the page.
fn replace_part(table: &str) -> Result<()> {
    let page = root().join(PAGE);
    let text = std::fs::read_to_string(&page)?;
    let missing = || format!("{PAGE} has no `{BEGIN}` or no `{END}`");
    let (before, rest) = text.split_once(BEGIN).with_context(missing)?;
    let (_, after) = rest.split_once(END).with_context(missing)?;
    std::fs::write(page, format!("{before}{BEGIN}\n\n{table}\n{END}{after}"))?;
    Ok(())
}
