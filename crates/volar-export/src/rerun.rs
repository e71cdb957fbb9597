//! The scene as Volar runs it from the files of an export: `scene.toml`.
//!
//! It is the scene with robots and bodies replaced by those of the export. What the
//! robot's file says (start, drives, properties of joints, who touches whom) is taken from
//! there, so that a run of it shows what the file is worth.

use std::collections::BTreeMap;

use volar_dynamics::Signal;
use volar_scene::spec::{
    BodyEntry, Command, JointEntry, MeshFile, MotionEntry, RobotEntry, SceneSpec, SelfContact,
    Shape,
};
use volar_scene::{Commanded, Setup};
use volar_sim::ActuatorId;

use crate::format::Parts;
use crate::mjcf::START;
use crate::names::file_names;
use crate::plain::{Body, DriveKind, Joint, Schedule};
use crate::{ExportError, Format};

/// Files by name.
type Tables = Vec<(String, Vec<u8>)>;

/// The text of `scene.toml`, and tables that it needs.
pub(crate) fn rerun(
    setup: &Setup,
    schedule: &Schedule,
    to: Format,
    parts: &Parts,
) -> Result<(String, Tables), ExportError> {
    let mut spec = setup.scene.spec.clone();
    let mut tables = Vec::new();
    let rerun = Rerun { setup, schedule };
    for (r, file) in parts.robots.iter().enumerate() {
        if let Some(entry) = spec.robots.get_mut(r) {
            match to {
                Format::Mjcf => rerun.mjcf_robot(r, entry, format!("{file}.xml")),
                Format::Urdf | Format::Sdf => {
                    rerun.tree_robot(r, entry, format!("{file}.{to}", to = to.name()))
                }
            }
            rerun.motion(&mut entry.motion, &entry.name, &mut tables)?;
        }
    }
    for entry in &mut spec.bodies {
        rerun.body(entry);
        rerun.motion(&mut entry.motion, &entry.name, &mut tables)?;
    }
    rerun.events(&mut spec, to);
    if to != Format::Mjcf {
        spec.contact.exclude.extend(rerun.excluded());
    }
    if let (Some(section), Some(grasp)) = (&mut spec.grasp, &schedule.grasp) {
        section.palm = Some(rerun.name_in_export(&grasp.palm));
    }
    let text = toml::to_string(&spec).map_err(|error| ExportError::Text {
        file: "scene.toml",
        message: error.to_string(),
    })?;
    let head = format!(
        "# Written by `volar export`: {} from its {to} files. Volar runs it; others read schedule.json.\n",
        setup.scene.spec.name
    );
    Ok((format!("{head}{text}"), tables))
}

struct Rerun<'a> {
    setup: &'a Setup,
    schedule: &'a Schedule,
}

