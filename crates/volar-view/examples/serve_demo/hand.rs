//! A hand of 24 joints round the bunny, moved by formulas: as much to draw as
//! a real hand, and no time spent on forces.

use std::error::Error;

use glam::{DQuat, DVec3};
use volar_geom::mesh::shapes::cuboid;
use volar_record::{BodyFrame, BodyHeader, Contact, Frame, Header, JointFrame, JointHeader, Role};
use volar_view::{Live, Parameter};

const FINGERS: usize = 6;
const LINKS: usize = 4;
const LENGTH: f64 = 0.028;

/// The hand.
pub struct Hand {
    header: Header,
    time: f64,
    swing: f64,
}

impl Hand {
    /// The hand, open.
    pub fn new() -> Result<Hand, Box<dyn Error>> {
        let body = |name: String, role, finger: String, size: [f64; 3]| BodyHeader {
            name,
            role,
            finger,
            mesh: Some(cuboid(DVec3::from_array(size))),
        };
        let mut bodies = vec![
            BodyHeader {
                mesh: Some(super::grasp::bunny()?),
                ..body("bunny".into(), Role::Object, String::new(), [1.0; 3])
            },
            body("palm".into(), Role::Palm, String::new(), [0.13, 0.13, 0.02]),
        ];
        let mut joints = Vec::new();
        for finger in 0..FINGERS {
            for link in 0..LINKS {
                let name = format!("finger {} link {}", finger + 1, link + 1);
                let finger = format!("finger {}", finger + 1);
                bodies.push(body(
                    name.clone(),
                    Role::Finger,
                    finger,
                    [0.012, 0.012, LENGTH],
                ));
                joints.push(JointHeader {
                    name,
                    slides: false,
                });
            }
        }
        let header = Header {
            scene: "24 joints and the bunny".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            bodies,
            joints,
            sensors: vec!["wrist force x (N)".into(), "wrist force z (N)".into()],
            grasp: None,
        };
        Ok(Hand {
            header,
            time: 0.0,
            swing: 0.2,
        })
    }

    fn finger(&self, finger: usize, frame: &mut Frame) {
        let phase = std::f64::consts::TAU * finger as f64 / FINGERS as f64;
        let around = DQuat::from_rotation_z(phase);
        let mut turn = around;
        let mut root = around * DVec3::new(0.055, 0.0, 0.09);
        for link in 0..LINKS {
            let bend = 0.1 + self.swing * (2.0 * self.time + phase + link as f64).sin();
            turn *= DQuat::from_rotation_y(bend);
            let along = turn * DVec3::new(0.0, 0.0, -LENGTH);
            frame.bodies.push(BodyFrame {
                position: root + 0.5 * along,
                orientation: [turn.w, turn.x, turn.y, turn.z],
                ..BodyFrame::default()
            });
            root += along;
            frame.joints.push(JointFrame {
                position: bend,
                velocity: 0.0,
                effort: bend,
            });
        }
        let inwards = around * DVec3::NEG_X;
        frame.contacts.push(Contact {
            a: 0,
            b: 1 + LINKS * (finger + 1),
            point: root,
            normal: inwards,
            normal_force: 5.0 + (3.0 * self.time + phase).sin(),
            friction_force: DVec3::new(0.0, 0.0, 1.0),
            friction_margin: 0.6,
            area: 1e-5,
            volume: 1e-9,
            depth: 1e-4,
            ..Contact::default()
        });
    }
}

impl Live for Hand {
    fn header(&self) -> &Header {
        &self.header
    }

    fn frame(&mut self) -> Result<Frame, String> {
        let still = BodyFrame {
            orientation: [1.0, 0.0, 0.0, 0.0],
            ..BodyFrame::default()
        };
        let angular_velocity = DQuat::from_rotation_z(0.3 * self.time);
        let bunny = BodyFrame {
            orientation: [
                angular_velocity.w,
                angular_velocity.x,
                angular_velocity.y,
                angular_velocity.z,
            ],
            ..still
        };
        let palm = BodyFrame {
            position: DVec3::new(0.0, 0.0, 0.1),
            ..still
        };
        let mut frame = Frame {
            time: self.time,
            bodies: vec![bunny, palm],
            sensors: vec![self.time.sin(), -1.96],
            step: 1e-3,
            ..Frame::default()
        };
        for finger in 0..FINGERS {
            self.finger(finger, &mut frame);
        }
        Ok(frame)
    }

    fn advance(&mut self, to_time: f64) -> Result<(), String> {
        self.time = to_time;
        Ok(())
    }

    fn time(&self) -> f64 {
        self.time
    }

    fn restart(&mut self) -> Result<(), String> {
        self.time = 0.0;
        Ok(())
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter {
            name: "swing".into(),
            label: "Swing".into(),
            unit: "rad".into(),
            min: 0.0,
            max: 0.4,
            value: self.swing,
            logarithmic: false,
        }]
    }

    fn set_parameter(&mut self, _: &str, value: f64) -> Result<(), String> {
        self.swing = value;
        Ok(())
    }
}
