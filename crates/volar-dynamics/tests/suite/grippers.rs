//! The grippers of `docs/grippers.md` and a double pendulum against equations
//! of motion derived by hand.

use crate::common::{difference, g2p, g2r, g3r, kinematics, random_vector};
use glam::{DMat3, DVec3};
use volar_dynamics::{Aba, Body, Crba, FrameMotion, Joint, Loads, Rnea, Tree, TreeBuilder, energy};
use volar_math::{BlockPattern, Pose, Wrench};
use volar_testkit::rng::Rng;

/// Rounding of two short formulas.
const TOLERANCE: f64 = 1e-12;

/// A palm that translates, gravity of any direction, and a force on each link.
struct Situation {
    palm: FrameMotion,
    gravity: DVec3,
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
    /// Per body: a force in the world and the point it acts at.
    contacts: Vec<(DVec3, DVec3)>,
}

impl Situation {
    fn random(tree: &Tree, rng: &mut Rng) -> Situation {
        let mut palm = FrameMotion::at_rest(Pose::from_translation(rng.in_cube(0.5)));
        palm.V_WF.linear = rng.in_cube(1.0);
        palm.A_WF.linear = rng.in_cube(5.0);
        let bodies = tree.bodies().iter();
        Situation {
            palm,
            gravity: rng.in_cube(10.0),
            q: random_vector(tree.nq(), rng),
            v: random_vector(tree.nv(), rng),
            tau: random_vector(tree.nv(), rng),
            contacts: bodies
                .map(|_| (rng.in_cube(2.0), rng.in_cube(0.2)))
                .collect(),
        }
    }

    /// What acts on a mass besides contacts, seen from the palm: g − P̈.
    fn g(&self) -> DVec3 {
        self.gravity - self.palm.A_WF.linear
    }

    fn forward(&self, tree: &Tree) -> Vec<f64> {
        let now = kinematics(tree, &self.q, &self.v, &[self.palm]);
        let wrenches: Vec<Wrench> = self
            .contacts
            .iter()
            .zip(&now.X_WB)
            .map(|((f, p), X_WB)| Wrench::new((*p - X_WB.p).cross(*f), *f))
            .collect();
        let loads = Loads {
            gravity: self.gravity,
            F_Bo_W: &wrenches,
            armature: &[],
        };
        let mut vdot = vec![0.0; tree.nv()];
        Aba::default()
            .calc(tree, &now, &loads, &self.tau, &mut vdot)
            .unwrap();
        // And back.
        let mut tau = vec![0.0; tree.nv()];
        Rnea::default().calc(tree, &now, &loads, &vdot, &mut tau);
        assert!(difference(&tau, &self.tau) < 1e-10);
        vdot
    }
}

/// Radial and tangential direction of a finger.
fn directions(azimuth: f64) -> (DVec3, DVec3) {
    let R = DMat3::from_rotation_z(azimuth);
    (R.x_axis, R.y_axis)
}

/// Direction of a hanging link that is rotated inwards by q, and its derivative.
fn hanging(r: DVec3, q: f64) -> (DVec3, DVec3) {
    let (sin, cos) = q.sin_cos();
    (-r * sin - DVec3::Z * cos, -r * cos + DVec3::Z * sin)
}

fn check(tree: &Tree, by_hand: impl Fn(&Situation) -> Vec<f64>) {
    for seed in 0..100 {
        let mut rng = Rng::for_case("gripper", seed);
        let situation = Situation::random(tree, &mut rng);
        let (got, want) = (situation.forward(tree), by_hand(&situation));
        assert!(
            difference(&got, &want) < TOLERANCE,
            "{got:?} is not {want:?}"
        );
    }
}

#[test]
fn g2p_moves_by_its_lagrangian() {
    let m = 0.1;
    check(&g2p(), |s| {
        let fingers = [180.0_f64, 0.0].into_iter().enumerate();
        fingers
            .map(|(i, azimuth)| {
                let (r, _) = directions(azimuth.to_radians());
                let f = s.contacts[1 + i].0;
                // m q̈ = τ − r·(m (g − P̈) + f)
                (s.tau[i] - r.dot(s.g() * m + f)) / m
            })
            .collect()
    });
}

