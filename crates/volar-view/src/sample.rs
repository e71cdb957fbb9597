//! A small run for the tests: a cube between two pads, then drifting down.

use glam::DVec3;
use volar_geom::mesh::shapes::cuboid;
use volar_record::{
    BodyFrame, BodyHeader, Contact, EnergyFrame, Frame, GraspFrame, GraspHeader, Header,
    JointFrame, JointHeader, Role,
};
use volar_sim::BodyId;

/// Pads 20 mm wide with 10 µm of overlap on both sides of a cube of 60 mm.
pub const DEPTH: f64 = 1e-5;

pub fn header() -> Header {
    let body = |name: &str, role, finger: &str, size: f64| BodyHeader {
        name: name.into(),
        role,
        finger: finger.into(),
        mesh: Some(cuboid(DVec3::splat(size))),
    };
    Header {
        scene: "</script><script>alert(1)</script> & co".into(),
        version: "0.0.0".into(),
        bodies: vec![
            body("palm", Role::Palm, "", 0.02),
            body("left pad", Role::Finger, "left", 0.02),
            body("right pad", Role::Finger, "right", 0.02),
            body("cube", Role::Object, "", 0.06),
        ],
        joints: vec![JointHeader {
            name: "slide".into(),
            slides: true,
            limits: None,
        }],
        sensors: vec![
            "wrist force (N)".into(),
            "wrist torque (N m)".into(),
            "tip force (N)".into(),
        ],
        grasp: Some(GraspHeader::default()),
    }
}

/// A frame at a time; the cube sinks by 1 mm/s, forces settle after 0.1 s.
pub fn frame(time: f64) -> Frame {
    let at = |x: f64, z: f64| BodyFrame {
        position: DVec3::new(x, 0.0, z),
        orientation: [1.0, 0.0, 0.0, 0.0],
        ..BodyFrame::default()
    };
    let force = 10.0 + 90.0 * (-time / 0.02).exp();
    let contact = |a: usize, side: f64| Contact {
        a: BodyId::new(a),
        b: BodyId::new(3),
        point: DVec3::new(0.03 * side, 0.0, 0.0),
        normal: DVec3::new(side, 0.0, 0.0),
        normal_force: force,
        friction_force: DVec3::new(0.0, 0.0, -1.0),
        friction_margin: 0.8,
        area: 4e-4,
        volume: 4e-9,
        depth: DEPTH,
        ..Contact::default()
    };
    let pad = 0.04 - DEPTH;
    Frame {
        time,
        bodies: vec![
            at(0.0, 0.1),
            at(-pad, 0.0),
            at(pad, 0.0),
            at(0.0, -1e-3 * time),
        ],
        joints: vec![JointFrame {
            position: 0.01,
            velocity: 0.0,
            effort: 10.0,
        }],
        // Two patches of one pair tell the same volume.
        contacts: vec![contact(1, -1.0), contact(1, -1.0), contact(2, 1.0)],
        grasp: Some(GraspFrame {
            position: DVec3::new(0.0, 0.0, -0.1 - 1e-3 * time),
            orientation: [1.0, 0.0, 0.0, 0.0],
            ..GraspFrame::default()
        }),
        energies: EnergyFrame {
            kinetic: 1e-6,
            potential: 5.0,
            ..EnergyFrame::default()
        },
        sensors: vec![1.0, 2.0, 3.0],
        step: 1e-3,
    }
}

pub fn frames(count: usize) -> Vec<Frame> {
    (0..count).map(|k| frame(k as f64 * 1e-3)).collect()
}
