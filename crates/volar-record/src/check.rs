//! What a header and a frame must be like, for writing and for reading alike.

use std::collections::BTreeSet;

use thiserror::Error;
use volar_geom::TriMesh;
use volar_sim::Contact;

use crate::frame::{Frame, Header};

/// The longest run, s. Its nanoseconds fit every time stamp in the files.
const LONGEST: f64 = 1e9;

/// What is wrong with a header.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HeaderFault {
    /// Something has an empty name.
    #[error("one of the {list} has no name; give it one")]
    NoName {
        /// `bodies`, `joints` or `sensors`.
        list: &'static str,
    },
    /// Two things of a kind share a name.
    #[error("two {list} have the name `{name}`; rename one")]
    SameName {
        /// `bodies`, `joints` or `sensors`.
        list: &'static str,
        /// The name that is there twice.
        name: String,
    },
    /// A triangle of a mesh has a corner that does not exist.
    #[error(
        "the mesh of body `{body}`: a triangle names vertex {vertex}, but there are only {vertices}"
    )]
    NoVertex {
        /// Name of the body.
        body: String,
        /// The corner.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// The header cannot be written as JSON.
    #[error("it cannot be written as JSON: {0}")]
    Json(String),
}

/// What is wrong with a frame.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FrameFault {
    /// The time is negative, too large or not a number.
    #[error("its time is not between 0 and {LONGEST} s")]
    Time,
    /// Frames must come in the order of time.
    #[error("it is earlier than the frame before, {previous} s")]
    Order {
        /// Time of the frame before, s.
        previous: f64,
    },
    /// The frame has more or fewer bodies, joints or sensors than the header.
    #[error("it has {found} {list}, the header has {expected}")]
    Count {
        /// `bodies`, `joints` or `sensors`.
        list: &'static str,
        /// How many the frame has.
        found: usize,
        /// How many the header has.
        expected: usize,
    },
    /// The frame has an object of a grasp and the header has none, or the other way round.
    #[error("only one of frame and header has a grasp")]
    Grasp,
    /// A contact is between bodies that do not exist.
    #[error("a contact is between bodies {a} and {b}, but there are only {bodies}")]
    NoBody {
        /// Number of the contact's first body.
        a: usize,
        /// Number of its second body.
        b: usize,
        /// Number of bodies in the header.
        bodies: usize,
    },
    /// The frame is larger than what is read back.
    #[error("{contacts} contacts are too many to record")]
    TooManyContacts {
        /// How many there are.
        contacts: usize,
    },
    /// The contacts cannot be written as JSON.
    #[error("its contacts cannot be written as JSON: {0}")]
    Json(String),
}

/// Checks a header.
pub fn header(header: &Header) -> Result<(), HeaderFault> {
    unique("bodies", header.bodies.iter().map(|body| &body.name))?;
    unique("joints", header.joints.iter().map(|joint| &joint.name))?;
    unique("sensors", header.sensors.iter())?;
    for body in &header.bodies {
        if let Some(mesh) = &body.mesh {
            triangles(&body.name, mesh)?;
        }
    }
    Ok(())
}

fn unique<'a>(
    list: &'static str,
    names: impl Iterator<Item = &'a String>,
) -> Result<(), HeaderFault> {
    let mut seen = BTreeSet::new();
    for name in names {
        if name.is_empty() {
            return Err(HeaderFault::NoName { list });
        }
        if !seen.insert(name) {
            let name = name.clone();
            return Err(HeaderFault::SameName { list, name });
        }
    }
    Ok(())
}

fn triangles(body: &str, mesh: &TriMesh) -> Result<(), HeaderFault> {
    let vertices = mesh.vertices.len();
    let outside = |v: &&u32| **v as usize >= vertices;
    match mesh.triangles.iter().flatten().find(outside) {
        Some(vertex) => Err(HeaderFault::NoVertex {
            body: body.to_owned(),
            vertex: *vertex,
            vertices,
        }),
        None => Ok(()),
    }
}

/// Checks a frame that comes after the time `previous`, s.
pub fn frame(header: &Header, frame: &Frame, previous: f64) -> Result<(), FrameFault> {
    if !(0.0..=LONGEST).contains(&frame.time) {
        return Err(FrameFault::Time);
    }
    if frame.time < previous {
        return Err(FrameFault::Order { previous });
    }
    let counts = [
        ("bodies", frame.bodies.len(), header.bodies.len()),
        ("joints", frame.joints.len(), header.joints.len()),
        ("sensors", frame.sensors.len(), header.sensors.len()),
    ];
    for (list, found, expected) in counts {
        if found != expected {
            return Err(FrameFault::Count {
                list,
                found,
                expected,
            });
        }
    }
    if frame.grasp.is_some() != header.grasp.is_some() {
        return Err(FrameFault::Grasp);
    }
    let bodies = frame.bodies.len();
    match frame
        .contacts
        .iter()
        .find(|c| c.a.max(c.b).index() >= bodies)
    {
        Some(&Contact { a, b, .. }) => Err(FrameFault::NoBody {
            a: a.index(),
            b: b.index(),
            bodies,
        }),
        None => Ok(()),
    }
}
