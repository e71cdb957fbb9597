//! A pad of 20 × 20 mm on a block, under the paper's law.

use glam::DVec3;
use volar_contact::{Friction, NormalLaw, PairContact, Paper, Patch, PatchState};
use volar_geom::Pose;

use super::{Bodies, Motion, block, pose, split, stiff};

/// Closed forms of a few products.
const ROUNDING: f64 = 1e-12;

/// The pad's face, m².
pub const AREA: f64 = 4e-4;

pub fn pad(paper: Paper) -> Bodies {
    let mut bodies = Bodies::new(
        block(0.02, 0.02, 0.02),
        block(0.1, 0.1, 0.04),
        [stiff(1e9), stiff(1e9)],
    );
    bodies.law.normal = NormalLaw::Paper(paper);
    bodies.law.friction = Friction::Tanh { slope: 100.0 };
    bodies
}

pub fn sunk(depth: f64, speed: f64) -> Motion {
    let X_WA = pose(DVec3::ZERO, DVec3::new(0.0, 0.0, 0.03 - depth));
    let mut motion = Motion::still(X_WA, Pose::IDENTITY);
    motion.twist.linear = -speed * DVec3::Z;
    motion
}

/// Our readings without the gain of an impact.
pub fn calm() -> Paper {
    Paper {
        impact_gain: 0.0,
        ..Paper::default()
    }
}

/// The patch a first touch leaves, with the filter's two states.
pub fn remembered(
    bodies: &Bodies,
    motion: &Motion,
    filter: [f64; 2],
) -> (Vec<Patch>, Vec<PatchState>) {
    let (patches, mut states) = split(&bodies.patches(motion));
    for state in &mut states {
        [state[4], state[5]] = filter;
    }
    (patches, states)
}

pub fn force(contact: &PairContact) -> f64 {
    contact.normal_contact.wrench().force.z
}

pub fn close(got: f64, wanted: f64, what: &str) {
    let error = (got - wanted).abs();
    assert!(
        error <= ROUNDING * wanted.abs(),
        "{what}: {got:e} instead of {wanted:e}"
    );
}
