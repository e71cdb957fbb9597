//! The scene of a grasp: a hand closes on an object, and gravity pulls at it from four
//! sides.

use glam::{DMat3, DQuat, DVec3};
use volar_assets::Disk;
use volar_geom::Pose;
use volar_meshes::MeshLibrary;
use volar_robots::{ActuatorKind, Drives, JointKind, Robot};

use super::cloud::Cloud;
use super::{Closing, Hand, absolute};
use crate::error::SceneError;
use crate::scene::Scene;
use crate::spec::{
    BodyEntry, Command, GravityTurn, JointEntry, PhaseEntry, RobotEntry, SceneSpec, ScheduleEntry,
    Shape, Transition,
};

/// The open hand stays so far away from the object, m.
const CLEARANCE: f64 = 1.0e-3;
/// Samples are millimetres apart: surfaces that cross have samples nearer than this, m.
const SAMPLES_APART: f64 = 3.0e-3;
/// An object may be moved so far out of the tool frame to clear the palm, m.
const FARTHEST: f64 = 0.15;
/// A servo of ours aims at so far inside the object, m, ...
const SQUEEZE: f64 = 5.0e-3;
/// ... gives at most so many times the effort that is wanted there, ...
const RESERVE: f64 = 2.0;
/// ... and is damped by its stiffness times this, s.
const DAMPING_TIME: f64 = 0.02;
/// A joint that is held gives way by so much under its load, rad or m.
const GIVES: f64 = 2.0e-3;
/// Standard gravity, m/s².
const GRAVITY: f64 = 9.81;

/// What is grasped.
///
/// See the example of [`Hand`].
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Name in the scene.
    pub name: String,
    /// Its shape; a mesh with a path valid from anywhere.
    pub shape: Shape,
    /// Mass, kg; 1000 kg/m³ if not given.
    pub mass: Option<f64>,
    /// Name of its material.
    pub material: String,
}

impl Object {
    /// A ball of plastic.
    pub fn ball(radius: f64) -> Object {
        Object {
            name: "ball".into(),
            shape: Shape::sphere(radius),
            mass: None,
            material: "plastic".into(),
        }
    }
}

/// How to grasp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraspOptions {
    /// Force of each finger where the file has no servo of its own, N.
    pub force: f64,
    /// Time to close, s.
    pub close: f64,
    /// Time to hold under each direction of gravity, s.
    pub hold: f64,
}

impl Default for GraspOptions {
    fn default() -> GraspOptions {
        GraspOptions {
            force: 10.0,
            close: 1.0,
            hold: 5.0,
        }
    }
}

/// The scene of a grasp, and what was assumed for it.
#[derive(Clone, Debug)]
pub struct GraspPlan {
    /// The scene; paths in it are valid from anywhere.
    pub spec: SceneSpec,
    /// Every default and guess, as sentences.
    pub assumed: Vec<String>,
}

impl GraspPlan {
    /// As a scene that can be compiled.
    pub fn scene(&self) -> Result<Scene, SceneError> {
        let files = std::sync::Arc::new(Disk::default());
        Ok(Scene::from_spec(self.spec.clone())?.with_files(files))
    }
}

impl Hand {
    /// Plans a grasp: the object in the tool frame of the open hand, which closes in
    /// weightlessness; then gravity, and three quarter turns of it about the axis from finger
    /// to finger.
    pub fn grasp(&self, object: &Object, options: &GraspOptions) -> Result<GraspPlan, SceneError> {
        let mut assumed = Vec::new();
        let values = self.open_values();
        let X_WO = self.place(object, &values, &mut assumed)?;
        let X_WT = self.X_WT(&values)?;
        let touches = self.touches(object, &values, &X_WO)?;
        let robot = self.robot_entry(options, &values, &touches, &X_WT, &mut assumed)?;
        let mut spec: SceneSpec = parse("name = \"\"")?;
        spec.name = format!("{} in {}", object.name, self.robot.name);
        spec.description = "closes in weightlessness, then gravity from four sides".into();
        let closed = 0.5 + options.close;
        spec.duration = closed + 4.0 * options.hold;
        spec.gravity = [0.0; 3];
        spec.robots.push(robot);
        spec.bodies.push(body_entry(object, &X_WO)?);
        let axis = X_WT.R.x_axis.to_array();
        let mut phases = Vec::new();
        for (number, name) in ["down", "side", "up", "other side"].into_iter().enumerate() {
            let from = closed + number as f64 * options.hold;
            let mut entry: ScheduleEntry = parse("at = 0.0")?;
            entry.at = from;
            if number == 0 {
                entry.gravity = Some((-GRAVITY * X_WT.R.z_axis).to_array());
            } else {
                entry.over = 0.1 * options.hold;
                entry.shape = Transition::Smooth;
                entry.turn_gravity = Some(GravityTurn {
                    axis,
                    angle_deg: 90.0,
                });
            }
            spec.schedule.push(entry);
            phases.push(PhaseEntry {
                name: format!("gravity {name}"),
                from,
                until: from + options.hold,
                held_within: None,
                held_angle_deg: None,
                held_by: None,
            });
        }
        let mut grasp: crate::spec::GraspSection = parse("object = \"\"")?;
        grasp.object.clone_from(&object.name);
        grasp.palm = Some(format!("hand/{}", self.file.palm));
        (grasp.from, grasp.held_since) = (closed, closed);
        grasp.phases = phases;
        spec.grasp = Some(grasp);
        assumed.push(format!(
            "closes from 0.25 s to {:.2} s, then gravity for {} s each from 4 sides: towards the \
             palm, then turned about the axis from finger to finger",
            0.25 + options.close,
            options.hold
        ));
        Ok(GraspPlan { spec, assumed })
    }

