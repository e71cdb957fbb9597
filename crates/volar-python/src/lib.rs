//! The native part of the Python package `volar`.
//!
//! What users see is the Python code in `python/volar`; this module gives it
//! scenes, simulations, meshes and runs with as little in between as possible:
//! names are numbers here, and arrays are numpy's. Nothing here holds the
//! interpreter while it computes.
#![allow(non_snake_case)] // frame notation: X_AB

mod arrays;
mod command;
mod contacts;
mod controls;
mod errors;
mod eval;
mod guard;
mod mesh;
mod outcome;
mod overlap;
mod robot;
mod scene;
mod simulation;
mod sweep;
mod view;

#[cfg(feature = "require-viewer")]
const _: () = assert!(
    volar_view::Page::IS_BUILT,
    "the viewer's page was not built: install Node.js 20.19 or later with npm, run \
     `cargo clean -p volar-view` and build again"
);

/// Native part of the package `volar`; not meant to be used directly.
#[pyo3::pymodule]
mod _volar {
    #[pymodule_export]
    use super::command::main;
    #[pymodule_export]
    use super::contacts::contact_fields;
    #[pymodule_export]
    use super::controls::{
        applied_efforts, apply_efforts, command, friction, gravity, set_commands, set_friction,
        set_gravity, set_load, set_servo,
    };
    #[pymodule_export]
    use super::eval::{finish_evaluation, plan_evaluation, sample};
    #[pymodule_export]
    use super::mesh::{Mesh, check, read_mesh, repair, shape};
    #[pymodule_export]
    use super::outcome::{Outcome, execute};
    #[pymodule_export]
    use super::overlap::{overlap, overlap_mesh};
    #[pymodule_export]
    use super::robot::inspect;
    #[pymodule_export]
    use super::scene::{SceneText, Setup, materials, scenes, schema};
    #[pymodule_export]
    use super::simulation::{Checkpoint, Simulation};
    #[pymodule_export]
    use super::sweep::{Sweep, SweepFolder, axis, builtin_sweep};
    #[pymodule_export]
    use super::view::{Viewer, replay, view};

    /// Version of the package and of the crates it is made of.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