#[test]
fn g2r_moves_by_its_lagrangian() {
    let (m, l) = (0.1, 0.04);
    let I = m / 12.0 * (0.02_f64.powi(2) + 0.08_f64.powi(2));
    check(&g2r(), |s| {
        let fingers = [180.0_f64, 0.0].into_iter().enumerate();
        fingers
            .map(|(i, azimuth)| {
                let (r, y) = directions(azimuth.to_radians());
                let hinge = s.palm.X_WF.p + r * 0.045 - DVec3::Z * 0.03;
                let (_, du) = hanging(r, s.q[i]);
                let (f, x) = s.contacts[1 + i];
                let contact = y.dot((x - hinge).cross(f));
                (s.tau[i] + m * l * s.g().dot(du) + contact) / (I + m * l * l)
            })
            .collect()
    });
}

#[test]
fn g3r_moves_by_its_lagrangian() {
    let (m1, m2, L, l1, l2) = (0.1, 0.1, 0.045, 0.0225, 0.03);
    let I1 = m1 / 12.0 * (0.016_f64.powi(2) + 0.045_f64.powi(2));
    let I2 = m2 / 12.0 * (0.016_f64.powi(2) + 0.06_f64.powi(2));
    let a = I1 + m1 * l1 * l1 + m2 * L * L;
    let b = I2 + m2 * l2 * l2;
    check(&g3r(), |s| {
        let mut vdot = Vec::new();
        for (i, azimuth) in [0.0_f64, 120.0, 240.0].into_iter().enumerate() {
            let (r, y) = directions(azimuth.to_radians());
            let (q1, q2) = (s.q[2 * i], s.q[2 * i + 1]);
            let (w1, w2) = (s.v[2 * i], s.v[2 * i + 1]);
            let ((u1, du1), (_, du2)) = (hanging(r, q1), hanging(r, q1 + q2));
            let (sin, cos) = (m2 * L * l2 * q2.sin(), m2 * L * l2 * q2.cos());
            let hinge = s.palm.X_WF.p + r * 0.02 - DVec3::Z * 0.023;
            let knuckle = hinge + u1 * L;

            let lower = m2 * l2 * s.g().dot(du2);
            let upper = (m1 * l1 + m2 * L) * s.g().dot(du1);
            let (f1, x1) = s.contacts[1 + 2 * i];
            let (f2, x2) = s.contacts[2 + 2 * i];
            let contact1 = y.dot((x1 - hinge).cross(f1) + (x2 - hinge).cross(f2));
            let contact2 = y.dot((x2 - knuckle).cross(f2));

            let b1 = s.tau[2 * i] + sin * (2.0 * w1 * w2 + w2 * w2) + upper + lower + contact1;
            let b2 = s.tau[2 * i + 1] - sin * w1 * w1 + lower + contact2;
            let (M11, M12, M22) = (a + b + 2.0 * cos, b + cos, b);
            let determinant = M11 * M22 - M12 * M12;
            vdot.push((M22 * b1 - M12 * b2) / determinant);
            vdot.push((M11 * b2 - M12 * b1) / determinant);
        }
        vdot
    });
}

