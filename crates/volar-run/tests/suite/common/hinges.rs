//! The joints of a gripper as statics sees them, from poses and scene text alone:
//! none of the simulator's own forces but those of the contacts.

use glam::DVec3;
use volar_dynamics::Joint;
use volar_math::Pose;
use volar_scene::Setup;
use volar_scene::spec::Command;
use volar_sim::Simulation;

/// Gravity of the built-in scenes, m/s².
pub const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

/// A hinge or slide in its present place, world axes.
pub struct Hinge {
    /// `gripper/joint`.
    pub name: String,
    pub slides: bool,
    /// Through this point along this direction.
    pub origin: DVec3,
    pub axis: DVec3,
    /// What the scene drives it with, N m or N.
    pub effort: f64,
    /// What the weight of its links adds, N m or N.
    pub weight: f64,
    /// 1 or −1 where it rests against a stop: the direction in which that pushes. 0 elsewhere.
    pub stop: f64,
    /// The links it carries.
    pub links: Vec<usize>,
}

impl Hinge {
    /// What a force at a point on one of its links does in it, N m or N.
    pub fn moment(&self, point: DVec3, force: DVec3) -> f64 {
        match self.slides {
            true => self.axis.dot(force),
            false => self.axis.dot((point - self.origin).cross(force)),
        }
    }
}

/// All driven joints of the first robot.
pub fn hinges(setup: &Setup, simulation: &Simulation) -> Vec<Hinge> {
    let tree = setup.model.tree();
    let entry = &setup.scene.spec.robots[0];
    let poses: Vec<Pose> = setup.model.bodies().map(|b| simulation.pose(b)).collect();
    let driven = setup.joints.iter().filter_map(|joint| {
        let name = joint.name.split_once('/').unwrap().1;
        let Some(Command::Constant(effort)) = entry.joints.get(name)?.effort else {
            return None;
        };
        let body = joint.joint.body().index();
        let axis = match tree.bodies()[body].joint {
            Joint::Revolute { axis } | Joint::Prismatic { axis } => poses[body].R * axis,
            _ => return None,
        };
        let carried = |mut link: usize| loop {
            if link == body {
                return true;
            }
            match tree.bodies()[link].parent {
                Some(parent) => link = parent,
                None => return false,
            }
        };
        // At rest only a stop adds to what drives it.
        let added = simulation.joint_effort(joint.joint).unwrap_or(effort) - effort;
        let rests = simulation
            .joint_velocity(joint.joint)
            .is_some_and(|v| v.abs() < 1.0e-3);
        let stands = rests && added.abs() > 0.01 * effort.abs();
        let mut hinge = Hinge {
            name: joint.name.clone(),
            slides: joint.slides,
            origin: poses[body].p,
            axis,
            effort,
            weight: 0.0,
            stop: if stands { added.signum() } else { 0.0 },
            links: (0..tree.bodies().len()).filter(|&b| carried(b)).collect(),
        };
        hinge.weight = hinge
            .links
            .iter()
            .map(|&link| {
                let centre = poses[link].point(tree.bodies()[link].p_BoBcm_B);
                hinge.moment(centre, tree.bodies()[link].mass * GRAVITY)
            })
            .sum();
        Some(hinge)
    });
    driven.collect()
}
