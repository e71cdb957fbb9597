//! The schemas of the Protocol Buffers messages, as viewers want them. Foxglove's
//! are complete, also where a field is never written here: viewers rely on them.

use prost::Message;
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, EnumValueDescriptorProto, FieldDescriptorProto,
    FileDescriptorProto, FileDescriptorSet,
};
use volar_sim::{Contact, ContactField, Shape};

/// What a field holds.
#[derive(Clone, Copy)]
enum Holds {
    Scalar(Type),
    Message(&'static str),
    Enum(&'static str),
}
use Holds::{Enum, Scalar};

const DOUBLE: Holds = Scalar(Type::Double);
const BOOL: Holds = Scalar(Type::Bool);
const STRING: Holds = Scalar(Type::String);
const TIME: Holds = Holds::Message(".google.protobuf.Timestamp");
const POSE: Holds = Holds::Message(".foxglove.Pose");
const VECTOR: Holds = Holds::Message(".foxglove.Vector3");
const QUATERNION: Holds = Holds::Message(".foxglove.Quaternion");
const POINT: Holds = Holds::Message(".foxglove.Point3");
const COLOR: Holds = Holds::Message(".foxglove.Color");

/// The schemas of all messages, in the wire format of `FileDescriptorSet`.
pub fn schemas() -> Vec<u8> {
    let time = |name: &str| {
        message(name)
            .one("seconds", Scalar(Type::Int64))
            .one("nanos", Scalar(Type::Int32))
            .0
    };
    let files = vec![
        file("google.protobuf", "timestamp", &[], vec![time("Timestamp")]),
        file("google.protobuf", "duration", &[], vec![time("Duration")]),
        file(
            "foxglove",
            "messages",
            &[
                "google/protobuf/timestamp.proto",
                "google/protobuf/duration.proto",
            ],
            [geometry(), primitives(), scene()].concat(),
        ),
        file("volar", "frame", &["foxglove/messages.proto"], frame()),
    ];
    FileDescriptorSet { file: files }.encode_to_vec()
}

fn geometry() -> Vec<DescriptorProto> {
    let xyz = |name: &str| {
        let message = message(name).one("x", DOUBLE);
        message.one("y", DOUBLE).one("z", DOUBLE)
    };
    vec![
        xyz("Vector3").0,
        xyz("Point3").0,
        xyz("Quaternion").one("w", DOUBLE).0,
        message("Color")
            .one("r", DOUBLE)
            .one("g", DOUBLE)
            .one("b", DOUBLE)
            .one("a", DOUBLE)
            .0,
        message("Pose")
            .one("position", VECTOR)
            .one("orientation", QUATERNION)
            .0,
        message("FrameTransform")
            .one("timestamp", TIME)
            .one("parent_frame_id", STRING)
            .one("child_frame_id", STRING)
            .one("translation", VECTOR)
            .one("rotation", QUATERNION)
            .0,
        message("FrameTransforms")
            .many("transforms", Holds::Message(".foxglove.FrameTransform"))
            .0,
    ]
}

fn primitives() -> Vec<DescriptorProto> {
    let posed = |name: &str| message(name).one("pose", POSE);
    let sized = |name: &str| posed(name).one("size", VECTOR);
    vec![
        posed("ArrowPrimitive")
            .one("shaft_length", DOUBLE)
            .one("shaft_diameter", DOUBLE)
            .one("head_length", DOUBLE)
            .one("head_diameter", DOUBLE)
            .one("color", COLOR)
            .0,
        sized("CubePrimitive").one("color", COLOR).0,
        sized("SpherePrimitive").one("color", COLOR).0,
        sized("CylinderPrimitive")
            .one("bottom_scale", DOUBLE)
            .one("top_scale", DOUBLE)
            .one("color", COLOR)
            .0,
        message("LinePrimitive")
            .kinds(&["LINE_STRIP", "LINE_LOOP", "LINE_LIST"])
            .one("type", Enum(".foxglove.LinePrimitive.Type"))
            .one("pose", POSE)
            .one("thickness", DOUBLE)
            .one("scale_invariant", BOOL)
            .many("points", POINT)
            .one("color", COLOR)
            .many("colors", COLOR)
            .many("indices", Scalar(Type::Fixed32))
            .0,
        posed("TriangleListPrimitive")
            .many("points", POINT)
            .one("color", COLOR)
            .many("colors", COLOR)
            .many("indices", Scalar(Type::Fixed32))
            .0,
        posed("TextPrimitive")
            .one("billboard", BOOL)
            .one("font_size", DOUBLE)
            .one("scale_invariant", BOOL)
            .one("color", COLOR)
            .one("text", STRING)
            .0,
        posed("ModelPrimitive")
            .one("scale", VECTOR)
            .one("color", COLOR)
            .one("override_color", BOOL)
            .one("url", STRING)
            .one("media_type", STRING)
            .one("data", Scalar(Type::Bytes))
            .0,
    ]
}

fn scene() -> Vec<DescriptorProto> {
    vec![
        message("KeyValuePair")
            .one("key", STRING)
            .one("value", STRING)
            .0,
        message("SceneEntityDeletion")
            .kinds(&["MATCHING_ID", "ALL"])
            .one("timestamp", TIME)
            .one("type", Enum(".foxglove.SceneEntityDeletion.Type"))
            .one("id", STRING)
            .0,
        message("SceneEntity")
            .one("timestamp", TIME)
            .one("frame_id", STRING)
            .one("id", STRING)
            .one("lifetime", Holds::Message(".google.protobuf.Duration"))
            .one("frame_locked", BOOL)
            .many("metadata", Holds::Message(".foxglove.KeyValuePair"))
            .many("arrows", Holds::Message(".foxglove.ArrowPrimitive"))
            .many("cubes", Holds::Message(".foxglove.CubePrimitive"))
            .many("spheres", Holds::Message(".foxglove.SpherePrimitive"))
            .many("cylinders", Holds::Message(".foxglove.CylinderPrimitive"))
            .many("lines", Holds::Message(".foxglove.LinePrimitive"))
            .many(
                "triangles",
                Holds::Message(".foxglove.TriangleListPrimitive"),
            )
            .many("texts", Holds::Message(".foxglove.TextPrimitive"))
            .many("models", Holds::Message(".foxglove.ModelPrimitive"))
            .0,
        message("SceneUpdate")
            .many("deletions", Holds::Message(".foxglove.SceneEntityDeletion"))
            .many("entities", Holds::Message(".foxglove.SceneEntity"))
            .0,
    ]
}

/// What `frame.rs` beside this file writes.
fn frame() -> Vec<DescriptorProto> {
    vec![
        message("Body")
            .one("position", VECTOR)
            .one("orientation", QUATERNION)
            .one("velocity", VECTOR)
            .one("angular_velocity", VECTOR)
            .0,
        message("Joint")
            .one("position", DOUBLE)
            .one("velocity", DOUBLE)
            .one("effort", DOUBLE)
            .0,
        contact(),
        message("Grasp")
            .one("position", VECTOR)
            .one("orientation", QUATERNION)
            .one("kinetic_energy", DOUBLE)
            .one("expected_kinetic_energy", DOUBLE)
            .0,
        message("Energies")
            .one("kinetic", DOUBLE)
            .one("potential", DOUBLE)
            .one("contact", DOUBLE)
            .one("joints", DOUBLE)
            .one("put_in", DOUBLE)
            .one("lost", DOUBLE)
            .0,
        message("Frame")
            .one("time", DOUBLE)
            .one("step", DOUBLE)
            .many("bodies", Holds::Message(".volar.Body"))
            .many("joints", Holds::Message(".volar.Joint"))
            .many("contacts", Holds::Message(".volar.Contact"))
            .one("energies", Holds::Message(".volar.Energies"))
            .many("sensors", DOUBLE)
            .one("grasp", Holds::Message(".volar.Grasp"))
            .0,
    ]
}

/// What `contacts.rs` beside this file writes.
fn contact() -> DescriptorProto {
    let number = Scalar(Type::Uint32);
    let bodies = message("Contact").one("a", number).one("b", number);
    let figure = |message: Builder, field: &ContactField| match field.shape {
        Shape::Number => message.one(field.name, DOUBLE),
        Shape::Vector => message.one(field.name, VECTOR),
    };
    Contact::FIELDS.iter().fold(bodies, figure).0
}

fn file(
    package: &str,
    name: &str,
    needs: &[&str],
    messages: Vec<DescriptorProto>,
) -> FileDescriptorProto {
    FileDescriptorProto {
        name: Some(format!("{}/{name}.proto", package.replace('.', "/"))),
        package: Some(package.to_owned()),
        dependency: needs.iter().map(|&need| need.to_owned()).collect(),
        message_type: messages,
        syntax: Some("proto3".to_owned()),
        ..FileDescriptorProto::default()
    }
}

/// A message under construction; its fields are numbered as they come.
struct Builder(DescriptorProto);

fn message(name: &str) -> Builder {
    Builder(DescriptorProto {
        name: Some(name.to_owned()),
        ..DescriptorProto::default()
    })
}

impl Builder {
    fn one(self, name: &str, holds: Holds) -> Builder {
        self.field(name, holds, Label::Optional)
    }

    fn many(self, name: &str, holds: Holds) -> Builder {
        self.field(name, holds, Label::Repeated)
    }

    /// An enum `Type` inside the message.
    fn kinds(mut self, names: &[&str]) -> Builder {
        let value = |(number, name): (i32, &&str)| EnumValueDescriptorProto {
            name: Some((*name).to_owned()),
            number: Some(number),
            options: None,
        };
        self.0.enum_type.push(EnumDescriptorProto {
            name: Some("Type".to_owned()),
            value: (0..).zip(names).map(value).collect(),
            ..EnumDescriptorProto::default()
        });
        self
    }

    fn field(mut self, name: &str, holds: Holds, label: Label) -> Builder {
        let (r#type, type_name) = match holds {
            Scalar(scalar) => (scalar, None),
            Holds::Message(name) => (Type::Message, Some(name.to_owned())),
            Enum(name) => (Type::Enum, Some(name.to_owned())),
        };
        self.0.field.push(FieldDescriptorProto {
            name: Some(name.to_owned()),
            number: i32::try_from(self.0.field.len() + 1).ok(),
            label: Some(label as i32),
            r#type: Some(r#type as i32),
            type_name,
            ..FieldDescriptorProto::default()
        });
        self
    }
}
