//! An export as files.

use std::path::Path;

use volar_assets::{Memory, replace_file};
use volar_meshes::to_obj;
use volar_scene::Setup;

use crate::format::Parts;
use crate::plain::Schedule;
use crate::rerun::rerun;
use crate::{ExportError, Format, mjcf, sdf, urdf};

/// A scene in another format: all files, and what they do not say.
#[derive(Clone, Debug)]
pub struct Export {
    /// The files by name, in the folder of the export.
    pub files: Memory,
    /// What the files of this format do not say, in sentences; `schedule.json` has it.
    pub not_said: Vec<String>,
}

impl Export {
    /// Makes the files.
    ///
    /// # Errors
    /// When the scene has something that the format cannot say and without which it would be
    /// another scene.
    pub fn new(setup: &Setup, to: Format) -> Result<Export, ExportError> {
        let parts = Parts::new(setup);
        let mut schedule = Schedule::new(setup, to, &parts)?;
        let described = match to {
            Format::Mjcf => mjcf::describe(&schedule, setup, &parts),
            Format::Urdf => urdf::describe(&schedule, setup, &parts)?,
            Format::Sdf => sdf::describe(&schedule, setup, &parts)?,
        };
        schedule.files = described
            .files
            .iter()
            .map(|(name, _)| name.clone())
            .collect();
        schedule.not_said = described.not_said;
        schedule.not_said.extend(outside(setup));
        let mut files = Memory::new();
        for (name, text) in described.files.into_iter().chain(described.parts) {
            files = files.with(name, text.into_bytes());
        }
        for (id, body) in setup.model.bodies().zip(&schedule.bodies) {
            if let (Some(surface), Some(mesh)) = (setup.model.surface(id), &body.mesh) {
                let text = to_obj(&surface.mesh.to_tri_mesh());
                files = files.with(&mesh.file, text.into_bytes());
            }
        }
        let (text, tables) = rerun(setup, &schedule, to, &parts)?;
        files = files.with("scene.toml", text.into_bytes());
        for (name, bytes) in tables {
            files = files.with(name, bytes);
        }
        let json = serde_json::to_vec(&schedule).map_err(|error| ExportError::Text {
            file: "schedule.json",
            message: error.to_string(),
        })?;
        Ok(Export {
            files: files.with("schedule.json", json),
            not_said: schedule.not_said,
        })
    }

    /// Writes the files into a folder, which is made.
    ///
    /// # Errors
    /// When there is something in the folder; when files cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ExportError> {
        let failed = |path: &Path, source| ExportError::Write {
            path: path.to_owned(),
            source,
        };
        let entries = match folder.exists() {
            true => Some(std::fs::read_dir(folder).map_err(|error| failed(folder, error))?),
            false => None,
        };
        if entries.is_some_and(|mut entries| entries.next().is_some()) {
            let folder = folder.display().to_string();
            return Err(ExportError::Taken { folder });
        }
        for (name, contents) in self.files.files() {
            let path = folder.join(name);
            replace_file(&path, contents).map_err(|error| failed(&path, error))?;
        }
        Ok(())
    }
}

/// What a format's writer has made.
pub(crate) struct Described {
    /// Files that describe the scene, for other engines.
    pub files: Vec<(String, String)>,
    /// Files beside them, for Volar.
    pub parts: Vec<(String, String)>,
    pub not_said: Vec<String>,
}

/// What no format says and `schedule.json` does not either.
fn outside(setup: &Setup) -> Vec<String> {
    let mut said = Vec::new();
    if setup.pull.is_some() {
        said.push(
            "The pulls at the end of the run ([pull]) are measurements: only scene.toml has them."
                .into(),
        );
    }
    if setup.events.iter().any(|event| event.return_to.is_some()) {
        said.push("The state returns to an earlier one: `returns` of schedule.json.".into());
    }
    if !setup.sensors.is_empty() {
        said.push("Sensors are in scene.toml only.".into());
    }
    said
}
