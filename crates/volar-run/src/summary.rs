//! What a run came to. The keys are documented in `docs/summary.md` and stable.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The summary of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Name of the scene.
    pub scene: String,
    /// Law of contact.
    pub law: String,
    /// Integrator.
    pub integrator: String,
    /// Simulated time at the end, s.
    pub duration_s: f64,
    /// Whether the object was held; null without a grasp in the scene.
    pub held: Option<bool>,
    /// Distance the object's centre moved against the palm, mm.
    pub drift_mm: Option<f64>,
    /// Angle it rotated against the palm, degrees.
    pub rotation_deg: Option<f64>,
    /// The same over the last second, µm/s ...
    pub creep_um_per_s: Option<f64>,
    /// ... and degrees per second.
    pub creep_deg_per_s: Option<f64>,
    /// Largest plastic slip of any contact, µm.
    pub slip_um: Option<f64>,
    /// Smallest part of a friction limit that was left in the last second.
    pub friction_margin: Option<f64>,
    /// Mean normal force of each finger over the last second, N.
    pub normal_force_n: BTreeMap<String, f64>,
    /// Standard deviation of these, N: the largest.
    pub force_std_n: Option<f64>,
    /// Largest normal force between two bodies in the whole run, N.
    pub max_force_n: f64,
    /// Largest depth in the whole run, mm.
    pub max_depth_mm: f64,
    /// Object's mean kinetic energy over that of the palm's motion.
    pub kinetic_energy_ratio: Option<f64>,
    /// Loads at which the object slipped, N, by direction; null where it held
    /// up to the limit.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pull_loads_n: Option<BTreeMap<String, Option<f64>>>,
    /// Steps taken.
    pub steps: u64,
    /// Steps tried and thrown away.
    pub rejected: u64,
    /// Evaluations of the equations of motion.
    pub evaluations: u64,
    /// Wall time of the simulation, s.
    pub wall_s: f64,
    /// Simulated over wall time.
    pub real_time_factor: f64,
    /// What went wrong, or null.
    pub failure: Option<Failure>,
    /// What a person should know.
    pub warnings: Vec<String>,
}

/// What went wrong and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// What.
    pub what: String,
    /// When, s.
    pub time_s: f64,
}
