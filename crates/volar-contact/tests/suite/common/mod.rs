//! Two bodies in the world, pressed together: what the tests of a pair share.

pub mod paper_pad;

use glam::{DMat3, DQuat, DVec2, DVec3};
use volar_contact::track::{Renewal, Tracked};
use volar_contact::{
    ContactLaw, Friction, Material, NormalLaw, PairContact, PairInput, PairMaterial, PairState,
    Patch, PatchState,
};
use volar_geom::mesh::shapes::cuboid;
use volar_geom::{ClosedMesh, Pose};
use volar_math::{Matrix6, Twist, Wrench};
use volar_testkit::rng::Rng;
use volar_testkit::solids::{closed, prism};

/// The foundation law with bristles.
pub const FOUNDATION: ContactLaw = ContactLaw {
    normal: NormalLaw::Foundation,
    friction: Friction::Bristle,
};

/// Two surfaces, what they are made of, and the law between them.
#[derive(Clone)]
pub struct Bodies {
    pub a: ClosedMesh,
    pub b: ClosedMesh,
    pub pair_material: PairMaterial,
    pub law: ContactLaw,
    pub masses: [Option<f64>; 2],
}

/// Where the bodies are and how A moves relative to B: world axes, velocity at
/// the world point `at`.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    pub X_WA: Pose,
    pub X_WB: Pose,
    pub at: DVec3,
    pub twist: Twist,
}

impl Motion {
    /// Both at rest.
    pub fn still(X_WA: Pose, X_WB: Pose) -> Motion {
        Motion {
            X_WA,
            X_WB,
            at: X_WA.p,
            twist: Twist::default(),
        }
    }

    /// Both carried along by a common motion.
    pub fn carried(&self, X: &Pose) -> Motion {
        Motion {
            X_WA: X.compose(&self.X_WA),
            X_WB: X.compose(&self.X_WB),
            at: X.point(self.at),
            twist: Twist {
                angular: X.R * self.twist.angular,
                linear: X.R * self.twist.linear,
            },
        }
    }

    /// A displaced by a rotation and translation at a world point.
    pub fn displaced(&self, at: DVec3, turn: DVec3, shift: DVec3) -> Motion {
        let R = DMat3::from_quat(DQuat::from_scaled_axis(turn));
        let X_WA = Pose {
            R: R * self.X_WA.R,
            p: at + shift + R * (self.X_WA.p - at),
        };
        Motion { X_WA, ..*self }
    }
}

impl Bodies {
    pub fn new(a: ClosedMesh, b: ClosedMesh, materials: [Material; 2]) -> Bodies {
        Bodies {
            a,
            b,
            pair_material: PairMaterial::of(&materials[0], &materials[1]),
            law: FOUNDATION,
            masses: [Some(0.1), Some(0.2)],
        }
    }

    pub fn input(&self) -> PairInput<'_> {
        PairInput {
            meshes: [&self.a, &self.b],
            pair_material: &self.pair_material,
            masses: self.masses,
        }
    }

    /// The contact with the given patches, at time zero.
    pub fn contact(
        &self,
        motion: &Motion,
        patches: &[Patch],
        states: &[PatchState],
    ) -> PairContact {
        self.contact_at(0.0, motion, patches, states)
    }

    pub fn contact_at(
        &self,
        time: f64,
        motion: &Motion,
        patches: &[Patch],
        states: &[PatchState],
    ) -> PairContact {
        let mut contact = PairContact::default();
        let X_AB = Pose::relative(&motion.X_WA, &motion.X_WB);
        contact.overlap(&self.law, &self.input(), &X_AB);
        let twist = twist_of(motion, &contact);
        let state = PairState {
            time,
            X_AB,
            twist,
            patches,
            states,
        };
        contact.forces(&self.law, &self.input(), &state);
        contact
    }

    /// The contact without memory.
    pub fn fresh(&self, motion: &Motion) -> PairContact {
        self.contact(motion, &[], &[])
    }

    /// The patches a first touch leaves.
    pub fn patches(&self, motion: &Motion) -> Vec<Tracked> {
        self.renewed(0.0, motion, &[])
    }

    /// The patches after a step that ends here.
    pub fn renewed(&self, time: f64, motion: &Motion, old: &[Tracked]) -> Vec<Tracked> {
        let (patches, states) = split(old);
        let contact = self.contact_at(time, motion, &patches, &states);
        let mut new = Vec::new();
        let renewal = Renewal {
            contact: &contact,
            law: &self.law,
            pair_material: &self.pair_material,
            time,
            twist: twist_of(motion, &contact),
        };
        renewal.renew(old, &mut new);
        new
    }
}

