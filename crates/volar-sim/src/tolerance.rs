//! What counts as an error: the tolerances of all parts of x.

use volar_contact::PATCH_STATE;

use crate::controls::Controls;
use crate::evaluate::{Evaluation, Patches};
use crate::layout::Layout;
use crate::model::Model;

/// A position may err by this times the tolerance, m: a contact's depth is
/// some tenths of a millimetre.
const POSITION_SCALE: f64 = 1.0e-3;
/// A velocity may err by this times the tolerance, m/s, when all is still.
const VELOCITY_SCALE: f64 = 0.1;
/// A deflection may err by this share of the one at which bristles slip.
const DEFLECTION_SHARE: f64 = 0.01;

/// What an error of size 1 is, for each part of x.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scales {
    /// Relative tolerance.
    pub relative: f64,
    /// Absolute tolerance of a position, m, and of a velocity, m/s.
    pub position: f64,
    pub velocity: f64,
    /// For every patch: of its deflection (m), its twist (rad), the filtered
    /// volume (m³) and its rate.
    pub patches: Vec<[f64; 4]>,
    /// For every joint friction state.
    pub joints: Vec<f64>,
}

impl Scales {
    /// Takes the tolerances at an evaluation: a deflection counts against the
    /// one at which the bristles slip.
    pub fn update(
        &mut self,
        tolerance: f64,
        model: &Model,
        evaluation: &Evaluation,
        patches: &Patches,
        controls: &Controls,
    ) {
        self.relative = tolerance;
        self.position = tolerance * POSITION_SCALE;
        self.velocity = tolerance * VELOCITY_SCALE;
        self.joints.clear();
        for &dof in controls.joints.friction_dofs() {
            let breakaway = controls.joints.params()[dof].breakaway;
            // No finer than the joint's own coordinate.
            let position = self.position / model.lever[dof];
            self.joints.push(DEFLECTION_SHARE * breakaway + position);
        }
        self.patches.clear();
        self.patches
            .resize(patches.patches.len(), [f64::INFINITY; 4]);
        for active in evaluation.active() {
            let own = patches.of(active.bodies);
            let pieces = active
                .contact
                .normal_contact
                .pieces
                .iter()
                .zip(&active.contact.frictions);
            for ((patch, index), (piece, friction)) in
                patches.patches[own.clone()].iter().zip(own).zip(pieces)
            {
                let slips_at =
                    DEFLECTION_SHARE * friction.limit / patch.stiffness.max(f64::MIN_POSITIVE);
                let z = slips_at + self.position;
                let radius = piece.friction_radius().max(1.0e-4);
                let volume = 1.0e-2 * active.contact.volume + 1.0e-14;
                self.patches[index] = [z, z / radius, volume, f64::INFINITY];
            }
        }
    }
}

/// Where the error is worst, and how large it is against its tolerance.
pub(crate) fn worst(
    layout: &Layout,
    model: &Model,
    scales: &Scales,
    x0: &[f64],
    x1: &[f64],
    error: &[f64],
) -> (usize, f64) {
    let mut worst = (0, 0.0_f64);
    let mut offer = |at: usize, size: f64| {
        // A value that is not a number must not pass for a small one.
        if size.is_nan() || size > worst.1 {
            worst = (at, size);
        }
    };
    for i in 0..layout.nv {
        let lever = model.lever[i];
        offer(i, lever * error[i].abs() / scales.position);
        let v = i + layout.nv;
        let speed = lever * x0[v].abs().max(x1[v].abs());
        let allowed = scales.velocity + scales.relative * speed;
        offer(v, lever * error[v].abs() / allowed);
    }
    for (at, scale) in layout.joint_friction().zip(&scales.joints) {
        offer(at, error[at].abs() / scale);
    }
    for (patch, [z, theta, volume, rate]) in scales.patches.iter().enumerate() {
        let at = layout.patch(patch).start;
        let scale = [z, z, z, theta, volume, rate];
        for k in 0..PATCH_STATE {
            offer(at + k, error[at + k].abs() / scale[k]);
        }
    }
    worst
}
