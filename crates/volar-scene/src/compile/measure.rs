//! What is measured: the grasp, the sensors, the pulls.

use glam::DVec3;
use volar_sim::{Body, BodyId};

use super::PlacedRobot;
use super::names::Names;
use super::quality::{self, QualityPlan};
use crate::error::{Fault, not_negative, positive};
use crate::spec::{GraspSection, PullSection, SceneSpec, SensorKind};

/// What is grasped by what.
///
/// ```
/// use volar_scene::Scene;
///
/// let setup = Scene::builtin("g2p-cube")?.compile()?;
/// let grasp = setup.grasp.as_ref().unwrap();
/// assert_eq!(setup.model.name(grasp.object), "cube");
/// let fingers: Vec<&str> = grasp.fingers.iter().map(|finger| &*finger.name).collect();
/// assert_eq!(fingers, ["finger_1", "finger_2"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grasp {
    /// The body that is grasped.
    pub object: BodyId,
    /// Centre of mass of the object in its frame, m.
    pub centre: DVec3,
    /// The link that drift is measured against.
    pub palm: BodyId,
    /// Fingers with their links; without names in the scene every link is its
    /// own finger.
    pub fingers: Vec<Finger>,
    /// Bodies of the hand: the links of all robots, or without robots palm and fingers.
    pub hand: Vec<BodyId>,
    /// When it counts as held.
    pub section: GraspSection,
    /// What is asked for of its static quality.
    pub quality: Option<QualityPlan>,
}

/// Links whose forces on the object are summed.
///
/// See the example of [`Grasp`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finger {
    /// As the scene names it, or else the link.
    pub name: String,
    /// Its links.
    pub links: Vec<BodyId>,
}

/// A sensor.
///
/// ```
/// use volar_scene::Scene;
///
/// let text = r#"
///     name = "weighing"
///     [[body]]
///     name = "scale"
///     shape = { ground = {} }
///     fixed = true
///     [[sensor]]
///     name = "load"
///     kind = "contact"
///     link = "scale"
/// "#;
/// let setup = Scene::parse("weighing", text)?.compile()?;
/// let sensor = &setup.sensors[0];
/// assert_eq!(setup.model.name(sensor.body), "scale");
/// println!("{:?}", sensor.channels()); // names with units
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sensor {
    /// Unique among the sensors.
    pub name: String,
    /// What it measures.
    pub kind: SensorKind,
    /// The link it sits on.
    pub body: BodyId,
}

impl Sensor {
    /// Names of its channels, with units.
    pub fn channels(&self) -> Vec<String> {
        let parts: &[&str] = match self.kind {
            SensorKind::ForceTorque => &[
                "force x (N)",
                "force y (N)",
                "force z (N)",
                "torque x (N m)",
                "torque y (N m)",
                "torque z (N m)",
            ],
            SensorKind::Contact => &["normal force (N)", "pressure (Pa)", "slip (m)"],
        };
        parts
            .iter()
            .map(|part| format!("{} {part}", self.name))
            .collect()
    }
}

pub(super) fn sensors(scene: &SceneSpec, names: &Names) -> Result<Vec<Sensor>, Fault> {
    let entries = scene.sensors.iter().enumerate();
    entries
        .map(|(i, entry)| {
            let at = |fault: Fault| fault.within(&["sensor", &i.to_string(), "link"]);
            Ok(Sensor {
                name: entry.name.clone(),
                kind: entry.kind,
                body: names.find(&entry.link).map_err(at)?,
            })
        })
        .collect()
}

