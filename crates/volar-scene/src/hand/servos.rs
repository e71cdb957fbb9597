//! What drives the joints of a hand in a grasp: the file's servos, or ours.

use std::collections::BTreeMap;

use volar_geom::Pose;
use volar_robots::{Actuator, ActuatorKind, Drives, JointKind, Robot};

use super::grasp::{GRAVITY, GraspOptions, parse};
use super::{Closing, Hand, absolute};
use crate::error::SceneError;
use crate::spec::{Command, JointEntry, RobotEntry};

/// A servo of ours aims at so far inside the object, m, ...
const SQUEEZE: f64 = 5.0e-3;
/// ... gives at most so many times the effort that is wanted there, ...
const RESERVE: f64 = 2.0;
/// ... and is damped by its stiffness times this, s.
const DAMPING_TIME: f64 = 0.02;
/// A joint that is held gives way by so much under its load, rad or m.
const GIVES: f64 = 2.0e-3;

/// Joints that close, from where to where.
type Closes = BTreeMap<String, Closing>;
/// How a hand closes: its joints, their coordinates at the start by link, and the shares of
/// their ways at which they touch.
pub(super) type How<'a> = (&'a Closes, &'a [f64], &'a [(usize, Option<f64>)]);

/// A tendon that a servo of the file drives.
struct Tendon {
    coupling: usize,
    actuator: String,
    /// Its control, from open to closed.
    way: Command,
    /// What it gives at the object when its control is that of the closed hand, N or N m.
    effort: f64,
}

impl Hand {
    pub(super) fn robot_entry(
        &self,
        options: &GraspOptions,
        (closes, values, touches): How<'_>,
        X_WT: &Pose,
        assumed: &mut Vec<String>,
    ) -> Result<RobotEntry, SceneError> {
        let mut entry: RobotEntry = parse("name = \"hand\"\nfile = \"\"")?;
        entry.file = absolute(&self.robot_path());
        let folders = self.file.packages.iter();
        entry.packages = folders.map(|p| absolute(&self.folder.join(p))).collect();
        entry.material.clone_from(&self.file.material);
        entry.fingers.clone_from(&self.file.fingers);
        entry.detail = options.detail;
        if options.detail > 0.0 {
            assumed.push(format!(
                "surfaces of the hand may be {} mm off, with fewer triangles",
                1e3 * options.detail
            ));
        }
        let robot = &self.robot;
        let share_at_touch = |link: usize| {
            let touch = touches.iter().find(|(l, _)| *l == link);
            touch.and_then(|(_, share)| *share).unwrap_or(1.0)
        };
        let at_touch = self.values_at_share(closes, values, share_at_touch);
        let tendons = self.tendons(options, (closes, values), &at_touch);
        let poses = self.reach.poses(robot, &at_touch);
        for (link, _) in robot.links.iter().enumerate() {
            let joint = &robot.links[link].joint;
            if joint.kind.nv() != 1 {
                continue;
            }
            let mut own = JointEntry {
                start: Some(values[link]),
                ..JointEntry::default()
            };
            let follows = self.reach.followers.iter().any(|f| f.link == link)
                || self.reach.linkage.passive.contains(&link);
            let by_tendon = tendons.iter().find_map(|tendon| {
                let mut terms = robot.couplings[tendon.coupling].terms.iter();
                let term = terms.find(|(term, _)| *term == link);
                term.map(|(_, c)| (c * tendon.effort).abs())
            });
            if let (false, Some(closing)) = (follows, closes.get(&joint.name)) {
                let touch = touches.iter().find(|(l, _)| *l == link);
                let touch = touch.and_then(|(_, share)| *share);
                let lever = self.lever(link, X_WT, &poses);
                // One that is too weak gets help.
                if by_tendon.is_none_or(|effort| effort < options.force * lever) {
                    self.drive(&mut own, closing, (link, touch, lever), options, assumed);
                }
            } else if !follows && by_tendon.is_none() {
                self.hold(&mut own, link, values, X_WT);
            }
            entry.joints.insert(joint.name.clone(), own);
        }
        for tendon in tendons {
            let name = &robot.couplings[tendon.coupling].name;
            assumed.push(format!(
                "tendon `{name}` closes with the servo of the file, with {:.3} N or N m there",
                tendon.effort.abs()
            ));
            entry.controls.insert(tendon.actuator, tendon.way);
        }
        Ok(entry)
    }

