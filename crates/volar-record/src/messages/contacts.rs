//! Contacts in the messages, after the field table of [`Contact`]: all of `/contacts`
//! in JSON, and the message `volar.Contact` of `/frames` in Protocol Buffers.

use prost::DecodeError;
use prost::Message;
use prost::bytes::{Buf, BufMut};
use prost::encoding::{self, DecodeContext, WireType};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};
use volar_sim::{BodyId, Contact, ContactField, Shape};

use super::foxglove::Vector3;
use crate::frame::{Frame, Header};

/// Numbers of the two bodies in `volar.Contact`.
const BODIES: [u32; 2] = [1, 2];
/// Number of the first figure in `volar.Contact`; the others follow in the table's order.
const FIRST: u32 = 3;

/// The JSON schema of `/contacts`.
pub fn schema() -> String {
    let text = |what: &str| json!({ "type": "string", "description": what });
    let mut contact = Map::new();
    contact.insert("a".into(), text("name of the first body"));
    contact.insert("b".into(), text("name of the second body"));
    for field in Contact::FIELDS {
        let about = format!("{} Unit: {}.", field.about(), field.unit);
        let schema = match field.shape {
            Shape::Number => json!({ "type": "number", "description": about }),
            Shape::Vector => {
                let axis = json!({ "type": "number" });
                let axes = json!({ "x": axis, "y": axis, "z": axis });
                json!({ "type": "object", "description": about, "properties": axes })
            }
        };
        contact.insert(field.name.into(), schema);
    }
    let items = json!({ "type": "object", "properties": contact });
    json!({
        "type": "object",
        "properties": {
            "time": { "type": "number", "description": "Time. Unit: s." },
            "contacts": { "type": "array", "items": items },
        },
    })
    .to_string()
}

/// The contacts of a frame in JSON. A number that is not finite becomes null.
pub fn json(header: &Header, frame: &Frame) -> Result<Vec<u8>, serde_json::Error> {
    let named = |contact| Named { header, contact };
    let contacts: Vec<Named> = frame.contacts.iter().map(named).collect();
    let mut out = Vec::new();
    let mut serializer = serde_json::Serializer::new(&mut out);
    let mut map = serializer.serialize_map(Some(2))?;
    map.serialize_entry("time", &frame.time)?;
    map.serialize_entry("contacts", &contacts)?;
    map.end()?;
    Ok(out)
}

/// A contact with the names of its bodies.
struct Named<'a> {
    header: &'a Header,
    contact: &'a Contact,
}

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = |body: BodyId| self.header.bodies.get(body.index()).map_or("", |b| &b.name);
        let mut map = serializer.serialize_map(Some(2 + Contact::FIELDS.len()))?;
        map.serialize_entry("a", name(self.contact.a))?;
        map.serialize_entry("b", name(self.contact.b))?;
        for field in Contact::FIELDS {
            match (field.values)(self.contact) {
                [x, y, z] => {
                    let axes = [("x", x), ("y", y), ("z", z)];
                    let object: Map<String, Value> = axes
                        .into_iter()
                        .map(|(axis, value)| (axis.to_owned(), json!(value)))
                        .collect();
                    map.serialize_entry(field.name, &object)?;
                }
                values => map.serialize_entry(field.name, &values.first())?,
            }
        }
        map.end()
    }
}

/// `volar.Contact`. Numbers are written also when they are zero, so that -0 comes back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactMessage(pub Contact);

/// Figures with their numbers in the message.
fn numbered() -> impl Iterator<Item = (u32, &'static ContactField)> {
    (FIRST..).zip(Contact::FIELDS)
}

fn vector(values: &[f64]) -> Option<Vector3> {
    let &[x, y, z] = values else { return None };
    Some(Vector3 { x, y, z })
}

impl ContactMessage {
    fn bodies(&self) -> [u32; 2] {
        [self.0.a, self.0.b].map(|body| u32::try_from(body.index()).unwrap_or(u32::MAX))
    }
}

impl Message for ContactMessage {
    fn encode_raw(&self, buf: &mut impl BufMut) {
        for (tag, body) in BODIES.into_iter().zip(self.bodies()) {
            encoding::uint32::encode(tag, &body, buf);
        }
        for (tag, field) in numbered() {
            let values = (field.values)(&self.0);
            match vector(values) {
                Some(vector) => encoding::message::encode(tag, &vector, buf),
                None => values
                    .iter()
                    .for_each(|value| encoding::double::encode(tag, value, buf)),
            }
        }
    }

    fn encoded_len(&self) -> usize {
        let bodies = BODIES.into_iter().zip(self.bodies());
        let bodies = bodies.map(|(tag, body)| encoding::uint32::encoded_len(tag, &body));
        let figures = numbered().map(|(tag, field)| {
            let values = (field.values)(&self.0);
            match vector(values) {
                Some(vector) => encoding::message::encoded_len(tag, &vector),
                None => values
                    .iter()
                    .map(|value| encoding::double::encoded_len(tag, value))
                    .sum(),
            }
        });
        bodies.chain(figures).sum()
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        if BODIES.contains(&tag) {
            let mut body = 0;
            encoding::uint32::merge(wire_type, &mut body, buf, ctx)?;
            let number = if tag == BODIES[0] {
                &mut self.0.a
            } else {
                &mut self.0.b
            };
            *number = BodyId::new(body as usize);
            return Ok(());
        }
        let Some((_, field)) = numbered().find(|(number, _)| *number == tag) else {
            return encoding::skip_field(wire_type, tag, buf, ctx);
        };
        match (field.values_mut)(&mut self.0) {
            [number] => encoding::double::merge(wire_type, number, buf, ctx),
            values => {
                let mut read = vector(values).unwrap_or_default();
                encoding::message::merge(wire_type, &mut read, buf, ctx)?;
                values.copy_from_slice(&[read.x, read.y, read.z]);
                Ok(())
            }
        }
    }

    fn clear(&mut self) {
        self.0 = Contact::default();
    }
}
