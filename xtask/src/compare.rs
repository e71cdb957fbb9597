//! The built-in scenes in other engines, into one page.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::steps::{cargo, command, output, run};
use crate::{root, target_dir};

const PAGE: &str = "docs/comparison.md";
/// All scenes are this long, s: enough for a grasp to settle, short enough for Drake.
const SECONDS: &str = "4";
/// Wall time of one engine, s.
const LIMIT: &str = "120";

/// Drake takes minutes for a scene: it is run with these alone.
const WITH_DRAKE: [&str; 3] = ["g2p-cube", "g2p-sphere", "g2r-sphere"];

/// Instead of names of scenes: no run, only the page, from what was run before.
const PAGE_ONLY: &str = "--page";

/// Before all else, with a path: run this program, build nothing.
const OTHER_PROGRAM: &str = "--volar";

/// Runs the scenes that are named, or all of them, and writes the page. Scenes that were run
/// neither now nor before on this machine keep the rows that the page has, so that it can be
/// completed in pieces.
pub fn write_page(names: &[&str]) -> Result<()> {
    let (volar, names) = match names {
        [OTHER_PROGRAM, program, names @ ..] => (PathBuf::from(program), names),
        names => {
            let build = ["build", "--profile", "quick", "-p", "volar-cli"];
            run(cargo(&build).args(["--bin", "volar"]))?;
            (target_dir().join("quick").join("volar"), names)
        }
    };
    let folder = target_dir().join("compare");
    std::fs::create_dir_all(&folder)?;
    let listed = output(&mut command(&volar, &["scenes"]))?;
    let scenes: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    if names == [PAGE_ONLY] {
        return write(&scenes, &folder);
    }
    // A name that is mistyped would otherwise run nothing, without a word.
    if let Some(unknown) = names.iter().find(|name| !scenes.contains(name)) {
        bail!(
            "there is no built-in scene `{unknown}`; there are {}",
            scenes.join(", ")
        );
    }
    for scene in &scenes {
        if !names.is_empty() && !names.contains(scene) {
            continue;
        }
        let options = ["--duration", SECONDS, "--limit-wall", LIMIT, "--out"];
        let engines = match WITH_DRAKE.contains(scene) {
            true => "bullet,mujoco,drake",
            false => "bullet,mujoco",
        };
        let mut compare = command(&volar, &["compare", scene, "--engines", engines]);
        if let Some(python) = std::env::var_os("VOLAR_ENGINES_PYTHON") {
            compare.arg("--python").arg(python);
        }
        run(compare.args(options).arg(folder.join(scene)))?;
        // What was run is kept, whatever becomes of the next one.
        write(&scenes, &folder)?;
    }
    write(&scenes, &folder)
}

