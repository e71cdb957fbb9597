//! How a run reaches the page: JSON for what does not change, binary records
//! for frames and patches. `web/src/data/decode.ts` reads what is written here.
//!
//! All numbers are little-endian. A frame:
//!
//! ```text
//! u32  length of the record in bytes
//! u32  number of contacts
//! f64  time, s
//! f32  channels, as many as the meta data say
//! f32  × 7 per body: position, orientation (w, x, y, z)
//!      per contact: u16 a, b; f32 the figures of the field table of
//!      `Contact`, in its order; `contact_fields` of the meta data lists them
//! ```
//!
//! Patches at one frame, positions in the frame of a:
//!
//! ```text
//! u32  length of the record in bytes
//! u32  number of the frame
//! u32  number of patches
//!      per patch: u16 a, b; u32 triangles on the surface of a, on the surface of b;
//!      f32 × 9 corners, for all triangles; f32 pressure, Pa, for all triangles
//! ```

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use volar_geom::TriMesh;
use volar_record::{
    Contact, ContactField, FRICTION_FORCE_COLOUR, Frame, Header, NORMAL_FORCE_COLOUR,
};
use volar_sim::BodyId;

use crate::channels::{Channels, joint_unit};
use crate::patches::Patch;

/// What does not change, as the page reads it. `more` is added to it.
pub fn meta(mode: &str, header: &Header, channels: &Channels, more: Value) -> Value {
    let mut meshes: Vec<&TriMesh> = Vec::new();
    let mut bodies = Vec::new();
    for (number, body) in header.bodies.iter().enumerate() {
        // Fingers often share a mesh: it is sent once.
        let mesh = body.mesh.as_ref().map(|mesh| {
            let known = meshes.iter().position(|known| *known == mesh);
            known.unwrap_or_else(|| {
                meshes.push(mesh);
                meshes.len() - 1
            })
        });
        bodies.push(json!({
            "name": body.name, "role": body.role, "finger": body.finger, "mesh": mesh,
            "group": channels.groups.of(BodyId::new(number)),
        }));
    }
    let joints = header.joints.iter().zip(&channels.joints);
    let mut meta = json!({
        "format": 2,
        "mode": mode,
        "scene": header.scene,
        "version": header.version,
        "bodies": bodies,
        "meshes": meshes.iter().map(|mesh| encoded_mesh(mesh)).collect::<Vec<_>>(),
        "joints": joints.map(|(joint, at)| json!({
            "name": joint.name, "slides": joint.slides,
            "limits": joint.limits.map(|limits| limits.map(|at| at * joint_unit(joint.slides))),
            "position": at.position, "effort": at.effort,
        })).collect::<Vec<_>>(),
        "contact_fields": Contact::FIELDS.iter().map(contact_field).collect::<Vec<_>>(),
        "colours": {
            "normal_force": colour(NORMAL_FORCE_COLOUR),
            "friction_force": colour(FRICTION_FORCE_COLOUR),
        },
        "channels": channels.count,
        "plots": channels.plots,
    });
    if let (Value::Object(meta), Value::Object(more)) = (&mut meta, more) {
        meta.extend(more);
    }
    meta
}

/// What the page knows of a figure of a contact.
fn contact_field(field: &ContactField) -> Value {
    json!({
        "name": field.name, "unit": field.unit, "about": field.about(),
        "size": field.columns().len(),
    })
}

