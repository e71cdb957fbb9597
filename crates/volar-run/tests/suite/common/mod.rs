//! Built-in scenes with something changed, run step by step, so that a test can
//! look at the simulation and not only at its summary.

pub mod cases;
pub mod hinges;
pub mod page;
pub mod statics;

use std::path::Path;
use std::sync::Arc;

use volar_run::{Measures, Run, Summary};
use volar_scene::{SceneText, Setup, builtin};
use volar_sim::Simulation;

/// Grippers of the nine grasps.
pub const GRIPPERS: [&str; 3] = ["g2p", "g2r", "g3r"];
/// Objects of the nine grasps.
pub const OBJECTS: [&str; 3] = ["cube", "sphere", "bunny"];

/// A built-in scene; each override is `path=value`.
pub fn scene(name: &str, overrides: &[String]) -> Arc<Setup> {
    let folder = tempfile::tempdir().unwrap();
    builtin::find(name).unwrap().write(folder.path()).unwrap();
    scene_in(folder.path(), name, overrides)
}

/// The same, with its files and more of them in a folder.
pub fn scene_in(folder: &Path, name: &str, overrides: &[String]) -> Arc<Setup> {
    let builtin = builtin::find(name).unwrap();
    let text = SceneText::parse(name, &builtin.text, overrides).unwrap();
    Arc::new(Setup::compile(text, folder).unwrap())
}

/// A run that has come to its end, or to an error.
pub struct Trial {
    /// The run where it stands.
    pub run: Run,
    /// Result; cost as far as the simulation counts it.
    pub summary: Summary,
    /// Wall time, s.
    pub wall: f64,
}

/// Runs a scene to its end as `execute` does, and shows every step.
pub fn trial(setup: &Arc<Setup>, mut look: impl FnMut(&mut Simulation)) -> Trial {
    let clock = std::time::Instant::now();
    let end = setup.scene.scene.duration;
    let mut run = Run::new(setup.clone(), 1).unwrap();
    let mut measures = Measures::new(setup, end);
    let mut failed = false;
    loop {
        measures.observe(run.simulation()).unwrap();
        look(run.simulation());
        if run.time() >= end {
            break;
        }
        if let Err(error) = run.step(end) {
            measures.fail(error.to_string(), run.time());
            failed = true;
            break;
        }
    }
    let mut summary = measures.summary(setup);
    if failed {
        summary.held = Some(false);
    }
    let statistics = run.simulation().statistics();
    summary.steps = statistics.steps;
    summary.rejected = statistics.rejected;
    summary.evaluations = statistics.evaluations;
    summary.duration_s = run.time();
    Trial {
        run,
        summary,
        wall: clock.elapsed().as_secs_f64(),
    }
}
