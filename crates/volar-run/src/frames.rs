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
use volar_sim::{Contact, SimError, Simulation};

/// What does not change during a run.
pub fn header(setup: &Setup) -> Header {
    let bodies = setup.model.tree.bodies().iter().enumerate();
    Header {
        scene: setup.scene.scene.name.clone(),
        version: env!("CARGO_PKG_VERSION").into(),
        bodies: bodies
            .map(|(number, body)| BodyHeader {
                name: body.name.clone(),
                role: role(setup, number),
                finger: finger(setup, number).unwrap_or_default().into(),
                mesh: setup.model.surfaces[number]
                    .as_ref()
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
        grasp: setup.grasp.as_ref().map(|grasp| GraspHeader {
            drift_from: grasp.section.from,
            compares_energy: grasp.section.kinetic_energy_from.is_some(),
        }),
    }
}

fn role(setup: &Setup, body: usize) -> Role {
    match &setup.grasp {
        Some(grasp) if grasp.object == body => Role::Object,
        Some(grasp) if grasp.palm == body => Role::Palm,
        Some(_) if finger(setup, body).is_some() => Role::Finger,
        _ => Role::Other,
    }
}

fn finger(setup: &Setup, body: usize) -> Option<&str> {
    let fingers = &setup.grasp.as_ref()?.fingers;
    let own = fingers.iter().find(|finger| finger.links.contains(&body))?;
    Some(&own.name)
}

/// Everything at the present time; `step` is the length of the step that led
/// here, s.
pub fn frame(setup: &Setup, simulation: &mut Simulation, step: f64) -> Result<Frame, SimError> {
    let contacts = simulation.contacts()?;
    let energies = simulation.energies()?;
    let sensors = sensors(setup, simulation, &contacts)?;
    let grasp = setup.grasp.as_ref();
    let grasp = grasp
        .map(|grasp| grasp_frame(grasp, simulation))
        .transpose()?;
    let (q, v) = (simulation.state().q.clone(), simulation.state().v.clone());
    let time = simulation.time();
    let tree = &setup.model.tree;
    let evaluation = simulation.evaluation()?;
    let kinematics = &evaluation.kinematics;
    let bodies = kinematics.X_WB.iter().zip(&kinematics.V_WB);
    let joints = setup.joints.iter().map(|joint| JointFrame {
        position: tree.coordinate(joint.dof).map_or(0.0, |at| q[at]),
        velocity: v[joint.dof],
        effort: evaluation.efforts.tau[joint.dof],
    });
    Ok(Frame {
        time,
        bodies: bodies
            .map(|(X_WB, V_WB)| BodyFrame {
                position: X_WB.p,
                orientation: orientation(&X_WB.R),
                velocity: V_WB.linear,
                angular_velocity: V_WB.angular,
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
    })
}

/// The object as the palm sees it, and its energy.
pub(crate) fn grasp_frame(
    grasp: &Grasp,
    simulation: &mut Simulation,
) -> Result<GraspFrame, SimError> {
    let model = simulation.model().clone();
    let body = &model.tree.bodies()[grasp.object];
    let kinematics = &simulation.evaluation()?.kinematics;
    let (X_WO, X_WP) = (&kinematics.X_WB[grasp.object], &kinematics.X_WB[grasp.palm]);
    let X_PC = Pose::relative(X_WP, &X_WO.compose(&Pose::from_translation(grasp.centre)));
    let V_WO = kinematics.V_WB[grasp.object];
    let v_WC = V_WO.linear + V_WO.angular.cross(X_WO.R * grasp.centre);
    let v_WP = kinematics.V_WB[grasp.palm].linear;
    let w_O = X_WO.R.transpose() * V_WO.angular;
    Ok(GraspFrame {
        position: X_PC.p,
        orientation: orientation(&X_PC.R),
        kinetic_energy: kinetic_energy(body.mass, body.inertia, v_WC, w_O),
        expected_kinetic_energy: kinetic_energy(body.mass, DMat3::ZERO, v_WP, DVec3::ZERO),
    })
}

/// A rotation as a quaternion (w, x, y, z).
fn orientation(R: &DMat3) -> [f64; 4] {
    let q = DQuat::from_mat3(R);
    [q.w, q.x, q.y, q.z]
}

fn sensors(
    setup: &Setup,
    simulation: &mut Simulation,
    contacts: &[Contact],
) -> Result<Vec<f64>, SimError> {
    let mut values = Vec::new();
    for sensor in &setup.sensors {
        match sensor.kind {
            SensorKind::ForceTorque => {
                let wrench = simulation.joint_wrench(sensor.body)?;
                let R = simulation.evaluation()?.kinematics.X_WB[sensor.body].R;
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
    Ok(values)
}
