//! What a simulation looks like at the end of a step.

use glam::DQuat;
use volar_record::{
    BodyFrame, BodyHeader, ContactFrame, EnergyFrame, Frame, Header, JointFrame, JointHeader, Role,
};
use volar_scene::Setup;
use volar_scene::spec::SensorKind;
use volar_sim::{BodyId, Simulation};

/// What does not change during a run.
pub fn header(setup: &Setup) -> Header {
    let model = &setup.model;
    Header {
        scene: setup.scene.scene.name.clone(),
        version: env!("CARGO_PKG_VERSION").into(),
        bodies: model
            .bodies()
            .map(|body| BodyHeader {
                name: model.name(body).to_owned(),
                role: role(setup, body),
                finger: finger(setup, body).unwrap_or_default().into(),
                mesh: model
                    .surface(body)
                    .map(|surface| surface.mesh.to_tri_mesh()),
            })
            .collect(),
        joints: setup
            .joints
            .iter()
            .map(|joint| JointHeader {
                name: joint.name.clone(),
                slides: joint.slides,
            })
            .collect(),
        sensors: setup.sensors.iter().flat_map(|s| s.channels()).collect(),
    }
}

fn role(setup: &Setup, body: BodyId) -> Role {
    match &setup.grasp {
        Some(grasp) if grasp.object == body => Role::Object,
        Some(grasp) if grasp.palm == body => Role::Palm,
        Some(_) if finger(setup, body).is_some() => Role::Finger,
        _ => Role::Other,
    }
}

fn finger(setup: &Setup, body: BodyId) -> Option<&str> {
    let fingers = &setup.grasp.as_ref()?.fingers;
    let own = fingers.iter().find(|finger| finger.links.contains(&body))?;
    Some(&own.name)
}

/// Everything at the present time; `step` is the length of the step that led
/// here, s.
pub fn frame(setup: &Setup, simulation: &Simulation, step: f64) -> Frame {
    let contacts = simulation.contacts();
    let energies = simulation.energies();
    let sensors = sensors(setup, simulation, &contacts);
    let joints = setup.joints.iter().map(|joint| JointFrame {
        position: simulation.joint_position(joint.joint).unwrap_or(0.0),
        velocity: simulation.joint_velocity(joint.joint).unwrap_or(0.0),
        effort: simulation.joint_effort(joint.joint).unwrap_or(0.0),
    });
    Frame {
        time: simulation.time(),
        bodies: setup
            .model
            .bodies()
            .map(|body| {
                let (X_WB, V_WB) = (simulation.pose(body), simulation.velocity(body));
                let q = DQuat::from_mat3(&X_WB.R);
                BodyFrame {
                    position: X_WB.p,
                    orientation: [q.w, q.x, q.y, q.z],
                    velocity: V_WB.linear,
                    angular_velocity: V_WB.angular,
                }
            })
            .collect(),
        joints: joints.collect(),
        contacts: contacts.iter().map(contact_frame).collect(),
        energies: EnergyFrame {
            kinetic: energies.kinetic,
            potential: energies.potential,
            contact: energies.balance.contact + energies.bristles,
            joints: energies.joints,
            put_in: energies.balance.put_in(),
            lost: energies.lost(),
        },
        sensors,
        step,
    }
}

fn contact_frame(contact: &volar_sim::Contact) -> ContactFrame {
    ContactFrame {
        a: contact.a.index(),
        b: contact.b.index(),
        point: contact.point,
        normal: contact.normal,
        normal_force: contact.normal_force,
        friction_force: contact.friction_force,
        friction_margin: contact.friction_margin,
        area: contact.area,
        volume: contact.volume,
        depth: contact.depth,
        slip: contact.slip,
    }
}

fn sensors(setup: &Setup, simulation: &Simulation, contacts: &[volar_sim::Contact]) -> Vec<f64> {
    let mut values = Vec::new();
    for sensor in &setup.sensors {
        match sensor.kind {
            SensorKind::ForceTorque => {
                let wrench = simulation.joint_wrench(sensor.body);
                let R = simulation.pose(sensor.body).R;
                let (force, torque) = (R.transpose() * wrench.force, R.transpose() * wrench.torque);
                values.extend(force.to_array().into_iter().chain(torque.to_array()));
            }
            SensorKind::Contact => {
                let own: Vec<_> = contacts
                    .iter()
                    .filter(|c| c.pair().has(sensor.body))
                    .collect();
                let force: f64 = own.iter().map(|c| c.normal_force).sum();
                let area: f64 = own.iter().map(|c| c.area).sum();
                let slip = own.iter().map(|c| c.slip).fold(0.0, f64::max);
                let pressure = if area > 0.0 { force / area } else { 0.0 };
                values.extend([force, pressure, slip]);
            }
        }
    }
    values
}
