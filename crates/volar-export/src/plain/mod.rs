//! A scene in plain numbers: what `schedule.json` has, and what all writers start from.
//! `docs/export.md` says what every key means; the types here have its names.

mod bodies;
mod contact;
mod drives;
mod motions;
mod over_time;

use glam::DVec3;
use serde::Serialize;
use volar_math::Pose;
use volar_scene::Setup;

pub(crate) use drives::is_one;

use crate::format::Parts;
use crate::turns::quaternion;
use crate::{ExportError, Format};

/// Position and quaternion `[x, y, z, qw, qx, qy, qz]`.
pub type Placed = [f64; 7];
/// Names of joints with coefficients.
pub type Terms = Vec<(String, f64)>;

/// A scene in plain numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Schedule {
    pub format: &'static str,
    pub version: u32,
    pub scene: String,
    pub description: String,
    pub volar: &'static str,
    pub to: &'static str,
    pub files: Vec<String>,
    pub duration: f64,
    pub gravity: Vec<[f64; 4]>,
    /// Times, and the earlier times whose state comes back then.
    pub returns: Vec<[f64; 2]>,
    pub start: &'static str,
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    pub drives: Vec<Drive>,
    pub couplings: Vec<Coupling>,
    pub closures: Vec<Closure>,
    pub motions: Vec<Motion>,
    pub loads: Vec<Load>,
    pub contact: Contact,
    pub grasp: Option<Grasp>,
    pub not_said: Vec<String>,
}

/// A rigid body.
#[derive(Clone, Debug, Serialize)]
pub struct Body {
    pub name: String,
    pub robot: Option<String>,
    pub file: String,
    pub name_in_file: String,
    pub parent: Option<String>,
    pub held: Held,
    pub joint: Option<String>,
    pub pose: Placed,
    pub velocity: [f64; 6],
    pub pose_in_parent: Placed,
    pub mass: f64,
    pub centre_of_mass: [f64; 3],
    pub inertia: [f64; 6],
    pub ground: bool,
    pub mesh: Option<Mesh>,
    pub material: Material,
    /// Its joint's frame in the parent's, or in the frame that its robot is mounted in.
    #[serde(skip)]
    pub X_PJ: Pose,
    /// Whether it is the world of its robot's MJCF file.
    #[serde(skip)]
    pub is_world: bool,
}

/// How a body is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Held {
    Free,
    Fixed,
    Joint,
    Moved,
}

/// The mesh of a body.
#[derive(Clone, Debug, Serialize)]
pub struct Mesh {
    pub file: String,
    pub triangles: usize,
    pub volume: f64,
    pub convex: bool,
    pub lower: [f64; 3],
    pub upper: [f64; 3],
}

/// What a body is made of.
#[derive(Clone, Debug, Serialize)]
pub struct Material {
    pub name: String,
    pub friction: f64,
    pub stiffness: f64,
    pub shear_stiffness: f64,
    pub damping_time: f64,
    pub viscous_friction: f64,
}

/// A joint that moves.
#[derive(Clone, Debug, Serialize)]
pub struct Joint {
    pub name: String,
    pub name_in_file: String,
    pub kind: JointKind,
    pub parent: Option<String>,
    pub child: String,
    pub axis: Option<[f64; 3]>,
    pub limits: Option<[f64; 2]>,
    pub limit_stiffness: f64,
    pub limit_damping: f64,
    pub speed_limit: Option<f64>,
    pub effort_limit: Option<[f64; 2]>,
    pub damping: f64,
    pub friction: f64,
    pub armature: f64,
    pub spring: Option<Spring>,
    pub q0: Vec<f64>,
    pub v0: Vec<f64>,
}

/// What a joint lets move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum JointKind {
    Revolute,
    Prismatic,
    Ball,
    Planar,
    Free,
}

/// A spring of a joint.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Spring {
    pub stiffness: f64,
    pub rest: f64,
}

/// What drives joints.
#[derive(Clone, Debug, Serialize)]
pub struct Drive {
    pub name: String,
    pub joints: Terms,
    pub kind: DriveKind,
    pub command: Vec<[f64; 2]>,
    pub kp: f64,
    pub kd: f64,
    pub effort_limit: Option<[f64; 2]>,
    pub actuator: Option<String>,
    /// The tendon of the robot's file that it drives, if its sum has several terms.
    #[serde(skip)]
    pub sum: Option<String>,
}

/// What is commanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DriveKind {
    Effort,
    Position,
    Velocity,
}

/// A sum of coordinates with a range, a spring or a damper.
#[derive(Clone, Debug, Serialize)]
pub struct Coupling {
    pub name: String,
    pub joints: Terms,
    pub range: Option<[f64; 2]>,
    pub stiffness: f64,
    pub rest: f64,
    pub damping: f64,
}

/// A closed chain, or joints that follow others.
#[derive(Clone, Debug, Serialize)]
pub struct Closure {
    pub name: String,
    #[serde(flatten)]
    pub kind: ClosureKind,
}