/// Patches and states apart.
pub fn split(tracked: &[Tracked]) -> (Vec<Patch>, Vec<PatchState>) {
    tracked.iter().map(|t| (t.patch, t.state)).unzip()
}

/// Twist of A relative to B at the contact's point, in A.
pub fn twist_of(motion: &Motion, contact: &PairContact) -> Twist {
    let p_WC = motion.X_WA.point(contact.point);
    let R_AW = motion.X_WA.R.transpose();
    Twist {
        angular: R_AW * motion.twist.angular,
        linear: R_AW * motion.twist.at(p_WC - motion.at).linear,
    }
}

/// A wrench of a contact in world axes about a world point.
pub fn in_world(wrench: &Wrench, motion: &Motion, contact: &PairContact, about: DVec3) -> Wrench {
    let p_WC = motion.X_WA.point(contact.point);
    wrench.rotated(&motion.X_WA.R).about(about - p_WC)
}

/// Friction of all patches.
pub fn friction(contact: &PairContact) -> Wrench {
    let frictions = contact.frictions.iter();
    frictions.fold(Wrench::default(), |sum, friction| sum + friction.wrench)
}

pub fn numbers(w: &Wrench) -> [f64; 6] {
    let (t, f) = (w.torque, w.force);
    [t.x, t.y, t.z, f.x, f.y, f.z]
}

pub fn twist_from(x: [f64; 6]) -> Twist {
    Twist {
        angular: DVec3::new(x[0], x[1], x[2]),
        linear: DVec3::new(x[3], x[4], x[5]),
    }
}

/// The columns of a map, angular parts first.
pub fn columns(m: &Matrix6) -> [[f64; 6]; 6] {
    std::array::from_fn(|k| {
        let mut unit = [0.0; 6];
        unit[k] = 1.0;
        numbers(&(m * twist_from(unit)))
    })
}

/// How far two wrenches are apart, with torques counted at a lever, against
/// the second one.
pub fn error_of(got: &Wrench, wanted: &Wrench, lever: f64) -> f64 {
    let size = |w: &Wrench| (w.force.length_squared() + (w.torque / lever).length_squared()).sqrt();
    size(&(*got + -*wanted)) / size(wanted)
}

/// A material of some stiffness.
pub fn stiff(stiffness: f64) -> Material {
    Material {
        stiffness,
        shear_stiffness: stiffness / 3.0,
        damping_time: 1e-3,
        friction: 0.8,
        viscous_friction: 0.0,
    }
}

/// Both equally soft; B alone; A alone.
pub fn pair_materials() -> [(&'static str, [Material; 2]); 3] {
    let (soft, hard) = (stiff(1.5e9), stiff(1.5e12));
    [
        ("both", [soft, soft]),
        ("B's field", [hard, soft]),
        ("A's field", [soft, hard]),
    ]
}

pub fn block(x: f64, y: f64, z: f64) -> ClosedMesh {
    closed(cuboid(DVec3::new(x, y, z)))
}

/// A regular prism along z.
pub fn round(radius: f64, height: f64, sides: u32) -> ClosedMesh {
    let outline: Vec<DVec2> = (0..sides)
        .map(|k| {
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(sides);
            radius * DVec2::new(angle.cos(), angle.sin())
        })
        .collect();
    closed(prism(&outline, height))
}

/// A turn about an axis, and a place.
pub fn pose(turn: DVec3, p: DVec3) -> Pose {
    Pose {
        R: DMat3::from_quat(DQuat::from_scaled_axis(turn)),
        p,
    }
}

pub fn random_pose(rng: &mut Rng, half: f64) -> Pose {
    Pose {
        R: rng.rotation(),
        p: rng.in_cube(half),
    }
}

/// Eigenvalues of a symmetric matrix, by Jacobi's rotations.
pub fn eigenvalues(mut m: [[f64; 6]; 6]) -> [f64; 6] {
    for _ in 0..30 {
        for p in 0..6 {
            for q in p + 1..6 {
                if m[p][q].abs() < 1e-300 {
                    continue;
                }
                let theta = 0.5 * (m[q][q] - m[p][p]) / m[p][q];
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for k in 0..6 {
                    let (a, b) = (m[k][p], m[k][q]);
                    (m[k][p], m[k][q]) = (c * a - s * b, s * a + c * b);
                }
                for k in 0..6 {
                    let (a, b) = (m[p][k], m[q][k]);
                    (m[p][k], m[q][k]) = (c * a - s * b, s * a + c * b);
                }
            }
        }
    }
    std::array::from_fn(|k| m[k][k])
}
