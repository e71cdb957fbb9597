//! Scenes for other engines.
//!
//! ```text
//! Setup ──▶ Schedule: the scene in plain numbers ─┬─▶ schedule.json
//!                                                 ├─▶ scene.xml | NAME.urdf | scene.sdf
//!       ──▶ meshes                                └─▶ scene.toml, by which Volar runs them
//! ```
//!
//! ```
//! use volar_export::{Export, Format};
//! use volar_scene::Scene;
//!
//! let setup = Scene::builtin("g2p-cube")?.compile()?;
//! let export = Export::new(&setup, Format::Mjcf)?;
//! for sentence in &export.not_said {
//!     println!("{sentence}");
//! }
//! let folder = std::env::temp_dir().join(format!("volar-export-{}", std::process::id()));
//! export.write(&folder)?;
//! let same = Scene::load(folder.join("scene.toml"))?.compile()?;
//! assert_eq!(same.model.bodies().len(), setup.model.bodies().len() + 1); // MJCF's world
//! # std::fs::remove_dir_all(&folder).ok();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `docs/export.md` has the format of `schedule.json`.
#![allow(non_snake_case)] // frame notation: X_PJ, X_WB

mod error;
mod files;
mod format;
mod mjcf;
mod names;
mod plain;
mod rerun;
mod sdf;
mod turns;
mod urdf;
mod xml;

pub use error::ExportError;
pub use files::Export;
pub use format::Format;
