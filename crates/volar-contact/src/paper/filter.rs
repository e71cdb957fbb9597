//! The memory of the paper's law: a filter that estimates the volume's rate.

use super::Paper;
use crate::material::PairMaterial;
use crate::memory::{Ancestor, Memory, PatchNow};
use crate::piece::Piece;

/// What the filter of a contact remembers.
pub(super) struct Filter {
    /// Filtered volume v_f, m³.
    pub volume: f64,
    /// Its rate, m³/s.
    pub rate: f64,
}

/// Where they stand among the states.
pub(super) const VOLUME: usize = 0;
pub(super) const RATE: usize = 1;

impl Filter {
    const STATES: usize = 2;

    pub fn read(state: &[f64]) -> Filter {
        Filter {
            volume: state[VOLUME],
            rate: state[RATE],
        }
    }

    pub fn write(&self, state: &mut [f64]) {
        state[VOLUME] = self.volume;
        state[RATE] = self.rate;
    }
}

impl Memory for Paper {
    fn states(&self) -> usize {
        Filter::STATES
    }

    /// Parts add up; a new contact starts with v_f = V and no rate.
    fn inherit(
        &self,
        ancestors: &[Ancestor],
        piece: &Piece,
        _pair_material: &PairMaterial,
        state: &mut [f64],
    ) {
        let mut filter = Filter {
            volume: 0.0,
            rate: 0.0,
        };
        for ancestor in ancestors {
            let old = Filter::read(ancestor.state);
            filter.volume += ancestor.share * old.volume;
            filter.rate += ancestor.share * old.rate;
        }
        if ancestors.is_empty() {
            filter.volume = piece.depth * piece.area();
        }
        filter.write(state);
    }

    /// The filtered volume to a hundredth of the pair's; its rate follows.
    fn error_scales(&self, now: &PatchNow, scales: &mut [f64]) {
        let allowed = Filter {
            volume: 1.0e-2 * now.volume + 1.0e-14,
            rate: f64::INFINITY,
        };
        allowed.write(scales);
    }
}
