//! Scenes on the command line: loading one, listing the built-ins, writing one
//! out, the schema.

use std::path::{Path, PathBuf};

use volar_scene::{Scene, SceneError, Setup, builtin};

use crate::terminal::note;
use crate::{Status, terminal};

/// What is changed of a scene.
#[derive(clap::Args)]
pub struct Changes {
    /// Set an entry of the scene, as in body.0.mass=0.5; may be repeated.
    #[arg(long = "set", value_name = "PATH=VALUE", allow_hyphen_values = true)]
    set: Vec<String>,

    /// Law of contact: foundation or paper.
    #[arg(long, value_name = "LAW")]
    law: Option<String>,

    /// Integrator: implicit or rk45.
    #[arg(long, value_name = "NAME")]
    integrator: Option<String>,

    /// Relative tolerance of the integrator.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    tolerance: Option<f64>,

    /// Bodies that start in each other: as-is, relaxed or gentle.
    #[arg(long, value_name = "HOW")]
    start: Option<String>,

    /// Simulated time, s.
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    duration: Option<f64>,
}

impl Changes {
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
pub fn load(scene: &Path, changes: &Changes) -> Result<Setup, SceneError> {
    let builtin = scene.to_str().and_then(builtin::find);
    if !scene.is_file() && builtin.is_some() && scene.join("scene.toml").is_file() {
        // After `volar new` in this folder one may well mean the other.
        note(format!(
            "this is the built-in scene; that of your folder is {}/scene.toml",
            scene.display()
        ));
    }
    Scene::open(scene)?.with(&changes.overrides())?.compile()
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
    let json = |scene: &builtin::Builtin| serde_json::json!({"name": scene.name, "description": scene.description});
    printed(match args.json {
        true => {
            let scenes: Vec<_> = scenes.iter().map(json).collect();
            terminal::print_json(&format!("{}\n", serde_json::Value::from(scenes)))
        }
        false => {
            let line = |s: &builtin::Builtin| format!("{:14}{}\n", s.name, s.description);
            terminal::print(&scenes.iter().map(line).collect::<String>())
        }
    })
}

fn printed(result: anyhow::Result<()>) -> Status {
    match result {
        Ok(()) => crate::SUCCESS,
        Err(error) => {
            terminal::failed(&error);
            2
        }
    }
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
        let name = args.scene.clone();
        terminal::error(SceneError::unknown(name));
        return 2;
    };
    let folder = args
        .folder
        .clone()
        .unwrap_or_else(|| PathBuf::from(&scene.name));
    match scene.write(&folder) {
        Ok(()) => {
            let file = folder.join("scene.toml");
            printed(terminal::print(&format!("{}\n", file.display())))
        }
        Err(error) => {
            terminal::error(error);
            2
        }
    }
}

/// Print the JSON Schema of scene files.
#[derive(clap::Args)]
pub struct SchemaArgs {}

pub fn schema(_: &SchemaArgs) -> Status {
    let text = serde_json::to_string_pretty(&volar_scene::json_schema());
    let text = text.map_err(anyhow::Error::from);
    printed(text.and_then(|text| terminal::print_json(&format!("{text}\n"))))
}
