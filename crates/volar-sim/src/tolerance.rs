//! What counts as an error: the tolerances of all parts of x.

use volar_contact::PatchState;
use volar_contact::memory::{MAX_STATES, PatchNow};

use crate::controls::Controls;
use crate::evaluate::{Evaluation, Patches};
use crate::layout::Layout;
use crate::model::Model;

/// A position may err by this times the tolerance, m: a contact's depth is
/// some tenths of a millimetre.
const POSITION_SCALE: f64 = 1.0e-3;
/// A velocity may err by this times the tolerance, m/s, when all is still.
const VELOCITY_SCALE: f64 = 0.1;
/// A joint's friction state may err by this share of its breakaway.
const BREAKAWAY_SHARE: f64 = 0.01;

/// What an error of size 1 is, for each part of x.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scales {
    /// Relative tolerance.
    pub relative: f64,
    /// Absolute tolerance of a position, m, and of a velocity, m/s.
    pub position: f64,
    pub velocity: f64,
    /// Of the states of every patch, as the law of contact asks.
    pub patches: Vec<PatchState>,
    /// For every joint friction state.
    pub joints: Vec<f64>,
}

impl Scales {
    /// Takes the tolerances at an evaluation.
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
            self.joints.push(BREAKAWAY_SHARE * breakaway + position);
        }
        self.patches.clear();
        self.patches
            .resize(patches.patches.len(), [f64::INFINITY; MAX_STATES]);
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
                let now = PatchNow {
                    patch,
                    piece,
                    limit: friction.limit,
                    volume: active.contact.volume,
                    position: self.position,
                };
                for (memory, own) in model.law.memories() {
                    memory.error_scales(&now, &mut self.patches[index][own]);
                }
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
    for (patch, scales) in scales.patches.iter().enumerate() {
        for (at, scale) in layout.patch(patch).zip(scales) {
            offer(at, error[at].abs() / scale);
        }
    }
    worst
}
