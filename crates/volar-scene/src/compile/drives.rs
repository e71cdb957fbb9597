//! What drives joints: the actuators of a robot's file and the scene's own.

use volar_dynamics::{Actuator, Lines, Signal};
use volar_robots::{ActuatorKind, Drives, Robot};
use volar_sim::DofId;

use super::chains::terms as sum_of;
use super::names::{find, not_in_file};
use super::{PlacedRobot, Stage};
use crate::error::{Fault, not_negative, positive};
use crate::spec::{Command, JointEntry, RobotEntry};

/// An actuator as the scene sees it.
///
/// ```
/// use volar_scene::{Commanded, Scene};
///
/// let setup = Scene::builtin("g2p-cube")?.compile()?;
/// let drive = &setup.drives[0];
/// assert_eq!(drive.joint, "gripper/slide_1");
/// assert_eq!(drive.commands, Commanded::Effort); // N, for a slide
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// `robot/joint`, `robot/tendon`, or the name of a body on a rail.
    pub joint: String,
    /// `robot/actuator` of the file; empty for the scene's own.
    pub actuator: String,
    /// What is commanded.
    pub commands: Commanded,
    /// For actuators of the file: effort or target is `factor · control +
    /// plus`, with the control kept in its range.
    pub control: Option<ControlMap>,
    /// Least and greatest command that makes sense, for sliders.
    pub range: Option<[f64; 2]>,
}

/// What is commanded.
///
/// See the example of [`Drive`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commanded {
    /// An effort, N m or N.
    Effort,
    /// A coordinate, rad or m.
    Target,
    /// A rate, rad/s or m/s.
    Speed,
}

/// From the control of a file's actuator to effort or target.
///
/// An MJCF actuator with a control of 0 to 255 for targets of 0 to 0.04 m:
///
/// ```
/// use volar_scene::ControlMap;
///
/// let map = ControlMap { factor: 0.04 / 255.0, plus: 0.0, range: Some([0.0, 255.0]) };
/// assert_eq!(map.command(255.0), map.command(300.0)); // kept in its range
/// assert!((map.command(255.0) - 0.04).abs() < 1.0e-15); // m
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControlMap {
    /// Effort or target per control.
    pub factor: f64,
    /// Effort or target at a control of zero.
    pub plus: f64,
    /// Least and greatest control.
    pub range: Option<[f64; 2]>,
}

impl ControlMap {
    /// Effort or target at a control.
    pub fn command(&self, control: f64) -> f64 {
        let control = match self.range {
            Some([low, high]) => control.max(low).min(high),
            None => control,
        };
        self.factor * control + self.plus
    }

    /// Narrows the range of the control to what keeps the command in bounds.
    fn keep_command_within(&mut self, [low, high]: [f64; 2]) {
        if self.factor == 0.0 {
            return;
        }
        let (a, b) = (
            (low - self.plus) / self.factor,
            (high - self.plus) / self.factor,
        );
        let [least, greatest] = self.range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        self.range = Some([a.min(b).max(least), a.max(b).min(greatest)]);
    }
}

impl Drive {
    pub(super) fn effort(joint: &str) -> Drive {
        Drive {
            joint: joint.to_owned(),
            actuator: String::new(),
            commands: Commanded::Effort,
            control: None,
            range: None,
        }
    }
}

/// An actuator to be, on a sum of joint coordinates.
#[derive(Debug)]
pub(super) struct PlannedDrive {
    pub terms: Vec<(DofId, f64)>,
    pub actuator: Actuator,
    pub drive: Drive,
}

impl Stage {
    /// Drives of the joints of a robot: the scene's where it says something,
    /// the file's elsewhere.
    pub(super) fn add_drives(
        &mut self,
        entry: &RobotEntry,
        placed: &PlacedRobot,
        keyframe_controls: &[f64],
    ) -> Result<(), Fault> {
        let robot = &placed.robot;
        let names: Vec<String> = robot.actuators.iter().map(|a| a.name.clone()).collect();
        for name in entry.controls.keys() {
            if !names.contains(name) {
                let message = not_in_file("actuator", name, &names);
                return Err(Fault::new(&["controls", name], message));
            }
        }
        for (number, actuator) in robot.actuators.iter().enumerate() {
            let control = match entry.controls.get(&actuator.name) {
                Some(command) => {
                    signal(command).map_err(|f| f.within(&["controls", &actuator.name]))?
                }
                None => Signal::Constant(keyframe_controls.get(number).copied().unwrap_or(0.0)),
            };
            let replaced = match actuator.drives {
                Drives::Joint(link) => {
                    let own = entry.joints.get(&robot.links[link].joint.name);
                    own.is_some_and(drives_itself)
                }
                Drives::Coupling(_) => false,
            };
            if !replaced {
                self.add_file_drive(placed, number, &control)?;
            }
        }
        for (name, joint) in &entry.joints {
            if let Some(link) = placed.link_of_joint(name)
                && drives_itself(joint)
            {
                self.add_own_drive(placed, link, joint)
                    .map_err(|f| f.within(&["joints", name]))?;
            }
            for (key, given) in [
                ("kp", joint.kp.is_some() && joint.target.is_none()),
                ("kd", joint.kd.is_some() && !serves(joint)),
                (
                    "effort_limit",
                    joint.effort_limit.is_some() && !drives_itself(joint),
                ),
            ] {
                if given {
                    let message = "this belongs to a drive: give `target` or `target_speed` too";
                    return Err(Fault::new(&["joints", name, key], message));
                }
            }
        }
        Ok(())
    }

