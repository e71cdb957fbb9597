//! Friction of a patch: what every friction model gets and gives.
//!
//! A model is one file here, implements [`FrictionModel`] and is listed in
//! `law.rs`.

mod bristle;
mod tanh;
mod transfer;

use glam::{DMat3, DVec3};

use crate::material::PairMaterial;
use crate::memory::{Memory, StateRates};
use crate::patch::Patch;
use crate::piece::Piece;
use volar_math::{Matrix6, Twist, Wrench, cross_matrix, outer};

pub use bristle::Bristle;
pub(crate) use bristle::bristle_stiffness;
pub use tanh::Tanh;

/// How bodies in contact resist sliding.
pub trait FrictionModel: Memory {
    /// Friction of one piece of the contact.
    fn resist(&self, sliding: &Sliding) -> PatchFriction;
}

/// One piece of a contact that may slide.
#[derive(Clone, Copy)]
pub struct Sliding<'a> {
    /// What presses there.
    pub piece: &'a Piece,
    /// What the two materials make together.
    pub pair_material: &'a PairMaterial,
    /// Twist of A relative to B at the point of reference, in A.
    pub twist: &'a Twist,
    /// The patch with the model's own states; none for a piece that belongs to
    /// no patch yet.
    pub memory: Option<(&'a Patch, &'a [f64])>,
}

/// What friction does in one patch. Wrenches act on A, about the point of
/// reference, in A's frame.
#[derive(Clone, Copy, Debug)]
pub struct PatchFriction {
    /// Friction wrench.
    pub wrench: Wrench,
    /// Speed of plastic slip, m/s; torsional slip counts at the radius.
    pub slip_rate: f64,
    /// Friction limit μN, N.
    pub limit: f64,
    /// Size of the friction load against that limit, N.
    pub used: f64,
    /// Energy stored in the bristles, J.
    pub stored: f64,
    /// Rate of that energy, W.
    pub storing: f64,
    /// Power lost, W; not negative.
    pub lost: f64,
    /// Change of the wrench per displacement, and per twist.
    pub by_displacement: Matrix6,
    /// See [`by_displacement`](Self::by_displacement).
    pub by_twist: Matrix6,
    /// Rates of the model's states.
    pub states: StateRates,
}

impl PatchFriction {
    /// No friction.
    pub const NONE: PatchFriction = PatchFriction {
        wrench: Wrench {
            torque: DVec3::ZERO,
            force: DVec3::ZERO,
        },
        slip_rate: 0.0,
        limit: 0.0,
        used: 0.0,
        stored: 0.0,
        storing: 0.0,
        lost: 0.0,
        by_displacement: Matrix6::ZERO,
        by_twist: Matrix6::ZERO,
        states: StateRates::NONE,
    };
}

/// The force acts at the centre of pressure, which moves, and in a plane whose
/// normal turns with the bodies by whose fields it is made: what the summed
/// wrench would turn with A has to be turned back for B's share.
pub(super) fn move_patch(friction: &mut PatchFriction, piece: &Piece) {
    let (n, r) = (piece.normal(), piece.centre());
    let force = friction.wrench.force;
    let lever = cross_matrix(force);
    let back = piece.share_in_b();
    let torsion = back * n.dot(friction.wrench.about(r).torque);
    let rotated = back * outer(n, n.cross(force));
    friction.by_displacement.force_by_rotation += rotated;
    friction.by_displacement.torque_by_rotation +=
        cross_matrix(r) * rotated + torsion * cross_matrix(n);
    for (tangent, centre) in [
        (
            &mut friction.by_displacement,
            piece.centre_by_displacement(),
        ),
        (&mut friction.by_twist, piece.centre_by_twist()),
    ] {
        tangent.torque_by_rotation -= lever * centre[0];
        tangent.torque_by_translation -= lever * centre[1];
    }
}

/// Adds the viscous part −β u.
pub(super) fn add_viscous(friction: &mut PatchFriction, beta: f64, n: DVec3, r: DVec3, u: DVec3) {
    if beta > 0.0 {
        friction.wrench += slide_wrench(r, n, beta * u, 0.0);
        friction.lost += beta * u.length_squared();
        let plane = DMat3::IDENTITY - outer(n, n);
        friction.by_twist += -beta * Matrix6::at(r, plane);
    }
}

/// The wrench on A of a force f and a torque t that resist sliding.
pub(super) fn slide_wrench(r: DVec3, n: DVec3, f: DVec3, t: f64) -> Wrench {
    Wrench {
        torque: -(r.cross(f) + t * n),
        force: -f,
    }
}

pub(crate) fn set_column<const N: usize>(block: &mut [[f64; N]; 6], column: usize, wrench: Wrench) {
    for i in 0..3 {
        block[i][column] = wrench.torque[i];
        block[i + 3][column] = wrench.force[i];
    }
}

pub(super) fn from_block(block: &[[f64; 6]; 6]) -> Matrix6 {
    let part = |row: usize, column: usize| {
        let column_of = |j: usize| {
            DVec3::new(
                block[row][column + j],
                block[row + 1][column + j],
                block[row + 2][column + j],
            )
        };
        DMat3::from_cols(column_of(0), column_of(1), column_of(2))
    };
    Matrix6 {
        torque_by_rotation: part(0, 0),
        torque_by_translation: part(0, 3),
        force_by_rotation: part(3, 0),
        force_by_translation: part(3, 3),
    }
}

#[cfg(test)]
mod bristle_tests;
#[cfg(test)]
mod tangent_tests;
#[cfg(test)]
mod tanh_tests;