/// What is closed.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ClosureKind {
    Connect {
        bodies: [String; 2],
        frames: [Placed; 2],
    },
    Weld {
        bodies: [String; 2],
        frames: [Placed; 2],
    },
    Joints {
        follower: Terms,
        leader: Terms,
        reference: [f64; 2],
        polynomial: [f64; 5],
    },
}

/// A prescribed motion.
#[derive(Clone, Debug, Serialize)]
pub struct Motion {
    pub bodies: Vec<String>,
    pub kind: &'static str,
    pub formula: String,
    pub breaks: Vec<f64>,
    pub body: String,
    pub samples: Vec<[f64; 14]>,
}

/// A load from outside.
#[derive(Clone, Debug, Serialize)]
pub struct Load {
    pub body: String,
    pub force: [f64; 3],
    pub torque: [f64; 3],
    pub point: [f64; 3],
    pub scale: Vec<[f64; 2]>,
}

/// Who touches whom.
#[derive(Clone, Debug, Serialize)]
pub struct Contact {
    pub friction_rule: &'static str,
    pub law: &'static str,
    pub excluded: Vec<[String; 2]>,
    pub friction: Vec<(String, String, f64)>,
}

/// What is grasped by what.
#[derive(Clone, Debug, Serialize)]
pub struct Grasp {
    pub object: String,
    pub palm: String,
    pub fingers: Vec<Finger>,
    pub from: f64,
    pub until: Option<f64>,
    pub held_within: f64,
    pub held_since: f64,
    pub held_angle_deg: f64,
    pub held_by: usize,
    pub failure_force: f64,
    pub failure_time: f64,
    pub phases: Vec<Phase>,
    pub kinetic_energy_from: Option<f64>,
}

/// Links whose forces are summed.
#[derive(Clone, Debug, Serialize)]
pub struct Finger {
    pub name: String,
    pub bodies: Vec<String>,
}

/// A part of the run that is judged by itself.
#[derive(Clone, Debug, Serialize)]
pub struct Phase {
    pub name: String,
    pub from: f64,
    pub until: f64,
    pub held_within: f64,
    pub held_angle_deg: f64,
    pub held_by: usize,
    pub may_move: bool,
}

fn returns(setup: &Setup) -> Vec<[f64; 2]> {
    let events = setup.events.iter();
    events
        .filter_map(|event| Some([event.at, event.return_to?]))
        .collect()
}

impl Schedule {
    /// The scene in plain numbers, its bodies in the files of a format.
    pub fn new(setup: &Setup, to: Format, parts: &Parts) -> Result<Schedule, ExportError> {
        let spec = &setup.scene.spec;
        let simulation = setup.simulation().map_err(ExportError::Start)?;
        let bodies = bodies::bodies(setup, &simulation, to, parts);
        let joints = bodies::joints(setup, &simulation, to);
        let timeline = over_time::Timeline::new(setup);
        Ok(Schedule {
            format: "volar-schedule",
            version: 1,
            scene: spec.name.clone(),
            description: spec.description.clone(),
            volar: env!("CARGO_PKG_VERSION"),
            to: to.name(),
            files: Vec::new(),
            duration: spec.duration,
            gravity: timeline.gravity(),
            returns: returns(setup),
            start: spec.start.name(),
            drives: drives::drives(setup, &timeline, to),
            couplings: drives::couplings(setup),
            closures: drives::closures(setup),
            motions: motions::motions(setup, spec.duration),
            loads: timeline.loads(&setup.model),
            contact: contact::contact(setup),
            grasp: contact::grasp(setup),
            bodies,
            joints,
            not_said: Vec::new(),
        })
    }

    /// The body with a name.
    pub fn body(&self, name: &str) -> Option<&Body> {
        self.bodies.iter().find(|body| body.name == name)
    }

    /// The joint of a body.
    pub fn joint_of(&self, body: &Body) -> Option<&Joint> {
        let name = body.joint.as_ref()?;
        self.joints.iter().find(|joint| joint.name == *name)
    }

    /// The drive that stands at a joint where a joint has one at most, with its number: the first
    /// that drives nothing else.
    pub fn drive_of(&self, joint: &Joint) -> Option<(usize, &Drive)> {
        let drives = self.drives.iter().enumerate();
        let mut on_joint = drives.filter(|(_, drive)| match &drive.joints[..] {
            [(name, _)] => *name == joint.name && drive.sum.is_none(),
            _ => false,
        });
        on_joint.next()
    }

    /// Whether a drive has no joint of its own where a joint has one drive at most.
    pub fn has_no_joint(&self, drive: usize) -> bool {
        let mut own = self.joints.iter().filter_map(|joint| self.drive_of(joint));
        !own.any(|(number, _)| number == drive)
    }

    /// The bodies that hang on a body.
    pub fn children<'a>(&'a self, parent: &'a str) -> impl Iterator<Item = &'a Body> {
        let hangs = move |body: &&Body| body.parent.as_deref() == Some(parent);
        self.bodies.iter().filter(hangs)
    }
}

/// A pose as seven numbers.
pub fn placed(X: &Pose) -> Placed {
    let [w, x, y, z] = quaternion(&X.R);
    [X.p.x, X.p.y, X.p.z, w, x, y, z]
}

fn array(v: DVec3) -> [f64; 3] {
    v.to_array()
}