    fn add_file_drive(
        &mut self,
        placed: &PlacedRobot,
        number: usize,
        control: &Signal,
    ) -> Result<(), Fault> {
        let actuator = &placed.robot.actuators[number];
        let (terms, name, limits, bears) = match actuator.drives {
            Drives::Joint(link) => {
                let joint = &placed.robot.links[link].joint;
                let terms = vec![(link, 1.0)];
                (terms, &joint.name, joint.limits, joint.effort_limit)
            }
            Drives::Coupling(coupling) => {
                let tendon = &placed.robot.couplings[coupling];
                (tendon.terms.clone(), &tendon.name, tendon.range, None)
            }
        };
        let (at_zero, at_one) = (unclamped(actuator, 0.0), unclamped(actuator, 1.0));
        let (kp, kd) = (at_zero.kp, at_zero.kd);
        let effort_limit = both(at_zero.limit, bears);
        // kp = 0 and kd = 0 mean an effort; then the command is the constant.
        let (unit, commands) = if kp > 0.0 {
            (kp, Commanded::Target)
        } else if kd > 0.0 {
            (kd, Commanded::Speed)
        } else {
            (1.0, Commanded::Effort)
        };
        let mut map = ControlMap {
            factor: (at_one.constant - at_zero.constant) / unit,
            plus: at_zero.constant / unit,
            range: actuator.control_range,
        };
        if let (Commanded::Effort, Some(limit)) = (commands, effort_limit) {
            map.keep_command_within(limit);
        }
        let clamped = match (control, map.range) {
            (Signal::Constant(value), Some([low, high])) => {
                Signal::Constant(value.max(low).min(high))
            }
            (over_time, Some([low, high])) if !stays_within(over_time, [low, high]) => {
                let message = format!("a value is out of the actuator's range, {low} to {high}");
                return Err(Fault::new(&["controls", &actuator.name], message));
            }
            (other, _) => other.clone(),
        };
        let command = clamped.scaled(map.factor, map.plus);
        let actuator_spec = match commands {
            Commanded::Target => Actuator::Position {
                target: command,
                kp,
                kd: kd.max(0.0),
                effort_limit,
            },
            Commanded::Speed => Actuator::Velocity {
                target: command,
                kd,
                effort_limit,
            },
            Commanded::Effort => Actuator::Effort(command),
        };
        let range = map
            .range
            .map(|[low, high]| [map.command(low), map.command(high)])
            .or(limits.filter(|_| commands == Commanded::Target));
        self.drives.push(PlannedDrive {
            terms: sum_of(placed.first, &terms),
            actuator: actuator_spec,
            drive: Drive {
                joint: placed.full(name),
                actuator: placed.full(&actuator.name),
                commands,
                control: Some(map),
                range,
            },
        });
        Ok(())
    }

    fn add_own_drive(
        &mut self,
        placed: &PlacedRobot,
        link: usize,
        entry: &JointEntry,
    ) -> Result<(), Fault> {
        let joint = &placed.robot.links[link].joint;
        if joint.kind.nv() != 1 {
            let message = "only joints with one degree of freedom can be driven";
            return Err(Fault::new(&[], message));
        }
        let limit = match entry.effort_limit {
            Some(limit) => {
                let limit = positive("effort_limit", limit)?;
                Some([-limit, limit])
            }
            None => joint.effort_limit,
        };
        let kd = not_negative("kd", entry.kd.unwrap_or(0.0))?;
        let (actuator, commands) = match (&entry.effort, &entry.target, &entry.target_speed) {
            (Some(effort), None, None) => {
                let effort = signal(effort).map_err(|f| f.within(&["effort"]))?;
                for value in values(&effort) {
                    bearable(value, limit).map_err(|f| f.within(&["effort"]))?;
                }
                (Actuator::Effort(effort), Commanded::Effort)
            }
            (None, Some(target), None) => {
                let target = signal(target).map_err(|f| f.within(&["target"]))?;
                let (kp, kd, effort_limit) = match entry.kp {
                    Some(kp) => (positive("kp", kp)?, kd, limit),
                    None => {
                        let (kp, own_kd, own_limit) = file_gains(&placed.robot, link)?;
                        let given = entry.effort_limit.and(limit);
                        (kp, entry.kd.unwrap_or(own_kd), given.or(own_limit))
                    }
                };
                let actuator = Actuator::Position {
                    target,
                    kp,
                    kd,
                    effort_limit,
                };
                (actuator, Commanded::Target)
            }
            (None, None, Some(speed)) => {
                let target = signal(speed).map_err(|f| f.within(&["target_speed"]))?;
                let actuator = Actuator::Velocity {
                    target,
                    kd: positive("kd", kd)?,
                    effort_limit: limit,
                };
                (actuator, Commanded::Speed)
            }
            _ => {
                let message = "give one of `effort`, `target` and `target_speed`";
                return Err(Fault::new(&[], message));
            }
        };
        self.drives.push(PlannedDrive {
            terms: sum_of(placed.first, &[(link, 1.0)]),
            actuator,
            drive: Drive {
                joint: placed.full(&joint.name),
                actuator: String::new(),
                commands,
                control: None,
                range: match commands {
                    Commanded::Target => joint.limits,
                    Commanded::Effort => limit,
                    Commanded::Speed => None,
                },
            },
        });
        Ok(())
    }
}