impl Rerun<'_> {
    /// Everything is in the file: the start as a keyframe, drives as actuators whose
    /// control is the command.
    fn mjcf_robot(&self, r: usize, entry: &mut RobotEntry, file: String) {
        entry.file = file;
        self.take_from_file(r, entry);
        entry.keyframe = Some(START.into());
        entry.joints.clear();
        entry.controls = self.commands(&entry.name).into_iter().collect();
        let joints = self.schedule.joints.iter();
        let of_robot = joints.filter(|joint| {
            let body = self.schedule.body(&joint.child);
            body.is_some_and(|body| body.robot.as_ref() == Some(&entry.name))
        });
        // A single free body floats without being told.
        entry.floating &= of_robot.count() > 1;
    }

    /// The file has links and joints; start and drives are the scene's.
    fn tree_robot(&self, r: usize, entry: &mut RobotEntry, file: String) {
        entry.file = file;
        self.take_from_file(r, entry);
        entry.keyframe = None;
        entry.controls.clear();
        entry.joints.clear();
        for joint in &self.schedule.joints {
            let (Some(name), [q], [v]) = (
                own_name(&joint.name, &entry.name),
                &joint.q0[..],
                &joint.v0[..],
            ) else {
                continue;
            };
            let mut own = JointEntry {
                start: Some(*q),
                speed: (v.abs() > 0.0).then_some(*v),
                armature: (joint.armature > 0.0).then_some(joint.armature),
                ..JointEntry::default()
            };
            self.drive(joint, &mut own);
            entry.joints.insert(name.to_owned(), own);
        }
    }

    /// The drive that a scene's joint has.
    fn drive(&self, joint: &Joint, entry: &mut JointEntry) {
        let controls = self.setup.model.controls();
        let Some((number, drive)) = self.schedule.drive_of(joint) else {
            return;
        };
        let actuator = controls.actuator(ActuatorId::new(number));
        let command = actuator.map(|actuator| command(actuator.command()));
        match drive.kind {
            DriveKind::Effort => entry.effort = command,
            DriveKind::Position => {
                entry.target = command;
                entry.kp = Some(drive.kp);
                entry.kd = Some(drive.kd);
            }
            DriveKind::Velocity => {
                entry.target_speed = command;
                entry.kd = Some(drive.kd);
            }
        }
        entry.effort_limit = drive.effort_limit.map(|[low, high]| high.max(-low));
    }

    /// Pairs that do not touch, for formats that have no such list.
    fn excluded(&self) -> Vec<[String; 2]> {
        let pairs = self.schedule.contact.excluded.iter();
        let named = |[a, b]: &[String; 2]| [self.name_in_export(a), self.name_in_export(b)];
        pairs.map(named).collect()
    }

    /// What Volar calls a body when it reads the export.
    fn name_in_export(&self, full: &str) -> String {
        match self.schedule.body(full) {
            Some(Body {
                robot: Some(robot),
                name_in_file,
                ..
            }) if !name_in_file.starts_with(&format!("{robot}/")) => {
                format!("{robot}/{name_in_file}")
            }
            _ => full.to_owned(),
        }
    }

    /// What the new file has no need of.
    fn take_from_file(&self, r: usize, entry: &mut RobotEntry) {
        entry.packages.clear();
        entry.without.clear();
        entry.detail = 0.0;
        // The file excludes whatever does not touch.
        entry.self_contact = SelfContact::All;
        if let Some(robot) = self.setup.robots.get(r) {
            let known = |link: &String| robot.robot.link(link).is_some();
            entry.link_materials.retain(|link, _| known(link));
        }
    }

    /// Commands of a robot's drives before any event, by the names of its actuators.
    fn commands(&self, robot: &str) -> Vec<(String, Command)> {
        let controls = self.setup.model.controls();
        let drives = self.schedule.drives.iter().enumerate();
        let own = drives.filter_map(|(number, drive)| {
            let name = own_name(&drive.name, robot)?;
            let actuator = controls.actuator(ActuatorId::new(number))?;
            Some((name.to_owned(), command(actuator.command())))
        });
        own.collect()
    }

    fn body(&self, entry: &mut BodyEntry) {
        let Some(body) = self.schedule.body(&entry.name) else {
            return;
        };
        if body.ground {
            return;
        }
        if let Some(mesh) = &body.mesh {
            entry.shape = Shape::Mesh(MeshFile::new(&mesh.file));
            entry.detail = 0.0;
        }
        entry.density = None;
        entry.mass = Some(body.mass);
        entry.inertia = Some(body.inertia);
    }

    /// Tables of motions go along.
    fn motion(
        &self,
        motion: &mut Option<MotionEntry>,
        name: &str,
        tables: &mut Tables,
    ) -> Result<(), ExportError> {
        let Some(MotionEntry::Csv { file }) = motion else {
            return Ok(());
        };
        let scene = &self.setup.scene;
        let bytes = scene
            .source()
            .read(&scene.folder().join(&*file))?
            .into_owned();
        let names = tables.iter().map(|(name, _)| name.clone());
        let stem = file_names([name].into_iter()).remove(0);
        let mut own = format!("motions/{stem}.csv");
        if names.into_iter().any(|known| known == own) {
            own = format!("motions/{stem}-{}.csv", tables.len());
        }
        tables.push((own.clone(), bytes));
        *file = own;
        Ok(())
    }

    /// Controls of the robot's first file become commands; of drives that the export has not
    /// (`Schedule::drive_of`), none.
    fn events(&self, spec: &mut SceneSpec, to: Format) {
        for entry in &mut spec.schedule {
            let mut controls = BTreeMap::new();
            for (name, value) in &entry.controls {
                let own = |actuator: &str| {
                    let in_robot = actuator.split_once('/').map(|(_, own)| own);
                    actuator == name || in_robot == Some(name)
                };
                let mut drives = self.setup.drives.iter().enumerate();
                let drive = drives.find(|(_, drive)| own(&drive.actuator));
                let map = drive.and_then(|(_, drive)| drive.control);
                let command = map.map_or(*value, |map| map.command(*value));
                let Some((number, drive)) = drive.filter(|_| to != Format::Mjcf) else {
                    controls.insert(name.clone(), command);
                    continue;
                };
                if self.schedule.has_no_joint(number) {
                    continue;
                }
                let table = match drive.commands {
                    Commanded::Effort => &mut entry.efforts,
                    Commanded::Target => &mut entry.targets,
                    Commanded::Speed => &mut entry.speeds,
                };
                table.insert(drive.joint.clone(), command);
            }
            entry.controls = controls;
        }
    }
}

/// The name of a drive in its robot.
fn own_name<'n>(full: &'n str, robot: &str) -> Option<&'n str> {
    full.strip_prefix(robot)?.strip_prefix('/')
}

/// Scenes command constants and straight lines.
fn command(signal: &Signal) -> Command {
    match signal {
        Signal::Constant(value) => Command::Constant(*value),
        lines => {
            let times = lines.corners();
            Command::OverTime(times.iter().map(|t| [*t, lines.value(*t)]).collect())
        }
    }
}
