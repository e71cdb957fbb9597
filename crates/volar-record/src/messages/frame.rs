//! `volar.Frame`: everything of a frame, to read it back and to plot what the
//! standard messages have no place for.

use prost::Message;

use super::contacts::ContactMessage;
use super::foxglove::{Quaternion, Vector3};
use crate::frame::{BodyFrame, EnergyFrame, Frame, GraspFrame, JointFrame};

#[derive(Clone, PartialEq, Message)]
pub struct FrameMessage {
    #[prost(double, required, tag = "1")]
    pub time: f64,
    #[prost(double, required, tag = "2")]
    pub step: f64,
    #[prost(message, repeated, tag = "3")]
    pub bodies: Vec<Body>,
    #[prost(message, repeated, tag = "4")]
    pub joints: Vec<Joint>,
    #[prost(message, repeated, tag = "5")]
    pub contacts: Vec<ContactMessage>,
    #[prost(message, required, tag = "6")]
    pub energies: Energies,
    #[prost(double, repeated, tag = "7")]
    pub sensors: Vec<f64>,
    #[prost(message, optional, tag = "8")]
    pub grasp: Option<Grasp>,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct Body {
    #[prost(message, required, tag = "1")]
    pub position: Vector3,
    #[prost(message, required, tag = "2")]
    pub orientation: Quaternion,
    #[prost(message, required, tag = "3")]
    pub velocity: Vector3,
    #[prost(message, required, tag = "4")]
    pub angular_velocity: Vector3,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct Joint {
    #[prost(double, required, tag = "1")]
    pub position: f64,
    #[prost(double, required, tag = "2")]
    pub velocity: f64,
    #[prost(double, required, tag = "3")]
    pub effort: f64,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct Grasp {
    #[prost(message, required, tag = "1")]
    pub position: Vector3,
    #[prost(message, required, tag = "2")]
    pub orientation: Quaternion,
    #[prost(double, required, tag = "3")]
    pub kinetic_energy: f64,
    #[prost(double, required, tag = "4")]
    pub expected_kinetic_energy: f64,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct Energies {
    #[prost(double, required, tag = "1")]
    pub kinetic: f64,
    #[prost(double, required, tag = "2")]
    pub potential: f64,
    #[prost(double, required, tag = "3")]
    pub contact: f64,
    #[prost(double, required, tag = "4")]
    pub joints: f64,
    #[prost(double, required, tag = "5")]
    pub put_in: f64,
    #[prost(double, required, tag = "6")]
    pub lost: f64,
}

/// The message of a frame whose contacts name bodies of the header.
pub fn message(frame: &Frame) -> FrameMessage {
    let body = |body: &BodyFrame| Body {
        position: body.position.into(),
        orientation: body.orientation.into(),
        velocity: body.velocity.into(),
        angular_velocity: body.angular_velocity.into(),
    };
    let joint = |joint: &JointFrame| Joint {
        position: joint.position,
        velocity: joint.velocity,
        effort: joint.effort,
    };
    let grasp = |grasp: &GraspFrame| Grasp {
        position: grasp.position.into(),
        orientation: grasp.orientation.into(),
        kinetic_energy: grasp.kinetic_energy,
        expected_kinetic_energy: grasp.expected_kinetic_energy,
    };
    let energies = &frame.energies;
    FrameMessage {
        time: frame.time,
        step: frame.step,
        bodies: frame.bodies.iter().map(body).collect(),
        joints: frame.joints.iter().map(joint).collect(),
        contacts: frame.contacts.iter().copied().map(ContactMessage).collect(),
        energies: Energies {
            kinetic: energies.kinetic,
            potential: energies.potential,
            contact: energies.contact,
            joints: energies.joints,
            put_in: energies.put_in,
            lost: energies.lost,
        },
        sensors: frame.sensors.clone(),
        grasp: frame.grasp.as_ref().map(grasp),
    }
}

/// The frame of a message.
pub fn frame(message: FrameMessage) -> Frame {
    let body = |body: Body| BodyFrame {
        position: body.position.into(),
        orientation: body.orientation.into(),
        velocity: body.velocity.into(),
        angular_velocity: body.angular_velocity.into(),
    };
    let joint = |joint: Joint| JointFrame {
        position: joint.position,
        velocity: joint.velocity,
        effort: joint.effort,
    };
    let grasp = |grasp: Grasp| GraspFrame {
        position: grasp.position.into(),
        orientation: grasp.orientation.into(),
        kinetic_energy: grasp.kinetic_energy,
        expected_kinetic_energy: grasp.expected_kinetic_energy,
    };
    let energies = message.energies;
    Frame {
        time: message.time,
        bodies: message.bodies.into_iter().map(body).collect(),
        joints: message.joints.into_iter().map(joint).collect(),
        contacts: message.contacts.into_iter().map(|c| c.0).collect(),
        grasp: message.grasp.map(grasp),
        energies: EnergyFrame {
            kinetic: energies.kinetic,
            potential: energies.potential,
            contact: energies.contact,
            joints: energies.joints,
            put_in: energies.put_in,
            lost: energies.lost,
        },
        sensors: message.sensors,
        step: message.step,
    }
}
