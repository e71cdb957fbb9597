//! The equations of motion as the integrators see them.

use volar_ode::System;

use crate::controls::Controls;
use crate::error::SimError;
use crate::evaluate::{Evaluation, Patches};
use crate::layout::Layout;
use crate::model::Model;
use crate::stage::Stage;
use crate::tangent::Tangent;
use crate::tolerance::{Scales, worst};

/// Over this time derivatives by time are taken, s: at 1 m/s a base motion moves
/// 0.1 µm in it.
const SHORT_TIME: f64 = 1.0e-7;

/// `ẋ = f(t, x)` in the chart at `q0`, with the patches held.
pub(crate) struct Equations<'a> {
    pub model: &'a Model,
    pub controls: &'a Controls,
    pub patches: &'a Patches,
    pub layout: Layout,
    pub q0: &'a [f64],
    pub q: &'a mut Vec<f64>,
    pub evaluation: &'a mut Evaluation,
    pub tangent: &'a mut Tangent,
    pub scales: &'a Scales,
}

/// Whether forces or base motions change with time alone between a time and the next break.
pub(crate) fn vary_after(t: f64, model: &Model, controls: &Controls, patches: &Patches) -> bool {
    let mut motions = model.motions.iter();
    motions.any(|motion| motion.moves_after(t))
        || !patches.releases.is_empty()
        || controls.vary_after(t)
}

impl System for Equations<'_> {
    type Error = SimError;

    fn dim(&self) -> usize {
        self.layout.dim()
    }

    fn rate(&mut self, t: f64, x: &[f64], rate: &mut [f64]) -> Result<(), SimError> {
        let (model, controls) = (self.model, self.controls);
        self.q.resize(self.q0.len(), 0.0);
        model.tree.plus(self.q0, &x[self.layout.chart()], self.q);
        let v = &x[self.layout.velocity()];
        self.evaluation
            .geometry(model, controls, self.patches, t, self.q, v);
        self.evaluation.rates(
            model,
            controls,
            self.patches,
            &self.layout,
            t,
            self.q,
            x,
            rate,
        )
    }

    fn linearise(&mut self, t: f64, x: &[f64]) -> Result<(), SimError> {
        self.evaluation.clock.start();
        self.tangent.linearise(
            self.model,
            self.controls,
            self.evaluation,
            self.patches,
            &self.layout,
            t,
            self.q0,
            x,
        );
        self.evaluation.clock.lap(Stage::Tangent);
        Ok(())
    }

    /// Prescribed motions carry contacts along, and efforts may change with
    /// time: a difference over a time so short that no contact moves by more
    /// than its depth.
    fn time_rate(
        &mut self,
        t: f64,
        x: &[f64],
        rate0: &[f64],
        out: &mut [f64],
    ) -> Result<bool, SimError> {
        if !vary_after(t, self.model, self.controls, self.patches) {
            return Ok(false);
        }
        // The last evaluation was here, see `System::linearise`.
        let later = t + SHORT_TIME;
        let v = &x[self.layout.velocity()];
        let (model, controls) = (self.model, self.controls);
        self.evaluation
            .geometry_later(model, controls, later, self.q0, v);
        self.evaluation.rates(
            model,
            controls,
            self.patches,
            &self.layout,
            later,
            self.q0,
            x,
            out,
        )?;
        for (value, before) in out.iter_mut().zip(rate0) {
            *value = (*value - before) / SHORT_TIME;
        }
        Ok(true)
    }

    fn factor(&mut self, c: f64) -> Result<(), SimError> {
        self.evaluation.clock.start();
        // A singular system spoils the step: not finite, hence rejected.
        self.tangent.factor(c);
        self.evaluation.clock.lap(Stage::Solve);
        Ok(())
    }

    fn solve(&mut self, b: &mut [f64]) {
        self.evaluation.clock.start();
        self.tangent.solve(&self.layout, b);
        self.evaluation.clock.lap(Stage::Solve);
    }

    /// The largest error against its tolerance; slips and the energy balance follow from
    /// the rest and are not controlled.
    fn error_norm(&self, x0: &[f64], x1: &[f64], error: &[f64]) -> f64 {
        worst(&self.layout, self.model, self.scales, x0, x1, error).1
    }
}