#[test]
fn g3r_has_the_mass_matrix_of_its_lagrangian() {
    let tree = g3r();
    let mut rng = Rng::for_case("mass matrix", 0);
    let q = random_vector(6, &mut rng);
    let now = kinematics(&tree, &q, &[0.0; 6], &[FrameMotion::default()]);
    let mut M = vec![0.0; 36];
    Crba::default().calc(&tree, &now, &[], &BlockPattern::dense(6), &mut M);
    let (m, L, l1, l2) = (0.1, 0.045, 0.0225, 0.03);
    let I = |length: f64| m / 12.0 * (0.016_f64.powi(2) + length * length);
    let (a, b) = (I(0.045) + m * l1 * l1 + m * L * L, I(0.06) + m * l2 * l2);
    let mut want = vec![0.0; 36];
    for i in 0..3 {
        let c = m * L * l2 * q[2 * i + 1].cos();
        let at = 2 * i;
        want[at * 6 + at] = a + b + 2.0 * c;
        want[at * 6 + at + 1] = b + c;
        want[(at + 1) * 6 + at] = b + c;
        want[(at + 1) * 6 + at + 1] = b;
    }
    assert!(difference(&M, &want) < 1e-15 * 10.0);
}

/// Two point masses on massless rods of lengths 0.7 m and 0.4 m that swing in
/// the plane x, z.
fn double_pendulum() -> Tree {
    let mut builder = TreeBuilder::new();
    let bob = |name: &str, parent, at: f64, length: f64, mass| Body {
        name: name.into(),
        parent,
        base_motion: None,
        X_PJ: Pose::from_translation(DVec3::new(0.0, 0.0, -at)),
        // Positive angles swing towards +x.
        joint: Joint::Revolute { axis: -DVec3::Y },
        mass,
        p_BoBcm_B: DVec3::new(0.0, 0.0, -length),
        inertia: DMat3::ZERO,
    };
    let upper = builder.add(bob("upper", None, 0.0, 0.7, 1.5));
    builder.add(bob("lower", Some(upper), 0.7, 0.4, 0.6));
    builder.build().unwrap()
}

#[test]
fn a_double_pendulum_obeys_the_textbook() {
    // With angles θ from the vertical [Goldstein 2002, ch. 1, exercise 22]:
    // (m₁+m₂) l₁ θ̈₁ + m₂ l₂ θ̈₂ cos Δ + m₂ l₂ θ̇₂² sin Δ + (m₁+m₂) g sin θ₁ = 0
    // l₂ θ̈₂ + l₁ θ̈₁ cos Δ − l₁ θ̇₁² sin Δ + g sin θ₂ = 0,   Δ = θ₁ − θ₂
    let (m1, m2, l1, l2, g) = (1.5, 0.6, 0.7, 0.4, 9.81);
    let tree = double_pendulum();
    let loads = Loads {
        gravity: DVec3::new(0.0, 0.0, -g),
        ..Loads::default()
    };
    for seed in 0..100 {
        let mut rng = Rng::for_case("double pendulum", seed);
        let (q, v) = (random_vector(2, &mut rng), random_vector(2, &mut rng));
        let now = kinematics(&tree, &q, &v, &[]);
        let mut vdot = [0.0; 2];
        Aba::default()
            .calc(&tree, &now, &loads, &[0.0; 2], &mut vdot)
            .unwrap();
        let (t1, t2) = (q[0], q[0] + q[1]);
        let (w1, w2) = (v[0], v[0] + v[1]);
        let (a1, a2) = (vdot[0], vdot[0] + vdot[1]);
        let (sin, cos) = (t1 - t2).sin_cos();
        let upper =
            (m1 + m2) * l1 * a1 + m2 * l2 * (a2 * cos + w2 * w2 * sin) + (m1 + m2) * g * t1.sin();
        let lower = l2 * a2 + l1 * (a1 * cos - w1 * w1 * sin) + g * t2.sin();
        assert!(upper.abs() < 1e-12 && lower.abs() < 1e-12);
        // And its energy is the textbook's.
        let T = 0.5 * (m1 + m2) * l1 * l1 * w1 * w1
            + 0.5 * m2 * l2 * l2 * w2 * w2
            + m2 * l1 * l2 * w1 * w2 * cos;
        let V = -(m1 + m2) * g * l1 * t1.cos() - m2 * g * l2 * t2.cos();
        assert!((energy::kinetic_energy(&now) - T).abs() < 1e-13);
        assert!((energy::potential_energy(&tree, &now, loads.gravity) - V).abs() < 1e-13);
    }
}
