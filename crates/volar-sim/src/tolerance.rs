//! What counts as an error: the tolerances of all parts of x.

use volar_contact::PatchState;
use volar_contact::memory::{MAX_STATES, PatchNow};

use crate::controls::Controls;
use crate::evaluate::{Evaluation, Patches};
use crate::layout::Layout;
use crate::model::Model;
use crate::start::RELEASE_TIME;

/// A position may err by this times the tolerance, m: a contact's depth is
/// some tenths of a millimetre.
const POSITION_SCALE: f64 = 1.0e-3;
/// Where a body touches, it may err by no more than this share of the contact's depth: a
/// greater error makes a force of nothing, or nothing of a force, and the next step
/// starts off balance and is rejected.
const DEPTH_SHARE: f64 = 0.5;
/// ... and this one while a start in overlap is released: what that takes is all the energy
/// that was stored, which goes with the square of the depth and is to be known to some percent.
const RELEASED_SHARE: f64 = 0.02;
/// ... but by at least this share of the above: contacts that begin and end are of no depth.
const LEAST_SHARE: f64 = 0.1;
/// A velocity may err by this times the tolerance, m/s, when all is still.
const VELOCITY_SCALE: f64 = 0.1;
/// While a start in overlap is released, a velocity may err by this share of itself and of
/// the speed with which the present depth is let out. How bodies get out of each other
/// stands for no motion of theirs; it is to end at rest where it should, with its energy
/// known to some percent. The bunny 5 mm in steel has 9.8 mm/s after 0.1 s with this, 10.3 with
/// 5e-3: the less the step errs, the slower it comes out ...
const RELEASED_RELATIVE: f64 = 0.004;
/// ... and by no more than this at rest, m/s.
const RELEASED_SPEED: f64 = 1.0e-3;
/// A joint's friction state may err by this share of its breakaway.
const BREAKAWAY_SHARE: f64 = 0.01;

/// What an error of size 1 is, for each part of x.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scales {
    /// Absolute tolerance of a position, m.
    pub position: f64,
    /// By dof: absolute tolerance of its position at the lever, m.
    pub positions: Vec<f64>,
    /// By dof: absolute tolerance of its velocity at the lever, m/s, and relative one.
    pub velocities: Vec<(f64, f64)>,
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
        self.position = tolerance * POSITION_SCALE;
        self.positions.clear();
        self.positions.resize(model.tree.nv(), self.position);
        self.velocities.clear();
        let velocity = (tolerance * VELOCITY_SCALE, tolerance);
        self.velocities.resize(model.tree.nv(), velocity);
        for active in evaluation.active() {
            if active.contact.volume <= 0.0 {
                continue;
            }
            let pieces = &active.contact.normal_contact.pieces;
            let depth = pieces.iter().map(|piece| piece.depth).fold(0.0, f64::max);
            let is_released = patches.release(active.bodies).is_some();
            let share = match is_released {
                true => RELEASED_SHARE,
                false => DEPTH_SHARE,
            };
            let letting_out = RELEASED_RELATIVE * depth / RELEASE_TIME;
            let released = (
                velocity.0.max(letting_out.min(RELEASED_SPEED)),
                velocity.1.max(RELEASED_RELATIVE),
            );
            let scale = (share * depth).max(LEAST_SHARE * self.position);
            for body in [active.bodies.0, active.bodies.1] {
                for &dof in model.tree.ancestor_dofs(body as usize) {
                    self.positions[dof] = self.positions[dof].min(scale);
                    if is_released {
                        self.velocities[dof] = released;
                    }
                }
            }
        }
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
        offer(i, lever * error[i].abs() / scales.positions[i]);
        let v = i + layout.nv;
        let speed = lever * x0[v].abs().max(x1[v].abs());
        let (absolute, relative) = scales.velocities[i];
        let allowed = absolute + relative * speed;
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
