//! What was written is read back, to the last bit.

use crate::common::{folder, frames, header, write};
use glam::DVec3;
use volar_geom::TriMesh;
use volar_record::{Frame, Header, RecordError, Recording, RecordingWriter};

/// Debug prints -0 and the shortest digits that give back the same number.
fn assert_same_bits(read: &Recording, header: &Header, frames: &[Frame]) {
    assert_eq!(format!("{:?}", read.header), format!("{header:?}"));
    assert_eq!(format!("{:?}", read.frames), format!("{frames:?}"));
}

#[test]
fn a_recording_is_read_back_exactly() {
    let (folder, header) = (folder("exact"), header());
    let frames = frames(&header, 301);
    write(&folder, &header, &frames);
    assert_same_bits(&Recording::open(&folder).unwrap(), &header, &frames);
    let (recovered, fault) = Recording::recover(&folder).unwrap();
    assert!(fault.is_none());
    assert_same_bits(&recovered, &header, &frames);
}

#[test]
fn numbers_that_are_not_finite_are_kept() {
    let (folder, header) = (folder("not-finite"), header());
    let mut frames = frames(&header, 5);
    frames[3].energies.lost = f64::NAN;
    frames[3].step = f64::NEG_INFINITY;
    frames[3].contacts[0].point = DVec3::NAN;
    frames[3].contacts[1].friction_force = DVec3::INFINITY;
    write(&folder, &header, &frames);
    assert_same_bits(&Recording::open(&folder).unwrap(), &header, &frames);
}

#[test]
fn a_run_without_frames_is_a_recording() {
    let (folder, header) = (folder("no-frames"), header());
    write(&folder, &header, &[]);
    assert_same_bits(&Recording::open(&folder).unwrap(), &header, &[]);
}

#[test]
fn a_scene_without_anything_is_a_recording() {
    let folder = folder("nothing");
    let frames = [Frame::default(), Frame::default()];
    write(&folder, &Header::default(), &frames);
    let read = Recording::open(&folder).unwrap();
    assert_same_bits(&read, &Header::default(), &frames);
}

#[test]
fn a_mesh_without_triangles_is_not_a_missing_mesh() {
    let (folder, mut header) = (folder("empty-mesh"), header());
    header.bodies[1].mesh = Some(TriMesh {
        vertices: vec![],
        triangles: vec![],
    });
    write(&folder, &header, &[]);
    assert_same_bits(&Recording::open(&folder).unwrap(), &header, &[]);
}

#[test]
fn an_interrupted_run_keeps_every_frame() {
    let header = header();
    let frames = frames(&header, 100);
    for count in [1, 31, 32, 33, 100] {
        let finished = folder(&format!("interrupted-{count}"));
        write(&finished, &header, &frames[..count]);
        let read = Recording::open(&finished).unwrap();
        assert_same_bits(&read, &header, &frames[..count]);
        let dropped = folder(&format!("dropped-{count}"));
        let mut writer = RecordingWriter::create(&dropped, &header).unwrap();
        for frame in &frames[..count] {
            writer.push(frame).unwrap();
        }
        drop(writer);
        let read = Recording::open(&dropped).unwrap();
        assert_same_bits(&read, &header, &frames[..count]);
    }
}

/// A process that is killed runs no destructor.
#[test]
fn a_killed_run_can_be_recovered() {
    let (folder, header) = (folder("killed"), header());
    let frames = frames(&header, 100);
    let mut writer = RecordingWriter::create(&folder, &header).unwrap();
    for frame in &frames {
        writer.push(frame).unwrap();
    }
    std::mem::forget(writer);
    let error = Recording::open(&folder).unwrap_err();
    assert!(
        matches!(error, RecordError::CutOff { frames: 96, .. }),
        "{error}"
    );
    assert!(error.to_string().contains("recover"), "{error}");
    let (read, fault) = Recording::recover(&folder).unwrap();
    assert!(matches!(
        fault,
        Some(RecordError::CutOff { frames: 96, .. })
    ));
    assert_same_bits(&read, &header, &frames[..96]);
}

#[test]
fn a_recording_takes_the_place_of_another() {
    let (folder, header) = (folder("again"), header());
    let frames = frames(&header, 50);
    write(&folder, &header, &frames);
    write(&folder, &header, &frames[..3]);
    assert_same_bits(&Recording::open(&folder).unwrap(), &header, &frames[..3]);
}

#[test]
fn a_bad_frame_is_refused_and_the_recording_goes_on() {
    let (folder, header) = (folder("bad-frames"), header());
    let frames = frames(&header, 3);
    let mut writer = RecordingWriter::create(&folder, &header).unwrap();
    writer.push(&frames[0]).unwrap();
    writer.push(&frames[1]).unwrap();
    let mut refused = |change: fn(&mut Frame), expected: &str| {
        let mut frame = frames[2].clone();
        change(&mut frame);
        let error = writer.push(&frame).unwrap_err();
        assert!(matches!(error, RecordError::BadFrame { .. }), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    };
    refused(|frame| frame.time = 0.0, "earlier");
    refused(|frame| frame.time = -1.0, "between 0");
    refused(|frame| frame.time = f64::NAN, "between 0");
    refused(|frame| frame.time = 1e12, "between 0");
    refused(|frame| frame.bodies.truncate(2), "2 bodies");
    refused(|frame| frame.joints.clear(), "0 joints");
    refused(|frame| frame.sensors.push(0.0), "3 sensors");
    refused(|frame| frame.contacts[0].b = 7, "only 7");
    refused(
        |frame| frame.contacts = vec![frame.contacts[0]; 100_000],
        "too many",
    );
    writer.push(&frames[2]).unwrap();
    writer.finish().unwrap();
    assert_same_bits(&Recording::open(&folder).unwrap(), &header, &frames);
}

#[test]
fn a_bad_header_is_refused() {
    let refused = |change: fn(&mut Header), expected: &str| {
        let mut header = header();
        change(&mut header);
        let error = RecordingWriter::create(&folder("bad-header"), &header);
        let error = error.err().unwrap();
        assert!(matches!(error, RecordError::BadHeader { .. }), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    };
    refused(|header| header.bodies[1].name.clear(), "no name");
    refused(
        |header| header.bodies[1].name = header.bodies[0].name.clone(),
        "two bodies",
    );
    refused(
        |header| header.joints[1] = header.joints[0].clone(),
        "two joints",
    );
    refused(|header| header.sensors.push("Ω".into()), "two sensors");
    refused(
        |header| header.bodies[0].mesh.as_mut().unwrap().triangles[0][0] = 4,
        "vertex 4",
    );
}
