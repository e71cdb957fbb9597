//! Built-in scenes with something changed, observed step by step, so that a test
//! can look at the simulation and not only at its summary.

pub mod cases;
pub mod hinges;
pub mod page;
pub mod statics;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use volar_assets::Disk;
use volar_run::{Context, Observed, Options, Outcome, execute};
use volar_scene::{Scene, Setup, builtin};
use volar_sim::Simulation;
pub use volar_testkit::clock::processor_time;

/// Grippers of the nine grasps.
pub const GRIPPERS: [&str; 3] = ["g2p", "g2r", "g3r"];
/// Objects of the nine grasps.
pub const OBJECTS: [&str; 3] = ["cube", "sphere", "bunny"];

/// A built-in scene; each override is `path=value`.
pub fn scene(name: &str, overrides: &[String]) -> Arc<Setup> {
    let scene = Scene::builtin(name).unwrap().with(overrides).unwrap();
    Arc::new(scene.compile().unwrap())
}

/// The same, with its files and more of them in a folder.
pub fn scene_in(folder: &Path, name: &str, overrides: &[String]) -> Arc<Setup> {
    let builtin = builtin::find(name).unwrap();
    let source = Arc::new(Disk::new(folder));
    let scene = Scene::parse(name, &builtin.text)
        .unwrap()
        .with_files(source);
    Arc::new(scene.with(overrides).unwrap().compile().unwrap())
}

/// Runs a scene to its end, and shows every step.
pub fn trial(setup: &Arc<Setup>, mut look: impl FnMut(&mut Simulation)) -> Outcome {
    let mut look = |context: &mut Context<'_>| -> Observed {
        look(context.simulation);
        Ok(ControlFlow::Continue(()))
    };
    execute(setup, &Options::default(), &mut [&mut look]).unwrap()
}
