//! A made-up grasp with awkward names and numbers, for all tests here.

use std::path::{Path, PathBuf};

use glam::DVec3;
use volar_geom::TriMesh;
use volar_record::{
    BodyFrame, BodyHeader, Contact, EnergyFrame, Frame, GraspFrame, GraspHeader, Header,
    JointFrame, JointHeader, RecordingWriter, Role,
};
use volar_sim::BodyId;

/// A folder for one test, empty at its start.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    folder
}

/// Numbers that look random, the same in every run.
pub struct Noise(pub u64);

impl Noise {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between -1 and 1, in full precision; now and then a special one.
    pub fn number(&mut self) -> f64 {
        match self.bits() % 64 {
            0 => -0.0,
            1 => 1e-310,
            2 => 1e300,
            _ => (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0,
        }
    }

    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }
}

pub fn tetrahedron(noise: &mut Noise) -> TriMesh {
    TriMesh {
        vertices: (0..4).map(|_| noise.vector()).collect(),
        triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    }
}

/// An object, a palm, two fingers of two links, and a ground without a mesh.
pub fn header() -> Header {
    let mut noise = Noise(1);
    let mut body = |name: &str, role, finger: &str, has_mesh| BodyHeader {
        name: name.to_owned(),
        role,
        finger: finger.to_owned(),
        mesh: if has_mesh {
            Some(tetrahedron(&mut noise))
        } else {
            None
        },
    };
    let joint = |name: &str, slides| JointHeader {
        name: name.to_owned(),
        slides,
        limits: Some([-1.5, 0.25]),
    };
    Header {
        scene: "Ein Würfel / \"schräg\" 立方体".to_owned(),
        version: "0.1.0".to_owned(),
        bodies: vec![
            body("Würfel/立方体", Role::Object, "", true),
            body("hand/palm", Role::Palm, "", true),
            body("links.1", Role::Finger, "links", true),
            body("links 2", Role::Finger, "links", true),
            body("rechts/1", Role::Finger, "rechts/右", true),
            body("rechts/2", Role::Finger, "rechts/右", true),
            body("world", Role::Other, "", false),
        ],
        joints: vec![joint("links/gelenk", false), joint("schlitten→", true)],
        sensors: vec!["wrist force x (N)".to_owned(), "Ω".to_owned()],
        grasp: Some(GraspHeader {
            energy_from: Some(0.0),
            ..GraspHeader::default()
        }),
    }
}

pub fn frame(header: &Header, number: usize, contacts: usize, noise: &mut Noise) -> Frame {
    let bodies = header.bodies.len();
    let body = |noise: &mut Noise| BodyFrame {
        position: noise.vector(),
        orientation: [0.5, -0.5, 0.5, -0.5],
        velocity: noise.vector(),
        angular_velocity: noise.vector(),
    };
    let joint = |noise: &mut Noise| JointFrame {
        position: noise.number(),
        velocity: noise.number(),
        effort: noise.number(),
    };
    let contact = |noise: &mut Noise| {
        let mut contact = Contact {
            a: BodyId::new(noise.bits() as usize % bodies),
            b: BodyId::new(noise.bits() as usize % bodies),
            ..Contact::default()
        };
        for field in Contact::FIELDS {
            for value in (field.values_mut)(&mut contact) {
                *value = noise.number();
            }
        }
        contact.normal_force = contact.normal_force.abs().min(1.0);
        contact.friction_force = contact.friction_force.clamp(-DVec3::ONE, DVec3::ONE);
        contact
    };
    Frame {
        time: number as f64 / 96.0,
        bodies: (0..bodies).map(|_| body(noise)).collect(),
        joints: header.joints.iter().map(|_| joint(noise)).collect(),
        contacts: (0..contacts).map(|_| contact(noise)).collect(),
        energies: EnergyFrame {
            kinetic: noise.number(),
            potential: noise.number(),
            contact: noise.number(),
            joints: noise.number(),
            put_in: noise.number(),
            lost: noise.number(),
        },
        sensors: header.sensors.iter().map(|_| noise.number()).collect(),
        grasp: header.grasp.map(|_| GraspFrame {
            position: noise.vector().clamp(-DVec3::ONE, DVec3::ONE),
            orientation: [0.5, -0.5, 0.5, -0.5],
            kinetic_energy: noise.number(),
            expected_kinetic_energy: noise.number(),
        }),
        step: noise.number(),
    }
}

/// Frames with 0 to 4 contacts.
pub fn frames(header: &Header, count: usize) -> Vec<Frame> {
    let mut noise = Noise(2);
    let frame = |number| frame(header, number, number % 5, &mut noise);
    (0..count).map(frame).collect()
}

pub fn write(folder: &Path, header: &Header, frames: &[Frame]) {
    let mut writer = RecordingWriter::create(folder, header).unwrap();
    for frame in frames {
        writer.push(frame).unwrap();
    }
    writer.finish().unwrap();
}
