//! The data packs: what the coordinator reads and sets. `docs/nrp.md` lists them.

use glam::{DQuat, DVec3};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use volar_math::Wrench;
use volar_run::{Applied, Run, command, set_commands};
use volar_scene::{Commanded, Setup};
use volar_sim::{BodyId, Contact, Load};

use crate::engine::{Refusal, Session};

/// Packs that can be read; those with a `/` are followed by a name.
const PACKS: &str = "time, joints, joint/NAME, bodies, body/NAME, contacts, contacts/NAME, \
                     efforts, targets and loads";

/// The data of a pack.
pub fn read(session: &Session, pack: &str) -> Result<Value, Refusal> {
    let (run, setup) = (&session.run, session.run.setup());
    match pack.split_once('/') {
        None => match pack {
            "time" => Ok(json!({"time": run.time(), "time_ns": session.time_ns})),
            "joints" => Ok(each(0..setup.joints.len(), |joint| {
                (setup.joints[joint].name.clone(), joint_data(session, joint))
            })),
            "bodies" => Ok(each(setup.model.bodies(), |body| {
                (setup.model.name(body).to_owned(), body_data(run, body))
            })),
            "contacts" => Ok(contacts(run, None)),
            "efforts" => Ok(each(0..setup.joints.len(), |joint| {
                let effort = session.applied.effort(run, joint);
                (setup.joints[joint].name.clone(), effort.into())
            })),
            "targets" => Ok(each(targets(setup), |(joint, drive)| {
                (joint.to_owned(), command(run, drive).into())
            })),
            "loads" => Ok(each(session.applied.loads(), |load| {
                (setup.model.name(load.body).to_owned(), load_data(load))
            })),
            _ => Err(unknown(pack)),
        },
        Some(("joint", name)) => Ok(joint_data(session, joint_named(setup, name)?)),
        Some(("body", name)) => Ok(body_data(run, body_named(setup, name)?)),
        Some(("contacts", name)) => Ok(contacts(run, Some(body_named(setup, name)?))),
        Some(_) => Err(unknown(pack)),
    }
}

fn unknown(pack: &str) -> Refusal {
    Refusal::request(format!("no data pack `{pack}`; there are {PACKS}"))
}

fn each<T>(things: impl IntoIterator<Item = T>, entry: impl Fn(T) -> (String, Value)) -> Value {
    Value::Object(
        things
            .into_iter()
            .map(entry)
            .collect::<Map<String, Value>>(),
    )
}

/// Coordinate, rate, effort in all (rad or m, N m or N), and target of the drive.
fn joint_data(session: &Session, joint: usize) -> Value {
    let (run, setup) = (&session.run, session.run.setup());
    let (simulation, named) = (run.simulation(), &setup.joints[joint]);
    let target = targets(setup).find(|(name, _)| *name == named.name);
    json!({
        "position": simulation.joint_position(named.joint),
        "velocity": simulation.joint_velocity(named.joint),
        "effort": simulation.joint_effort(named.joint),
        "target": target.and_then(|(_, drive)| command(run, drive)),
    })
}

/// Pose of the frame in the world (m, quaternion wxyz), velocity of its origin (m/s) and
/// angular velocity (rad/s), world axes.
fn body_data(run: &Run, body: BodyId) -> Value {
    let simulation = run.simulation();
    let (pose, velocity) = (simulation.pose(body), simulation.velocity(body));
    let q = DQuat::from_mat3(&pose.R);
    json!({
        "position": pose.p.to_array(),
        "orientation": [q.w, q.x, q.y, q.z],
        "velocity": velocity.linear.to_array(),
        "angular_velocity": velocity.angular.to_array(),
    })
}

/// All contacts, or those of a body: names of the two, and the figures of a contact.
fn contacts(run: &Run, of: Option<BodyId>) -> Value {
    let model = &run.setup().model;
    let of_body = |contact: &Contact| of.is_none_or(|body| [contact.a, contact.b].contains(&body));
    let data = |contact: Contact| {
        let mut data = Map::new();
        let names = [contact.a, contact.b].map(|body| model.name(body));
        data.insert("bodies".into(), json!(names));
        for field in Contact::FIELDS {
            let value = match (field.values)(&contact) {
                [number] => json!(number),
                numbers => json!(numbers),
            };
            data.insert(field.name.into(), value);
        }
        Value::Object(data)
    };
    let contacts = run.simulation().contacts().into_iter().filter(of_body);
    Value::Array(contacts.map(data).collect())
}

fn load_data(load: &Load) -> Value {
    json!({
        "force": load.wrench.force.to_array(),
        "torque": load.wrench.torque.to_array(),
        "point": load.point.to_array(),
    })
}