    /// Coordinates of the open hand by link.
    fn open_values(&self) -> Vec<f64> {
        let mut values = self.reach.start(&self.robot);
        let closes = self.file.closes.iter().map(|(joint, c)| (joint, c.rest));
        let held = self.file.held.iter().map(|(joint, q)| (joint, *q));
        for (joint, value) in closes.chain(held) {
            if let Some(link) = self.robot.joint(joint) {
                values[link] = value;
            }
        }
        self.reach.followed(&values)
    }

    /// The tool frame of the open hand.
    fn X_WT(&self, values: &[f64]) -> Result<Pose, SceneError> {
        let palm = self.robot.link(&self.file.palm).unwrap_or(0);
        let X_WP = self.reach.poses(&self.robot, values)[palm];
        Ok(X_WP.compose(&self.file.tool.pose()?))
    }

    /// Puts the object into the tool frame: its middle at the origin, its shortest edge from
    /// finger to finger, its longest across; moved out until the open hand is clear of it.
    fn place(
        &self,
        object: &Object,
        values: &[f64],
        assumed: &mut Vec<String>,
    ) -> Result<Pose, SceneError> {
        let X_WT = self.X_WT(values)?;
        let cloud = object_cloud(object)?;
        let [low, high] = cloud.bounds();
        let size = high - low;
        let mut axes = [0, 1, 2];
        axes.sort_by(|a, b| size[*a].total_cmp(&size[*b]));
        let unit = |axis: usize| DVec3::AXES[axis];
        let mut R_OT = DMat3::from_cols(unit(axes[0]), unit(axes[2]), unit(axes[1]));
        if R_OT.determinant() < 0.0 {
            R_OT.y_axis = -R_OT.y_axis;
        }
        let R = X_WT.R * R_OT.transpose();
        let middle = 0.5 * (low + high);
        let mut out = 0.0;
        while out <= FARTHEST {
            let centre = X_WT.p + out * X_WT.R.z_axis;
            let pose = Pose {
                R,
                p: centre - R * middle,
            };
            let meets = self
                .reach
                .meets(&self.robot, values, (&cloud, &pose), SAMPLES_APART);
            if !meets {
                assumed.push(format!(
                    "`{}` starts in the tool frame, {:.0} mm out of its origin; its edges of \
                     {:.0}, {:.0} and {:.0} mm lie along x, z and y of it",
                    object.name,
                    1.0e3 * out,
                    1.0e3 * size[axes[0]],
                    1.0e3 * size[axes[1]],
                    1.0e3 * size[axes[2]],
                ));
                return Ok(pose);
            }
            out += CLEARANCE;
        }
        Err(SceneError::Hand {
            message: format!(
                "`{}` ({:.0} x {:.0} x {:.0} mm) does not fit between the open fingers: a smaller \
                 object, or another `tool` or `rest` in hand.toml",
                object.name,
                1.0e3 * size[axes[0]],
                1.0e3 * size[axes[1]],
                1.0e3 * size[axes[2]]
            ),
        })
    }

    /// Joints that close, and the share of their way at which they touch the object.
    fn touches(
        &self,
        object: &Object,
        values: &[f64],
        X_WO: &Pose,
    ) -> Result<Vec<(usize, Option<f64>)>, SceneError> {
        let cloud = object_cloud(object)?;
        let closes = self.file.closes.iter();
        let closing: Vec<(usize, Closing)> = closes
            .filter_map(|(joint, closing)| Some((self.robot.joint(joint)?, *closing)))
            .collect();
        let shares = self
            .reach
            .touch_shares(&self.robot, &closing, values, (&cloud, X_WO));
        Ok(closing.iter().map(|(link, _)| *link).zip(shares).collect())
    }

