//! The summary of a run. Its keys are documented in `docs/summary.md` and stable.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::quality::{GraspQuality, StartOverlap};

/// The summary of a run; windows of time are those of `docs/summary.md`.
///
/// ```
/// use std::sync::Arc;
/// use volar_run::{Options, execute};
/// use volar_scene::Scene;
///
/// let scene = Scene::open("g2p-cube")?.with(&["duration=0.1"])?;
/// let summary = execute(&Arc::new(scene.compile()?), &Options::default(), &mut [])?.summary;
/// println!("{} steps, at most {:.1} N", summary.steps, summary.max_force_n);
/// for (finger, force) in &summary.normal_force_n {
///     println!("{finger}: {force:.2} N");
/// }
/// assert_eq!(summary.duration_s, 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Name of the scene.
    pub scene: String,
    /// Contact law: `foundation` or `paper`.
    pub law: String,
    /// `implicit` or `rk45`.
    pub integrator: String,
    /// Simulated time at the end, s.
    pub duration_s: f64,
    /// Whether the object was held; null without a grasp in the scene.
    pub held: Option<bool>,
    /// The same in words, with what is doubtful about it.
    #[serde(default)]
    pub verdict: Option<String>,
    /// Distance the object's centre of mass moved relative to the palm, mm.
    pub drift_mm: Option<f64>,
    /// Angle the object rotated relative to the palm, degrees.
    pub rotation_deg: Option<f64>,
    /// Drift per second over the last second, µm/s.
    pub creep_um_per_s: Option<f64>,
    /// Rotation per second over the last second, degrees per second.
    pub creep_deg_per_s: Option<f64>,
    /// Largest plastic slip of any contact, µm.
    pub slip_um: Option<f64>,
    /// Least friction margin of the object's contacts in the last second.
    pub friction_margin: Option<f64>,
    /// Mean normal force of each finger over the last second, N.
    pub normal_force_n: BTreeMap<String, f64>,
    /// Largest standard deviation of these over time, N.
    pub force_std_n: Option<f64>,
    /// Mean normal force between palm and object over the last second, N.
    pub palm_load_n: Option<f64>,
    /// Largest normal force between two bodies in the whole run, N.
    pub max_force_n: f64,
    /// Largest depth in the whole run, mm.
    pub max_depth_mm: f64,
    /// Each phase of the grasp by itself.
    #[serde(default)]
    pub phases: Vec<PhaseSummary>,
    /// Mean kinetic energy of the object over that expected from the palm's motion.
    pub kinetic_energy_ratio: Option<f64>,
    /// Loads at which the object slipped, N, by direction; null where it held
    /// up to the limit of the scene.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pull_loads_n: Option<BTreeMap<String, Option<f64>>>,
    /// What was in each other at the start; null without a grasp in the scene.
    #[serde(default)]
    pub start_overlap: Option<StartOverlap>,
    /// Static quality of the grasp, if the scene asks for it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub quality: Option<GraspQuality>,
    /// Steps taken.
    pub steps: u64,
    /// Steps that were rejected and repeated shorter.
    pub rejected: u64,
    /// Evaluations of the equations of motion.
    pub evaluations: u64,
    /// Wall time of the simulation, s.
    pub wall_s: f64,
    /// Simulated over wall time.
    pub real_time_factor: f64,
    /// The first failure, or null.
    pub failure: Option<Failure>,
    /// Warnings, as sentences.
    pub warnings: Vec<String>,
    /// What of the robots' files is not simulated or was changed.
    #[serde(default)]
    pub notes: Vec<FileNote>,
}

/// One phase of a grasp: a load, a direction of gravity, a motion.
///
/// ```
/// use volar_run::Summary;
///
/// fn print(summary: &Summary) {
///     for phase in &summary.phases {
///         println!("{}: {}", phase.name, phase.verdict);
///     }
/// }
/// # print(&Summary::default());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseSummary {
    /// As the scene names it.
    pub name: String,
    /// Whether the object was held in it; null if the run did not come so far.
    pub held: Option<bool>,
    /// The same in words.
    pub verdict: String,
    /// Distance the object moved relative to the palm in this phase, mm.
    pub drift_mm: Option<f64>,
    /// Angle it rotated relative to the palm in this phase, degrees.
    pub rotation_deg: Option<f64>,
    /// Least friction margin in its last second.
    pub friction_margin: Option<f64>,
}

/// What of a robot's file is not simulated or was changed: one entry per kind
/// of thing.
///
/// ```
/// use volar_run::Summary;
///
/// fn print(summary: &Summary) {
///     for note in &summary.notes {
///         println!("{}: {} {}: {}", note.robot, note.what, note.kind, note.names.join(", "));
///     }
/// }
/// # print(&Summary::default());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileNote {
    /// Name of the robot in the scene.
    pub robot: String,
    /// `not supported` or `changed`.
    pub kind: String,
    /// What: an element of the file, an attribute, a setting.
    pub what: String,
    /// Why, or what was done instead.
    pub detail: String,
    /// Names of the elements concerned.
    pub names: Vec<String>,
}

/// Why a run failed, and when.
///
/// ```
/// use volar_run::{FailureKind, Summary};
///
/// fn report(summary: &Summary) -> String {
///     match &summary.failure {
///         None => "held".into(),
///         Some(failure) if failure.kind == FailureKind::Dropped => "dropped".into(),
///         Some(failure) => format!("at t = {:.3} s: {}", failure.time_s, failure.what),
///     }
/// }
/// assert_eq!(report(&Summary::default()), "held");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The cause, for programs: one of a fixed set of names.
    pub kind: FailureKind,
    /// The cause, for people, with figures.
    pub what: String,
    /// Simulated time of the failure, s.
    pub time_s: f64,
}

/// Causes of a failure; in JSON their names are in snake case.
///
/// See the example of [`Failure`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// At the end the object is farther than `held_within` from where it was.
    Dropped,
    /// At the end the object has rotated by more than `held_angle_deg`.
    Turned,
    /// In the last second the object still moves.
    Moving,
    /// At the end fewer than `held_by` fingers press on the object.
    TooFewFingers,
    /// A normal force stayed above `failure_force` for `failure_time`.
    ForceLimit,
    /// The simulation could not go on.
    SimulationError,
    /// The run was interrupted from outside.
    Interrupted,
    /// The run reached a limit that its caller set.
    RunLimit,
}