pub(super) fn grasp(
    scene: &SceneSpec,
    names: &Names,
    robots: &[PlacedRobot],
    bodies: &[Body],
) -> Result<Option<Grasp>, Fault> {
    let Some(section) = &scene.grasp else {
        return Ok(None);
    };
    let at = |key: &'static str| move |fault: Fault| fault.within(&["grasp", key]);
    let object = names.find(&section.object).map_err(at("object"))?;
    let palm = match &section.palm {
        Some(palm) => names.find(palm).map_err(at("palm"))?,
        None => robots
            .first()
            .map(|robot| BodyId::new(robot.first))
            .ok_or_else(|| {
                let message = "no robot: name the body that drift is measured against";
                Fault::new(&["grasp", "palm"], message)
            })?,
    };
    let mut fingers = named_fingers(robots);
    if fingers.is_empty() {
        let others = (0..).map(BodyId::new).zip(bodies);
        let others = others.filter(|(i, b)| *i != object && *i != palm && !b.shapes.is_empty());
        fingers.extend(others.map(|(i, body)| Finger {
            name: body.name.clone(),
            links: vec![i],
        }));
    }
    let in_grasp = |fault: Fault| fault.within(&["grasp"]);
    positive("held_within", section.held_within).map_err(in_grasp)?;
    positive("held_angle_deg", section.held_angle_deg).map_err(in_grasp)?;
    positive("failure_force", section.failure_force).map_err(in_grasp)?;
    not_negative("failure_time", section.failure_time).map_err(in_grasp)?;
    check_phases(scene, section).map_err(in_grasp)?;
    for (key, time) in [
        ("from", Some(section.from)),
        ("until", section.until),
        ("held_since", Some(section.held_since)),
        ("kinetic_energy_from", section.kinetic_energy_from),
    ] {
        time.map_or(Ok(0.0), |time| not_negative(key, time))
            .map_err(in_grasp)?;
    }
    let hand = match robots {
        [] => {
            let links = fingers
                .iter()
                .flat_map(|finger| finger.links.iter().copied());
            links.chain([palm]).collect()
        }
        robots => {
            let links = robots
                .iter()
                .flat_map(|r| r.first..r.first + r.robot.links.len());
            links.map(BodyId::new).collect()
        }
    };
    let object_body = &bodies[object.index()];
    Ok(Some(Grasp {
        quality: quality::plan(scene, section, object_body).map_err(in_grasp)?,
        hand,
        object,
        centre: object_body.mass.centre_of_mass,
        palm,
        fingers,
        section: section.clone(),
    }))
}

fn check_phases(scene: &SceneSpec, section: &GraspSection) -> Result<(), Fault> {
    let end = section.until.unwrap_or(scene.duration).min(scene.duration);
    for (i, phase) in section.phases.iter().enumerate() {
        let at = |fault: Fault| fault.within(&["phase", &i.to_string()]);
        not_negative("from", phase.from).map_err(at)?;
        if phase.until.is_nan() || phase.until <= phase.from || phase.until > end {
            let message = format!("a phase ends after it begins and not after {end} s");
            return Err(at(Fault::new(&["until"], message)));
        }
        for (key, value) in [
            ("held_within", phase.held_within),
            ("held_angle_deg", phase.held_angle_deg),
        ] {
            value
                .map_or(Ok(0.0), |value| positive(key, value))
                .map_err(at)?;
        }
    }
    Ok(())
}

/// Fingers of all robots; with the robot's name where two have the same.
fn named_fingers(robots: &[PlacedRobot]) -> Vec<Finger> {
    let all = || robots.iter().flat_map(|robot| &robot.fingers);
    let mut fingers = Vec::new();
    for robot in robots {
        for (name, links) in &robot.fingers {
            let alone = all().filter(|(other, _)| other == name).count() == 1;
            fingers.push(Finger {
                name: match alone {
                    true => name.clone(),
                    false => robot.full(name),
                },
                links: links.iter().map(|link| BodyId::new(*link)).collect(),
            });
        }
    }
    fingers
}

pub(super) fn pull(scene: &SceneSpec) -> Result<Option<PullSection>, Fault> {
    let Some(pull) = &scene.pull else {
        return Ok(None);
    };
    let at = |fault: Fault| fault.within(&["pull"]);
    if scene.grasp.is_none() {
        let message =
            "a pull needs a `[grasp]`: it pulls at the object, along the axes of the palm";
        return Err(at(Fault::new(&[], message)));
    }
    for (key, value) in [
        ("rate", pull.rate),
        ("limit", pull.limit),
        ("slip", pull.slip),
    ] {
        positive(key, value).map_err(at)?;
    }
    Ok(Some(pull.clone()))
}
