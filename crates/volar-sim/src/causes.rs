//! What made steps as short as they were.

use crate::error::SimError;
use crate::layout::Layout;
use crate::simulation::Simulation;
use crate::tolerance::worst;

/// Steps by what kept them from being longer, and rejections by their reason: counts
/// since the simulation was made.
///
/// ```
/// use volar_sim::{Body, ModelBuilder, Simulation};
/// # use std::sync::Arc;
/// # use glam::DVec3;
/// # use volar_contact::Material;
/// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
/// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
/// # let rubber = Material::named("rubber").unwrap();
/// # let mut builder = ModelBuilder::new();
/// builder.add(Body::ground("floor", DVec3::ZERO, DVec3::Z, rubber).unwrap());
/// builder.add(Body::free("cube", mesh, 0.1, rubber).at([0.0, 0.0, 0.03]));
/// let mut sim = Simulation::start(builder.build()?)?;
/// sim.advance_to(10.0)?;
/// let causes = sim.step_causes();
/// assert!(causes.longest > 10); // the cube lies still after half a second
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepCauses {
    /// Accepted; the error of a position came nearest to its tolerance.
    pub position: u64,
    /// Accepted; the error of a velocity did.
    pub velocity: u64,
    /// Accepted; the error of dry friction in a joint did.
    pub joint_friction: u64,
    /// Accepted; the error of what a patch remembers did.
    pub patches: u64,
    /// Accepted; cut to where a contact began, or a joint met its stop.
    pub first_touch: u64,
    /// Accepted at the longest step allowed.
    pub longest: u64,
    /// Accepted at the longest step that lets no body pass through another.
    pub passing: u64,
    /// Accepted at a scheduled time.
    pub schedule: u64,
    /// Rejected for its error.
    pub error: u64,
    /// Rejected because a new contact was too deep at its end, or a joint far past its stop.
    pub touch: u64,
    /// Rejected because a number was not finite.
    pub not_finite: u64,
}

/// What chose the length of a step that is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    Controller,
    FirstTouch,
    Longest,
    Passing,
    Schedule,
}

impl StepCauses {
    /// Counts an accepted step whose error was worst at an entry of x.
    pub(crate) fn accept(&mut self, chosen: Chosen, layout: &Layout, worst: usize) {
        let count = match chosen {
            Chosen::FirstTouch => &mut self.first_touch,
            Chosen::Longest => &mut self.longest,
            Chosen::Passing => &mut self.passing,
            Chosen::Schedule => &mut self.schedule,
            Chosen::Controller if worst < layout.nv => &mut self.position,
            Chosen::Controller if worst < 2 * layout.nv => &mut self.velocity,
            Chosen::Controller if worst < layout.patch_states().start => &mut self.joint_friction,
            Chosen::Controller => &mut self.patches,
        };
        *count += 1;
    }

    /// Counts a step rejected for its error.
    pub(crate) fn reject(&mut self, error: f64) {
        if error.is_finite() {
            self.error += 1;
        } else {
            self.not_finite += 1;
        }
    }
}

impl Simulation {
    /// The error of a run whose steps have become too short.
    pub(crate) fn too_small(&self, time: f64, step: f64) -> SimError {
        SimError::StepTooSmall {
            time,
            step,
            quantity: self.describe(self.worst()),
        }
    }

    /// The entry of x with the largest error in the step that was tried.
    pub(crate) fn worst(&self) -> usize {
        let (x1, error) = (self.stepper.x1(), self.stepper.error());
        let (at, _) = worst(&self.layout, &self.model, &self.scales, &self.x, x1, error);
        at
    }

    /// An entry of x in words.
    pub(crate) fn describe(&self, at: usize) -> String {
        let layout = self.layout;
        if at < 2 * layout.nv {
            let body = self.model.tree.dof_body(at % layout.nv);
            let what = if at < layout.nv {
                "position"
            } else {
                "velocity"
            };
            return format!("{what} of body `{}`", self.model.name_at(body));
        }
        if layout.joint_friction().contains(&at) {
            return "friction of a joint".into();
        }
        let patch = if layout.patch_states().contains(&at) {
            (at - layout.patch_states().start) / layout.patch_size
        } else if layout.slips().contains(&at) {
            at - layout.slips().start
        } else {
            return "an energy".into();
        };
        let pair = self
            .patches
            .pairs
            .iter()
            .rev()
            .find(|entry| entry.1 <= patch);
        pair.map_or_else(String::new, |((a, b), _)| {
            let (a, b) = (
                self.model.name_at(*a as usize),
                self.model.name_at(*b as usize),
            );
            format!("contact of `{a}` and `{b}`")
        })
    }
}