/// Joints that are driven to a target, and the numbers of their drives.
fn targets(setup: &Setup) -> impl Iterator<Item = (&str, usize)> + Clone {
    let drives = setup.drives.iter().enumerate();
    let to_target = drives.filter(|(_, drive)| drive.commands == Commanded::Target);
    to_target.map(|(number, drive)| (drive.joint.as_str(), number))
}

/// The place of a name, or of the only one with it behind a `/`.
fn find<'a>(
    names: impl Iterator<Item = &'a str> + Clone,
    wanted: &str,
    what: &str,
) -> Result<usize, Refusal> {
    if let Some(at) = names.clone().position(|name| name == wanted) {
        return Ok(at);
    }
    let tail = |name: &str| name.split_once('/').is_some_and(|(_, tail)| tail == wanted);
    let mut tails = names.clone().enumerate().filter(|(_, name)| tail(name));
    match (tails.next(), tails.next()) {
        (Some((at, _)), None) => Ok(at),
        (Some(_), Some(_)) => {
            let what = format!("there are several {what} `{wanted}`; name the robot too");
            Err(Refusal::request(what))
        }
        _ => {
            let known: Vec<&str> = names.collect();
            let known = known.join(", ");
            let what = format!("no {what} `{wanted}`; there are {known}");
            Err(Refusal::request(what))
        }
    }
}

fn joint_named(setup: &Setup, name: &str) -> Result<usize, Refusal> {
    let names = setup.joints.iter().map(|joint| joint.name.as_str());
    find(names, name, "joint")
}

fn body_named(setup: &Setup, name: &str) -> Result<BodyId, Refusal> {
    let names: Vec<&str> = setup
        .model
        .bodies()
        .map(|body| setup.model.name(body))
        .collect();
    find(names.iter().copied(), name, "body").map(BodyId::new)
}

/// One thing that a pack sets.
#[derive(Clone, Debug)]
pub enum Change {
    /// Effort on a joint, by its number, N m or N.
    Effort(usize, f64),
    /// Target of a drive, by its number, rad or m.
    Target(usize, f64),
    /// On a body.
    Load(Load),
}

/// A load as it is sent; what is left out is zero.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct LoadData {
    force: [f64; 3],
    torque: [f64; 3],
    point: [f64; 3],
}

impl Change {
    /// What a pack says.
    pub fn parse(run: &Run, pack: &str, data: &Value) -> Result<Vec<Change>, Refusal> {
        let setup = run.setup();
        let settable = ["efforts", "targets", "loads"];
        if !settable.contains(&pack) {
            let what = format!(
                "data pack `{pack}` cannot be set; {} can",
                settable.join(", ")
            );
            return Err(Refusal::request(what));
        }
        let Value::Object(entries) = data else {
            let what = format!("data pack `{pack}`: an object of names is needed");
            return Err(Refusal::request(what));
        };
        let number = |name: &str, value: &Value| {
            let what = || Refusal::request(format!("{pack}: `{name}` needs a number"));
            value.as_f64().ok_or_else(what)
        };
        let change = |(name, value): (&String, &Value)| match pack {
            "efforts" => Ok(Change::Effort(
                joint_named(setup, name)?,
                number(name, value)?,
            )),
            "targets" => {
                let found = find(
                    targets(setup).map(|t| t.0),
                    name,
                    "joint driven to a target",
                )?;
                let drive = targets(setup).nth(found).map_or(0, |(_, drive)| drive);
                Ok(Change::Target(drive, number(name, value)?))
            }
            _ => {
                let body = body_named(setup, name)?;
                let load = LoadData::deserialize(value)
                    .map_err(|error| Refusal::request(format!("loads: `{name}`: {error}")))?;
                let [force, torque, point] = [load.force, load.torque, load.point];
                let wrench = Wrench::new(torque.into(), force.into());
                Ok(Change::Load(Load {
                    point: DVec3::from_array(point),
                    ..Load::new(body, wrench)
                }))
            }
        };
        entries.iter().map(change).collect()
    }
}

/// Applies what packs said.
pub fn write(run: &mut Run, applied: &mut Applied, changes: &[Change]) -> Result<(), Refusal> {
    let (mut efforts, mut commands) = (Vec::new(), Vec::new());
    let refused = |error: volar_run::ApplyError| Refusal::request(error.to_string());
    for change in changes {
        match change {
            Change::Effort(joint, effort) => efforts.push((*joint, *effort)),
            Change::Target(drive, target) => commands.push((*drive, *target)),
            Change::Load(load) => applied.set_load(run, load.clone()).map_err(refused)?,
        }
    }
    applied.set_efforts(run, &efforts).map_err(refused)?;
    set_commands(run, &commands).map_err(refused)
}