    fn robot_entry(
        &self,
        options: &GraspOptions,
        values: &[f64],
        touches: &[(usize, Option<f64>)],
        X_WT: &Pose,
        assumed: &mut Vec<String>,
    ) -> Result<RobotEntry, SceneError> {
        let mut entry: RobotEntry = parse("name = \"hand\"\nfile = \"\"")?;
        entry.file = absolute(&self.robot_path());
        let folders = self.file.packages.iter();
        entry.packages = folders.map(|p| absolute(&self.folder.join(p))).collect();
        entry.material.clone_from(&self.file.material);
        entry.fingers.clone_from(&self.file.fingers);
        let robot = &self.robot;
        for (link, _) in robot.links.iter().enumerate() {
            let joint = &robot.links[link].joint;
            if joint.kind.nv() != 1 {
                continue;
            }
            let mut own = JointEntry {
                start: Some(values[link]),
                ..JointEntry::default()
            };
            let follows = self.reach.followers.iter().any(|f| f.link == link);
            if let (false, Some(closing)) = (follows, self.file.closes.get(&joint.name)) {
                let touch = touches.iter().find(|(l, _)| *l == link);
                let touch = touch.and_then(|(_, share)| *share);
                self.drive(&mut own, closing, (link, touch), options, X_WT, assumed);
            } else if !follows {
                self.hold(&mut own, link, values, X_WT);
            }
            entry.joints.insert(joint.name.clone(), own);
        }
        for actuator in &robot.actuators {
            let Drives::Coupling(coupling) = actuator.drives else {
                continue;
            };
            let length = |at: &dyn Fn(usize) -> f64| -> f64 {
                let terms = robot.couplings[coupling].terms.iter();
                terms.map(|(link, c)| c * at(*link)).sum()
            };
            let closed = |link: usize| {
                let joint = &robot.links[link].joint.name;
                let closing = self.file.closes.get(joint);
                closing.map_or(values[link], |closing| closing.closed)
            };
            let open = |link: usize| values[link];
            let ends = [length(&open), length(&closed)].map(|at| control_for(actuator, at));
            if let [Some(open), Some(closed)] = ends {
                let way = vec![[0.25, open], [0.25 + options.close, closed]];
                let name = actuator.name.clone();
                entry.controls.insert(name, Command::OverTime(way));
            }
        }
        Ok(entry)
    }

    /// Drives a joint from open to closed.
    fn drive(
        &self,
        own: &mut JointEntry,
        closing: &Closing,
        (link, touch): (usize, Option<f64>),
        options: &GraspOptions,
        X_WT: &Pose,
        assumed: &mut Vec<String>,
    ) {
        let end = 0.25 + options.close;
        let joint = &self.robot.links[link].joint;
        let aim = |target: f64| Some(Command::OverTime(vec![[0.25, closing.rest], [end, target]]));
        if has_servo(&self.robot, link) {
            own.target = aim(closing.closed);
            assumed.push(format!(
                "`{}` closes from {:.3} to {:.3} with the servo of the file",
                joint.name, closing.rest, closing.closed
            ));
            return;
        }
        // As far inside the object as gives the effort that is wanted: a servo at its limit
        // would not hold the object where it is.
        let lever = self.lever(link, X_WT);
        let way = closing.closed - closing.rest;
        let squeeze = SQUEEZE
            * if joint.kind == JointKind::Prismatic {
                1.0
            } else {
                1.0 / lever
            };
        let touch = touch.map_or(closing.closed, |share| closing.rest + share * way);
        let target = touch + squeeze.copysign(way);
        let limit = joint.effort_limit.map_or(f64::INFINITY, |[_, high]| high);
        let effort = (options.force * lever).min(limit);
        let kp = effort / squeeze;
        own.target = aim(target);
        (own.kp, own.kd) = (Some(kp), Some(DAMPING_TIME * kp));
        own.effort_limit = Some((RESERVE * effort).min(limit));
        assumed.push(format!(
            "`{}` closes from {:.3} to {target:.3}, {:.0} mm inside the object, with {effort:.3} \
             {} there for {} N at each finger{}",
            joint.name,
            closing.rest,
            1.0e3 * SQUEEZE,
            if joint.kind == JointKind::Prismatic {
                "N"
            } else {
                "N m"
            },
            options.force,
            match options.force * lever > limit {
                true => ", less than that by the limit of the file",
                false => "",
            }
        ));
    }

