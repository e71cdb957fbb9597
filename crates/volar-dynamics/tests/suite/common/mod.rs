//! Trees and states for the tests.

use std::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};
use volar_dynamics::{Body, FrameMotion, Joint, Kinematics, Tree, TreeBuilder};
use volar_math::{Pose, Twist, Wrench};
use volar_testkit::rng::Rng;

pub const GRAVITY: DVec3 = DVec3::new(0.4, -0.3, -9.81);

/// A kind of joint by number, axes drawn.
pub fn joint(kind: usize, rng: &mut Rng) -> Joint {
    let axis = rng.direction();
    match kind {
        0 => Joint::Revolute { axis },
        1 => Joint::Prismatic { axis },
        2 => Joint::Ball,
        3 => Joint::Planar,
        4 => Joint::Free,
        _ => Joint::Fixed,
    }
}

pub fn random_pose(rng: &mut Rng) -> Pose {
    Pose {
        R: rng.rotation(),
        p: rng.in_cube(0.3),
    }
}

/// A body in general position: a box, rotated in its own frame.
pub fn random_body(name: &str, parent: Option<usize>, joint: Joint, rng: &mut Rng) -> Body {
    let mass = rng.log_uniform(0.05, 2.0);
    let squares = DVec3::from_array(std::array::from_fn(|_| rng.uniform(0.02, 0.2).powi(2)));
    let moments = (DVec3::splat(squares.element_sum()) - squares) * (mass / 12.0);
    let turn = rng.rotation();
    Body {
        name: name.to_owned(),
        parent,
        base_motion: None,
        X_PJ: random_pose(rng),
        joint,
        mass,
        p_BoBcm_B: rng.in_cube(0.1),
        inertia: turn * DMat3::from_diagonal(moments) * turn.transpose(),
    }
}

/// Several trees with all kinds of joints; every other root on a base motion.
pub fn random_tree(rng: &mut Rng) -> Tree {
    let mut builder = TreeBuilder::new();
    let count = 6 + rng.below(6);
    for number in 0..count {
        // The first six take each kind once.
        let kind = if number < 6 { number } else { rng.below(6) };
        let joint = joint(kind, rng);
        let parent = match rng.below(number.max(1) + 1) {
            choice if number > 0 && choice < number => Some(choice),
            _ => None,
        };
        let mut body = random_body(&format!("body {number}"), parent, joint, rng);
        if parent.is_none() && number % 2 == 0 {
            body.base_motion = Some(rng.below(2));
        }
        builder.add(body);
    }
    builder.build().unwrap()
}

/// A state of a tree and what acts on it.
pub struct State {
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub base_motions: Vec<FrameMotion>,
    pub wrenches: Vec<Wrench>,
    pub armature: Vec<f64>,
}

pub fn random_state(tree: &Tree, rng: &mut Rng) -> State {
    let delta: Vec<f64> = (0..tree.nv()).map(|_| rng.uniform(-1.5, 1.5)).collect();
    let mut q = vec![0.0; tree.nq()];
    tree.plus(&tree.neutral_q(), &delta, &mut q);
    let base_motions = (0..tree.base_motions()).map(|_| FrameMotion {
        X_WF: random_pose(rng),
        V_WF: random_twist(rng),
        A_WF: random_twist(rng),
    });
    let base_motions = base_motions.collect();
    State {
        q,
        v: random_vector(tree.nv(), rng),
        base_motions,
        wrenches: tree.bodies().iter().map(|_| random_wrench(rng)).collect(),
        armature: (0..tree.nv()).map(|_| rng.uniform(0.0, 0.1)).collect(),
    }
}

pub fn random_vector(n: usize, rng: &mut Rng) -> Vec<f64> {
    (0..n).map(|_| rng.uniform(-1.0, 1.0)).collect()
}

pub fn random_twist(rng: &mut Rng) -> Twist {
    Twist::new(rng.in_cube(1.0), rng.in_cube(1.0))
}

pub fn random_wrench(rng: &mut Rng) -> Wrench {
    Wrench::new(rng.in_cube(1.0), rng.in_cube(1.0))
}

pub fn kinematics(tree: &Tree, q: &[f64], v: &[f64], base_motions: &[FrameMotion]) -> Kinematics {
    let mut kinematics = Kinematics::default();
    kinematics.calc(tree, q, v, base_motions);
    kinematics
}

