//! The header as JSON: the same text in the attachment `header.json` of the MCAP
//! file and under the key `volar` of the Parquet file. Meshes are not in it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use volar_sim::{Contact, ContactField};

use crate::frame::{BodyHeader, GraspHeader, Header, JointHeader, Role};
use crate::records::Fault;

/// Counts changes that make older readers misread a recording.
pub const FORMAT: u32 = 1;

/// Units by kind of column; in the file for people who read it.
const UNITS: [(&str, &str); 15] = [
    ("time", "s"),
    ("step", "s"),
    ("position", "m"),
    ("orientation", "1"),
    ("velocity", "m/s"),
    ("angular_velocity", "rad/s"),
    ("joint_position", "rad, or m where the joint slides"),
    ("joint_velocity", "rad/s, or m/s where the joint slides"),
    ("joint_effort", "N m, or N where the joint slides"),
    ("energy", "J"),
    ("normal_force, friction_force", "N"),
    ("largest/normal_force", "N"),
    ("largest/depth", "m"),
    ("object/drift", "m"),
    ("object/rotation", "rad"),
];

#[derive(Serialize, Deserialize)]
struct HeaderJson {
    format: u32,
    scene: String,
    version: String,
    bodies: Vec<BodyJson>,
    joints: Vec<JointJson>,
    sensors: Vec<String>,
    #[serde(default)]
    grasp: Option<GraspHeader>,
    #[serde(default)]
    units: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
struct BodyJson {
    name: String,
    role: Role,
    finger: String,
    mesh: bool,
}

#[derive(Serialize, Deserialize)]
struct JointJson {
    name: String,
    slides: bool,
    #[serde(default)]
    limits: Option<[f64; 2]>,
}

/// A header without its meshes, and which bodies have one.
pub struct ReadHeader {
    pub header: Header,
    pub has_mesh: Vec<bool>,
}

/// The text of a header.
pub fn to_json(header: &Header) -> Result<String, serde_json::Error> {
    let body = |body: &BodyHeader| BodyJson {
        name: body.name.clone(),
        role: body.role,
        finger: body.finger.clone(),
        mesh: body.mesh.is_some(),
    };
    let joint = |joint: &JointHeader| JointJson {
        name: joint.name.clone(),
        slides: joint.slides,
        limits: joint.limits,
    };
    serde_json::to_string(&HeaderJson {
        format: FORMAT,
        scene: header.scene.clone(),
        version: header.version.clone(),
        bodies: header.bodies.iter().map(body).collect(),
        joints: header.joints.iter().map(joint).collect(),
        sensors: header.sensors.clone(),
        grasp: header.grasp,
        units: units().collect(),
    })
}

fn units() -> impl Iterator<Item = (String, String)> {
    let columns = UNITS.iter();
    let columns = columns.map(|(name, unit)| ((*name).to_owned(), (*unit).to_owned()));
    let contact = |field: &ContactField| (format!("contacts.{}", field.name), field.unit.into());
    columns.chain(Contact::FIELDS.iter().map(contact))
}

/// Reads the text of a header.
pub fn from_json(text: &str) -> Result<ReadHeader, Fault> {
    // The format first: another one may have other fields.
    #[derive(Deserialize)]
    struct Format {
        format: u32,
    }
    let fault = |e: serde_json::Error| Fault::Damaged(format!("its header.json: {e}"));
    let Format { format } = serde_json::from_str(text).map_err(fault)?;
    if format != FORMAT {
        return Err(Fault::OtherFormat(format));
    }
    let read: HeaderJson = serde_json::from_str(text).map_err(fault)?;
    let has_mesh = read.bodies.iter().map(|body| body.mesh).collect();
    let body = |body: BodyJson| BodyHeader {
        name: body.name,
        role: body.role,
        finger: body.finger,
        mesh: None,
    };
    let joint = |joint: JointJson| JointHeader {
        name: joint.name,
        slides: joint.slides,
        limits: joint.limits,
    };
    let header = Header {
        scene: read.scene,
        version: read.version,
        bodies: read.bodies.into_iter().map(body).collect(),
        joints: read.joints.into_iter().map(joint).collect(),
        sensors: read.sensors,
        grasp: read.grasp,
    };
    Ok(ReadHeader { header, has_mesh })
}