fn write(scenes: &[&str], folder: &Path) -> Result<()> {
    let before = std::fs::read_to_string(root().join(PAGE)).unwrap_or_default();
    let mut rows = Vec::new();
    let mut settings: Vec<String> = Vec::new();
    let mut missing = Vec::new();
    for scene in scenes {
        let path: PathBuf = folder.join(scene).join("compare.json");
        let Ok(text) = std::fs::read_to_string(&path) else {
            let begin = format!("| {scene} |");
            let kept: Vec<&str> = before.lines().filter(|l| l.starts_with(&begin)).collect();
            if kept.is_empty() {
                missing.push(*scene);
            }
            rows.extend(kept.into_iter().map(str::to_owned));
            continue;
        };
        let all: Value = serde_json::from_str(&text).context("compare.json")?;
        for entry in all["rows"].as_array().into_iter().flatten() {
            rows.push(row(scene, entry));
            let line = setting(entry);
            if !line.is_empty() && !settings.contains(&line) {
                settings.push(line);
            }
        }
    }
    // Settings of rows that were kept.
    for line in before.lines().filter(|line| line.starts_with("- ")) {
        let engine_and_setting = |line: &str| line.split(':').next().map(str::to_owned);
        let known = settings
            .iter()
            .any(|s| engine_and_setting(s) == engine_and_setting(line));
        if !known {
            settings.push(line.to_owned());
        }
    }
    let missing = match missing.is_empty() {
        true => String::new(),
        false => format!("\nNot run: {}.\n", missing.join(", ")),
    };
    let page = format!(
        "# The built-in scenes in other engines\n\n\
         Written by `cargo xtask compare`: `volar compare SCENE --duration {SECONDS}` for every scene \
         ([compare.md](compare.md) says what the columns and the settings are). An engine that is \
         not done after {LIMIT} s of wall time, or cannot run a scene, has a row that says so. Drake takes \
         minutes for a scene and was run with {} only. \
         Scenes are cut off at {SECONDS} s; drift is that from 2 s on. Processor times \
         are of one run each, on a machine with other work.\n\n\
         | scene | engine | settings | held | drift (mm) | rotation (°) | creep (µm/s) | steady (N) | \
         unbalanced (N) | peak (N) | processor (s) |\n\
         |---|---|---|---|--:|--:|--:|---|--:|--:|--:|\n{}\n{missing}\n## Settings\n\n{}\n",
        WITH_DRAKE.join(", "),
        rows.join("\n"),
        settings.join("\n"),
    );
    std::fs::write(root().join(PAGE), page)?;
    Ok(())
}

fn row(scene: &str, entry: &Value) -> String {
    let word = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    let head = format!("| {scene} | {} | {} |", word("engine"), word("setting"));
    if let Some(why) = entry["cannot"].as_str() {
        let why = why.replace('|', "/").replace('\n', " ");
        return format!("{head} cannot: {why} | | | | | | | |");
    }
    let summary = &entry["summary"];
    let lost = entry["lost_at_s"].as_f64();
    let held = match (summary["held"].as_bool(), lost) {
        (Some(true), _) => "yes".to_owned(),
        (_, Some(t)) => format!("no, lost at {t:.2} s"),
        _ => "no".to_owned(),
    };
    let forces = summary["normal_force_n"].as_object();
    let forces: Vec<String> = forces
        .into_iter()
        .flat_map(|forces| forces.values())
        .map(short)
        .collect();
    let figures = [
        short(&summary["drift_mm"]),
        short(&summary["rotation_deg"]),
        short(&summary["creep_um_per_s"]),
        forces.join(" / "),
        short(&entry["unbalanced_n"]),
        short(&entry["peak_n"]),
        short(&entry["processor_s"]),
    ];
    format!("{head} {held} | {} |", figures.join(" | "))
}

/// Three significant digits.
fn short(value: &Value) -> String {
    match value.as_f64() {
        None => "–".into(),
        Some(x) if x.abs() < 1e-6 => "0".into(),
        Some(x) => match x.abs() {
            0.01..0.1 => format!("{x:.4}"),
            0.1..1.0 => format!("{x:.3}"),
            1.0..10.0 => format!("{x:.2}"),
            10.0..100.0 => format!("{x:.1}"),
            100.0..1e5 => format!("{x:.0}"),
            _ => format!("{x:.1e}"),
        },
    }
}

/// What an engine was set to, once.
fn setting(entry: &Value) -> String {
    let words = |key: &str| {
        let lines = entry[key].as_array().into_iter().flatten();
        let lines = lines.filter_map(|line| line.as_str().map(str::to_owned));
        lines.collect::<Vec<_>>()
    };
    let (engine, lines) = (
        entry["engine"].as_str().unwrap_or_default(),
        words("settings"),
    );
    match lines.is_empty() || engine == "volar" {
        true => String::new(),
        false => format!(
            "- {engine} {}, {}: {}",
            entry["version"].as_str().unwrap_or_default(),
            entry["setting"].as_str().unwrap_or_default(),
            lines.join("; ")
        ),
    }
}