    /// Tendons that a servo of the file drives, with its control from open to closed.
    fn tendons(
        &self,
        options: &GraspOptions,
        (closes, values): (&Closes, &[f64]),
        at_touch: &[f64],
    ) -> Vec<Tendon> {
        let robot = &self.robot;
        // Joints that follow others close as well: a tendon may pull at both.
        let closed = self.values_at_share(closes, values, |_| 1.0);
        let mut tendons = Vec::new();
        for actuator in &robot.actuators {
            let Drives::Coupling(coupling) = actuator.drives else {
                continue;
            };
            let length = |at: &[f64]| -> f64 {
                let terms = robot.couplings[coupling].terms.iter();
                terms.map(|(link, c)| c * at[*link]).sum()
            };
            let ends = [length(values), length(&closed)].map(|at| control_for(actuator, at));
            if let [Some(open), Some(closed)] = ends {
                let way = vec![[0.25, open], [0.25 + options.close, closed]];
                tendons.push(Tendon {
                    coupling,
                    actuator: actuator.name.clone(),
                    way: Command::OverTime(way),
                    effort: actuator.effort(closed, length(at_touch), 0.0),
                });
            }
        }
        tendons
    }

    /// Drives a joint from open to closed.
    fn drive(
        &self,
        own: &mut JointEntry,
        closing: &Closing,
        (link, touch, lever): (usize, Option<f64>, f64),
        options: &GraspOptions,
        assumed: &mut Vec<String>,
    ) {
        let end = 0.25 + options.close;
        let joint = &self.robot.links[link].joint;
        let aim = |target: f64| Some(Command::OverTime(vec![[0.25, closing.rest], [end, target]]));
        // As far inside the object as gives the effort that is wanted: a servo at its limit
        // would not hold the object where it is, and one that aims at the closed hand may push
        // the object out.
        let way = closing.closed - closing.rest;
        let slides = joint.kind == JointKind::Prismatic;
        let inside = |depth: f64| if slides { depth } else { depth / lever };
        let (unit, squeeze) = (if slides { "N" } else { "N m" }, inside(SQUEEZE));
        let limit = joint.effort_limit.map_or(f64::INFINITY, |[_, high]| high);
        let effort = (options.force * lever).min(limit);
        if let Some(kp) = servo_stiffness(&self.robot, link) {
            let touch = touch.map_or(way, |share| share * way);
            let deep = (effort / kp).copysign(way);
            let target = match (touch + deep).abs() < way.abs() {
                true => closing.rest + touch + deep,
                false => closing.closed,
            };
            own.target = aim(target);
            assumed.push(format!(
                "`{}` closes from {:.3} to {target:.3} with the servo of the file, for {effort:.3} \
                 {unit} at the object",
                joint.name, closing.rest
            ));
            return;
        }
        let touch = touch.map_or(closing.closed, |share| closing.rest + share * way);
        let target = touch + squeeze.copysign(way);
        let kp = effort / squeeze;
        own.target = aim(target);
        (own.kp, own.kd) = (Some(kp), Some(DAMPING_TIME * kp));
        own.effort_limit = Some((RESERVE * effort).min(limit));
        assumed.push(format!(
            "`{}` closes from {:.3} to {target:.3}, {:.0} mm inside the object, with {effort:.3} \
             {unit} there for {} N at each finger{}",
            joint.name,
            closing.rest,
            1.0e3 * SQUEEZE,
            options.force,
            match options.force * lever > limit {
                true => ", less than that by the limit of the file",
                false => "",
            }
        ));
    }

    /// Coordinates with each joint that closes by a share of its way from open to closed.
    fn values_at_share(
        &self,
        closes: &Closes,
        values: &[f64],
        share: impl Fn(usize) -> f64,
    ) -> Vec<f64> {
        let mut values = values.to_vec();
        for (joint, closing) in closes {
            if let Some(link) = self.robot.joint(joint) {
                values[link] = closing.rest + share(link) * (closing.closed - closing.rest);
            }
        }
        self.reach.completed(&self.robot, &values)
    }

    /// Effort of a joint for a newton at the tool frame, N or N m: its own, and that of the
    /// joints that follow it.
    fn lever(&self, link: usize, X_WT: &Pose, poses: &[Pose]) -> f64 {
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
        if servo_stiffness(&self.robot, link).is_some() {
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

/// Effort per coordinate of the position servo that the file has on the joint of a link.
fn servo_stiffness(robot: &Robot, link: usize) -> Option<f64> {
    let on_joint = |a: &&Actuator| a.drives == Drives::Joint(link);
    robot.actuators.iter().filter(on_joint).find_map(|a| {
        let servo = matches!(a.law.kind(), ActuatorKind::Position { .. });
        servo.then(|| a.at_control(0.0).kp)
    })
}

/// The control at which a servo aims at a coordinate; none if it is no servo.
fn control_for(actuator: &Actuator, target: f64) -> Option<f64> {
    let [low, high] = actuator.control_range?;
    let (at_low, at_high) = (actuator.at_control(low), actuator.at_control(high));
    let slope = (at_high.constant - at_low.constant) / (high - low);
    let usable = at_low.kp > 0.0 && slope.abs() > 0.0;
    usable.then(|| (low + (at_low.kp * target - at_low.constant) / slope).clamp(low, high))
}
