//! The sweep that a command line describes.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use volar_sweep::{SweepSpec, axis_entry, builtin};

#[derive(clap::Args)]
pub struct SpecArgs {
    /// Sweep file, built-in sweep (paper-gain-stiffness, paper-gain-depth), scene file or
    /// built-in scene.
    sweep: Option<String>,

    /// An axis, as in body.bunny.mass=0.1..1:log:20; may be repeated.
    #[arg(long = "axis", value_name = "PATH=VALUES")]
    axes: Vec<String>,

    /// Set an entry of the scene in all runs, as in duration=3; may be repeated.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    set: Vec<String>,

    /// Runs of every point of the grid, each with its own draws of the random axes.
    #[arg(long, value_name = "N")]
    repeats: Option<u64>,

    /// Seed of the random axes.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// A figure of the summary to keep; may be repeated; all if not given.
    #[arg(long = "figure", value_name = "NAME")]
    figures: Vec<String>,

    /// End every run after so many evaluations of the equations of motion.
    #[arg(long, value_name = "N")]
    limit_evaluations: Option<u64>,
}

impl SpecArgs {
    /// The sweep, and the folder that its scenes are relative to.
    pub fn read(&self) -> anyhow::Result<(SweepSpec, PathBuf)> {
        let Some(name) = &self.sweep else {
            bail!("which sweep? give a sweep file, or a scene with --axis");
        };
        let (mut spec, beside) = base(name)?;
        for axis in &self.axes {
            spec.axes.push(axis_entry(axis)?);
        }
        for set in &self.set {
            let (path, value) = set
                .split_once('=')
                .with_context(|| format!("--set {set}: expected `path=value`"))?;
            let table: Option<toml::Table> = toml::from_str(&format!("value = {value}")).ok();
            let value = table.and_then(|mut table| table.remove("value"));
            let value = value.unwrap_or_else(|| {
                let text = set.split_once('=').map_or("", |(_, value)| value.trim());
                toml::Value::String(text.to_owned())
            });
            spec.set.insert(path.trim().to_owned(), value);
        }
        spec.repeats = self.repeats.unwrap_or(spec.repeats);
        spec.seed = self.seed.unwrap_or(spec.seed);
        spec.limit_evaluations = self.limit_evaluations.or(spec.limit_evaluations);
        if !self.figures.is_empty() {
            spec.figures.clone_from(&self.figures);
        }
        if spec.axes.is_empty() {
            bail!("nothing varies: give an --axis, as in --axis duration=1,2,3");
        }
        Ok((spec, beside))
    }
}

/// The sweep of a file, a built-in one, or one of a scene that has no axes yet.
fn base(name: &str) -> anyhow::Result<(SweepSpec, PathBuf)> {
    let path = Path::new(name);
    if !path.is_file()
        && let Some(text) = builtin(name)
    {
        return Ok((SweepSpec::parse(name, text)?, PathBuf::new()));
    }
    if path.is_file() {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        if SweepSpec::is_one(&text) {
            let beside = path.parent().unwrap_or(Path::new("")).to_owned();
            return Ok((SweepSpec::parse(name, &text)?, beside));
        }
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let own = match &*stem {
        // Scenes of folders.
        "scene" => path
            .parent()
            .and_then(Path::file_name)
            .unwrap_or_default()
            .to_string_lossy(),
        _ => stem,
    };
    let spec = SweepSpec {
        name: own.into_owned(),
        scene: name.to_owned(),
        repeats: 1,
        ..SweepSpec::default()
    };
    Ok((spec, PathBuf::new()))
}
