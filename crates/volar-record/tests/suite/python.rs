//! Reads the files with the ordinary Python libraries and compares every number:
//! set `VOLAR_PYTHON` to a Python with `mcap`, `mcap-protobuf-support`,
//! `mcap-ros2-support`, `polars`, `pandas` and `pyarrow`. Without it these tests
//! say so and pass. The snippet for Rerun runs where `rerun-sdk` is installed.

use std::process::Command;

use crate::common::{folder, frames, header, write};
use serde_json::{Value, json};
use volar_record::{Contact, Frame, GraspFrame, Header};

fn python() -> Option<Command> {
    let python = std::env::var_os("VOLAR_PYTHON");
    if python.is_none() {
        eprintln!("skipped: VOLAR_PYTHON is not set, see the top of this file");
    }
    python.map(Command::new)
}

#[test]
fn the_snippets_of_the_docs_run() {
    let docs = include_str!("../../../../docs/recordings.md");
    let snippets = docs.split("```python\n").skip(1);
    let snippets: Vec<&str> = snippets.map(|s| s.split("```").next().unwrap()).collect();
    assert_eq!(snippets.len(), 5);
    let (folder, header) = (folder("snippets"), header());
    write(&folder.join("run"), &header, &frames(&header, 300));
    for snippet in snippets {
        let Some(mut command) = python() else {
            return;
        };
        let has_rerun = python().unwrap().args(["-c", "import rerun"]).output();
        if snippet.contains("import rerun") && !has_rerun.unwrap().status.success() {
            eprintln!("skipped: this Python has no rerun-sdk");
            continue;
        }
        let output = command.args(["-c", snippet]).current_dir(&folder).output();
        let output = output.unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{snippet}\n{said}");
    }
}

#[test]
fn python_reads_the_same_numbers() {
    let Some(mut python) = python() else {
        return;
    };
    let (folder, header) = (folder("python"), header());
    let frames = frames(&header, 300);
    write(&folder, &header, &frames);
    let expected = expected(&header, &frames).to_string();
    std::fs::write(folder.join("expected.json"), expected).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/read_with_python.py");
    let status = python.arg(script).arg(&folder).status();
    assert!(status.unwrap().success(), "see what Python says above");
}

fn expected(header: &Header, frames: &[Frame]) -> Value {
    let body = |body: &volar_record::BodyHeader| {
        let mesh = body.mesh.as_ref();
        json!({
            "name": body.name,
            "role": body.role,
            "finger": body.finger,
            "vertices": mesh.map(|mesh| mesh.vertices.iter().map(|v| v.to_array()).collect::<Vec<_>>()),
            "triangles": mesh.map(|mesh| &mesh.triangles),
        })
    };
    json!({
        "scene": header.scene,
        "bodies": header.bodies.iter().map(body).collect::<Vec<_>>(),
        "joints": header.joints.iter().map(|joint| &joint.name).collect::<Vec<_>>(),
        "sensors": header.sensors,
        "contact_fields": Contact::FIELDS.iter().map(|field| field.name).collect::<Vec<_>>(),
        "frames": frames.iter().map(frame).collect::<Vec<_>>(),
    })
}

fn frame(frame: &Frame) -> Value {
    let body = |body: &volar_record::BodyFrame| {
        json!({
            "position": body.position.to_array(),
            "orientation": body.orientation,
            "velocity": body.velocity.to_array(),
            "angular_velocity": body.angular_velocity.to_array(),
        })
    };
    let contact = |contact: &Contact| {
        let mut json = json!({ "a": contact.a, "b": contact.b });
        for field in Contact::FIELDS {
            json[field.name] = match (field.values)(contact) {
                [number] => json!(number),
                vector => json!(vector),
            };
        }
        json
    };
    let grasp = |grasp: &GraspFrame| {
        json!({
            "position": grasp.position.to_array(),
            "orientation": grasp.orientation,
            "kinetic_energy": grasp.kinetic_energy,
            "expected_kinetic_energy": grasp.expected_kinetic_energy,
        })
    };
    let energies = &frame.energies;
    json!({
        "time": frame.time,
        "step": frame.step,
        "bodies": frame.bodies.iter().map(body).collect::<Vec<_>>(),
        "joints": frame.joints.iter().map(|j| [j.position, j.velocity, j.effort]).collect::<Vec<_>>(),
        "contacts": frame.contacts.iter().map(contact).collect::<Vec<_>>(),
        "sensors": frame.sensors,
        "grasp": frame.grasp.as_ref().map(grasp),
        "energies": {
            "kinetic": energies.kinetic,
            "potential": energies.potential,
            "contact": energies.contact,
            "joints": energies.joints,
            "put_in": energies.put_in,
            "lost": energies.lost,
        },
    })
}
