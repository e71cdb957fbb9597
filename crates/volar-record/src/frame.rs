//! What is recorded: a header once, a frame at every sample. World axes, SI units,
//! quaternions (w, x, y, z). Contacts are those of the simulation.

use glam::DVec3;
use serde::{Deserialize, Serialize};
use volar_geom::TriMesh;
use volar_sim::{BodyId, Contact};

/// What does not change during a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// Name of the scene.
    pub scene: String,
    /// Version of Volar.
    pub version: String,
    /// Bodies; frames list them in this order.
    pub bodies: Vec<BodyHeader>,
    /// Degrees of freedom of joints with one coordinate; frames list them in
    /// this order.
    pub joints: Vec<JointHeader>,
    /// Names of the channels of sensors, with units: `wrist force x (N)`.
    pub sensors: Vec<String>,
    /// What is measured of the grasp; none in a scene without one.
    pub grasp: Option<GraspHeader>,
}

impl Header {
    /// The body that is grasped; none in a scene without a grasp.
    pub fn object(&self) -> Option<BodyId> {
        let mut bodies = self.bodies.iter();
        bodies
            .position(|body| body.role == Role::Object)
            .map(BodyId::new)
    }
}

/// When what is measured of a grasp. Measures end at `until`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GraspHeader {
    /// Drift, rotation and slip are counted from this time on, s.
    pub drift_from: f64,
    /// Measures end at this time or with the run, s.
    pub until: f64,
    /// The object's kinetic energy is compared with the palm's motion from this time on,
    /// s; none where it is not, as in all scenes but shakes.
    pub energy_from: Option<f64>,
}

impl Default for GraspHeader {
    fn default() -> GraspHeader {
        GraspHeader {
            drift_from: 0.0,
            until: f64::MAX,
            energy_from: None,
        }
    }
}

/// Length of the window before `until` in which means, margins and creep are measured, s.
pub const LAST_SECOND: f64 = 1.0;

impl GraspHeader {
    /// Times at which something begins or ends to be measured, s.
    pub fn marks(&self) -> impl Iterator<Item = f64> {
        let last_second = self.until - LAST_SECOND;
        let all = [self.drift_from, last_second, self.until];
        all.into_iter().chain(self.energy_from)
    }
}

/// A body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyHeader {
    /// Name, unique in the scene.
    pub name: String,
    /// What it is in the grasp.
    pub role: Role,
    /// The finger it belongs to, by name; empty for others.
    pub finger: String,
    /// Its surface in its own frame, as contact sees it; none for a body without.
    pub mesh: Option<TriMesh>,
}

/// What a body is in the grasp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The thing grasped.
    Object,
    /// The link of the gripper that drift is measured against.
    Palm,
    /// A link of a finger.
    Finger,
    /// Ground, table, other things.
    #[default]
    Other,
}

/// A joint with one coordinate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointHeader {
    /// Name, unique in the scene.
    pub name: String,
    /// True when it slides: m and N. Otherwise it turns: rad and N m.
    pub slides: bool,
    /// Least and greatest coordinate, m or rad; none where it is not limited.
    pub limits: Option<[f64; 2]>,
}

/// Everything at one time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Time, s.
    pub time: f64,
    /// Bodies, in the header's order.
    pub bodies: Vec<BodyFrame>,
    /// Joints, in the header's order.
    pub joints: Vec<JointFrame>,
    /// Patches of contact at this time; their number changes.
    pub contacts: Vec<Contact>,
    /// The object of the grasp; none in a scene without one.
    pub grasp: Option<GraspFrame>,
    /// Energies.
    pub energies: EnergyFrame,
    /// Values of the sensors, in the header's order.
    pub sensors: Vec<f64>,
    /// Length of the integrator's step at this time, s.
    pub step: f64,
}

/// Pose and velocity of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodyFrame {
    /// Position of its origin, m.
    pub position: DVec3,
    /// Orientation (w, x, y, z).
    pub orientation: [f64; 4],
    /// Velocity of its origin, m/s.
    pub velocity: DVec3,
    /// Angular velocity, rad/s.
    pub angular_velocity: DVec3,
}

/// A joint at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointFrame {
    /// Coordinate, rad or m.
    pub position: f64,
    /// Its rate, rad/s or m/s.
    pub velocity: f64,
    /// Sum of what acts in the joint (motor, damping, limits), N m or N.
    pub effort: f64,
}

/// The object of a grasp as the palm sees it, and its energy. Formulas are in
/// [`figures`](crate::figures).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraspFrame {
    /// Centre of mass of the object in the palm's frame (p_PC), m.
    pub position: DVec3,
    /// Orientation of the object in the palm's frame (w, x, y, z).
    pub orientation: [f64; 4],
    /// Kinetic energy of the object, J.
    pub kinetic_energy: f64,
    /// Kinetic energy it would have if it moved as the palm's origin does, J.
    pub expected_kinetic_energy: f64,
}

/// Energies, J.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnergyFrame {
    /// Of motion.
    pub kinetic: f64,
    /// In gravity.
    pub potential: f64,
    /// In the elastic foundations and bristles of contacts.
    pub contact: f64,
    /// In springs and limits of joints.
    pub joints: f64,
    /// Put in so far by actuators, external forces and prescribed motions.
    pub put_in: f64,
    /// Lost so far.
    pub lost: f64,
}