impl PlacedRobot {
    pub(super) fn full(&self, name: &str) -> String {
        format!("{}/{name}", self.name)
    }

    pub(super) fn link_of_joint(&self, joint: &str) -> Option<usize> {
        let links = self.robot.links.iter();
        let named =
            |link: &volar_robots::Link| link.joint.name == joint && link.joint.kind.nv() > 0;
        links.enumerate().find(|(_, l)| named(l)).map(|(i, _)| i)
    }
}

fn drives_itself(joint: &JointEntry) -> bool {
    joint.effort.is_some() || serves(joint)
}

fn serves(joint: &JointEntry) -> bool {
    joint.target.is_some() || joint.target_speed.is_some()
}

/// The actuator at a control that may be out of its range.
fn unclamped(actuator: &volar_robots::Actuator, control: f64) -> volar_robots::HeldControl {
    let free = volar_robots::Actuator {
        control_range: None,
        ..actuator.clone()
    };
    free.at_control(control)
}

/// The narrower of two ranges of effort.
fn both(a: Option<[f64; 2]>, b: Option<[f64; 2]>) -> Option<[f64; 2]> {
    match (a, b) {
        (Some([a, b]), Some([c, d])) => Some([a.max(c).min(d), b.min(d).max(c)]),
        (one, other) => one.or(other),
    }
}

/// Gains and limit of the position actuator that a file has on a joint.
fn file_gains(robot: &Robot, link: usize) -> Result<(f64, f64, Option<[f64; 2]>), Fault> {
    let actuators = robot.actuators.iter();
    let own = actuators.filter(|a| a.drives == Drives::Joint(link));
    let position = own
        .filter(|a| matches!(a.law.kind(), ActuatorKind::Position { .. }))
        .map(|a| a.at_control(0.0))
        .next();
    let message = "the file has no position actuator on this joint: give `kp` (and `kd`)";
    let held = position.ok_or_else(|| Fault::new(&["target"], message))?;
    Ok((held.kp, held.kd, held.limit))
}

/// An effort against the limit of its joint.
pub(super) fn bearable(effort: f64, limit: Option<[f64; 2]>) -> Result<(), Fault> {
    match limit {
        Some([low, high]) if !(low..=high).contains(&effort) => Err(Fault::new(
            &[],
            format!(
                "{effort} is more than the joint bears ({low} to {high}); `effort_limit` replaces that"
            ),
        )),
        _ => Ok(()),
    }
}

/// The values a command goes through; between them it runs straight.
fn values(signal: &Signal) -> Vec<f64> {
    match signal {
        Signal::Constant(value) => vec![*value],
        other => other.corners().iter().map(|t| other.value(*t)).collect(),
    }
}

fn stays_within(signal: &Signal, [low, high]: [f64; 2]) -> bool {
    values(signal).iter().all(|x| (low..=high).contains(x))
}

/// A command as a signal.
pub(super) fn signal(command: &Command) -> Result<Signal, Fault> {
    match command {
        Command::Constant(value) if value.is_finite() => Ok(Signal::Constant(*value)),
        Command::Constant(_) => Err(Fault::new(&[], "the number must be finite")),
        Command::OverTime(points) => {
            let points = points.iter().map(|[t, x]| (*t, *x)).collect();
            Lines::new(points).map(Signal::Lines).ok_or_else(|| {
                let message = "expected pairs [time, value] with ascending times, at least one";
                Fault::new(&[], message)
            })
        }
    }
}

/// The number of the drive of a joint or of an actuator of a file.
pub(super) fn find_drive(
    drives: &[Drive],
    wanted: &str,
    name: impl Fn(&Drive) -> String,
    what: &str,
) -> Result<usize, Fault> {
    let names: Vec<String> = drives.iter().map(name).collect();
    find(&names, wanted, what)
}