fn colour([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn encoded_mesh(mesh: &TriMesh) -> Value {
    let mut vertices = Vec::with_capacity(12 * mesh.vertices.len());
    for vertex in &mesh.vertices {
        put_all(&mut vertices, &vertex.to_array());
    }
    let corners = mesh.triangles.iter().flatten();
    let triangles: Vec<u8> = corners.flat_map(|corner| corner.to_le_bytes()).collect();
    json!({ "vertices": STANDARD.encode(vertices), "triangles": STANDARD.encode(triangles) })
}

/// Adds the record of a frame.
pub fn put_frame(out: &mut Vec<u8>, header: &Header, values: &[f64], frame: &Frame) {
    let start = out.len();
    out.extend([0; 4]);
    out.extend((frame.contacts.len() as u32).to_le_bytes());
    out.extend(frame.time.to_le_bytes());
    put_all(out, values);
    for number in 0..header.bodies.len() {
        let body = frame.bodies.get(number).copied().unwrap_or_default();
        put_all(out, &body.position.to_array());
        put_all(out, &body.orientation);
    }
    for contact in &frame.contacts {
        for number in [contact.a, contact.b] {
            out.extend((number.index() as u16).to_le_bytes());
        }
        for field in Contact::FIELDS {
            put_all(out, (field.values)(contact));
        }
    }
    finish(out, start);
}

/// Adds the record of the patches at a frame.
pub fn put_patches(out: &mut Vec<u8>, frame: usize, patches: &[Patch]) {
    let start = out.len();
    out.extend([0; 4]);
    out.extend((frame as u32).to_le_bytes());
    out.extend((patches.len() as u32).to_le_bytes());
    for patch in patches {
        out.extend((patch.a as u16).to_le_bytes());
        out.extend((patch.b as u16).to_le_bytes());
        for surface in &patch.surfaces {
            out.extend((surface.len() as u32).to_le_bytes());
        }
        for triangle in patch.surfaces.iter().flatten() {
            for corner in triangle.corners {
                put_all(out, &corner.to_array());
            }
        }
        for triangle in patch.surfaces.iter().flatten() {
            put_all(out, &[triangle.pressure]);
        }
    }
    finish(out, start);
}

fn finish(out: &mut [u8], start: usize) {
    let length = (out.len() - start) as u32;
    out[start..start + 4].copy_from_slice(&length.to_le_bytes());
}

fn put_all(out: &mut Vec<u8>, values: &[f64]) {
    for value in values {
        out.extend((*value as f32).to_le_bytes());
    }
}

/// Compressed with gzip, the same bytes for the same input.
pub fn compressed(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(7));
    encoder.write_all(bytes)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::Baseline;
    use crate::patches::PatchFinder;
    use crate::sample;

    #[test]
    fn a_frame_has_the_described_layout() {
        let (header, frame) = (sample::header(), sample::frame(0.5));
        let channels = Channels::new(&header);
        let values = channels.values(&mut Baseline::new(&header), &frame);
        let mut out = Vec::new();
        put_frame(&mut out, &header, &values, &frame);
        let poses = 16 + 4 * channels.count;
        let contacts = poses + 28 * header.bodies.len();
        let figures: usize = Contact::FIELDS.iter().map(|f| f.columns().len()).sum();
        assert_eq!(
            out.len(),
            contacts + (4 + 4 * figures) * frame.contacts.len()
        );
        assert_eq!(out[..4], (out.len() as u32).to_le_bytes());
        assert_eq!(out[8..16], 0.5_f64.to_le_bytes());
        assert_eq!(
            out[poses + 92..poses + 96],
            (-0.5e-3_f32).to_le_bytes(),
            "z of the cube"
        );
        assert_eq!(out[contacts..contacts + 4], [1, 0, 3, 0], "bodies a and b");
        assert_eq!(
            out[contacts + 4..contacts + 8],
            (-0.03_f32).to_le_bytes(),
            "x of the point"
        );
    }

    #[test]
    fn patches_have_the_described_layout() {
        let patches = PatchFinder::new(&sample::header()).at(&sample::frame(0.0));
        let mut out = Vec::new();
        put_patches(&mut out, 7, &patches);
        let triangles: usize = patches.iter().flat_map(|p| &p.surfaces).map(Vec::len).sum();
        assert_eq!(out.len(), 12 + 12 * patches.len() + 40 * triangles);
        assert_eq!(out[4..8], 7_u32.to_le_bytes());
        assert_eq!(out.len() % 4, 0);
    }

    #[test]
    fn equal_meshes_are_sent_once() {
        let header = sample::header();
        let channels = Channels::new(&header);
        let meta = meta("report", &header, &channels, json!({ "run": null }));
        assert_eq!(meta["meshes"].as_array().unwrap().len(), 2);
        assert_eq!(meta["bodies"][0]["mesh"], meta["bodies"][2]["mesh"]);
        assert!(meta["run"].is_null());
        let fields = meta["contact_fields"].as_array().unwrap();
        let names: Vec<_> = fields.iter().map(|f| f["name"].as_str().unwrap()).collect();
        let expected: Vec<_> = Contact::FIELDS.iter().map(|f| f.name).collect();
        assert_eq!(names, expected, "the page learns of every figure");
    }
}
