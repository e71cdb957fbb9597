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

    /// Two contacts that grow together are one, which belonged to one of them; what the filter
    /// of the other held goes to where the volume has gone. Without it the filter would take
    /// the other's volume for a rate, and the damping for a blow.
    fn reconcile(
        &self,
        old: &[Ancestor],
        pieces: &[&Piece],
        _pair_material: &PairMaterial,
        states: &mut [&mut [f64]],
    ) {
        let sum = |filters: &mut dyn Iterator<Item = Filter>| {
            filters.fold([0.0; 2], |[volume, rate], filter| {
                [volume + filter.volume, rate + filter.rate]
            })
        };
        let before = sum(&mut old.iter().map(|ancestor| Filter::read(ancestor.state)));
        let after = sum(&mut states.iter().map(|state| Filter::read(state)));
        let lost = before[0] - after[0];
        let gap = |piece: &Piece, state: &[f64]| {
            (piece.depth * piece.area() - Filter::read(state).volume).max(0.0)
        };
        let room = pieces
            .iter()
            .zip(states.iter())
            .map(|(piece, state)| gap(piece, state));
        let room: f64 = room.sum();
        if lost <= 0.0 || room <= 0.0 {
            return;
        }
        let filled = (lost / room).min(1.0);
        for (piece, state) in pieces.iter().zip(states) {
            let mut filter = Filter::read(state);
            let own = gap(piece, state);
            filter.volume += filled * own;
            filter.rate += (before[1] - after[1]) * own / room;
            filter.write(state);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Material;
    use crate::patch::Patch;
    use glam::DVec3;

    const PATCH: Patch = Patch {
        centre: DVec3::ZERO,
        normal: DVec3::X,
        reach: 0.01,
        stiffness: 0.0,
        torsional_stiffness: 0.0,
        created_at: 0.0,
        first_speed: 0.0,
    };

    fn of_volume(volume: f64) -> Piece {
        Piece {
            area_vector: 1.0e-5 * DVec3::X,
            depth: volume / 1.0e-5,
            ..Piece::NONE
        }
    }

    /// The filters of what was there before, and those of what is there now: after
    /// inheriting from one patch, and after all have been reconciled.
    fn reconciled(old: &[[f64; 2]], volumes: &[f64], inherited: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let rubber = Material::named("rubber").unwrap();
        let old_pieces: Vec<Piece> = old.iter().map(|state| of_volume(state[0])).collect();
        let old: Vec<Ancestor> = old
            .iter()
            .zip(&old_pieces)
            .map(|(state, piece)| Ancestor {
                patch: &PATCH,
                piece,
                state,
                share: 1.0,
            })
            .collect();
        let pieces: Vec<Piece> = volumes.iter().map(|v| of_volume(*v)).collect();
        let pieces: Vec<&Piece> = pieces.iter().collect();
        let mut states = inherited.to_vec();
        let mut views: Vec<&mut [f64]> = states.iter_mut().map(|s| &mut s[..]).collect();
        let pair = PairMaterial::of(&rubber, &rubber);
        Paper::default().reconcile(&old, &pieces, &pair, &mut views);
        states
    }

    fn close(a: [f64; 2], b: [f64; 2]) -> bool {
        (0..2).all(|k| (a[k] - b[k]).abs() <= 1e-9 * b[k].abs())
    }

    #[test]
    fn contacts_that_grow_together_keep_what_both_filters_held() {
        let (a, b) = ([8e-9, 1e-7], [0.8e-9, 2e-8]);
        let new = reconciled(&[a, b], &[8.8e-9], &[a]);
        assert!(close(new[0], [8.8e-9, 1.2e-7]), "{new:?}");
    }

    #[test]
    fn contacts_that_go_on_are_left_alone() {
        let (a, b) = ([8e-9, 1e-7], [0.8e-9, 2e-8]);
        let new = reconciled(&[a, b], &[8.1e-9, 0.9e-9], &[a, b]);
        assert!(close(new[0], a) && close(new[1], b), "{new:?}");
        // One has ended: its filter had run down with its volume.
        let new = reconciled(&[a, [1e-15, 0.0]], &[8e-9], &[a]);
        assert!((new[0][0] - a[0]).abs() < 2e-15, "{new:?}");
    }
}