/// Coordinates and base motions a short time h later, to second order in h.
pub fn moved(tree: &Tree, state: &State, vdot: &[f64], h: f64) -> State {
    let delta: Vec<f64> = state
        .v
        .iter()
        .zip(vdot)
        .map(|(v, a)| h * v + 0.5 * h * h * a)
        .collect();
    let mut q = vec![0.0; tree.nq()];
    tree.plus(&state.q, &delta, &mut q);
    let base_motions = state.base_motions.iter().map(|f| {
        let turn = f.V_WF.angular * h + f.A_WF.angular * (0.5 * h * h);
        FrameMotion {
            X_WF: Pose {
                R: DMat3::from_quat(DQuat::from_scaled_axis(turn)) * f.X_WF.R,
                p: f.X_WF.p + f.V_WF.linear * h + f.A_WF.linear * (0.5 * h * h),
            },
            V_WF: f.V_WF + f.A_WF * h,
            A_WF: f.A_WF,
        }
    });
    State {
        q,
        v: state.v.iter().zip(vdot).map(|(v, a)| v + h * a).collect(),
        base_motions: base_motions.collect(),
        wrenches: state.wrenches.clone(),
        armature: state.armature.clone(),
    }
}

/// The largest difference over the largest value.
pub fn difference(got: &[f64], want: &[f64]) -> f64 {
    assert_eq!(got.len(), want.len());
    let scale = want.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let largest = got.iter().zip(want).map(|(a, b)| (a - b).abs());
    largest.fold(0.0, f64::max) / scale
}

/// A uniform box hanging on a joint.
pub struct Link {
    pub mass: f64,
    pub size: [f64; 3],
    pub centre: [f64; 3],
}

impl Link {
    fn body(&self, name: String, parent: Option<usize>, X_PJ: Pose, joint: Joint) -> Body {
        let squares = DVec3::from_array(self.size) * DVec3::from_array(self.size);
        let moments = (DVec3::splat(squares.element_sum()) - squares) * (self.mass / 12.0);
        Body {
            name,
            parent,
            base_motion: None,
            X_PJ,
            joint,
            mass: self.mass,
            p_BoBcm_B: DVec3::from_array(self.centre),
            inertia: DMat3::from_diagonal(moments),
        }
    }
}

/// A gripper on a palm that stands on base motion 0: fingers at the azimuths, each
/// a chain of links; the offset of each joint, its kind, its link.
fn gripper(azimuths: &[f64], chain: &[(DVec3, Joint, Link)]) -> Tree {
    let mut builder = TreeBuilder::new();
    let palm = Link {
        mass: 0.5,
        size: [0.14, 0.06, 0.03],
        centre: [0.0, 0.0, 0.015],
    };
    let mut palm = palm.body("palm".into(), None, Pose::IDENTITY, Joint::Fixed);
    palm.base_motion = Some(0);
    let palm = builder.add(palm);
    for (finger, azimuth) in azimuths.iter().enumerate() {
        let mut parent = palm;
        for (depth, (offset, joint, link)) in chain.iter().enumerate() {
            let R = DMat3::from_rotation_z(if depth == 0 { *azimuth } else { 0.0 });
            let X_PJ = Pose { R, p: R * *offset };
            let name = format!("link {depth} of finger {finger}");
            parent = builder.add(link.body(name, Some(parent), X_PJ, *joint));
        }
    }
    builder.build().unwrap()
}

/// Two pads that slide inwards.
pub fn g2p() -> Tree {
    let pad = Link {
        mass: 0.1,
        size: [0.02, 0.02, 0.06],
        centre: [0.0, 0.0, 0.0],
    };
    let joint = Joint::Prismatic { axis: -DVec3::X };
    gripper(&[PI, 0.0], &[(DVec3::new(0.05, 0.0, -0.1), joint, pad)])
}

/// Two fingers that swing inwards.
pub fn g2r() -> Tree {
    let finger = Link {
        mass: 0.1,
        size: [0.02, 0.02, 0.08],
        centre: [0.0, 0.0, -0.04],
    };
    let joint = Joint::Revolute { axis: DVec3::Y };
    gripper(
        &[PI, 0.0],
        &[(DVec3::new(0.045, 0.0, -0.03), joint, finger)],
    )
}

/// Three fingers with two links.
pub fn g3r() -> Tree {
    let link = |length: f64| Link {
        mass: 0.1,
        size: [0.016, 0.016, length],
        centre: [0.0, 0.0, -length / 2.0],
    };
    let joint = Joint::Revolute { axis: DVec3::Y };
    gripper(
        &[0.0, 2.0 * PI / 3.0, 4.0 * PI / 3.0],
        &[
            (DVec3::new(0.02, 0.0, -0.023), joint, link(0.045)),
            (DVec3::new(0.0, 0.0, -0.045), joint, link(0.06)),
        ],
    )
}
