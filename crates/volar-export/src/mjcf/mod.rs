//! MJCF: the whole scene, and each robot alone.
//!
//! | file | what |
//! |---|---|
//! | `tree.rs` | bodies in bodies, joints, shapes |
//! | `ties.rs` | tendons, equalities, actuators, contacts |
//!
//! A robot alone is what Volar reads back: the same text without the robot's name before
//! every other, mounted at the origin. In both, coordinates are zero where bodies stand in
//! the file, and the start is the keyframe `start`.

mod ties;
mod tree;

use volar_math::Pose;
use volar_scene::Setup;

use crate::files::Described;
use crate::format::Parts;
use crate::plain::{Body, Held, Joint, JointKind, Schedule};
use crate::xml::{Xml, numbers};

/// The name of the keyframe.
pub(crate) const START: &str = "start";

pub(crate) fn describe(schedule: &Schedule, setup: &Setup, parts: &Parts) -> Described {
    let whole = View {
        schedule,
        robot: None,
    };
    let alone = setup.robots.iter().zip(&parts.robots);
    let alone = alone.map(|(robot, file)| {
        let view = View {
            schedule,
            robot: Some(&robot.name),
        };
        (format!("{file}.xml"), view.text(&robot.name))
    });
    Described {
        files: vec![("scene.xml".into(), whole.text(&schedule.scene))],
        parts: alone.collect(),
        not_said: not_said(schedule),
    }
}

/// A scene, or one of its robots.
#[derive(Clone, Copy)]
struct View<'a> {
    schedule: &'a Schedule,
    robot: Option<&'a str>,
}

impl<'a> View<'a> {
    fn text(self, model: &str) -> String {
        let what = match self.robot {
            Some(_) => "Written by `volar export`: one robot of scene.xml.",
            None => "Written by `volar export`; schedule.json says what happens when.",
        };
        let mut xml = Xml::new(what);
        xml.open("mujoco", &[("model", model.to_owned())]);
        xml.leaf(
            "compiler",
            &[
                ("angle", "radian".into()),
                ("eulerseq", "XYZ".into()),
                ("autolimits", "true".into()),
                ("meshdir", "meshes".into()),
                ("inertiafromgeom", "false".into()),
            ],
        );
        if let (None, Some([_, gravity @ ..])) = (self.robot, self.schedule.gravity.first()) {
            xml.leaf("option", &[("gravity", numbers(gravity))]);
        }
        self.custom(&mut xml);
        self.assets(&mut xml);
        let order = self.worldbody(&mut xml);
        self.ties(&mut xml);
        self.keyframe(&mut xml, &order);
        xml.finish()
    }

    /// Whether a body, a joint or another thing with a full name is part of this.
    fn has(self, full: &str) -> bool {
        self.robot.is_none_or(|robot| within(full, robot).is_some())
    }

    /// What a thing is called here.
    fn name(self, full: &str) -> String {
        let own = self.robot.and_then(|robot| within(full, robot));
        own.unwrap_or(full).to_owned()
    }

    fn bodies(self) -> impl Iterator<Item = &'a Body> {
        let own = move |body: &&Body| match self.robot {
            Some(robot) => body.robot.as_deref() == Some(robot),
            None => true,
        };
        self.schedule.bodies.iter().filter(own)
    }

    /// Where a body stands in its parent when its coordinates are zero.
    fn frame(self, body: &Body) -> Pose {
        let [x, y, z, wxyz @ ..] = body.pose_in_parent;
        let in_world = self.robot.is_none() && body.parent.is_none();
        match in_world {
            true => Pose::from_wxyz([x, y, z], wxyz).unwrap_or(body.X_PJ),
            false => body.X_PJ,
        }
    }

    /// What MJCF has no word for: numbers that Volar has and MuJoCo has not, and last digits of
    /// frames, without which a robot alone would not move the same to the bit.
    fn custom(self, xml: &mut Xml) {
        let mut said = Vec::new();
        for joint in self.schedule.joints.iter().filter(|j| self.has(&j.name)) {
            if let Some(limit) = joint.speed_limit {
                let name = format!("speed limit of {}", self.name(&joint.name));
                said.push((name, limit.to_string()));
            }
        }
        if self.robot.is_some() {
            for (name, X) in self.rounded_frames() {
                let axes = X.R.to_cols_array().into_iter();
                let all = X.p.to_array().into_iter().chain(axes);
                said.push((name, numbers(all)));
            }
        }
        if said.is_empty() {
            return;
        }
        xml.open("custom", &[]);
        for (name, data) in said {
            xml.leaf("numeric", &[("name", name), ("data", data)]);
        }
        xml.close();
    }

    fn assets(self, xml: &mut Xml) {
        xml.open("asset", &[]);
        for body in self.bodies().filter(|body| !body.ground) {
            if let Some(mesh) = &body.mesh {
                let file = mesh.file.trim_start_matches("meshes/").to_owned();
                xml.leaf("mesh", &[("name", self.name(&body.name)), ("file", file)]);
            }
        }
        xml.close();
    }

    /// Coordinates, velocities and controls at the start.
    fn keyframe(self, xml: &mut Xml, order: &[&Joint]) {
        let (mut qpos, mut qvel) = (Vec::new(), Vec::new());
        for joint in order {
            match joint.kind {
                JointKind::Free => {
                    let body = self.schedule.body(&joint.child);
                    let (q, v) = body.map_or_else(Default::default, |b| self.free_start(b, joint));
                    qpos.extend(q);
                    qvel.extend(v);
                }
                JointKind::Ball => {
                    // MuJoCo has angular velocities in the axes of the body.
                    let own = ball_velocity(&joint.q0, &joint.v0);
                    qpos.extend(&joint.q0);
                    qvel.extend(own);
                }
                _ => {
                    qpos.extend(&joint.q0);
                    qvel.extend(&joint.v0);
                }
            }
        }
        let controls = self
            .drives()
            .map(|d| d.command.first().map_or(0.0, |row| row[1]));
        let controls: Vec<f64> = controls.collect();
        let mut attributes = vec![("name", START.to_owned())];
        for (name, values) in [("qpos", &qpos), ("qvel", &qvel), ("ctrl", &controls)] {
            if !values.is_empty() {
                attributes.push((name, numbers(values)));
            }
        }
        xml.open("keyframe", &[]);
        xml.leaf("key", &attributes);
        xml.close();
    }

    /// MuJoCo's coordinates of a free body: its pose in the world of the file, the velocity
    /// of its origin there, its angular velocity in its own axes.
    fn free_start(self, body: &Body, joint: &Joint) -> (Vec<f64>, Vec<f64>) {
        let X_FB = self.frame(body);
        let [x, y, z, wxyz @ ..] = body.pose;
        let X_WB = Pose::from_wxyz([x, y, z], wxyz).unwrap_or(X_FB);
        let R_FW = X_FB.R * X_WB.R.transpose();
        let v = R_FW * glam::DVec3::from_slice(&joint.v0);
        let w = X_WB.R.transpose() * glam::DVec3::from_slice(&joint.v0[3..]);
        let q = crate::plain::placed(&X_FB).to_vec();
        (q, vec![v.x, v.y, v.z, w.x, w.y, w.z])
    }
}

