//! What a user should know about a run that goes on nevertheless.

use volar_contact::NormalLaw;
use volar_contact::paper::{self, FilterFrequency};

use crate::ids::{BodyId, PairId};
use crate::simulation::Simulation;

/// Something that makes results doubtful.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Warning {
    /// A body is pressed in so far that the separation direction may turn to its far side.
    #[error(
        "at t = {time:.4} s `{a}` and `{b}` are {depth_mm:.2} mm deep in each other, more than a \
         third of what is {thickness_mm:.2} mm thick: a stiffer material or a smaller load is needed"
    )]
    Deep {
        /// When first seen, s.
        time: f64,
        /// One body.
        a: String,
        /// The other.
        b: String,
        /// Depth, mm.
        depth_mm: f64,
        /// Thickness of the thinner one, mm.
        thickness_mm: f64,
    },
    /// The paper's rate filter is too slow for its damping.
    #[error(
        "at t = {time:.4} s the volume-rate filter ({frequency:.0} rad/s) of `{a}` and `{b}` is \
         below its stability bound of {bound:.0} rad/s: expect growing oscillations"
    )]
    FilterTooSlow {
        /// When first seen, s.
        time: f64,
        /// One body.
        a: String,
        /// The other.
        b: String,
        /// ω_n as set, rad/s.
        frequency: f64,
        /// The bound, rad/s.
        bound: f64,
    },
}

impl Simulation {
    /// What has been noticed so far, once per pair and kind.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Thickness of the thinner of two bodies, m.
    pub(crate) fn thickness(&self, pair: PairId) -> Option<f64> {
        let a = self.model.surface(pair.a())?;
        let b = self.model.surface(pair.b())?;
        Some(a.thickness.min(b.thickness))
    }

    /// Looks at the contacts of the present evaluation.
    pub(crate) fn watch(&mut self) {
        let time = self.state.time;
        for active in self.evaluation.active() {
            let (a, b) = (active.bodies.0 as usize, active.bodies.1 as usize);
            let pieces = &active.contact.normal_contact.pieces;
            let depth = pieces.iter().map(|piece| piece.depth).fold(0.0, f64::max);
            let Some(thickness) = self.thickness(PairId::new(BodyId::new(a), BodyId::new(b)))
            else {
                continue;
            };
            let key = (active.bodies, 0);
            if depth > thickness / 3.0 && !self.warned.contains(&key) {
                self.warned.push(key);
                self.warnings.push(Warning::Deep {
                    time,
                    a: self.model.name_at(a).into(),
                    b: self.model.name_at(b).into(),
                    depth_mm: 1.0e3 * depth,
                    thickness_mm: 1.0e3 * thickness,
                });
            }
            let NormalLaw::Paper(law) = &self.model.law.normal else {
                continue;
            };
            let FilterFrequency::Fixed(frequency) = law.filter_frequency else {
                continue;
            };
            let pair = paper::Pair {
                masses: [self.model.movable_mass(a), self.model.movable_mass(b)],
                time,
            };
            let area = pieces.iter().map(|piece| piece.area()).fold(0.0, f64::max);
            let bound = law.stability_bound(area, pair.effective_mass(), 1.0);
            let key = (active.bodies, 1);
            if frequency < bound && !self.warned.contains(&key) {
                self.warned.push(key);
                self.warnings.push(Warning::FilterTooSlow {
                    time,
                    a: self.model.name_at(a).into(),
                    b: self.model.name_at(b).into(),
                    frequency,
                    bound,
                });
            }
        }
    }
}
