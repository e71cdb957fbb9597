//! Keeps chains closed: at the start, and at the end of every step.
//!
//! The accelerations of [`volar_dynamics::closure`] keep chains closed up to what an
//! integrator errs. That is taken back before the end of a step is looked at. Forces
//! that did work along the drift get it back on the way; what is left is the kinetic
//! energy of the drift, which the energy balance counts.

use volar_dynamics::{Closed, FrameMotion};

use crate::controls::Controls;
use crate::error::SimError;
use crate::evaluate::Evaluation;
use crate::layout::CLOSURES_ENTRY;
use crate::model::Model;
use crate::simulation::Simulation;

/// Gaps that remain where no joint can close them are taken for rounding of whoever
/// wrote the numbers, up to this, m or rad.
const OPEN: f64 = 1.0e-4;

impl Evaluation {
    /// Stage 7 for closed chains: their forces, and the accelerations with them.
    pub(crate) fn close(
        &mut self,
        model: &Model,
        controls: &Controls,
        t: f64,
        q: &[f64],
        v: &[f64],
    ) -> Result<(), SimError> {
        let (tree, closures) = (&model.tree, &model.closures);
        let armature = controls.joints.armature();
        let kinematics = &self.kinematics;
        if !self
            .closing
            .prepare(tree, closures, kinematics, armature, q)
        {
            return Err(SimError::NonFinite {
                time: t,
                quantity: "the mass of a closed chain".into(),
            });
        }
        let vdot = &mut self.vdot;
        self.closing
            .accelerate(tree, closures, kinematics, q, v, vdot);
        self.all_wrenches.clear();
        self.all_wrenches.extend_from_slice(&self.wrenches);
        let tau = &mut self.efforts.tau;
        self.closing
            .add_forces(closures, kinematics, &mut self.all_wrenches, tau);
        Ok(())
    }
}

impl Simulation {
    /// Closes the chains of the present state. A state from outside may have them
    /// open: joints move by as little as it takes.
    pub(crate) fn close_state(&mut self) -> Result<(), SimError> {
        if self.model.closures.is_empty() {
            return Ok(());
        }
        let (mut q, mut v) = (self.state.q.clone(), self.state.v.clone());
        let closed = self.close_at(self.state.time, &mut q, &mut v);
        if closed.gap > OPEN || closed.gap.is_nan() {
            let nth = self.closure_of(closed.row);
            return Err(SimError::Open {
                closure: self.model.closure_name(nth),
                gap: closed.gap,
                before: closed.gap_before,
            });
        }
        self.closed = closed;
        (self.state.q, self.state.v) = (q, v);
        Ok(())
    }

    /// Closes the chains at the end of the step that was tried.
    pub(crate) fn close_step(&mut self, time: f64) {
        if self.model.closures.is_empty() {
            return;
        }
        let layout = self.layout;
        let mut q = std::mem::take(&mut self.q);
        q.resize(self.state.q.len(), 0.0);
        let x1 = self.stepper.x1();
        let mut v = x1[layout.velocity()].to_vec();
        let model = self.model.clone();
        model.tree.plus(&self.state.q, &x1[layout.chart()], &mut q);
        let closed = self.close_at(time, &mut q, &mut v);
        let x1 = self.stepper.x1_mut();
        model.tree.minus(&q, &self.state.q, &mut x1[layout.chart()]);
        x1[layout.velocity()].copy_from_slice(&v);
        x1[layout.balance()][CLOSURES_ENTRY] -= closed.energy;
        self.q = q;
        self.closed = closed;
    }

    fn close_at(&mut self, time: f64, q: &mut Vec<f64>, v: &mut [f64]) -> Closed {
        let motions = self.model.motions.iter();
        let motions: Vec<FrameMotion> = motions.map(|motion| motion.at(time)).collect();
        let Evaluation {
            closing,
            kinematics,
            ..
        } = &mut self.evaluation;
        let (tree, closures) = (&self.model.tree, &self.model.closures);
        let armature = self.controls.joints.armature();
        closing.close(tree, closures, armature, &motions, kinematics, q, v)
    }

    /// How far chains were open before they were last closed, and what is left of it.
    pub fn closed(&self) -> Closed {
        self.closed
    }

    fn closure_of(&self, row: usize) -> usize {
        let rows = &self.evaluation.closing.rows;
        let mut closures = 0..self.model.closures.iter().len();
        let nth = closures.find(|nth| rows.of(*nth).contains(&row));
        self.model.closures.number(nth.unwrap_or(0))
    }
}