fn ball_velocity(q: &[f64], v: &[f64]) -> Vec<f64> {
    let (Some([w, x, y, z]), Some([a, b, c])) = (q.first_chunk(), v.first_chunk()) else {
        return v.to_vec();
    };
    let turn = Pose::from_wxyz([0.0; 3], [*w, *x, *y, *z]).unwrap_or(Pose::IDENTITY);
    let own = turn.R.transpose() * glam::DVec3::new(*a, *b, *c);
    own.to_array().to_vec()
}

/// The name of a thing in a robot; none if it is not the robot's.
fn within<'n>(full: &'n str, robot: &str) -> Option<&'n str> {
    full.strip_prefix(robot)?.strip_prefix('/')
}

fn not_said(schedule: &Schedule) -> Vec<String> {
    let mut said = Vec::new();
    let changes = |rows: &[[f64; 2]]| rows.len() > 1;
    if schedule.gravity.len() > 1 {
        said.push(
            "Gravity changes with time: `gravity` of schedule.json; <option> has its first value."
                .to_owned(),
        );
    }
    if schedule.drives.iter().any(|drive| changes(&drive.command)) {
        said.push("Controls change with time: `command` of the drives; the keyframe `start` has their first values.".into());
    }
    if !schedule.motions.is_empty() {
        said.push("Bodies move as prescribed: `motions`; they are mocap bodies where they stand at first.".into());
    }
    if !schedule.loads.is_empty() {
        said.push("Forces and torques from outside: `loads`.".into());
    }
    if schedule
        .joints
        .iter()
        .any(|joint| joint.speed_limit.is_some())
    {
        said.push("Greatest speeds of joints: <custom> and `speed_limit` of the joints.".into());
    }
    if schedule.joints.iter().any(|joint| joint.limits.is_some()) {
        said.push("How stiff the stops of joints are: `limit_stiffness` and `limit_damping`; MuJoCo's own are left as they are.".into());
    }
    said.push("How hard materials are: `material` of the bodies; MuJoCo's solref and solimp are left as they are.".into());
    if !schedule.contact.friction.is_empty() {
        said.push("MuJoCo takes the larger friction of two bodies, Volar the geometric mean: pairs that differ are <pair> elements.".into());
    }
    let convex = |body: &Body| body.mesh.as_ref().is_none_or(|mesh| mesh.convex);
    let hulls: Vec<&str> = schedule
        .bodies
        .iter()
        .filter(|b| !convex(b))
        .map(|b| b.name.as_str())
        .collect();
    if !hulls.is_empty() {
        said.push(format!(
            "MuJoCo takes the convex hull of each mesh; not convex are those of {}.",
            hulls.join(", ")
        ));
    }
    for joint in schedule
        .joints
        .iter()
        .filter(|j| j.kind == JointKind::Planar)
    {
        said.push(format!(
            "`{}` is planar: two slides and a hinge, with _x, _y and _turn after its name.",
            joint.name
        ));
    }
    if schedule
        .bodies
        .iter()
        .any(|body| body.held == Held::Free && body.robot.is_some())
    {
        said.push("Free bodies of robots stand in the world, as MuJoCo wants it.".into());
    }
    said
}
