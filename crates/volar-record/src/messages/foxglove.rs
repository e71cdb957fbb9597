//! The Foxglove messages that are written; in Protocol Buffers.
//!
//! Numbers are marked as required, so that they are written when they are zero:
//! the reader then gets back -0 as well.

use glam::DVec3;
use prost::Message;
use volar_geom::TriMesh;
use volar_sim::Contact;

use crate::frame::{Frame, Header, Role};

/// Length of the arrow for a force of 1 N, m. Lengths go with the square root of the
/// force, as in the page: an impact and the forces of holding are both seen.
const LENGTH_OF_A_NEWTON: f64 = 0.02;
const SHAFT_DIAMETER: f64 = 0.002;
const HEAD_DIAMETER: f64 = 0.005;
/// Part of an arrow that is its head, so that short arrows stay arrows.
const HEAD_PART: f64 = 0.25;

/// Colour of arrows of normal forces (red, green, blue), here and in the page.
pub const NORMAL_FORCE_COLOUR: [u8; 3] = [0xe5, 0x48, 0x4d];
/// Colour of arrows of friction forces (red, green, blue), here and in the page.
pub const FRICTION_FORCE_COLOUR: [u8; 3] = [0x12, 0xa5, 0x94];

/// `foxglove.Vector3` and `foxglove.Point3`, which are the same on the wire.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct Vector3 {
    #[prost(double, required, tag = "1")]
    pub x: f64,
    #[prost(double, required, tag = "2")]
    pub y: f64,
    #[prost(double, required, tag = "3")]
    pub z: f64,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct Quaternion {
    #[prost(double, required, tag = "1")]
    pub x: f64,
    #[prost(double, required, tag = "2")]
    pub y: f64,
    #[prost(double, required, tag = "3")]
    pub z: f64,
    #[prost(double, required, tag = "4")]
    pub w: f64,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct Color {
    #[prost(double, required, tag = "1")]
    pub r: f64,
    #[prost(double, required, tag = "2")]
    pub g: f64,
    #[prost(double, required, tag = "3")]
    pub b: f64,
    #[prost(double, required, tag = "4")]
    pub a: f64,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct Pose {
    #[prost(message, required, tag = "1")]
    pub position: Vector3,
    #[prost(message, required, tag = "2")]
    pub orientation: Quaternion,
}

/// `google.protobuf.Timestamp`.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct Timestamp {
    #[prost(int64, tag = "1")]
    pub seconds: i64,
    #[prost(int32, tag = "2")]
    pub nanos: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct FrameTransform {
    #[prost(message, required, tag = "1")]
    pub timestamp: Timestamp,
    #[prost(string, tag = "2")]
    pub parent_frame_id: String,
    #[prost(string, tag = "3")]
    pub child_frame_id: String,
    #[prost(message, required, tag = "4")]
    pub translation: Vector3,
    #[prost(message, required, tag = "5")]
    pub rotation: Quaternion,
}

#[derive(Clone, PartialEq, Message)]
pub struct FrameTransforms {
    #[prost(message, repeated, tag = "1")]
    pub transforms: Vec<FrameTransform>,
}

#[derive(Clone, PartialEq, Message)]
pub struct SceneUpdate {
    #[prost(message, repeated, tag = "2")]
    pub entities: Vec<SceneEntity>,
}

#[derive(Clone, PartialEq, Message)]
pub struct SceneEntity {
    #[prost(message, required, tag = "1")]
    pub timestamp: Timestamp,
    #[prost(string, tag = "2")]
    pub frame_id: String,
    #[prost(string, tag = "3")]
    pub id: String,
    #[prost(bool, tag = "5")]
    pub frame_locked: bool,
    #[prost(message, repeated, tag = "7")]
    pub arrows: Vec<ArrowPrimitive>,
    #[prost(message, repeated, tag = "12")]
    pub triangles: Vec<TriangleListPrimitive>,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct ArrowPrimitive {
    #[prost(message, required, tag = "1")]
    pub pose: Pose,
    #[prost(double, tag = "2")]
    pub shaft_length: f64,
    #[prost(double, tag = "3")]
    pub shaft_diameter: f64,
    #[prost(double, tag = "4")]
    pub head_length: f64,
    #[prost(double, tag = "5")]
    pub head_diameter: f64,
    #[prost(message, required, tag = "6")]
    pub color: Color,
}

#[derive(Clone, PartialEq, Message)]
pub struct TriangleListPrimitive {
    #[prost(message, required, tag = "1")]
    pub pose: Pose,
    #[prost(message, repeated, tag = "2")]
    pub points: Vec<Vector3>,
    #[prost(message, required, tag = "3")]
    pub color: Color,
    #[prost(fixed32, repeated, tag = "5")]
    pub indices: Vec<u32>,
}

impl From<DVec3> for Vector3 {
    fn from(v: DVec3) -> Vector3 {
        let (x, y, z) = (v.x, v.y, v.z);
        Vector3 { x, y, z }
    }
}

impl From<Vector3> for DVec3 {
    fn from(v: Vector3) -> DVec3 {
        DVec3::new(v.x, v.y, v.z)
    }
}

impl From<[f64; 4]> for Quaternion {
    fn from([w, x, y, z]: [f64; 4]) -> Quaternion {
        Quaternion { x, y, z, w }
    }
}

impl From<Quaternion> for [f64; 4] {
    fn from(q: Quaternion) -> [f64; 4] {
        [q.w, q.x, q.y, q.z]
    }
}

impl Color {
    const fn rgb(r: f64, g: f64, b: f64) -> Color {
        Color { r, g, b, a: 1.0 }
    }

    fn of_bytes(bytes: [u8; 3]) -> Color {
        let [r, g, b] = bytes.map(|byte| f64::from(byte) / 255.0);
        Color::rgb(r, g, b)
    }

    fn of(role: Role) -> Color {
        match role {
            Role::Object => Color::rgb(0.93, 0.6, 0.2),
            Role::Palm => Color::rgb(0.35, 0.38, 0.42),
            Role::Finger => Color::rgb(0.5, 0.58, 0.66),
            Role::Other => Color::rgb(0.8, 0.8, 0.78),
        }
    }
}

impl Timestamp {
    /// From nanoseconds.
    pub fn from_nanoseconds(time: u64) -> Timestamp {
        Timestamp {
            seconds: i64::try_from(time / 1_000_000_000).unwrap_or(i64::MAX),
            nanos: i32::try_from(time % 1_000_000_000).unwrap_or(0),
        }
    }
}

/// Name of the frame that poses are in: `world`, unless a body is called that.
pub fn world_frame(header: &Header) -> String {
    let mut name = "world".to_owned();
    while header.bodies.iter().any(|body| body.name == name) {
        name.push('_');
    }
    name
}

/// Poses of all bodies.
pub fn transforms(header: &Header, world: &str, frame: &Frame, time: Timestamp) -> FrameTransforms {
    let bodies = header.bodies.iter().zip(&frame.bodies);
    let transform = bodies.map(|(header, body)| FrameTransform {
        timestamp: time,
        parent_frame_id: world.to_owned(),
        child_frame_id: header.name.clone(),
        translation: body.position.into(),
        rotation: body.orientation.into(),
    });
    FrameTransforms {
        transforms: transform.collect(),
    }
}

/// The meshes of all bodies, each fixed in its body's frame. One message for all:
/// a viewer that jumps to a time shows the last message of a topic.
pub fn scene(header: &Header) -> SceneUpdate {
    let entity = |body: &crate::BodyHeader| {
        let mesh = body.mesh.as_ref()?;
        Some(SceneEntity {
            frame_id: body.name.clone(),
            id: body.name.clone(),
            frame_locked: true,
            triangles: vec![TriangleListPrimitive {
                pose: pose(DVec3::ZERO, [1.0, 0.0, 0.0, 0.0]),
                points: mesh.vertices.iter().map(|&v| v.into()).collect(),
                color: Color::of(body.role),
                indices: mesh.triangles.iter().flatten().copied().collect(),
            }],
            ..SceneEntity::default()
        })
    };
    SceneUpdate {
        entities: header.bodies.iter().filter_map(entity).collect(),
    }
}

/// The mesh of an entity that [`scene`] made.
pub fn mesh(entity: SceneEntity) -> Option<TriMesh> {
    let [list] = <[_; 1]>::try_from(entity.triangles).ok()?;
    let (triangles, []) = list.indices.as_chunks::<3>() else {
        return None;
    };
    Some(TriMesh {
        vertices: list.points.into_iter().map(DVec3::from).collect(),
        triangles: triangles.to_vec(),
    })
}

/// Arrows of the forces of all contacts, as they act on the object, and on body `a` in
/// contacts of other bodies.
pub fn forces(header: &Header, world: &str, frame: &Frame, time: Timestamp) -> SceneUpdate {
    let object = header.object();
    let both = |contact: &Contact| {
        let touching = object.filter(|object| contact.other(*object).is_some());
        let on = touching.unwrap_or(contact.a);
        [
            (contact.normal_force_on(on), NORMAL_FORCE_COLOUR),
            (contact.friction_force_on(on), FRICTION_FORCE_COLOUR),
        ]
        .map(|(force, colour)| arrow(contact.point, force, Color::of_bytes(colour)))
    };
    SceneUpdate {
        // The same id every time: it takes the place of the one before.
        entities: vec![SceneEntity {
            timestamp: time,
            frame_id: world.to_owned(),
            id: "contact forces".to_owned(),
            arrows: frame.contacts.iter().flat_map(both).flatten().collect(),
            ..SceneEntity::default()
        }],
    }
}

/// An arrow that ends at a point; none for a force without direction.
#[allow(clippy::disallowed_methods)] // a picture
fn arrow(point: DVec3, force: DVec3, color: Color) -> Option<ArrowPrimitive> {
    let direction = force.try_normalize()?;
    let length = LENGTH_OF_A_NEWTON * force.length().sqrt();
    let rotation = glam::DQuat::from_rotation_arc(DVec3::X, direction);
    Some(ArrowPrimitive {
        pose: pose(
            point - length * direction,
            [rotation.w, rotation.x, rotation.y, rotation.z],
        ),
        shaft_length: length * (1.0 - HEAD_PART),
        shaft_diameter: SHAFT_DIAMETER,
        head_length: length * HEAD_PART,
        head_diameter: HEAD_DIAMETER,
        color,
    })
}

fn pose(position: DVec3, orientation: [f64; 4]) -> Pose {
    Pose {
        position: position.into(),
        orientation: orientation.into(),
    }
}
