//! `volar export`: a scene for other engines.

use std::path::PathBuf;

use anyhow::Context;
use volar_export::{Export, Format};

use crate::scene::{self, Changes};
use crate::{SUCCESS, Status, terminal};

/// Write a scene for another engine: MJCF, URDF or SDF, with meshes and a schedule.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  volar export g2r-sphere --to mjcf
  volar export my-grasp/scene.toml --to urdf --out urdf --set body.mug.mass=0.5
  volar run g2r-sphere-mjcf/scene.toml

The folder has the scene in the format asked for, meshes/*.obj, schedule.json (what the format
cannot say: drives over time, motions, materials, what is grasped) and scene.toml, by which Volar
runs these very files. What the format does not say is printed. See docs/export.md.")]
pub struct Args {
    /// Scene file, folder with a scene.toml, or name of a built-in scene.
    scene: PathBuf,

    /// The format.
    #[arg(long, value_name = "FORMAT", value_parser = Format::ALL.map(Format::name))]
    to: String,

    /// Folder to make; SCENE-FORMAT if not given.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    changes: Changes,

    /// Print JSON instead of text: the folder, its files, and what they do not say.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Status {
    match export(args) {
        Ok(()) => SUCCESS,
        Err(error) => {
            terminal::failed(&error);
            2
        }
    }
}

fn export(args: &Args) -> anyhow::Result<()> {
    let format = Format::named(&args.to).context("no such format")?;
    let setup = scene::load(&args.scene, &args.changes)?;
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => PathBuf::from(format!("{}-{}", file_name(&setup.scene.spec.name), args.to)),
    };
    let export = Export::new(&setup, format)?;
    export.write(&folder)?;
    if args.json {
        let files = export.files.files();
        let files: Vec<String> = files.map(|(name, _)| name.display().to_string()).collect();
        let result = serde_json::json!({
            "folder": folder.display().to_string(),
            "files": files,
            "not_said": export.not_said,
        });
        return terminal::print_json(&format!("{result}\n"));
    }
    terminal::print(&format!("{}\n", folder.display()))?;
    for sentence in &export.not_said {
        terminal::note(sentence);
    }
    Ok(())
}

/// A name of a scene without what folders cannot be called.
fn file_name(scene: &str) -> String {
    let plain = |c: char| match c {
        c if c.is_alphanumeric() || "_.-".contains(c) => c,
        _ => '-',
    };
    scene.chars().map(plain).collect()
}
