//! The least of linear functions over the fragments of a facet.
//!
//! It is concave. So where no other function is less at the corners of a fragment than the
//! fragment's own, none is anywhere in it: only corners are asked, and the work grows with
//! the functions that win a part, not with those that compete. As everywhere in a partition,
//! what is cut adds up to the facet whatever rounds.

use super::Affine;
use super::partition::{Claim, DOMAIN, Partition};

impl Partition {
    /// Gives each fragment, and what is cut from it, to the least of its own function and
    /// those that are `waiting`, which are used up.
    ///
    /// Each is inserted once, when it is the least at a corner: it wins something.
    pub fn lower(&mut self, waiting: &mut Vec<u32>, values: &[Affine]) {
        let mut whole = Claim {
            domain: [Affine::ZERO; DOMAIN],
            lines: 0,
            region: self.fragments[0],
        };
        let mut index = 0;
        while index < self.fragments.len() {
            let Some(least) = self.least_at_a_corner(index, waiting, values) else {
                index += 1;
                continue;
            };
            whole.region.function = waiting.swap_remove(least);
            // Those before have no corner at which it is less.
            self.insert(&whole, values, index);
        }
        waiting.clear();
    }

    /// Which of those waiting is less than a fragment's own function at one of its corners,
    /// by most: there it is the least of all. None when the own one is the least at all.
    fn least_at_a_corner(&self, index: usize, waiting: &[u32], values: &[Affine]) -> Option<usize> {
        let fragment = &self.fragments[index];
        let own = values[fragment.function as usize];
        let middle = 0.5 * (fragment.min + fragment.max);
        let half = fragment.max - middle;
        let (mut most, mut which) = (self.slack, None);
        for (k, &function) in waiting.iter().enumerate() {
            let less = own.minus(&values[function as usize]);
            if less.at(middle) + less.slope.abs().dot(half) <= most {
                continue;
            }
            for &p in self.corners(fragment) {
                if less.at(p) > most {
                    (most, which) = (less.at(p), Some(k));
                }
            }
        }
        which
    }
}
