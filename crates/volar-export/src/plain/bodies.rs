//! Bodies and their joints.

use glam::DMat3;
use volar_dynamics::Joint as TreeJoint;
use volar_math::{Pose, Twist};
use volar_scene::Setup;
use volar_scene::spec::Shape;
use volar_sim::{BodyId, Simulation};

use super::{Body, Held, Joint, JointKind, Material, Mesh, Spring, array, placed};
use crate::Format;
use crate::format::Parts;
use crate::names::{file_names, part_of};

pub(super) fn bodies(
    setup: &Setup,
    simulation: &Simulation,
    to: Format,
    parts: &Parts,
) -> Vec<Body> {
    let model = &setup.model;
    let files = mesh_files(setup);
    let tree = model.tree();
    model
        .bodies()
        .map(|id| {
            let body = &tree.bodies()[id.index()];
            let (robot, link) = part_of(setup, id);
            let X_WB = simulation.pose(id);
            let held = match (&body.joint, body.base_motion) {
                (TreeJoint::Free, _) => Held::Free,
                (TreeJoint::Fixed, Some(_)) => Held::Moved,
                (TreeJoint::Fixed, None) => Held::Fixed,
                _ => Held::Joint,
            };
            let rooted = body.parent.is_none() || held == Held::Free;
            let in_world = held == Held::Free || held == Held::Moved;
            let parent = body.parent.filter(|_| !rooted);
            let mass = model.mass(id);
            let is_world = robot.is_some_and(|r| setup.robots[r].robot.world == Some(link));
            Body {
                name: body.name.clone(),
                robot: robot.map(|r| setup.robots[r].name.clone()),
                file: parts.file_of(setup, id, to),
                name_in_file: to.name_in_file(&body.name, robot.map(|r| &*setup.robots[r].name)),
                parent: parent.map(|parent| tree.bodies()[parent].name.clone()),
                held,
                joint: joint_name(setup, id),
                pose: placed(&X_WB),
                velocity: linear_first(simulation.velocity(id)),
                pose_in_parent: placed(if in_world { &X_WB } else { &body.X_PJ }),
                mass: mass.mass,
                centre_of_mass: array(mass.centre_of_mass),
                inertia: six(&mass.inertia),
                ground: is_ground(setup, id),
                mesh: model.surface(id).map(|surface| Mesh {
                    file: files[id.index()].clone(),
                    triangles: surface.mesh.triangles().len(),
                    volume: surface.mesh.volume(),
                    convex: surface.mesh.is_convex(),
                    lower: array(surface.mesh.bounds().min),
                    upper: array(surface.mesh.bounds().max),
                }),
                material: material(setup, id),
                X_PJ: pose_in_part(setup, simulation, id),
                is_world,
            }
        })
        .collect()
}

pub(super) fn joints(setup: &Setup, simulation: &Simulation, to: Format) -> Vec<Joint> {
    let model = &setup.model;
    let (tree, state) = (model.tree(), simulation.state());
    let all = model.controls().joint_params();
    let moving = model.bodies().filter_map(|id| {
        let body = &tree.bodies()[id.index()];
        let (kind, axis) = match body.joint {
            TreeJoint::Fixed => return None,
            TreeJoint::Revolute { axis } => (JointKind::Revolute, Some(array(axis))),
            TreeJoint::Prismatic { axis } => (JointKind::Prismatic, Some(array(axis))),
            TreeJoint::Ball => (JointKind::Ball, None),
            TreeJoint::Planar => (JointKind::Planar, None),
            TreeJoint::Free => (JointKind::Free, None),
        };
        let dofs = tree.v_range(id.index());
        let params = &all[dofs.start];
        let free = kind == JointKind::Free;
        let (q0, v0) = match free {
            true => (
                placed(&simulation.pose(id)).to_vec(),
                linear_first(simulation.velocity(id)).to_vec(),
            ),
            false => (
                state.q[tree.q_range(id.index())].to_vec(),
                state.v[dofs].to_vec(),
            ),
        };
        let parent = body.parent.filter(|_| !free);
        let name = joint_name(setup, id).unwrap_or_default();
        let (robot, link) = part_of(setup, id);
        let robot = robot.map(|r| &setup.robots[r]);
        Some(Joint {
            name_in_file: to.name_in_file(&name, robot.map(|robot| &*robot.name)),
            name,
            kind,
            parent: parent.map(|parent| tree.bodies()[parent].name.clone()),
            child: body.name.clone(),
            axis,
            limits: params.limits,
            limit_stiffness: params.limit_stiffness,
            limit_damping: params.limit_damping,
            speed_limit: params.speed_limit,
            effort_limit: robot.and_then(|robot| robot.robot.links[link].joint.effort_limit),
            damping: params.damping,
            friction: params.friction,
            armature: params.armature,
            spring: params.spring.map(|spring| Spring {
                stiffness: spring.stiffness,
                rest: spring.rest,
            }),
            q0,
            v0,
        })
    });
    moving.collect()
}

