//! What a header and a frame must be like, for writing and for reading alike.

use std::collections::BTreeSet;

use volar_geom::TriMesh;

use crate::frame::{Frame, Header};

/// The longest run, s. Its nanoseconds fit every time stamp in the files.
const LONGEST: f64 = 1e9;

/// Says what is wrong with a header.
pub fn header(header: &Header) -> Result<(), String> {
    unique("bodies", header.bodies.iter().map(|body| &body.name))?;
    unique("joints", header.joints.iter().map(|joint| &joint.name))?;
    unique("sensors", header.sensors.iter())?;
    for body in &header.bodies {
        if let Some(mesh) = &body.mesh {
            triangles(mesh).map_err(|what| format!("the mesh of body `{}`: {what}", body.name))?;
        }
    }
    Ok(())
}

fn unique<'a>(what: &str, names: impl Iterator<Item = &'a String>) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for name in names {
        if name.is_empty() {
            return Err(format!("one of the {what} has no name; give it one"));
        }
        if !seen.insert(name) {
            return Err(format!("two {what} have the name `{name}`; rename one"));
        }
    }
    Ok(())
}

fn triangles(mesh: &TriMesh) -> Result<(), String> {
    let vertices = mesh.vertices.len();
    let outside = |v: &&u32| **v as usize >= vertices;
    match mesh.triangles.iter().flatten().find(outside) {
        Some(v) => Err(format!(
            "a triangle names vertex {v}, but there are only {vertices}"
        )),
        None => Ok(()),
    }
}

/// Says what is wrong with a frame that comes after `previous`, s.
pub fn frame(header: &Header, frame: &Frame, previous: f64) -> Result<(), String> {
    if !(0.0..=LONGEST).contains(&frame.time) {
        return Err(format!("its time is not between 0 and {LONGEST} s"));
    }
    if frame.time < previous {
        return Err(format!("it is earlier than the frame before, {previous} s"));
    }
    let counts = [
        ("bodies", frame.bodies.len(), header.bodies.len()),
        ("joints", frame.joints.len(), header.joints.len()),
        ("sensors", frame.sensors.len(), header.sensors.len()),
    ];
    for (what, has, expected) in counts {
        if has != expected {
            return Err(format!("it has {has} {what}, the header has {expected}"));
        }
    }
    let bodies = frame.bodies.len();
    match frame.contacts.iter().find(|c| c.a.max(c.b) >= bodies) {
        Some(contact) => Err(format!(
            "a contact is between bodies {} and {}, but there are only {bodies}",
            contact.a, contact.b
        )),
        None => Ok(()),
    }
}
