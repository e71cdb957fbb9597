//! Scenes on the command line: loading one, listing the built-ins, writing one
//! out, the schema.

use std::io::Write;
use std::path::{Path, PathBuf};

use volar_scene::{Scene, SceneError, Setup, builtin};

use crate::Status;

/// Which scene, with what changed.
#[derive(clap::Args)]
pub struct SceneArgs {
    /// Scene file, or the name of a built-in scene (`volar scenes` lists them).
    scene: String,

    /// Set an entry of the scene, as in body.0.mass=0.5; may be repeated.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    set: Vec<String>,

    /// Law of contact: foundation or paper.
    #[arg(long, value_name = "LAW")]
    law: Option<String>,

    /// Integrator: implicit or rk45.
    #[arg(long, value_name = "NAME")]
    integrator: Option<String>,

    /// Relative tolerance of the integrator.
    #[arg(long, value_name = "NUMBER")]
    tolerance: Option<f64>,

    /// Bodies that start in each other: as-is, relaxed or gentle.
    #[arg(long, value_name = "HOW")]
    start: Option<String>,

    /// Simulated time, s.
    #[arg(long, value_name = "SECONDS")]
    duration: Option<f64>,
}

impl SceneArgs {
    /// The scene as it was given.
    pub fn name(&self) -> &str {
        &self.scene
    }

    fn overrides(&self) -> Vec<String> {
        let mut all = Vec::new();
        let mut add = |path: &str, value: Option<String>| {
            all.extend(value.map(|value| format!("{path}={value}")));
        };
        add(
            "contact.law",
            self.law.as_ref().map(|law| format!("{law:?}")),
        );
        let method = self.integrator.as_ref();
        add("integrator.method", method.map(|name| format!("{name:?}")));
        add("integrator.tolerance", self.tolerance.map(number));
        let start = self.start.as_ref();
        add("start", start.map(|how| format!("{how:?}")));
        add("duration", self.duration.map(number));
        all.extend(self.set.iter().cloned());
        all
    }
}

/// A number as TOML writes floats.
fn number(value: f64) -> String {
    format!("{value:?}")
}

/// Loads a scene with what was changed on the command line.
pub fn load(args: &SceneArgs) -> Result<Setup, SceneError> {
    let path = Path::new(&args.scene);
    let is_builtin = !path.is_file() && builtin::find(&args.scene).is_some();
    if is_builtin && path.join("scene.toml").is_file() {
        // After `volar new` in this folder one may well mean the other.
        eprintln!(
            "note: this is the built-in scene; that of your folder is {0}/scene.toml",
            args.scene
        );
    }
    Scene::open(&args.scene)?.with(&args.overrides())?.compile()
}

/// List the built-in scenes.
#[derive(clap::Args)]
pub struct ListArgs {
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

pub fn list(args: &ListArgs) -> Status {
    let scenes = builtin::all();
    let mut out = std::io::stdout().lock();
    if args.json {
        let scenes: Vec<_> = scenes
            .iter()
            .map(|scene| serde_json::json!({"name": scene.name, "description": scene.description}))
            .collect();
        let _ = writeln!(out, "{}", serde_json::Value::from(scenes));
        return crate::SUCCESS;
    }
    for scene in scenes {
        let _ = writeln!(out, "{:14}{}", scene.name, scene.description);
    }
    crate::SUCCESS
}

/// Write a built-in scene with its files into a folder, as a starting point.
#[derive(clap::Args)]
#[command(after_long_help = "\
Example:
  volar new g2r-bunny my-grasp
  volar run my-grasp/scene.toml")]
pub struct NewArgs {
    /// Name of a built-in scene.
    scene: String,

    /// Folder to make; the scene's name if not given.
    folder: Option<PathBuf>,
}

pub fn new(args: &NewArgs) -> Status {
    let Some(scene) = builtin::find(&args.scene) else {
        eprintln!(
            "error: no built-in scene `{}`; `volar scenes` lists them",
            args.scene
        );
        return 2;
    };
    let folder = args
        .folder
        .clone()
        .unwrap_or_else(|| PathBuf::from(&scene.name));
    match scene.write(&folder) {
        Ok(()) => {
            let file = folder.join("scene.toml");
            let _ = writeln!(std::io::stdout(), "{}", file.display());
            crate::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            2
        }
    }
}

/// Print the JSON Schema of scene files.
#[derive(clap::Args)]
pub struct SchemaArgs {}

pub fn schema(_: &SchemaArgs) -> Status {
    let text = serde_json::to_string_pretty(&volar_scene::json_schema());
    let _ = writeln!(std::io::stdout(), "{}", text.unwrap_or_default());
    crate::SUCCESS
}
