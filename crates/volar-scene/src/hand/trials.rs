//! A hand at the grasps of a list: one scene of a protocol for all of them, and for each the
//! entries that differ.
//!
//! Frames: O the object's mesh, H the root of the hand's file, T the tool frame of the open
//! hand, W the world, which is O or T by the protocol.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};
use toml::{Table, Value};
use volar_assets::Disk;
use volar_contact::Material;
use volar_geom::Pose;

use super::grasp::parse;
use super::object::body_entry;
use super::protocol::{Frame, put_over};
use super::touching::Surfaces;
use super::{Closing, GraspOptions, Hand, Object, Protocol};
use crate::error::SceneError;
use crate::scene::Scene;
use crate::spec::{Command, RobotEntry, SceneSpec};

/// The name of the object in scenes of evaluations.
const OBJECT: &str = "object";
/// The name of the hand.
const HAND: &str = "hand";
/// How long a hand takes to open again, s.
const OPENING: f64 = 0.25;

/// Where a hand is on an object, and how its joints are; those that are not named are open
/// as the hand's file says.
#[derive(Clone, Debug, PartialEq)]
pub struct HandAt {
    /// The root of the hand in the frame of the object's mesh.
    pub X_OH: Pose,
    /// Joints at the start by name, rad or m.
    pub start: BTreeMap<String, f64>,
    /// What joints aim at by name; those that are not named close as the hand's file says.
    pub squeeze: BTreeMap<String, f64>,
}

/// By how much a trial is off its grasp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offset {
    /// Displaces the hand, in its own frame.
    pub X_HH: Pose,
    /// Multiplies the force of the fingers.
    pub force: f64,
    /// Multiplies the friction.
    pub friction: f64,
    /// Multiplies the mass of the object.
    pub mass: f64,
}

impl Offset {
    /// As the grasp says.
    pub const NONE: Offset = Offset {
        X_HH: Pose::IDENTITY,
        force: 1.0,
        friction: 1.0,
        mass: 1.0,
    };
}

/// A hand, an object and a protocol.
#[derive(Clone, Debug)]
pub struct Trials<'a> {
    hand: &'a Hand,
    object: Object,
    protocol: &'a Protocol,
    options: GraspOptions,
    surfaces: Surfaces,
    X_HT: Pose,
}

/// A grasp with where its fingers will touch.
#[derive(Clone, Debug)]
pub struct Touching {
    at: HandAt,
    values: Vec<f64>,
    closes: BTreeMap<String, Closing>,
    touches: Vec<(usize, Option<f64>)>,
}

impl Hand {
    /// Prepares trials of a protocol with an object; `force` is that of each finger where the
    /// hand's file has no servo of its own, N.
    pub fn trials<'a>(
        &'a self,
        object: &Object,
        protocol: &'a Protocol,
        force: f64,
    ) -> Result<Trials<'a>, SceneError> {
        let joints = self.robot.links.iter().map(|link| &link.joint.name);
        if let Some(joint) = joints.into_iter().find(|name| name.contains('.')) {
            return Err(SceneError::Hand {
                message: format!("joint `{joint}`: entries of names with a dot cannot be set"),
            });
        }
        let mut object = object.clone();
        object.name = OBJECT.into();
        Ok(Trials {
            hand: self,
            surfaces: Surfaces::of(self, &object)?,
            object,
            protocol,
            options: GraspOptions {
                force,
                close: protocol.close,
                ..GraspOptions::default()
            },
            X_HT: self.tool_frame(&self.open_values())?,
        })
    }
}