/// The name of the joint that moves a body.
pub(super) fn joint_name(setup: &Setup, id: BodyId) -> Option<String> {
    let body = &setup.model.tree().bodies()[id.index()];
    if body.joint == TreeJoint::Fixed {
        return None;
    }
    Some(match part_of(setup, id) {
        (Some(r), link) => {
            let robot = &setup.robots[r];
            format!("{}/{}", robot.name, robot.robot.links[link].joint.name)
        }
        (None, _) => body.name.clone(),
    })
}

/// Where the joint of a body stands in its parent; of the first link of a robot in
/// the frame that the robot is mounted in, of free links in the world of their file.
fn pose_in_part(setup: &Setup, simulation: &Simulation, id: BodyId) -> Pose {
    let tree = setup.model.tree();
    let body = &tree.bodies()[id.index()];
    let (Some(r), link) = part_of(setup, id) else {
        return simulation.pose(id);
    };
    let robot = &setup.robots[r];
    match (body.parent, &body.joint) {
        (None, _) => robot.robot.links[link].X_PJ,
        (Some(parent), TreeJoint::Free) => {
            Pose::relative(&simulation.pose(BodyId::new(parent)), &simulation.pose(id))
        }
        _ => body.X_PJ,
    }
}

fn is_ground(setup: &Setup, id: BodyId) -> bool {
    let entries = &setup.scene.spec.bodies;
    let name = setup.model.name(id);
    let entry = entries.iter().find(|entry| entry.name == name);
    entry.is_some_and(|entry| matches!(entry.shape, Shape::Ground {}))
}

fn material(setup: &Setup, id: BodyId) -> Material {
    let spec = &setup.scene.spec;
    let name = match part_of(setup, id) {
        (Some(r), link) => {
            let link = &setup.robots[r].robot.links[link].name;
            let entry = spec.robots.get(r);
            entry.map(|entry| entry.link_materials.get(link).unwrap_or(&entry.material))
        }
        (None, _) => {
            let entry = spec.bodies.iter().find(|b| b.name == setup.model.name(id));
            entry.map(|entry| &entry.material)
        }
    };
    let own = setup.model.controls().material(id);
    Material {
        name: name.cloned().unwrap_or_default(),
        friction: own.friction,
        stiffness: own.stiffness,
        shear_stiffness: own.shear_stiffness,
        damping_time: own.damping_time,
        viscous_friction: own.viscous_friction,
    }
}

/// By body, whether or not it has a mesh.
pub(crate) fn mesh_files(setup: &Setup) -> Vec<String> {
    let names = setup.model.bodies().map(|id| setup.model.name(id));
    let names = file_names(names);
    names
        .iter()
        .map(|name| format!("meshes/{name}.obj"))
        .collect()
}

/// xx, yy, zz, xy, xz, yz.
fn six(I: &DMat3) -> [f64; 6] {
    let (x, y, z) = (I.x_axis, I.y_axis, I.z_axis);
    [x.x, y.y, z.z, x.y, x.z, y.z]
}

/// Velocity of the origin, then angular velocity.
fn linear_first(V: Twist) -> [f64; 6] {
    let (v, w) = (V.linear, V.angular);
    [v.x, v.y, v.z, w.x, w.y, w.z]
}
