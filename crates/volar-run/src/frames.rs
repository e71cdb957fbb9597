//! Header and frames of a simulation.

use glam::{DMat3, DQuat, DVec3};
use volar_math::Pose;
use volar_record::figures::{Touch, kinetic_energy};
use volar_record::{
    BodyFrame, BodyHeader, EnergyFrame, Frame, GraspFrame, GraspHeader, Header, JointFrame,
    JointHeader, Role,
};
use volar_scene::spec::SensorKind;
use volar_scene::{Grasp, Setup};
use volar_sim::{BodyId, Contact, JointId, Simulation};

/// What does not change during a run.
pub fn header(setup: &Setup) -> Header {
    let model = &setup.model;
    Header {
        scene: setup.scene.spec.name.clone(),
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
                limits: limits(setup, joint.joint),
            })
            .collect(),
        sensors: setup.sensors.iter().flat_map(|s| s.channels()).collect(),
        grasp: grasp_header(setup),
    }
}

/// When what is measured of the grasp; none in a scene without one.
pub fn grasp_header(setup: &Setup) -> Option<GraspHeader> {
    let section = &setup.grasp.as_ref()?.section;
    let end = setup.scene.spec.duration;
    Some(GraspHeader {
        drift_from: section.from,
        until: section.until.map_or(end, |until| until.min(end)),
        energy_from: section.kinetic_energy_from,
    })
}

/// Limits of a joint with one coordinate, m or rad.
fn limits(setup: &Setup, joint: JointId) -> Option<[f64; 2]> {
    let dof = setup.model.tree().v_range(joint.index()).start;
    setup.model.controls().joint_params().get(dof)?.limits
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
    let grasp = setup.grasp.as_ref();
    let grasp = grasp.map(|grasp| grasp_frame(grasp, simulation));
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
                BodyFrame {
                    position: X_WB.p,
                    orientation: orientation(&X_WB.R),
                    velocity: V_WB.linear,
                    angular_velocity: V_WB.angular,
                }
            })
            .collect(),
        joints: joints.collect(),
        contacts,
        grasp,
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

/// The object as the palm sees it, and its energy.
pub(crate) fn grasp_frame(grasp: &Grasp, simulation: &Simulation) -> GraspFrame {
    let body = simulation.model().mass(grasp.object);
    let (X_WO, X_WP) = (simulation.pose(grasp.object), simulation.pose(grasp.palm));
    let X_PC = Pose::relative(&X_WP, &X_WO.compose(&Pose::from_translation(grasp.centre)));
    let V_WO = simulation.velocity(grasp.object);
    let v_WC = V_WO.linear + V_WO.angular.cross(X_WO.R * grasp.centre);
    let v_WP = simulation.velocity(grasp.palm).linear;
    let w_O = X_WO.R.transpose() * V_WO.angular;
    GraspFrame {
        position: X_PC.p,
        orientation: orientation(&X_PC.R),
        kinetic_energy: kinetic_energy(body.mass, body.inertia, v_WC, w_O),
        expected_kinetic_energy: kinetic_energy(body.mass, DMat3::ZERO, v_WP, DVec3::ZERO),
    }
}

/// A rotation as a quaternion (w, x, y, z).
fn orientation(R: &DMat3) -> [f64; 4] {
    let q = DQuat::from_mat3(R);
    [q.w, q.x, q.y, q.z]
}

fn sensors(setup: &Setup, simulation: &Simulation, contacts: &[Contact]) -> Vec<f64> {
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
                let own = |c: &&Contact| c.other(sensor.body).is_some();
                let touch = Touch::of(sensor.body, contacts.iter().filter(own));
                values.extend([touch.normal_force, touch.pressure(), touch.slip]);
            }
        }
    }
    values
}