    /// Effort of a joint for a newton at the tool frame, N or N m: its own, and that of the
    /// joints that follow it.
    fn lever(&self, link: usize, X_WT: &Pose) -> f64 {
        let poses = self.reach.poses(&self.robot, &self.open_values());
        let alone = |link: usize| {
            let joint = &self.robot.links[link].joint;
            if joint.kind == JointKind::Prismatic {
                return 1.0;
            }
            let axis = poses[link].R * joint.axis;
            (X_WT.p - poses[link].p)
                .reject_from(axis)
                .length()
                .max(0.01)
        };
        let in_finger = |link: usize| {
            let name = &self.robot.links[link].name;
            self.file.fingers.values().any(|links| links.contains(name))
        };
        let own = if in_finger(link) { alone(link) } else { 0.0 };
        let followers = self.reach.followers.iter().filter(|f| f.leader == link);
        let others = followers.filter(|f| in_finger(f.link));
        let sum = own + others.map(|f| f.factor.abs() * alone(f.link)).sum::<f64>();
        if sum > 0.0 { sum } else { alone(link) }
    }

    /// Holds a joint where it is: by the file's servo, or a stiff one.
    fn hold(&self, own: &mut JointEntry, link: usize, values: &[f64], X_WT: &Pose) {
        own.target = Some(Command::Constant(values[link]));
        if has_servo(&self.robot, link) {
            return;
        }
        let poses = self.reach.poses(&self.robot, values);
        let on_it = super::fingers::branch(&self.robot, link);
        let mass: f64 = on_it
            .iter()
            .filter_map(|l| self.robot.links[*l].inertial)
            .map(|inertial| inertial.mass)
            .sum();
        let joint = &self.robot.links[link].joint;
        let arm = match joint.kind {
            JointKind::Prismatic => 1.0,
            _ => (X_WT.p - poses[link].p).length().max(0.02),
        };
        let kp = (GRAVITY * mass + 10.0) * arm / GIVES;
        (own.kp, own.kd) = (Some(kp), Some(DAMPING_TIME * kp));
        own.effort_limit = Some(1.0e2 * kp * GIVES);
    }
}

/// Whether the file has a position servo on the joint of a link.
fn has_servo(robot: &Robot, link: usize) -> bool {
    let mut own = robot
        .actuators
        .iter()
        .filter(|a| a.drives == Drives::Joint(link));
    own.any(|a| matches!(a.law.kind(), ActuatorKind::Position { .. }))
}

/// The control at which a servo aims at a coordinate; none if it is no servo.
fn control_for(actuator: &volar_robots::Actuator, target: f64) -> Option<f64> {
    let [low, high] = actuator.control_range?;
    let (at_low, at_high) = (actuator.at_control(low), actuator.at_control(high));
    let slope = (at_high.constant - at_low.constant) / (high - low);
    let usable = at_low.kp > 0.0 && slope.abs() > 0.0;
    usable.then(|| (low + (at_low.kp * target - at_low.constant) / slope).clamp(low, high))
}

/// The types of the format with all that is left out as by default.
fn parse<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, SceneError> {
    toml::from_str(text).map_err(|error| SceneError::Hand {
        message: error.to_string(),
    })
}

fn body_entry(object: &Object, X_WO: &Pose) -> Result<BodyEntry, SceneError> {
    let mut entry: BodyEntry = parse("name = \"\"\nshape = { ground = {} }")?;
    entry.name.clone_from(&object.name);
    entry.shape = object.shape.clone();
    entry.position = X_WO.p.to_array();
    let R = DQuat::from_mat3(&X_WO.R);
    entry.orientation = [R.w, R.x, R.y, R.z];
    entry.mass = object.mass;
    entry.material.clone_from(&object.material);
    Ok(entry)
}

fn object_cloud(object: &Object) -> Result<Cloud, SceneError> {
    let unusable = |message: String| SceneError::Hand {
        message: format!("`{}`: {message}", object.name),
    };
    let mesh = match &object.shape {
        Shape::Mesh(file) => {
            let disk = Disk::default();
            let library = MeshLibrary::new(&disk);
            let solid = library.solid(std::path::Path::new(&file.file));
            let solid = solid.map_err(|error| unusable(error.to_string()))?;
            Some(file.placed(&solid.mesh))
        }
        other => other.tessellate(),
    };
    let mesh = mesh.ok_or_else(|| unusable("a half space cannot be grasped".into()))?;
    match mesh.triangles.is_empty() {
        true => Err(unusable("it has no triangles".into())),
        false => Ok(Cloud::of(&[mesh])),
    }
}