impl Trials<'_> {
    /// Finds where the fingers touch when the hand closes from a grasp's start.
    pub fn touching(&self, at: HandAt) -> Result<Touching, SceneError> {
        let hand = self.hand;
        let mut values = hand.open_values();
        let mut closes = hand.file.closes.clone();
        for (joint, value) in &at.start {
            let link = hand
                .robot
                .joint(joint)
                .ok_or_else(|| unknown(hand, joint))?;
            values[link] = *value;
            if let Some(closing) = closes.get_mut(joint) {
                closing.rest = *value;
            }
        }
        if let Some(joint) = at.squeeze.keys().find(|j| hand.robot.joint(j).is_none()) {
            return Err(unknown(hand, joint));
        }
        let values = hand.reach.completed(&hand.robot, &values);
        let touches = hand.touches(&self.surfaces, &closes, &values, &at.X_OH.inverse());
        Ok(Touching {
            at,
            values,
            closes,
            touches,
        })
    }

    /// The scene of a grasp.
    pub fn scene(&self, grasp: &Touching) -> Result<Scene, SceneError> {
        let protocol = self.protocol;
        let mut spec: SceneSpec = parse("name = \"\"")?;
        spec.name = format!("{} in {}", protocol.name, self.hand.robot.name);
        spec.gravity = [0.0; 3];
        let closed = 0.5 + protocol.close;
        spec.duration = closed + 1.0;
        let mut robot = self.entry(grasp, 1.0)?;
        let mut body = body_entry(&self.object, &Pose::IDENTITY)?;
        let [hand, object] = self.poses(&grasp.at.X_OH);
        (robot.position, robot.orientation) = placed(&hand);
        (body.position, body.orientation) = placed(&object);
        robot.material = HAND.into();
        body.material = OBJECT.into();
        spec.robots.push(robot);
        spec.bodies.push(body);
        let mut section: crate::spec::GraspSection = parse("object = \"object\"")?;
        section.palm = Some(format!("{HAND}/{}", self.hand.file.palm));
        (section.from, section.held_since) = (closed, closed);
        spec.grasp = Some(section);
        let failed = |error: &dyn std::fmt::Display| SceneError::Hand {
            message: format!("protocol `{}`: {error}", protocol.name),
        };
        let mut scene = Table::try_from(&spec).map_err(|error| failed(&error))?;
        put_over(&mut scene, &protocol.scene);
        let mut materials = Table::new();
        for (name, like) in [
            (HAND, &self.hand.file.material),
            (OBJECT, &self.object.material),
        ] {
            let mut own = Table::new();
            own.insert("like".into(), like.clone().into());
            if let Some(friction) = protocol.friction {
                own.insert("friction".into(), friction.into());
            }
            materials.insert(name.into(), own.into());
        }
        scene.insert("materials".into(), materials.into());
        for (key, over) in [("robot", &protocol.hand), ("body", &protocol.object)] {
            let entry = scene.get_mut(key).and_then(Value::as_array_mut);
            let entry = entry.and_then(|list| list.first_mut());
            if let Some(Value::Table(entry)) = entry {
                put_over(entry, over);
            }
        }
        if self.object.mass.is_some() {
            // What is asked for comes before what the protocol says.
            let body = scene.get_mut("body").and_then(Value::as_array_mut);
            if let Some(Value::Table(body)) = body.and_then(|list| list.first_mut()) {
                body.remove("density");
                body.insert("mass".into(), self.object.mass.unwrap_or(1.0).into());
            }
        }
        let text = toml::to_string(&scene).map_err(|error| failed(&error))?;
        let name = format!("protocol {}", protocol.name);
        Ok(Scene::parse(&name, &text)?.with_files(std::sync::Arc::new(Disk::default())))
    }

    /// The entries of a trial in that scene, all of them numbers. `mass` is that of the object
    /// in the scene, kg.
    pub fn settings(
        &self,
        grasp: &Touching,
        offset: &Offset,
        mass: f64,
    ) -> Result<Vec<(String, f64)>, SceneError> {
        let entry = self.entry(grasp, offset.force)?;
        let mut all = Vec::new();
        let [hand, object] = self.poses(&grasp.at.X_OH.compose(&offset.X_HH));
        let (path, pose) = match self.protocol.frame {
            Frame::Object => ("robot.hand", hand),
            Frame::Hand => ("body.object", object),
        };
        let (position, orientation) = placed(&pose);
        for (i, value) in position.into_iter().enumerate() {
            all.push((format!("{path}.position.{i}"), value));
        }
        for (i, value) in orientation.into_iter().enumerate() {
            all.push((format!("{path}.orientation.{i}"), value));
        }
        for (name, joint) in &entry.joints {
            let path = |key: &str| format!("robot.hand.joints.{name}.{key}");
            let numbers = [
                ("start", joint.start),
                ("kp", joint.kp),
                ("kd", joint.kd),
                ("effort_limit", joint.effort_limit),
            ];
            let given = numbers.into_iter();
            all.extend(given.filter_map(|(key, value)| Some((path(key), value?))));
            all.extend(joint.target.iter().flat_map(|c| points(path("target"), c)));
        }
        for (name, command) in &entry.controls {
            all.extend(points(format!("robot.hand.controls.{name}"), command));
        }
        if offset.friction.to_bits() != 1.0_f64.to_bits() {
            for (name, like) in [
                (HAND, &self.hand.file.material),
                (OBJECT, &self.object.material),
            ] {
                let own = Material::named(like).map_or(1.0, |material| material.friction);
                let friction = self.protocol.friction.unwrap_or(own) * offset.friction;
                all.push((format!("materials.{name}.friction"), friction));
            }
        }
        if offset.mass.to_bits() != 1.0_f64.to_bits() {
            all.push(("body.object.mass".into(), mass * offset.mass));
        }
        Ok(all)
    }

    /// Hand and object in the world.
    fn poses(&self, X_OH: &Pose) -> [Pose; 2] {
        match self.protocol.frame {
            Frame::Object => [*X_OH, Pose::IDENTITY],
            Frame::Hand => {
                let X_WH = self.X_HT.inverse();
                [X_WH, X_WH.compose(&X_OH.inverse())]
            }
        }
    }

    /// The hand with its joints and what drives them.
    fn entry(&self, grasp: &Touching, force: f64) -> Result<RobotEntry, SceneError> {
        let hand = self.hand;
        let options = GraspOptions {
            force: force * self.options.force,
            ..self.options
        };
        let (closes, values) = (&grasp.closes, &grasp.values);
        let mut entry = hand.robot_entry(
            &options,
            (closes, values, &grasp.touches),
            &self.X_HT,
            &mut Vec::new(),
        )?;
        let end = 0.25 + options.close;
        for (name, squeeze) in &grasp.at.squeeze {
            let start = hand.robot.joint(name).map(|link| values[link]);
            let joint = entry.joints.get_mut(name);
            // Joints that follow others have no target of their own.
            if let (Some(joint), Some(start)) = (joint.filter(|j| j.target.is_some()), start) {
                joint.target = Some(Command::OverTime(vec![[0.25, start], [end, *squeeze]]));
            }
        }
        if let Some(open) = self.protocol.open {
            let joints = entry.joints.values_mut().filter_map(|j| j.target.as_mut());
            for command in joints.chain(entry.controls.values_mut()) {
                if let Command::OverTime(points) = command
                    && let (Some([_, first]), Some([_, last])) =
                        (points.first().copied(), points.last().copied())
                {
                    points.push([open, last]);
                    points.push([open + OPENING, first]);
                }
            }
        }
        Ok(entry)
    }
}

/// The values of a command by their paths; times are the same in all trials.
fn points(path: String, command: &Command) -> Vec<(String, f64)> {
    match command {
        Command::Constant(value) => vec![(path, *value)],
        Command::OverTime(points) => {
            let points = points.iter().enumerate();
            points
                .map(|(i, [_, value])| (format!("{path}.{i}.1"), *value))
                .collect()
        }
    }
}

/// Position and quaternion (w, x, y, z).
pub(super) fn placed(X: &Pose) -> ([f64; 3], [f64; 4]) {
    let R = DQuat::from_mat3(&X.R);
    let p: DVec3 = X.p;
    (p.to_array(), [R.w, R.x, R.y, R.z])
}

fn unknown(hand: &Hand, joint: &str) -> SceneError {
    SceneError::Hand {
        message: format!("the hand `{}` has no joint `{joint}`", hand.robot.name),
    }
}
