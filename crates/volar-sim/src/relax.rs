//! Taking bodies apart that start in each other.
//!
//! A grasp from a data set may start with links millimetres deep in the
//! object. Left alone the overlap pushes them apart with no more energy than
//! it stores, which can still be a kick. Relaxing moves everything to where
//! nothing presses instead, without speed: Newton's method on the contact
//! forces, with the mass as a measure of distance where they leave a choice.

use volar_dynamics::Actuator;

use crate::error::SimError;
use crate::ids::PairId;
use crate::simulation::Simulation;

const MAX_STEPS: u32 = 200;
/// Time constant of a Newton step, s: long against contacts, so that their
/// stiffness decides and not the mass.
const LONG: f64 = 1.0;
/// Depth at which bodies count as apart, m.
const APART: f64 = 1.0e-6;
/// A step moves no farther than this many times the greatest depth.
const TRUST: f64 = 2.0;

impl Simulation {
    /// Moves bodies that overlap at the start to where nothing presses, at
    /// rest and without friction, gravity or actuators; what cannot be freed,
    /// such as a peg in a tight hole, is left where forces balance.
    ///
    /// An overlap deeper than a third of the thinner body is refused: nobody
    /// could say which way is out.
    pub fn relax(&mut self) -> Result<(), SimError> {
        let mut quiet = self.clone();
        quiet.state.v.fill(0.0);
        quiet.change(|controls| {
            controls.gravity = glam::DVec3::ZERO.into();
            controls.loads.clear();
            let materials = controls.materials.iter_mut();
            materials.for_each(|material| material.friction = 0.0);
            for number in 0..controls.joints.actuators().len() {
                // An effort of zero is always valid.
                let _ = controls.joints.set_actuator(number, Actuator::effort(0.0));
            }
        })?;
        for step in 0..MAX_STEPS {
            quiet.state.patches.clear();
            quiet.restart()?;
            let depth = quiet.greatest_depth(step == 0)?;
            if depth <= APART || !quiet.move_apart(depth)? {
                self.state.q.clone_from(&quiet.state.q);
                self.state.v.fill(0.0);
                self.state.patches.clear();
                return self.restart();
            }
        }
        Err(SimError::NotRelaxed { steps: MAX_STEPS })
    }

    /// Greatest depth of any contact, m.
    fn greatest_depth(&mut self, check: bool) -> Result<f64, SimError> {
        let contacts = self.contacts();
        if check {
            for contact in &contacts {
                if let Some(error) = self.too_deep(contact.pair(), contact.depth) {
                    return Err(error);
                }
            }
        }
        Ok(contacts
            .iter()
            .map(|contact| contact.depth)
            .fold(0.0, f64::max))
    }

    fn too_deep(&self, pair: PairId, depth: f64) -> Option<SimError> {
        let thickness = self.thickness(pair)?;
        (depth > thickness / 3.0).then(|| SimError::TooDeep {
            a: self.model.name(pair.a()).into(),
            b: self.model.name(pair.b()).into(),
            depth_mm: 1.0e3 * depth,
            thickness_mm: 1.0e3 * thickness,
        })
    }

    /// One Newton step; false when it no longer moves anything.
    fn move_apart(&mut self, depth: f64) -> Result<bool, SimError> {
        let layout = self.layout;
        let mut step = vec![0.0; layout.dim()];
        step[layout.velocity()].copy_from_slice(&self.rate[layout.velocity()]);
        self.tangent.linearise(
            &self.model,
            &self.controls,
            &self.evaluation,
            &self.patches,
            &layout,
            self.state.time,
            &self.state.q,
            &self.x,
        );
        if !self.tangent.factor(LONG) {
            return Ok(false);
        }
        self.tangent.solve(&layout, &mut step);
        // Implicit Euler from rest: v₁ = h k, δ = h v₁.
        let mut delta: Vec<f64> = step[layout.velocity()]
            .iter()
            .map(|k| LONG * LONG * k)
            .collect();
        let moves = delta
            .iter()
            .zip(&self.model.lever)
            .map(|(d, lever)| (d * lever).abs());
        let most = moves.fold(0.0, f64::max);
        if most.is_nan() || most <= 1.0e-3 * APART {
            return Ok(false);
        }
        let scale = (TRUST * depth / most).min(1.0);
        delta.iter_mut().for_each(|d| *d *= scale);
        let mut q = self.state.q.clone();
        self.model.tree.plus(&self.state.q, &delta, &mut q);
        self.state.q = q;
        Ok(true)
    }
}
