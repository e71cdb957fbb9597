//! The figures of all contacts, in JSON.

use glam::DVec3;
use serde::Serialize;
use serde_json::{Value, json};

use crate::frame::{ContactFrame, Frame, Header};

#[derive(Serialize)]
struct ContactsJson<'a> {
    time: f64,
    contacts: Vec<ContactJson<'a>>,
}

#[derive(Serialize)]
struct ContactJson<'a> {
    a: &'a str,
    b: &'a str,
    point: VectorJson,
    normal: VectorJson,
    normal_force: f64,
    friction_force: VectorJson,
    friction_margin: f64,
    area: f64,
    volume: f64,
    depth: f64,
    slip: f64,
}

#[derive(Serialize)]
struct VectorJson {
    x: f64,
    y: f64,
    z: f64,
}

/// Their JSON schema.
pub fn schema() -> String {
    let number = |what: &str| json!({ "type": "number", "description": what });
    let text = |what: &str| json!({ "type": "string", "description": what });
    let vector = |what: &str| {
        let axis = json!({ "type": "number" });
        let axes = json!({ "x": axis, "y": axis, "z": axis });
        json!({ "type": "object", "description": what, "properties": axes })
    };
    let contact: Value = json!({
        "a": text("one body"),
        "b": text("the other body"),
        "point": vector("centre of pressure, m"),
        "normal": vector("direction in which a is pushed"),
        "normal_force": number("N"),
        "friction_force": vector("on a, N"),
        "friction_margin": number("part of the friction limit that is left, 0 to 1"),
        "area": number("seen along the normal, m^2"),
        "volume": number("overlap of the pair, m^3"),
        "depth": number("greatest depth, m"),
        "slip": number("plastic slip since the patch was created, m"),
    });
    let items = json!({ "type": "object", "properties": contact });
    json!({
        "type": "object",
        "properties": {
            "time": number("s"),
            "contacts": { "type": "array", "items": items },
        },
    })
    .to_string()
}

/// The contacts of a frame. A number that is not finite becomes null.
pub fn contacts(header: &Header, frame: &Frame) -> Result<Vec<u8>, serde_json::Error> {
    let name = |body: usize| header.bodies.get(body).map_or("", |b| &b.name);
    let contact = |contact: &ContactFrame| ContactJson {
        a: name(contact.a),
        b: name(contact.b),
        point: contact.point.into(),
        normal: contact.normal.into(),
        normal_force: contact.normal_force,
        friction_force: contact.friction_force.into(),
        friction_margin: contact.friction_margin,
        area: contact.area,
        volume: contact.volume,
        depth: contact.depth,
        slip: contact.slip,
    };
    serde_json::to_vec(&ContactsJson {
        time: frame.time,
        contacts: frame.contacts.iter().map(contact).collect(),
    })
}

impl From<DVec3> for VectorJson {
    fn from(v: DVec3) -> VectorJson {
        let (x, y, z) = (v.x, v.y, v.z);
        VectorJson { x, y, z }
    }
}
